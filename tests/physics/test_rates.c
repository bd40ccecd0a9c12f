/* Worlds whose bodies are simulated slower than their tools are rendered: every kind against every other, by both methods, with the
 * hands of the matrix. What the hands feel and where they go is nearly the same as where all is one step; they get no energy,
 * before any limit or controller acts; nothing that is felt jumps when a step is taken. TACTUS_TEST_ALL takes every cell, else
 * one in 29, of hyperelastic bodies one in 87, among them every kind; TACTUS_TEST_PRINT prints them. */
#include "math/random.h"
#include "physics/cells.h"
#include "physics/small_scene.h"
#include "scene/scene.h"
#include "world/rates/simulation.h"
#include "world/world_tick.h"

enum { EVERY = 10 };
static const char *const method_names[2] = {"penalty", "signorini"};
static const char *const coupling_names[2] = {"static", "dynamic"};

/* What a run of a cell came to. */
typedef struct Run {
  tacVec3 force[MOST_HANDS][TICKS], place[MOST_HANDS][TICKS];
  bool taken[TICKS];
  double work, moved; /* J: what hands gave in all, and all that was exchanged */
  bool finite, passive;
} Run;

static void go_on(const Bench *b, Play *play, int from, int to, Run *run) {
  if (from == 0) *run = (Run){.finite = true, .passive = true};
  for (int tick = from; tick < to; ++tick) {
    tacToolInput in[MOST_HANDS];
    tacToolOutput before[MOST_HANDS];
    Hand was[MOST_HANDS];
    memcpy(was, play->hands, sizeof was);
    memcpy(before, play->out, sizeof before);
    for (int t = 0; t < b->tools; ++t) {
      move_hand(&play->hands[t], tick, play->out[t].force);
      in[t] = input_of(&play->hands[t]);
    }
    tacTickReport report = step_world(b->world, in, play->out);
    run->taken[tick] = report.taken;
    run->finite = run->finite && report.refused == 0;
    for (int t = 0; t < b->tools; ++t) {
      const Hand *hand = &play->hands[t];
      tacVec3 force = tac_vec3_mix(before[t].force, play->out[t].force, 0.5);
      double torque = 0.5 * (before[t].torque.y + play->out[t].torque.y);
      double given =
          -tac_vec3_dot(force, tac_vec3_sub(hand->position, was[t].position)) - torque * (hand->angle - was[t].angle);
      run->work += given;
      run->moved += fabs(given);
      run->force[t][tick] = play->out[t].force;
      run->place[t][tick] = hand->position;
      run->finite = run->finite && tac_vec3_finite(play->out[t].force) && tac_vec3_finite(play->out[t].torque);
    }
    run->passive = run->passive && run->work >= -(0.02 * run->moved + 1e-6);
  }
}

static void play_all(const SmallBodies *s, const Cell *cell, int every, Run *run) {
  TAC_FREED(end_bench, Bench, b) = make_bench(s, cell, true, 0.0, every);
  Play play = begin(&b, cell);
  go_on(&b, &play, 0, TICKS, run);
}

typedef struct Difference {
  double place;       /* m: of hands, the most */
  double force, most; /* N: while hands are still; and the most that is felt */
  double taken, other,
      once; /* N: largest changes from tick to tick: where a step was taken, elsewhere, in the run of one rate */
} Difference;

static Difference compare(int tools, const Run *one, const Run *slow) {
  Difference d = {0};
  for (int t = 0; t < tools; ++t)
    for (int k = 1; k < TICKS; ++k) {
      double change = tac_vec3_distance(slow->force[t][k], slow->force[t][k - 1]);
      d.place = fmax(d.place, tac_vec3_distance(one->place[t][k], slow->place[t][k]));
      d.most = fmax(d.most, tac_vec3_norm(one->force[t][k]));
      d.once = fmax(d.once, tac_vec3_distance(one->force[t][k], one->force[t][k - 1]));
      if (k >= QUIET && k < OUT) d.force = fmax(d.force, tac_vec3_distance(one->force[t][k], slow->force[t][k]));
      if (slow->taken[k])
        d.taken = fmax(d.taken, change);
      else
        d.other = fmax(d.other, change);
    }
  return d;
}

