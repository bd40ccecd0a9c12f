#include <pthread.h>
#include <tactus/reduced.h>
#include <tactus/world.h>
#include "brick_beam.h"
#include "math/random.h"
#include "world/make_world.h"

/* 160 x 40 x 40 mm. */
static tacReduced *beam(void) {
  return brick_beam_reduced(8, 2, 2, 0.02, false, 4, 10);
}

static tacWorld *world_of(const tacReducedBodyDef *body, int tools) {
  tacWorldDef def = tac_world_def_default();
  tacWorld *world = tac_test_made(tacWorld *, tac_world_create(&def, &made, &error));
  tac_test_ok(tac_world_add_reduced(world, body, NULL, &error), error);
  for (int t = 0; t < tools; ++t)
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = t == 0 ? "one" : "two"}, NULL, &error),
                error);
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

static tacReducedBodyDef def_of(const char *name, const tacReduced *reduced) {
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.body.name = name;
  def.reduced = reduced;
  def.stiffness_damping = 0.01;
  def.mass_damping = 5.0;
  return def;
}

static tacReducedBodyDef beam_def(void) {
  return def_of("beam", tac_test_keep(beam(), tac_reduced_destroy));
}

/* Moves the tool to `to` in `steps` ticks, then waits as many. */
static tacToolOutput lead(tacWorld *world, tacVec3 *at, tacVec3 to, bool grab, int steps) {
  tacVec3 from = *at;
  tacToolOutput out = {0};
  tacTickReport report;
  for (int i = 1; i <= 2 * steps; ++i) {
    *at = tac_vec3_mix(from, to, fmin(1.0, (double)i / steps));
    tac_world_step(world, &(tacToolInput){.position = *at, .grab = grab}, &out, &report);
    ck_assert_int_eq(report.refused, 0);
  }
  return out;
}

static int index_of(const tacWorld *world, const char *name) {
  int index = tac_world_find_parameter(world, name);
  ck_assert_msg(index >= 0, "no parameter %s", name);
  return index;
}

static tacWorld *stiffer_world(const tacReducedBodyDef *def, double factor) {
  tacWorld *world = world_of(def, 1);
  tac_test_ok(tac_world_set_parameter(world, index_of(world, "beam.stiffness"), factor, &error), error);
  return world;
}

/* A beam so stiff that its faces stay where they are. */
static tacWorld *stiff_world(const tacReducedBodyDef *def) {
  return stiffer_world(def, 1e4);
}

TAC_TEST(a_finger_presses_and_friction_holds_it_within_its_cone) {
  tacReducedBodyDef def = beam_def();
  def.body.friction = 0.3;
  TAC_OWN(tacWorld, world) = stiff_world(&def);
  tacVec3 at = tac_vec3(0.13, 0.02, 0.06);
  tacToolOutput out = lead(world, &at, tac_vec3(0.13, 0.02, 0.0405), false, 200);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_NONE);
  ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
  out = lead(world, &at, tac_vec3(0.13, 0.02, 0.03), false, 500);
  ck_assert_int_ne(out.contact.state, TAC_CONTACT_NONE);
  ck_assert_double_eq_tol(out.force.z, 3.0, 0.01); /* 300 N/m, 10 mm: pushes the hand back out */
  int slid = 0, stuck = 0;
  for (int i = 0; i < 600; ++i) { /* up to 1 mm from the edge: nearness to it does not matter */
    at.y += i < 400 ? 4.7e-5 : -1e-5;
    step_world(world, &(tacToolInput){.position = at}, &out);
    ck_assert_int_ne(out.contact.state, TAC_CONTACT_NONE);
    double along = hypot(out.force.x, out.force.y);
    ck_assert_double_le(along, 0.301 * out.force.z);
    if (out.contact.state == TAC_CONTACT_SLIDES) ck_assert_double_ge(along, 0.299 * out.force.z);
    slid += out.contact.state == TAC_CONTACT_SLIDES;
    stuck += out.contact.state == TAC_CONTACT_STICKS;
  }
  ck_assert_int_gt(slid, 200);
  ck_assert_int_gt(stuck, 150);
  out = lead(world, &at, tac_vec3(0.13, at.y, 0.08), false, 300);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_NONE);
}

