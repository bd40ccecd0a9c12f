/* A hand that takes hold of a cube by a button, presses it on another, rubs, lets go, takes it up again, carries it away and lets go: with bodies that
 * are simulated slower than hands are rendered as at one rate. Before any limit or controller. TACTUS_TEST_TELL prints. */
#include "physics/cells.h"

/* Ticks: the button takes hold; the cube is pressed; all is still; it was rubbed; the button lets go, and takes hold again; the cube is up; carried; let go. */
enum {
  TAKES = 100,
  DOWN = 400,
  PRESSED = 480,
  RUBBED = 700,
  LETS_GO = 800,
  AGAIN_TAKES = 1000,
  LIFTED = 1300,
  CARRIED = 1700,
  DROPS = 1800,
  ENDS = 2000
};
static const double depth = 4e-3,
                    most_step = 0.05; /* m; N: in which a fade of 20 ms and hands that move at 0.1 m/s go on */

typedef struct Hold {
  tacVec3 force[ENDS], proxy[ENDS], hand[ENDS];
  double work, moved, least; /* J: given in all, exchanged, and the least so far */
  int lost;                  /* ticks without a force while it was pressed */
  int refused;
} Hold;

static bool button(int tick) {
  return (tick >= TAKES && tick < LETS_GO) || (tick >= AGAIN_TAKES && tick < DROPS);
}

static double way(int tick, int from, int to) {
  return smooth((double)(tick - from) / (to - from));
}

static void play(const SmallBodies *s, const Cell *cell, double friction, int every, Hold *hold) {
  TAC_OWN(tacWorld, world) = make_world_with(cell->method, every);
  tacBodyId ids[2];
  for (int side = 0; side < 2; ++side) ids[side] = add_body(world, s, cell->kind[side], side, 1e-3, 0.0);
  tacPairDef pair = tac_pair_def_default();
  pair.points = ids[0];
  pair.field = ids[1];
  pair.stiffness = 400.0;
  pair.friction = friction;
  pair.method = cell->method;
  if (is_hyperelastic(cell->kind[0]) || is_hyperelastic(cell->kind[1])) pair.laws.detect = TAC_DETECT_SURFACES;
  tac_test_ok(tac_world_add_pair(world, &pair, NULL, &error), error);
  tacBodyToolDef tool = tac_body_tool_def_default();
  tool.name = "hand";
  tool.body = ids[0];
  tool.grasp = grasp;
  tool.coupling = cell->coupling;
  tool.reach = 8e-3;
  tac_test_ok(tac_world_add_body_tool(world, &tool, NULL, &error), error);
  seal(world);
  const double mass = 0.15, k = 400.0, c = 2.0 * sqrt(mass * k);
  const tacVec3 start = to_world(pose_of(0, 1e-3), tac_vec3(-2e-3, 0.5 * EDGE, 0.5 * EDGE)); /* over its outer face */
  tacVec3 at = start, velocity = tac_vec3(0.0, 0.0, 0.0);
  tacToolOutput out = {0};
  *hold = (Hold){0};
  for (int tick = 0; tick < ENDS; ++tick) {
    double in = way(tick, TAKES, DOWN) * depth, up = way(tick, AGAIN_TAKES + 20, LIFTED) * 0.02;
    double aside = 6e-3 * sin(3.14159265358979 * way(tick, PRESSED, RUBBED)) + 4e-3 * way(tick, LETS_GO, AGAIN_TAKES) +
                   0.03 * way(tick, LIFTED, CARRIED);
    tacVec3 target = tac_vec3(start.x - in + up, start.y + aside, start.z - 0.3 * aside), was = at, force = out.force;
    tacVec3 pull = tac_vec3_mad(tac_vec3_scale(k, tac_vec3_sub(target, at)), -c, velocity);
    velocity = tac_vec3_mad(velocity, period / mass, tac_vec3_add(pull, force));
    at = tac_vec3_mad(at, period, velocity);
    tacToolInput input = {.position = at, .orientation = {1.0, 0.0, 0.0, 0.0}, .grab = button(tick)};
    hold->refused += step_world(world, &input, &out).refused;
    double given = -0.5 * tac_vec3_dot(tac_vec3_add(force, out.force), tac_vec3_sub(at, was));
    hold->work += given;
    hold->moved += fabs(given);
    hold->least = fmin(hold->least, hold->work);
    hold->force[tick] = out.force;
    hold->proxy[tick] = out.proxy;
    hold->hand[tick] = at;
    if (tick > DOWN && tick < LETS_GO) hold->lost += !(out.force.x > 0.01);
  }
}