static bool feels_the_same(const SmallBodies *s, const Cell *cell) {
  static Run one, slow;
  play_all(s, cell, 1, &one);
  play_all(s, cell, EVERY, &slow);
  Difference d = compare(1 + is_held(cell->kind[0]) + is_held(cell->kind[1]), &one, &slow);
  /* Friction keeps what was, so that forces of still hands may differ; what is pushed away flies. Where many contacts bear one
   * load, sweeps end before it is settled which bears how much: steps of some hundredths. Points that share a load shift it between
   * them as two soft bodies that are both held turn, and the 10 ms step takes that as linear: 0.27 of the force there. A fingertip of 6 mm is
   * wider than the bricks of the smallest cubes and drags there, so that it slips elsewhere: 0.37 mm. On what is free it is twice as stiff as a
   * point, and what it pushes bounces off a step later: 0.58 mm. */
  bool flies = is_free(cell->kind[0]) || is_free(cell->kind[1]);
  double most_place = cell->radius == 0.0 ? 0.35e-3 : flies ? 0.65e-3 : 0.45e-3;
  bool good = slow.finite && slow.passive && d.place < most_place && d.force < 0.3 * d.most &&
              d.taken < fmax(d.other, d.once) + 0.05 * d.most;
  if (getenv("TACTUS_TEST_TELL") != NULL || !good)
    fprintf(stderr,
            "%-16s %-16s %-9s %-7s %-6s apart %5.3f mm, %5.3f of %4.2f N; steps %5.3f, else %5.3f, once %5.3f N; "
            "energy %6.3f (%6.3f) mJ%s\n",
            kind_names[cell->kind[0]], kind_names[cell->kind[1]], method_names[cell->method],
            coupling_names[cell->coupling], cell->radius > 0.0 ? "finger" : "point", 1e3 * d.place, d.force, d.most,
            d.taken, d.other, d.once, 1e3 * slow.work, 1e3 * one.work, good ? "" : "  <--");
  return good;
}

TAC_TEST(hand_forces_are_nearly_the_same_at_two_rates) {
  SmallBodies s = make_all_small_bodies();
  int failed = 0, every = tac_test_all() ? 1 : tac_test_light() ? 31 : 29;
  for (int i = 0; i < 4 * KINDS * KINDS; ++i) {
    Cell cell = {
        {(Kind)(i / 4 / KINDS), (Kind)(i / 4 % KINDS)}, (tacContactMethod)(i & 1), (tacCouplingKind)(i >> 1 & 1), 0.0};
    bool hyperelastic = is_hyperelastic(cell.kind[0]) || is_hyperelastic(cell.kind[1]);
    if (is_impossible(&cell) || i % (hyperelastic && every > 1 ? 3 * every : every) != 0) continue;
    if (cell.coupling == TAC_COUPLING_DYNAMIC && !is_held(cell.kind[0]) && !is_held(cell.kind[1])) continue;
    for (int tip = 0; tip < (tac_test_all() ? 2 : 1); ++tip) {
      cell.radius = tac_test_all() ? 0.006 * tip : (i / every) % 3 != 0 ? 0.006 : 0.0;
      failed += !feels_the_same(&s, &cell);
    }
  }
  ck_assert_int_eq(failed, 0);
}

/* A cube between a finger and a hand rocks, and other points of it touch in each step: bodies answer the forces of the last step where these
 * acted, not at the points that touch now. Else fades of 1 mm follow, and steps of 0.19 N of 0.8 N. */
TAC_TEST(contacts_may_change_in_every_step) {
  static const Cell cells[] = {
      {{GREEN_RESTS, RIGID_HELD}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0},
      {{RIGID_HELD, RIGID_FREE}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0},
      {{RIGID_FREE, VADEMECUM_HELD}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0},
      {{REDUCED_FREE, VADEMECUM_HELD}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0},
      {{REDUCED_HELD, REDUCED_HELD}, TAC_METHOD_PENALTY, TAC_COUPLING_STATIC, 0.0},
      {{REDUCED_HELD, VADEMECUM_FREE}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0},
      {{VADEMECUM_FREE, REDUCED_HELD}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0},
  };
  int failed = 0, count = tac_test_light() ? 1 : (int)(sizeof cells / sizeof *cells);
  SmallBodies s = make_all_small_bodies();
  for (int i = 0; i < count; ++i) failed += !feels_the_same(&s, &cells[i]);
  ck_assert_int_eq(failed, 0);
}