/* What a hand that goes through `count` points, one each half second, gives to the world; J. */
typedef struct Work {
  double net, least, total; /* sum of -f.dx, its least, sum of |f.dx| */
  double most_step;         /* N, from tick to tick */
} Work;

static Work go(tacWorld *world, int count, const tacVec3 *points, bool grab) {
  Work work = {0.0, 0.0, 0.0, 0.0};
  tacVec3 force = {0.0, 0.0, 0.0}, at = points[0];
  for (int k = 1; k < count; ++k)
    for (int i = 1; i <= 500; ++i) {
      tacVec3 to = tac_vec3_mix(points[k - 1], points[k], 0.5 - 0.5 * cos(3.141592653589793 * i / 500));
      tacToolOutput out;
      step_world(world, &(tacToolInput){.position = to, .grab = grab}, &out);
      if (grab) { /* the hand feels the spring as it is now */
        tacVec3 spring = tac_vec3_scale(300.0, tac_vec3_sub(out.proxy, to));
        ck_assert_double_lt(tac_vec3_distance(spring, out.force), 1e-9);
      }
      double given = -tac_vec3_dot(tac_vec3_mix(force, out.force, 0.5), tac_vec3_sub(to, at));
      work.net += given;
      work.total += fabs(given);
      work.least = fmin(work.least, work.net);
      work.most_step = fmax(work.most_step, tac_vec3_distance(force, out.force));
      force = out.force;
      at = to;
    }
  return work;
}

/* On faces, round edges, off the side and the end, into the side and under the edge: without friction a path that stays on a
 * face gives back all that it took, and no path gives more. */
TAC_TEST(sliding_generates_no_energy) {
  TAC_OWN(tacReduced, reduced) = beam();
  static const struct {
    bool is_closed; /* it stays on a face */
    int count;
    tacVec3 points[10];
  } paths[] = {
      {true,
       6,
       {{.08, .02, .06}, {.08, .02, .035}, {.1, .035, .035}, {.08, .005, .03}, {.08, .02, .035}, {.08, .02, .06}}},
      {true,
       7,
       {{.08, .07, .01},
        {.08, .035, .035},
        {.12, .02, .03},
        {.08, .02, .03},
        {.12, .035, .035},
        {.08, .03, .03},
        {.08, .07, .03}}},
      {false,
       6,
       {{.08, .02, .06}, {.08, .02, .03}, {.08, .06, .03}, {.08, .06, .06}, {.08, .02, .06}, {.08, .02, .03}}},
      {false, 5, {{.12, .02, .06}, {.12, .02, .025}, {.2, .02, .025}, {.2, .02, .06}, {.12, .02, .06}}}};
  for (int soft = 0; soft < 2; ++soft)
    for (int f = 0; f < (tac_test_light() ? 1 : 3); ++f)
      for (size_t p = 0; p < sizeof paths / sizeof *paths; ++p) {
        tacReducedBodyDef def = def_of("beam", reduced);
        def.body.friction = 0.2 * f;
        def.mass_damping = 0.5;
        def.stiffness_damping = 0.002;
        TAC_OWN(tacWorld, world) = soft ? world_of(&def, 1) : stiff_world(&def);
        Work work = go(world, paths[p].count, paths[p].points, false);
        ck_assert_double_gt(work.total, 1e-3);
        ck_assert_msg(work.least >= -0.002 * work.total, "path %zu, friction %g: %g J of %g J", p, def.body.friction,
                      work.least, work.total);
        if (paths[p].is_closed && !soft && f == 0) ck_assert_double_lt(work.net, 0.002 * work.total);
        /* The hand moves at most 0.25 mm in a tick, and what slides takes a tenth of a newton at a time, twice. */
        ck_assert_msg(work.most_step < 0.075 + 0.35, "path %zu, friction %g: %g N", p, def.body.friction,
                      work.most_step);
      }
}