/* N: the largest change in a tick. */
static double step_between(const Hold *h, int from, int to) {
  double most = 0.0;
  for (int i = from; i < to; ++i) most = fmax(most, tac_vec3_distance(h->force[i], h->force[i - 1]));
  return most;
}

/* m: how much the cube moved in the hand, from how both were as it took hold. */
static double slip_between(const Hold *h, int from, int to) {
  return tac_vec3_distance(tac_vec3_sub(h->proxy[from - 1], h->hand[from]), tac_vec3_sub(h->proxy[to], h->hand[to]));
}

/* m: by which the cube moved. */
static double drift_between(const Hold *h, int from, int to) {
  double most = 0.0;
  for (int i = from; i < to; ++i) most = fmax(most, tac_vec3_distance(h->proxy[i], h->proxy[from]));
  return most;
}

TAC_TEST(a_button_takes_hold_at_two_rates_as_at_one) {
  static const Kind held[] = {RIGID_HELD, REDUCED_HELD, COROTATIONAL_HELD, VADEMECUM_HELD, HYPERELASTIC_HELD};
  static const Kind others[] = {RIGID_RESTS, GREEN_RESTS, REDUCED_ANCHORED, HYPERELASTIC_RESTS};
  static const int steps[] = {4, 10, 20, 50};
  static Hold one, slow;
  SmallBodies s = make_all_small_bodies();
  int failed = 0, number = 0;
  for (int h = 0; h < 5; ++h)
    for (int o = 0; o < 4; ++o)
      for (int m = 0; m < 4; ++m, ++number) {
        Cell cell = {{held[h], others[o]}, (tacContactMethod)(m & 1), (tacCouplingKind)(m >> 1)};
        double friction = number % 2 == 0 ? 0.3 : 0.0; /* with it, what was is kept: test_rates */
        if (!tac_test_all() && number % 7 != 0) continue;
        play(&s, &cell, friction, 1, &one);
        for (int e = 0; e < 4; ++e) {
          if (!tac_test_all() && (number / 7 + e) % 2 != 0) continue;
          play(&s, &cell, friction, steps[e], &slow);
          double pressed = tac_vec3_norm(one.force[PRESSED]);
          double force = tac_vec3_distance(one.force[PRESSED], slow.force[PRESSED]);
          double slipped = slip_between(&slow, AGAIN_TAKES, CARRIED + 80);
          double taking =
              fmax(step_between(&slow, TAKES, TAKES + 50), step_between(&slow, AGAIN_TAKES, AGAIN_TAKES + 20));
          double going = fmax(step_between(&slow, LETS_GO, AGAIN_TAKES), step_between(&slow, DROPS, ENDS));
          double drift = fmax(drift_between(&slow, LETS_GO, AGAIN_TAKES), drift_between(&slow, DROPS, ENDS));
          bool good = slow.refused == 0 && slow.lost == 0 && slow.least > -fmin(1e-3, 0.01 * slow.moved + 1e-6) &&
                      force < (friction > 0.0 ? 0.3 : 0.1) * pressed && slipped < 1e-4 && taking < most_step &&
                      going < most_step + 0.05 * pressed && drift < 1e-9;
          failed += !good;
          if (!good || getenv("TACTUS_TEST_TELL") != NULL)
            fprintf(stderr,
                    "%-17s on %-18s %-9s %-7s every %2d: %5.2f N, apart %5.3f N, slipped %5.3f mm; steps %5.3f %5.3f N "
                    "(one "
                    "%5.3f %5.3f); energy "
                    "%6.3f of %6.2f mJ; lost %d, drift %g m%s\n",
                    kind_names[cell.kind[0]], kind_names[cell.kind[1]], m & 1 ? "signorini" : "penalty",
                    m >> 1 ? "dynamic" : "static", steps[e], pressed, force, 1e3 * slipped, taking, going,
                    fmax(step_between(&one, TAKES, TAKES + 50), step_between(&one, AGAIN_TAKES, AGAIN_TAKES + 20)),
                    fmax(step_between(&one, LETS_GO, AGAIN_TAKES), step_between(&one, DROPS, ENDS)), -1e3 * slow.least,
                    1e3 * slow.moved, slow.lost, drift, good ? "" : "  <--");
        }
      }
  ck_assert_int_eq(failed, 0);
}