/* A finger, without friction, on a soft body: when it is still, it is as where all is one step. */
TAC_TEST(still_fingers_get_the_same_force_at_two_rates) {
  static const Kind kinds[3] = {GREEN_RESTS, REDUCED_ANCHORED, REDUCED_HELD};
  SmallBodies s = make_small_bodies();
  static Run one, slow;
  for (int i = 0; i < 3; ++i) {
    Run *runs[2] = {&one, &slow};
    Cell cell = {{kinds[i], RIGID_RESTS}, TAC_METHOD_PENALTY, TAC_COUPLING_STATIC, 0.0};
    for (int k = 0; k < 2; ++k) {
      TAC_FREED(end_bench, Bench, b) = make_bench(&s, &cell, true, 0.0, k == 0 ? 1 : EVERY);
      int friction = tac_world_find_parameter(b.world, "points.friction");
      tac_test_ok(tac_world_set_parameter(b.world, friction, 0.0, &error), error);
      friction = tac_world_find_parameter(b.world, "points-field.friction");
      tac_test_ok(tac_world_set_parameter(b.world, friction, 0.0, &error), error);
      Play play = begin(&b, &cell);
      for (int t = 0; t < b.tools; ++t) play.hands[t].rub = tac_vec3(0.0, 0.0, 0.0), play.hands[t].turn = 0.0;
      go_on(&b, &play, 0, OUT, runs[k]);
    }
    double apart = tac_vec3_distance(one.force[0][OUT - 1], slow.force[0][OUT - 1]);
    double most = tac_vec3_norm(one.force[0][OUT - 1]);
    tac_test_print("%s: %g of %g N\n", kind_names[kinds[i]], apart, most);
    ck_assert_double_gt(most, 0.2);
    ck_assert_double_lt(apart, 0.01 * most);
  }
}

/* A cube flies at a finger that is still, and meets it between two of its steps: the tick in which that is felt. */
static int contact_tick(const SmallBodies *s, int every) {
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_PENALTY, every);
  tacToolOutput out = {0};
  int tick = 0;
  Cube cube = cube_of(RIGID, "cube");
  cube.body.free = true;
  cube.body.velocity = tac_vec3(0.1, 0.0, 0.0);
  add_cube(world, s, &cube);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "finger"}, NULL, &error), error);
  seal(world);
  tacToolInput in = {.position = {EDGE + 0.00745, 0.5 * EDGE, 0.5 * EDGE}, .orientation = {1.0, 0.0, 0.0, 0.0}};
  for (; tick < 200 && out.force.x == 0.0; ++tick) step_world(world, &in, &out);
  return tick;
}

TAC_TEST(contact_begins_in_nearly_the_same_tick_at_two_rates) {
  SmallBodies s = make_small_bodies();
  int one = contact_tick(&s, 1), slow = contact_tick(&s, EVERY);
  ck_assert_int_ge(one, 74);
  ck_assert_int_le(one, 77);
  ck_assert_msg(abs(slow - one) <= 2, "felt in tick %d, and %d", slow, one);
}

/* A bar that presses a soft ball, of which only a part of what is inside the bar at rest is touched. */
static tacVec3 press_a_ball(double rate, tacTickReport *report) {
  TAC_OWN(tacScene, scene) = read_gallery("press");
  tacToolOutput out;
  tac_test_ok(tac_scene_set_simulate_rate(scene, rate, &error), error);
  bake_scene(scene);
  TAC_OWN(tacWorld, world) = world_of(scene);
  const int way = tac_test_all() ? 800 : 500;
  for (int tick = 0; tick < way + 400; ++tick) {
    tacToolInput in = {.position = tac_vec3(0.0, 0.0, 0.08 - 0.028 * smooth((double)tick / way)),
                       .orientation = {1.0, 0.0, 0.0, 0.0}};
    tac_world_step(world, &in, &out, report);
  }
  return out.force;
}

TAC_TEST(a_bar_on_a_ball_gets_the_same_force_at_two_rates) {
  tacTickReport report;
  tacVec3 one = press_a_ball(1000.0, &report), slow = press_a_ball(100.0, &report);
  ck_assert_double_gt(one.z, 0.5);
  ck_assert_msg(tac_vec3_distance(one, slow) < 0.03 * one.z, "%g N and %g N", slow.z, one.z);
}

/* What is shown of a tick's local problem is what its tools are told: the contacts of a held body add up to its force, and act around the
 * place that is told; they obey Coulomb, near ones press nothing, and W is symmetric and gives way under any forces. With the thread of
 * the bodies all of it is asked from that of the ticks. */