/* A spring's damper brakes the body; a hand that shakes an elastic body without damping gets nothing out of it. */
TAC_TEST(shaking_generates_no_energy) {
  TAC_OWN(tacReduced, reduced) = beam();
  for (int every = 1; every <= 4; every += 3) {
    tacReducedBodyDef def = def_of("beam", reduced);
    def.mass_damping = def.stiffness_damping = 0.0;
    def.body.touch_damping = 3.0;
    def.body.every = every;
    TAC_OWN(tacWorld, world) = stiffer_world(&def, 40.0); /* as stiff at its end as the spring */
    const tacVec3 points[] = {{0.1602, 0.02, 0.02}, {0.1602, 0.02, 0.02}, {0.161, 0.03, 0.03}, {0.16, 0.01, 0.0},
                              {0.161, 0.03, 0.03},  {0.16, 0.01, 0.01},   {0.1602, 0.02, 0.02}};
    Work work = go(world, 7, points, true);
    ck_assert_double_gt(work.total, 1e-3);
    ck_assert_double_ge(work.least, -1e-3 * work.total);
  }
}

/* The deepest of many fingers that come down somewhere on a thin plate, on the side from which they came. */
TAC_TEST(sheet_contact_stays_on_the_side_of_approach) {
  TAC_OWN(tacReduced, reduced) = brick_beam_reduced(12, 8, 1, 0.005, false, 3, 4);
  tacReducedBodyDef def = def_of("beam", reduced);
  TAC_OWN(tacWorld, world) = stiff_world(&def);
  tacRandom random = tac_random_seed(17);
  for (int n = 0; n < 40; ++n) {
    double side = n % 2 == 0 ? 1.0 : -1.0;
    double x = tac_random_uniform(&random, 0.01, 0.058), y = tac_random_uniform(&random, 0.002, 0.038);
    tacVec3 at = {x, y, 0.0025 + 0.09 * side};
    tac_world_reset(world);
    lead(world, &at, at, false, 1);
    tacToolOutput out = lead(world, &at, tac_vec3(at.x, at.y, 0.0025 + 0.001 * side), false, 90);
    ck_assert_int_ne(out.contact.state, TAC_CONTACT_NONE);
    ck_assert_double_eq_tol(side * out.force.z, 300.0 * 0.0015, 0.05);
    out = lead(world, &at, tac_vec3(at.x, at.y, 0.0025 - 0.008 * side), false, 30); /* through it: still above */
    ck_assert_double_eq_tol(side * out.force.z, 300.0 * 0.0105, 0.4);
  }
}

/* What starts inside is free until it has been outside; what lets go is free at once. */
TAC_TEST(contacts_begin_outside_and_end_at_release) {
  tacReducedBodyDef def = beam_def();
  TAC_OWN(tacWorld, world) = stiff_world(&def);
  tacVec3 at = tac_vec3(0.08, 0.02, 0.03);
  tacToolOutput out = lead(world, &at, tac_vec3(0.1, 0.02, 0.035), false, 50);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_NONE);
  out = lead(world, &at, tac_vec3(0.1, 0.02, 0.045), false, 50);
  out = lead(world, &at, tac_vec3(0.1, 0.02, 0.038), false, 50);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_STICKS);
  /* Taken there: nothing jumps. Pulled out, it holds; let go, it is gone. */
  double pressed = out.force.z;
  step_world(world, &(tacToolInput){.position = at, .grab = true}, &out);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_GRABBED);
  ck_assert_double_eq_tol(out.force.z, pressed, 1e-6);
  out = lead(world, &at, tac_vec3(0.12, 0.02, 0.05), true, 50);
  ck_assert_double_eq_tol(out.force.z, -3.0, 0.01);
  step_world(world, &(tacToolInput){.position = at}, &out);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_NONE);
  ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
}

