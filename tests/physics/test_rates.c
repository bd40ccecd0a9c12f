/* Worlds whose bodies are simulated slower than their tools are rendered: every kind against every other, by both methods, as in the
 * matrix, with the same hands. The hands feel nearly what they feel where all of it is one step, and get no energy; nothing that is
 * felt jumps when a step is taken; with a thread or without, and again from a saved state, the bits are the same.
 * TACTUS_TEST_TELL prints the cells. */
#include <tactus/servo.h>
#include "physics/cells.h"

enum { EVERY = 10, MOST_CELLS = 4 * KINDS * KINDS };
static const char *const method_names[2] = {"penalty", "signorini"};
static const char *const coupling_names[2] = {"static", "dynamic"};

/* What a run of a cell came to. */
typedef struct Run {
  tacVec3 force[MOST_HANDS][TICKS], place[MOST_HANDS][TICKS];
  bool taken[TICKS];
  double work, moved, least; /* as in the matrix */
  bool finite;
} Run;

static void play(const Bench *b, const Cell *cell, int ticks, Run *run) {
  Hand hands[MOST_HANDS];
  tacToolInput in[MOST_HANDS];
  tacToolOutput out[MOST_HANDS] = {0}, before[MOST_HANDS];
  make_hands(b, cell, hands);
  run->finite = true;
  run->work = run->moved = 0.0;
  run->least = 1.0;
  for (int tick = 0; tick < ticks; ++tick) {
    tacTickReport report;
    tacVec3 was[MOST_HANDS];
    double angle[MOST_HANDS];
    for (int t = 0; t < b->tools; ++t) {
      was[t] = hands[t].position;
      angle[t] = hands[t].angle;
      before[t] = out[t];
      move_hand(&hands[t], tick, out[t].force);
      in[t] = input_of(&hands[t]);
    }
    tac_world_step(b->world, in, out, &report);
    run->taken[tick] = report.taken;
    run->finite = run->finite && report.refused == 0;
    for (int t = 0; t < b->tools; ++t) {
      tacVec3 force = tac_vec3_mix(before[t].force, out[t].force, 0.5);
      double torque = 0.5 * (before[t].torque.y + out[t].torque.y);
      double given =
          -tac_vec3_dot(force, tac_vec3_sub(hands[t].position, was[t])) - torque * (hands[t].angle - angle[t]);
      run->work += given;
      run->moved += fabs(given);
      run->force[t][tick] = out[t].force;
      run->place[t][tick] = hands[t].position;
    }
    if (run->moved > 1e-4) run->least = fmin(run->least, run->work / run->moved);
  }
}

START_TEST(hands_feel_nearly_the_same) {
  SmallBodies s = make_small_bodies();
  bool tells = getenv("TACTUS_TEST_TELL") != NULL;
  static Run one, slow;
  for (int i = 0; i < MOST_CELLS; ++i) {
    Cell cell = {
        {(Kind)(i / 4 / KINDS), (Kind)(i / 4 % KINDS)}, (tacContactMethod)(i & 1), (tacCouplingKind)(i >> 1 & 1)};
    if (getenv("DUMP") != NULL && atoi(getenv("DUMP")) != i) continue;
    if (why_not(cell.kind[0], cell.kind[1]) != NULL) continue;
    if (cell.coupling == TAC_COUPLING_DYNAMIC && !is_held(cell.kind[0]) && !is_held(cell.kind[1])) continue;
    Bench b = make_bench(&s, &cell, true, 0.0, 1);
    play(&b, &cell, TICKS, &one);
    tac_world_destroy(b.world);
    b = make_bench(&s, &cell, true, 0.0, EVERY);
    play(&b, &cell, TICKS, &slow);
    double apart = 0.0, force = 0.0, most = 0.0, jump = 0.0, other = 0.0, jump1 = 0.0;
    for (int t = 0; t < b.tools; ++t)
      for (int k = 1; k < TICKS; ++k) {
        apart = fmax(apart, tac_vec3_distance(one.place[t][k], slow.place[t][k]));
        force = fmax(force, tac_vec3_distance(one.force[t][k], slow.force[t][k]));
        most = fmax(most, tac_vec3_norm(one.force[t][k]));
        double change = tac_vec3_distance(slow.force[t][k], slow.force[t][k - 1]);
        jump1 = fmax(jump1, tac_vec3_distance(one.force[t][k], one.force[t][k - 1]));
        if (slow.taken[k])
          jump = fmax(jump, change);
        else
          other = fmax(other, change);
      }
    if (tells)
      fprintf(stderr,
              "%-16s %-16s %-9s %-7s apart %6.3f mm  force %6.3f of %5.2f N  steps: taken %5.3f other %5.3f one %5.3f  "
              "energy %6.3f (one %6.3f)%s\n",
              kind_names[cell.kind[0]], kind_names[cell.kind[1]], method_names[cell.method],
              coupling_names[cell.coupling], 1e3 * apart, force, most, jump, other, jump1, slow.least, one.least,
              slow.finite ? "" : " NOT FINITE");
    const char *dump = getenv("DUMP");
    if (dump != NULL && atoi(dump) == i)
      for (int k = 1; k < TICKS; ++k) {
        fprintf(stderr, "%4d %d", k, slow.taken[k]);
        for (int t = 0; t < b.tools; ++t) fprintf(stderr, "  | %7.4f %7.4f %7.4f  (%7.4f %7.4f %7.4f)", slow.force[t][k].x, slow.force[t][k].y, slow.force[t][k].z, one.force[t][k].x, one.force[t][k].y, one.force[t][k].z);
        fprintf(stderr, "\n");
      }
    tac_world_destroy(b.world);
  }
  free_small_bodies(&s);
}
END_TEST

TAC_TEST_MAIN("rates", hands_feel_nearly_the_same)