TAC_TEST(the_local_problem_is_shown) {
  static const Cell cell = {{REDUCED_HELD, REDUCED_ANCHORED}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0};
  static tacShownContact contacts[64];
  static double w[9 * 64 * 64];
  static Run run;
  SmallBodies s = make_small_bodies();
  tacRandom random = tac_random_seed(3);
  for (int threaded = 0; threaded < 2; ++threaded) {
    TAC_FREED(end_bench, Bench, b) = make_bench(&s, &cell, true, 0.0, EVERY);
    Play play = begin(&b, &cell);
    int touching = 0, near = 0, hand = b.hand_of[0], held = (int)tac_world_tool_body(b.world, hand, NULL).index;
    if (threaded == 1)
      tac_test_ok(tac_world_start_simulation(b.world, &error), error);
    else /* without the finger, which touches the same body */
      play.hands[0].start = play.hands[0].position = tac_vec3(1.0, 1.0, 1.0);
    for (int tick = 0; tick < STILL; ++tick) {
      if (tick % EVERY == 0) tac_simulation_settle(b.world->simulation); /* however busy the machine is */
      go_on(&b, &play, tick, tick + 1, &run);
      int count = tac_world_contacts(b.world, 64, contacts), n = 3 * count;
      tacVec3 sum = tac_vec3(0.0, 0.0, 0.0), place = sum;
      double pressed = 0.0;
      for (int i = 0; i < count; ++i) {
        const tacShownContact *c = &contacts[i];
        double along = tac_vec3_dot(c->force, c->normal), size = tac_vec3_norm(c->force);
        ck_assert_double_eq_tol(tac_vec3_norm(c->normal), 1.0, 1e-9);
        if (c->state == TAC_CONTACT_NONE) {
          ck_assert_double_eq(size, 0.0);
          ++near;
          continue;
        }
        ck_assert_double_ge(along, 0.0);
        ck_assert_double_le(sqrt(fmax(0.0, size * size - along * along)), c->friction * along + 1e-6 + 1e-4 * size);
        if (c->body[0] != held && c->body[1] != held) continue;
        sum = tac_vec3_mad(sum, c->body[0] == held ? -1.0 : 1.0, c->force);
        place = tac_vec3_mad(place, size, c->at);
        pressed += size;
        ++touching;
      }
      const tacContact *reported = &play.out[hand].contact;
      ck_assert_double_lt(tac_vec3_distance(sum, reported->force), 1e-9);
      double off = tac_vec3_distance(tac_vec3_scale(1.0 / fmax(pressed, 1e-12), place), reported->at);
      ck_assert(pressed == 0.0 || threaded == 1 || off < 1e-9);
      ck_assert_int_eq(tac_world_delassus(b.world, 64, w), count);
      double f[3 * 64], work = 0.0;
      for (int i = 0; i < n; ++i) f[i] = tac_random_uniform(&random, -1.0, 1.0);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          ck_assert_double_eq_tol(w[i * n + j], w[j * n + i], 1e-12);
          work += f[i] * w[i * n + j] * f[j];
        }
      ck_assert(n == 0 || work > 0.0);
      ck_assert_int_eq(tac_world_contacts(b.world, 1, contacts), count < 1 ? count : 1);
    }
    ck_assert_int_gt(touching, 0);
    ck_assert_int_gt(near, 0);
  }
}