TAC_TEST(stiffness_can_be_set_while_running) {
  tacReducedBodyDef def = beam_def();
  TAC_OWN(tacWorld, world) = world_of(&def, 1);
  ck_assert_int_eq(tac_world_parameter_count(world), 8);
  tacVec3 at = tac_vec3(0.16002, 0.02, 0.02);
  lead(world, &at, at, false, 5);
  lead(world, &at, at, true, 5);
  /* A small pull: force over deflection of the point is the body's stiffness there. */
  tacToolOutput out = lead(world, &at, tac_vec3(0.16002, 0.02, 0.0203), true, 2000);
  double soft = -out.force.z / (out.contact.deformed.z - out.contact.at.z);
  tac_test_ok(tac_world_set_parameter(world, index_of(world, "beam.stiffness"), 2.0, &error), error);
  out = lead(world, &at, at, true, 2000);
  double hard = -out.force.z / (out.contact.deformed.z - out.contact.at.z);
  ck_assert_double_eq_tol(hard / soft, 2.0, 0.02);
  tac_test_ok(tac_world_set_parameter(world, index_of(world, "beam.lambda"), 0.5, &error), error);
  tac_test_ok(tac_world_set_parameter(world, index_of(world, "beam.mu"), 0.5, &error), error);
  out = lead(world, &at, at, true, 2000);
  double back = -out.force.z / (out.contact.deformed.z - out.contact.at.z);
  ck_assert_double_eq_tol(back / soft, 1.0, 1e-4);
  ck_assert_int_eq(tac_world_set_parameter(world, index_of(world, "beam.mu"), 0.0, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_world_set_parameter(world, index_of(world, "beam.touch"), NAN, &error), TAC_ERR_ARGUMENT);
}

TAC_TEST(linear_model_swells_in_large_bending) {
  TAC_OWN(tacReduced, reduced) = beam();
  double length[2];
  for (int linear = 0; linear < 2; ++linear) {
    tacReducedBodyDef def = def_of("beam", reduced);
    def.linear = linear == 1;
    def.is_static = true;
    TAC_OWN(tacWorld, world) = world_of(&def, 1);
    tacVec3 at = tac_vec3(0.16002, 0.02, 0.02);
    lead(world, &at, at, false, 5);
    lead(world, &at, at, true, 5);
    tacToolOutput out = lead(world, &at, tac_vec3(0.1605, 0.02, 0.12), true, 1000);
    length[linear] = hypot(out.contact.deformed.x, out.contact.deformed.z - 0.02);
  }
  ck_assert_double_gt(length[1], length[0]);
  ck_assert_double_lt(length[0], 0.19); /* the beam is 0.16 m long */
}

static void one_holds_one_presses(int i, tacToolInput *inputs) {
  inputs[0] = (tacToolInput){.position = {0.1605, 0.02 + 1e-4 * i, 0.02}, .grab = i > 5};
  inputs[1] = (tacToolInput){.position = {0.1, 0.02, 0.045 - 1e-4 * i}};
}

TAC_TEST(reset_world_repeats_the_run) {
  tacReducedBodyDef def = beam_def();
  def.body.every = 7; /* which does not divide the ticks of a round */
  TAC_OWN(tacWorld, world) = world_of(&def, 2);
  tacToolOutput out[TAC_MOST_TOOLS];
  check_repeats(world, 300, one_holds_one_presses, out);
  for (int t = 0; t < 2; ++t) ck_assert_double_gt(tac_vec3_norm(out[t].force), 0.01);
  tacToolInput nowhere[2] = {{.position = {NAN, 0.0, 0.0}}, {.position = {NAN, 0.0, 0.0}}};
  tac_world_reset(world);
  step_world(world, nowhere, out);
  ck_assert_double_eq(tac_vec3_norm(out[0].proxy), 0.0); /* it does not remember where it was */
}

static void *ask(void *data) {
  const tacWorld *world = data;
  double sum = 0.0;
  for (int i = 0; i < 300; ++i)
    for (int p = 0; p < tac_world_parameter_count(world); ++p) sum += tac_world_parameter(world, p).value;
  sum += tac_world_body_most_stiffness(world, tac_world_body(world, 0));
  ck_assert_double_gt(sum, 0.0);
  return NULL;
}

/* The thread sanitizer tells. */
TAC_TEST(parameters_can_be_read_while_being_set) {
  tacReducedBodyDef def = beam_def();
  TAC_OWN(tacWorld, world) = world_of(&def, 1);
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, ask, world), 0);
  tacToolOutput out;
  int count = tac_world_parameter_count(world), linear = tac_world_find_parameter(world, "beam.linear");
  for (int i = 0; i < 300; ++i) {
    tac_test_ok(
        tac_world_set_parameter(world, i % count, i % count == linear ? i / count % 2 : 0.5 + 0.001 * i, &error),
        error);
    step_world(world, &(tacToolInput){.position = {0.1, 0.1, 0.1}}, &out);
  }
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  for (int p = 0; p < count; ++p) /* as it was set last */
    if (p != linear)
      ck_assert_double_eq(tac_world_parameter(world, p).value,
                          0.5 + 0.001 * (p < 300 % count ? 300 / count * count + p : (300 / count - 1) * count + p));
}
