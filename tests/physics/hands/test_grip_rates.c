/* A hand that takes hold of a cube by a button, presses it on another, rubs, lets go, takes it up again, carries it away and lets go: with bodies that
 * are simulated slower than hands are rendered as at one rate. Before any limit or controller. TACTUS_TEST_PRINT prints. */
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
        Cell cell = {{held[h], others[o]}, (tacContactMethod)(m & 1), (tacCouplingKind)(m >> 1), 0.0};
        double friction = number % 2 == 0 ? 0.3 : 0.0; /* with it, what was is kept: test_rates */
        if (!tac_test_all() && number % 21 != 0) continue;
        play(&s, &cell, friction, 1, &one);
        for (int e = 0; e < 4; ++e) {
          if (!tac_test_all() && (number / 21 + e) % 2 != 0) continue;
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

/* ---- pads ---- */

/* Ticks: the pads hold; the cube is up; it was shaken; it is down; let go; the end. */
enum { GRIPS = 300, PADS_UP = 800, SHAKEN = 1500, PADS_DOWN = 1700, OPENS = 1750, PADS_END = 2000 };

typedef struct Pads {
  tacVec3 force[PADS_END], torque[PADS_END], place[PADS_END];
  tacVec3 slip;              /* m: of the cube in the pads, from how it was taken to before it is let go */
  double work, moved, least; /* J */
  int lost, refused;
  double rests; /* m/s: of the cube in the end */
} Pads;

/* A gripper takes a free soft cube off the floor, shakes it, at `rate` Hz, and sets it down. */
static void grip(const SmallBodies *s, int every, double rate, bool led, Pads *pads) {
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_SIGNORINI, every);
  Cube c = cube_of(COROTATIONAL, "cube");
  c.body.free = true;
  c.body.gravity = tac_vec3(0.0, 0.0, -9.81);
  tacBodyId cube = add_cube(world, s, &c);
  tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, 0.3}, &error), error);
  tacPadToolDef def = tac_pad_tool_def_default();
  def.name = "gripper";
  def.body = cube;
  def.radius = 0.012;
  def.opening = EDGE;
  tac_test_ok(tac_world_add_pad_tool(world, &def, NULL, &error), error);
  seal(world);
  const double mass = 0.15, k = 600.0, d = 2.0 * sqrt(mass * k), turn = 6.283185307179586;
  const tacVec3 start = tac_vec3(0.5 * EDGE, 0.5 * EDGE, 0.5 * EDGE);
  tacVec3 at = start, velocity = tac_vec3(0.0, 0.0, 0.0), held = start, velocity_of_cube = velocity;
  double angle = 0.0;
  tacToolOutput out = {0};
  *pads = (Pads){0};
  for (int tick = 0; tick < PADS_END; ++tick) {
    double t = 1e-3 * (tick - PADS_UP), shakes = way(tick, PADS_UP, PADS_UP + 200) - way(tick, SHAKEN - 200, SHAKEN);
    double up = 0.03 * (way(tick, GRIPS, PADS_UP) - way(tick, SHAKEN, PADS_DOWN)),
           swing = shakes * sin(turn * rate * t);
    tacVec3 target = tac_vec3_add(start, tac_vec3(8e-3 * swing, -5e-3 * swing, up + 4e-3 * swing)), was = at;
    tacToolOutput before = out;
    double turned = angle;
    tacVec3 pull = tac_vec3_mad(tac_vec3_scale(k, tac_vec3_sub(target, at)), -d, velocity);
    velocity = tac_vec3_mad(velocity, period / mass, tac_vec3_add(pull, out.force));
    at = led ? tac_vec3_mad(at, period, velocity) : target;
    angle = 0.2 * swing;
    tacToolInput input = {.position = at,
                          .orientation = {cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0},
                          .grab = tick > GRIPS - 100 && tick < OPENS};
    pads->refused += step_world(world, &input, &out).refused;
    double given = -0.5 * (tac_vec3_dot(tac_vec3_add(before.force, out.force), tac_vec3_sub(at, was)) +
                           (before.torque.y + out.torque.y) * (angle - turned));
    pads->work += given;
    pads->moved += fabs(given);
    pads->least = fmin(pads->least, pads->work);
    pads->force[tick] = out.force;
    pads->torque[tick] = out.torque;
    tacPose pose;
    tac_world_body_motion(world, cube, &pose, &velocity_of_cube, NULL, NULL);
    pads->place[tick] = to_world(pose, start);
    if (tick > GRIPS && tick < OPENS) pads->lost += out.contact.state != TAC_CONTACT_GRABBED;
    if (tick == GRIPS) held = tac_vec3_sub(pads->place[tick], out.proxy);
    if (tick == SHAKEN) pads->slip = tac_vec3_sub(tac_vec3_sub(pads->place[tick], out.proxy), held);
  }
  pads->rests = tac_vec3_norm(velocity_of_cube);
}

/* N: the largest change in a tick. */
static double pad_step(const Pads *p, int from, int to) {
  double most = 0.0;
  for (int i = from; i < to; ++i) most = fmax(most, tac_vec3_distance(p->force[i], p->force[i - 1]));
  return most;
}