/* What a host asks for between steps is done before the next: a ball that is moved, pushed, and falls. */
TAC_TEST(commands_take_effect_in_the_next_step) {
  SmallBodies s = make_small_bodies();
  tacTickReport report;
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_PENALTY, EVERY);
  tacPose pose;
  tacVec3 velocity;
  Cube ball = cube_of(RIGID, "ball");
  ball.body.free = true;
  tacBodyId id = add_cube(world, &s, &ball);
  seal(world);
  tac_test_ok(tac_world_push_body(world, id, s.inertia.centre, tac_vec3(0.0, 0.0, 0.1), &error), error);
  for (int tick = 0; tick <= 2 * EVERY; ++tick) tac_world_step(world, NULL, NULL, &report); /* first it only looks */
  ck_assert(report.taken);
  ck_assert(tac_world_body_motion(world, id, NULL, &velocity, NULL, NULL) == TAC_OK);
  ck_assert_double_eq_tol(velocity.z, 0.1 * 1e-3 / s.inertia.mass, 1e-9); /* as in one tick */
  tac_world_reset(world);
  for (int tick = 0; tick < 3 + EVERY; ++tick) tac_world_step(world, NULL, NULL, &report);
  pose = (tacPose){tac_vec3(0.0, 0.0, 1.0), {1.0, 0.0, 0.0, 0.0}};
  tac_test_ok(tac_world_move_body(world, id, &pose, tac_vec3(0.5, 0.0, 0.0), tac_vec3(0.0, 0.0, 0.0), &error), error);
  tacVec3 centre = tac_vec3_add(pose.position, s.inertia.centre);
  tac_test_ok(tac_world_push_body(world, id, centre, tac_vec3(0.0, 0.1, 0.0), &error), error);
  for (int tick = 3; tick <= EVERY; ++tick) tac_world_step(world, NULL, NULL, &report);
  ck_assert(tac_world_body_motion(world, id, &pose, NULL, NULL, NULL) == TAC_OK);
  ck_assert_double_eq(pose.position.z, 0.0); /* the step under way knew nothing of it */
  for (int tick = 0; tick < EVERY; ++tick) tac_world_step(world, NULL, NULL, &report);
  ck_assert(report.taken);
  ck_assert(tac_world_body_motion(world, id, &pose, &velocity, NULL, NULL) == TAC_OK);
  ck_assert_double_eq_tol(pose.position.x, 0.5 * EVERY * 1e-3, 1e-12);
  ck_assert_double_eq_tol(pose.position.z, 1.0, 1e-9);
  ck_assert_double_eq_tol(velocity.y, 0.1 * 1e-3 / s.inertia.mass, 1e-9); /* as in one tick */
  ck_assert_int_eq(tac_world_set_parameter(world, 99999, 1.0, &error), TAC_ERR_ARGUMENT);
  int friction = tac_world_find_parameter(world, "ball.friction");
  ck_assert_int_eq(tac_world_set_parameter(world, friction, NAN, &error), TAC_ERR_ARGUMENT);
  tac_test_ok(tac_world_set_parameter(world, friction, 0.7, &error), error);
  for (int tick = 0; tick < 2 * EVERY; ++tick) tac_world_step(world, NULL, NULL, &report);
  ck_assert_double_eq(tac_world_parameter(world, friction).value, 0.7);
}

/* Pressed on a face, drawn over its edge and pushed on: nothing holds it there, be the face ever so hard. */
TAC_TEST(contact_ends_beyond_an_edge) {
  enum { PRESSED = 100, EDGED = 470, DRAWN = 600, PUSHED = 700, LATER = 800 };
  static const Cell cells[] = {{{RIGID_HELD, RIGID_RESTS}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0},
                               {{RIGID_HELD, RIGID_RESTS}, TAC_METHOD_PENALTY, TAC_COUPLING_STATIC, 0.0},
                               {{RIGID_HELD, RIGID_HELD}, TAC_METHOD_SIGNORINI, TAC_COUPLING_DYNAMIC, 0.0},
                               {{REDUCED_HELD, RIGID_RESTS}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0},
                               {{RIGID_HELD, GREEN_RESTS}, TAC_METHOD_SIGNORINI, TAC_COUPLING_DYNAMIC, 0.0}};
  SmallBodies s = make_small_bodies();
  for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
    TAC_FREED(end_bench, Bench, b) = make_bench(&s, &cells[i], true, 0.0, EVERY);
    Play play = begin(&b, &cells[i]);
    tacToolInput in[MOST_HANDS];
    tacTickReport report;
    double pressed = 0.0, last = 0.0;
    int hand = b.hand_of[0];
    for (int tick = 0; tick < LATER; ++tick) {
      for (int t = 0; t < b.tools; ++t) in[t] = input_of(&play.hands[t]);
      in[hand].position.x -= 0.005 * smooth((double)tick / PRESSED);
      in[hand].position.y += 1.3 * EDGE * smooth((double)(tick - PRESSED) / (DRAWN - PRESSED));
      in[hand].position.x -= 0.5e-3 * fmax(0.0, fmin(tick, PUSHED) - EDGED);
      tac_world_step(b.world, in, play.out, &report);
      last = tac_vec3_norm(play.out[hand].force);
      if (tick < EDGED) pressed = fmax(pressed, last);
      ck_assert_int_eq(report.refused, 0);
    }
    ck_assert_double_gt(pressed, 0.3);
    ck_assert_double_lt(last, 0.02 * pressed);
  }
}

/* What is set stays set, whatever becomes of the step that is under way; what takes time is done when the call returns. */
TAC_TEST(parameters_outlive_resets_and_loads) {
  SmallBodies s = make_small_bodies();
  static Run run;
  Cell cell = {{GREEN_HELD, RIGID_RESTS}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0};
  TAC_FREED(end_bench, Bench, b) = make_bench(&s, &cell, true, 0.0, EVERY);
  size_t size = tac_world_memory_size(b.world);
  TAC_MEMORY(void, memory) = malloc(size);
  int friction = tac_world_find_parameter(b.world, "field.friction");
  int mask = tac_world_find_parameter(b.world, "points.mask");
  ck_assert(!tac_world_parameter(b.world, mask).in_tick);
  for (int threaded = 0; threaded < 2; ++threaded) {
    if (threaded) tac_test_ok(tac_world_start_simulation(b.world, &error), error);
    Play play = begin(&b, &cell);
    go_on(&b, &play, 0, 15, &run);
    tac_test_ok(tac_world_set_parameter(b.world, friction, 0.7, &error), error);
    tac_world_reset(b.world);
    ck_assert_double_eq(tac_world_parameter(b.world, friction).value, 0.7);
    play = begin(&b, &cell);
    go_on(&b, &play, 0, 15, &run);
    tac_test_ok(tac_world_set_parameter(b.world, friction, 0.5, &error), error);
    tac_test_ok(tac_world_save(b.world, size, memory, &error), error);
    tac_test_ok(tac_world_set_parameter(b.world, friction, 0.6, &error), error);
    tac_test_ok(tac_world_load(b.world, size, memory, &error), error);
    go_on(&b, &play, 15, 35, &run);
    tac_world_reset(b.world);
    ck_assert_double_eq(tac_world_parameter(b.world, friction).value, 0.6);
    play = begin(&b, &cell);
    go_on(&b, &play, 0, 15, &run);
    tac_test_ok(tac_world_set_parameter(b.world, mask, 0.009 + 0.001 * threaded, &error), error);
    ck_assert_double_eq(tac_world_parameter(b.world, mask).value, 0.009 + 0.001 * threaded);
    tac_world_reset(b.world);
  }
}

/* A finger that is lifted between two steps and comes down within the body; and one that lets go between two steps and
 * wants to take hold again where it does not touch: the body knows of neither, and still they feel nothing. */
TAC_TEST(fingers_part_between_steps) {
  enum { AT = 2 * IN + 3, AGAIN_AT = AT + 4 };
  SmallBodies s = make_small_bodies();
  static const Kind kinds[2] = {GREEN_RESTS, REDUCED_ANCHORED};
  for (int i = 0; i < 4; ++i) {
    Cell cell = {{kinds[i / 2], RIGID_RESTS}, TAC_METHOD_PENALTY, TAC_COUPLING_STATIC, 0.0};
    TAC_FREED(end_bench, Bench, b) = make_bench(&s, &cell, true, 0.0, EVERY);
    Play play = begin(&b, &cell);
    bool lifts = i % 2 == 0;
    double most = 0.0;
    for (int tick = 0; tick < AGAIN_AT + 4 * EVERY; ++tick) {
      bool parts = tick >= AT && tick < AGAIN_AT;
      tacVec3 way = tac_vec3_scale(smooth((double)tick / IN), play.hands[0].way);
      if (tick >= AT) way = tac_vec3_scale(lifts ? 2.0 : -0.2, play.hands[0].way);
      tacToolInput in = {.position = tac_vec3_add(play.hands[0].start, way), .orientation = {1.0, 0.0, 0.0, 0.0}};
      in.grab = !lifts && tick > IN && !parts;
      in.lifted = lifts && parts;
      step_world(b.world, &in, play.out);
      double force = tac_vec3_norm(play.out[0].force);
      if (tick < AT)
        most = fmax(most, force);
      else
        ck_assert_double_eq(force, 0.0);
    }
    ck_assert_double_gt(most, 0.2);
  }
}

TAC_TEST(impossible_rates_and_commands_are_refused) {
  tacWorldDef def = tac_world_def_default();
  TAC_OWN(tacWorld, world) = NULL;
  def.simulate_every = 0;
  ck_assert_int_eq(tac_world_create(&def, &world, &error), TAC_ERR_ARGUMENT);
  def.simulate_every = 101;
  ck_assert_int_eq(tac_world_create(&def, &world, &error), TAC_ERR_ARGUMENT);
  def.simulate_every = EVERY;
  tac_test_ok(tac_world_create(&def, &world, &error), error);
  ck_assert_int_eq(tac_world_start_simulation(world, &error), TAC_ERR_ARGUMENT); /* not sealed */
  ck_assert_int_eq(tac_world_start_simulation(NULL, &error), TAC_ERR_ARGUMENT);
}