TAC_TEST(pads_carry_a_free_body_at_two_rates) {
  static const int steps[] = {4, 10, 20, 50};
  static const double rates[] = {1.0, 3.0, 6.0};
  static Pads one, slow;
  SmallBodies s = make_small_bodies();
  int failed = 0;
  for (int r = 0; r < 3; ++r)
    for (int led = 0; led < 2; ++led) {
      grip(&s, 1, rates[r], led, &one);
      double weight = 9.81 * s.inertia.mass, lifts = 0.0; /* on its way up, at 0.1 m/s: what drags is 0.07 N */
      for (int i = 450; i < 650; ++i) lifts -= one.force[i].z / 200.0;
      ck_assert_double_eq_tol(lifts, weight, 0.15 * weight);
      for (int e = 0; e < 4; ++e) {
        grip(&s, steps[e], rates[r], led, &slow);
        double force = 0.0, most = 0.0;
        for (int i = GRIPS; i < OPENS; ++i) {
          force = fmax(force, tac_vec3_distance(one.force[i], slow.force[i]));
          most = fmax(most, tac_vec3_norm(one.force[i]));
        }
        double carried = -slow.force[PADS_UP].z, once = pad_step(&one, 1, PADS_END),
               change = pad_step(&slow, 1, PADS_END);
        bool good = slow.refused == 0 && slow.lost == 0 && slow.least > -fmin(1e-3, 0.01 * slow.moved + 1e-6) &&
                    fabs(carried - weight) < 0.1 * weight && change < 0.2 && tac_vec3_norm(slow.slip) < 0.4e-3 &&
                    slow.rests < 0.05;
        failed += !good;
        if (!good || getenv("TACTUS_TEST_TELL") != NULL)
          fprintf(stderr,
                  "pads, %g Hz, %s, every %2d: carries %5.3f N (one %5.3f), apart %5.3f of %5.3f N; steps %6.4f (one "
                  "%6.4f) N; "
                  "slip %6.3f (one %6.3f) mm; energy %7.4f (%7.4f) of %6.2f mJ; lost %d (%d), rests %g m/s%s\n",
                  rates[r], led ? "led" : "driven", steps[e], carried, -one.force[PADS_UP].z, force, most, change, once,
                  1e3 * tac_vec3_norm(slow.slip), 1e3 * tac_vec3_norm(one.slip), -1e3 * slow.least, -1e3 * one.least,
                  1e3 * slow.moved, slow.lost, one.lost, slow.rests, good ? "" : "  <--");
      }
    }
  ck_assert_int_eq(failed, 0);
}

/* What pads do to a body in another hand, that hand feels in the same tick: as at one rate. */
TAC_TEST(pads_on_a_held_body_are_those_of_one_rate) {
  enum { LAST = 900 };
  static tacVec3 felt[2][LAST][2];
  SmallBodies s = make_small_bodies();
  for (int run = 0; run < 2; ++run) {
    TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_SIGNORINI, run == 0 ? 1 : 20);
    Cube c = cube_of(COROTATIONAL, "cube");
    tacBodyToolDef hand = tac_body_tool_def_default();
    hand.name = "hand";
    hand.body = add_cube(world, &s, &c);
    hand.grasp = grasp;
    hand.static_damping = 0.0;
    tacPadToolDef def = tac_pad_tool_def_default();
    def.name = "pad";
    def.body = hand.body;
    def.radius = 0.012;
    tac_test_ok(tac_world_add_pad_tool(world, &def, NULL, &error), error);
    tac_test_ok(tac_world_add_body_tool(world, &hand, NULL, &error), error);
    seal(world);
    tacVec3 top = tac_vec3(0.5 * EDGE, 0.5 * EDGE, EDGE);
    for (int i = 0; i < LAST; ++i) {
      double pulls = way(i, 100, 500), turns = way(i, 300, 700);
      tacToolInput in[2] = {{.position = tac_vec3_add(top, tac_vec3_scale(pulls, tac_vec3(2e-3, 1e-3, 5e-3))),
                             .orientation = {1.0, 0.0, 0.0, 0.0},
                             .grab = i > 20 && i < 800},
                            {.position = grasp, .orientation = {cos(0.1 * turns), 0.0, sin(0.1 * turns), 0.0}}};
      tacToolOutput out[2];
      ck_assert_int_eq(step_world(world, in, out).refused, 0);
      for (int t = 0; t < 2; ++t) felt[run][i][t] = out[t].force;
    }
  }
  double most = 0.0, apart = 0.0;
  for (int i = 0; i < LAST; ++i)
    for (int t = 0; t < 2; ++t) {
      most = fmax(most, tac_vec3_norm(felt[0][i][t]));
      apart = fmax(apart, tac_vec3_distance(felt[0][i][t], felt[1][i][t]));
    }
  ck_assert_double_gt(most, 0.3);
  ck_assert_msg(apart < 1e-6, "%g N of %g N", apart, most);
}
