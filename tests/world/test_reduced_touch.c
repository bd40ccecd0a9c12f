#include <pthread.h>
#include <tactus/green.h>
#include <tactus/reduced.h>
#include <tactus/world.h>
#include "brick_beam.h"
#include "kinds/reduced/reduced.h"
#include "math/geometry/quat.h"
#include "math/random.h"

static tacError error;

#define EDGE 0.02 /* m: the beam is 160 x 40 x 40 mm */
#define R 10

static tacReduced *beam(bool is_free) {
  return brick_beam_reduced(8, 2, 2, EDGE, is_free, 4, R);
}

static tacWorld *world_of(const tacReducedBodyDef *defs, int count, const tacFloorDef *floor, int tools) {
  tacWorld *world = NULL;
  tacWorldDef def = tac_world_def_default();
  tac_test_ok(tac_world_create(&def, &world, &error), error);
  for (int b = 0; b < count; ++b) tac_test_ok(tac_world_add_reduced(world, &defs[b], NULL, &error), error);
  if (floor != NULL) tac_test_ok(tac_world_set_floor(world, floor, &error), error);
  for (int t = 0; t < tools; ++t)
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){t == 0 ? "one" : "two"}, NULL, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

static tacReducedBodyDef def_of(const char *name, const tacReduced *reduced) {
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.body.name = name;
  def.reduced = reduced;
  def.beta_stiffness = 0.01;
  def.alpha_mass = 5.0;
  return def;
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

/* R(q) at the state of the world's only body, and U^T f of the force at its contact. */
static void forces_at(const tacWorld *world, const tacReduced *reduced, const tacContact *contact, double *internal,
                      double *external) {
  double q[R + 1], scratch[8192], part[R]; /* behind the coordinates, its doubt */
  ck_assert_int_le(tac_world_state_size(world), R + 1);
  tac_world_state(world, q);
  const tacReducedParts *p = tac_reduced_parts(reduced);
  ck_assert_uint_le(tac_reduced_polynomial_scratch(R), sizeof scratch / sizeof *scratch);
  memset(internal, 0, R * sizeof *internal);
  memset(external, 0, R * sizeof *external);
  for (int i = 0; i < p->part_count; ++i) {
    tac_reduced_polynomial_evaluate(R, p->parts[i].coefficients, q, scratch, part, NULL);
    for (int j = 0; j < R; ++j) internal[j] += p->parts[i].weight * part[j];
  }
  const int *v = tac_reduced_surface(reduced)->triangles[contact->triangle].v;
  for (int c = 0; c < 3; ++c)
    for (int j = 0; j < R; ++j) {
      const double *u = tac_reduced_displacements(reduced) + 3 * R * v[c];
      external[j] += contact->weight[c] *
                     (u[j] * contact->force.x + u[R + j] * contact->force.y + u[2 * R + j] * contact->force.z);
    }
}

TAC_TEST(what_is_pulled_comes_to_equilibrium) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  tacReducedBodyDef def = def_of("beam", reduced);
  TAC_OWN(tacWorld, world) = world_of(&def, 1, NULL, 1);
  tacVec3 at = tac_vec3(0.16002, 0.02, 0.02);
  lead(world, &at, tac_vec3(0.16002, 0.02, 0.02), false, 5);
  lead(world, &at, at, true, 5);
  tacToolOutput out = lead(world, &at, tac_vec3(0.14, 0.03, 0.10), true, 2000);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_GRABBED);
  ck_assert_double_gt(tac_vec3_norm(out.force), 0.2);
  /* The hand feels the spring. */
  tacVec3 spring = tac_vec3_scale(def.body.touch_stiffness, tac_vec3_sub(out.contact.deformed, at));
  ck_assert_double_lt(tac_vec3_distance(spring, out.force), 1e-3 * tac_vec3_norm(out.force));
  double internal[R], external[R], size = 0.0, defect = 0.0;
  forces_at(world, reduced, &out.contact, internal, external);
  for (int j = 0; j < R; ++j) {
    size += external[j] * external[j];
    defect += (internal[j] - external[j]) * (internal[j] - external[j]);
  }
  ck_assert_double_lt(sqrt(defect / size), 1e-3);
  /* Let go, it comes back. */
  out = lead(world, &at, at, false, 2000);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_NONE);
  double q[R + 1];
  tac_world_state(world, q);
  for (int j = 0; j < R; ++j) ck_assert_double_lt(fabs(q[j]), 1e-5);
}

static int index_of(const tacWorld *world, const char *name) {
  int index = tac_world_find_parameter(world, name);
  ck_assert_msg(index >= 0, "no parameter %s", name);
  return index;
}

static tacWorld *stiffer_world(const tacReducedBodyDef *def, double factor) {
  tacWorld *world = world_of(def, 1, NULL, 1);
  tac_test_ok(tac_world_set_parameter(world, index_of(world, "beam.stiffness"), factor, &error), error);
  return world;
}

/* A beam so stiff that its faces stay where they are. */
static tacWorld *stiff_world(const tacReducedBodyDef *def) {
  return stiffer_world(def, 1e4);
}

TAC_TEST(a_finger_presses_and_friction_holds_it_within_its_cone) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  tacReducedBodyDef def = def_of("beam", reduced);
  def.body.friction = 0.3;
  TAC_OWN(tacWorld, world) = stiff_world(&def);
  tacVec3 at = tac_vec3(0.13, 0.02, 0.06);
  tacToolOutput out = lead(world, &at, tac_vec3(0.13, 0.02, 0.0405), false, 200);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_NONE);
  ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
  out = lead(world, &at, tac_vec3(0.13, 0.02, 0.03), false, 500);
  ck_assert_int_ne(out.contact.state, TAC_CONTACT_NONE);
  ck_assert_double_eq_tol(out.force.z, 3.0, 0.01); /* 300 N/m, 10 mm: pushes the hand back out */
  tacTickReport report;
  int slid = 0, stuck = 0;
  for (int i = 0; i < 600; ++i) { /* up to 1 mm from the edge: nearness to it does not matter */
    at.y += i < 400 ? 4.7e-5 : -1e-5;
    tac_world_step(world, &(tacToolInput){.position = at}, &out, &report);
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
      tacTickReport report;
      tac_world_step(world, &(tacToolInput){.position = to, .grab = grab}, &out, &report);
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
  TAC_OWN(tacReduced, reduced) = beam(false);
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
        def.alpha_mass = 0.5;
        def.beta_stiffness = 0.002;
        TAC_OWN(tacWorld, world) = soft ? world_of(&def, 1, NULL, 1) : stiff_world(&def);
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
/* A finger deep in a body that stays as it is goes along the friction's cone, round edges, past corners and out through the far side: in no
 * tick does the force change by more than the spring does with the motion, and by what a slide may add (100 N/s); until it lets go. */
TAC_TEST(force_is_bounded_by_motion_round_edges_and_on_the_cone) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  tacReducedBodyDef def = def_of("beam", reduced);
  def.body.friction = 0.3;
  TAC_OWN(tacWorld, world) = stiffer_world(&def, 1e6);
  tacRandom random = tac_random_seed(8);
  int touching = 0;
  for (int trial = 0; trial < 40; ++trial) {
    tacVec3 at = tac_random_in_box(&random, (tacBox){{0.06, 0.002, 0.05}, {0.15, 0.038, 0.05}});
    tacToolOutput was = {0}, out = {0};
    tacTickReport report;
    tac_world_reset(world);
    for (int leg = 0; leg < 8; ++leg) {
      double low = leg == 0 ? 0.02 : -0.005;
      tacVec3 from = at, to = tac_random_in_box(&random, (tacBox){{0.05, -0.01, low}, {0.17, 0.05, 0.035}});
      double motion = tac_vec3_distance(from, to) / 60.0;
      for (int i = 1; i <= 80; ++i) { /* goes, and stays */
        at = tac_vec3_mix(from, to, fmin(1.0, i / 60.0));
        tac_world_step(world, &(tacToolInput){.position = at}, &out, &report);
        bool on = was.contact.state != TAC_CONTACT_NONE && out.contact.state != TAC_CONTACT_NONE;
        double change = tac_vec3_distance(out.force, was.force), most = def.body.touch_stiffness * motion + 0.2;
        touching += on;
        double slid =
            tac_vec3_distance(out.contact.deformed, was.contact.deformed); /* a plane's edge turns it by at most 2 */
        if (on) ck_assert_double_le(slid, 2.0 * (motion + 0.2 / def.body.touch_stiffness));
        if (on)
          ck_assert_msg(change <= most * 1.001, "trial %d, leg %d, %d: %g N of %g N", trial, leg, i, change, most);
        was = out;
      }
    }
  }
  ck_assert_int_gt(touching, 5000);
}

TAC_TEST(shaking_generates_no_energy) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  for (int every = 1; every <= 4; every += 3) {
    tacReducedBodyDef def = def_of("beam", reduced);
    def.alpha_mass = def.beta_stiffness = 0.0;
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
TAC_TEST(a_sheet_is_touched_from_its_side) {
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
TAC_TEST(contacts_begin_outside_and_end_when_let_go) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  tacReducedBodyDef def = def_of("beam", reduced);
  TAC_OWN(tacWorld, world) = stiff_world(&def);
  tacVec3 at = tac_vec3(0.08, 0.02, 0.03);
  tacToolOutput out = lead(world, &at, tac_vec3(0.1, 0.02, 0.035), false, 50);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_NONE);
  out = lead(world, &at, tac_vec3(0.1, 0.02, 0.045), false, 50);
  out = lead(world, &at, tac_vec3(0.1, 0.02, 0.038), false, 50);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_STICKS);
  /* Taken there: nothing jumps. Pulled out, it holds; let go, it is gone. */
  double pressed = out.force.z;
  tacTickReport report;
  tac_world_step(world, &(tacToolInput){.position = at, .grab = true}, &out, &report);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_GRABBED);
  ck_assert_double_eq_tol(out.force.z, pressed, 1e-6);
  out = lead(world, &at, tac_vec3(0.12, 0.02, 0.05), true, 50);
  ck_assert_double_eq_tol(out.force.z, -3.0, 0.01);
  tac_world_step(world, &(tacToolInput){.position = at}, &out, &report);
  ck_assert_int_eq(out.contact.state, TAC_CONTACT_NONE);
  ck_assert_double_eq(tac_vec3_norm(out.force), 0.0);
}

/* What is shown is x + U q. */
TAC_TEST(the_surface_follows_the_state) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  tacReducedBodyDef def = def_of("beam", reduced);
  def.body.pose = (tacPose){{0.3, -0.1, 0.2}, {cos(0.5), 0.0, sin(0.5), 0.0}};
  TAC_OWN(tacWorld, world) = world_of(&def, 1, NULL, 1);
  ck_assert_int_eq(tac_world_state_size(world), R + 1);
  ck_assert_str_eq(tac_world_body_kind_name(world, tac_world_body(world, 0)), "reduced");
  ck_assert_ptr_eq(tac_world_body_reduced(world, tac_world_body(world, 0)), reduced);
  ck_assert_ptr_null(tac_world_body_green(world, tac_world_body(world, 0)));
  tacRandom random = tac_random_seed(11);
  double q[R + 1];
  for (int j = 0; j < R; ++j) q[j] = tac_random_uniform(&random, -0.01, 0.01);
  const tacTriMesh *mesh = tac_world_body_surface(world, tac_world_body(world, 0));
  TAC_MEMORY(tacVec3, shown) = calloc((size_t)mesh->vertex_count, sizeof *shown);
  tac_world_surface(world, &(tacSnapshot){.state = q}, tac_world_body(world, 0), shown);
  tacQuat turn = tac_quat(cos(0.5), 0.0, sin(0.5), 0.0);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    const double *u = tac_reduced_displacements(reduced) + 3 * R * v;
    double sum[3] = {0.0};
    for (int a = 0; a < 3; ++a)
      for (int j = 0; j < R; ++j) sum[a] += u[a * R + j] * q[j];
    tacVec3 x = tac_quat_rotate(turn, tac_vec3_add(mesh->vertices[v], tac_vec3(sum[0], sum[1], sum[2])));
    ck_assert_double_lt(tac_vec3_distance(shown[v], tac_vec3_add(x, def.body.pose.position)), 1e-12);
  }
}

TAC_TEST(stiffness_is_set_while_it_runs) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  tacReducedBodyDef def = def_of("beam", reduced);
  TAC_OWN(tacWorld, world) = world_of(&def, 1, NULL, 1);
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

TAC_TEST(the_linear_model_swells_where_the_other_bends) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  double length[2];
  for (int linear = 0; linear < 2; ++linear) {
    tacReducedBodyDef def = def_of("beam", reduced);
    def.linear = linear == 1;
    def.is_static = true;
    TAC_OWN(tacWorld, world) = world_of(&def, 1, NULL, 1);
    tacVec3 at = tac_vec3(0.16002, 0.02, 0.02);
    lead(world, &at, at, false, 5);
    lead(world, &at, at, true, 5);
    tacToolOutput out = lead(world, &at, tac_vec3(0.1605, 0.02, 0.12), true, 1000);
    length[linear] = hypot(out.contact.deformed.x, out.contact.deformed.z - 0.02);
  }
  ck_assert_double_gt(length[1], length[0]);
  ck_assert_double_lt(length[0], 0.19); /* the beam is 0.16 m long */
}

TAC_TEST(a_free_body_falls_and_rests_on_the_floor) {
  TAC_OWN(tacReduced, reduced) = beam(true);
  tacReducedBodyDef def = def_of("beam", reduced);
  def.body.pose.position = tac_vec3(0.0, 0.0, 0.10);
  def.body.gravity = tac_vec3(0.0, 0.0, -9.81);
  tacFloorDef floor = {{0.0, 0.0, 1.0}, 0.0, 0.5};
  TAC_OWN(tacWorld, world) = world_of(&def, 1, &floor, 0);
  double state[R + 8]; /* coordinates, pose, doubt */
  ck_assert_int_le(tac_world_state_size(world), R + 8);
  tacTickReport report;
  ck_assert_int_eq(tac_world_state_size(world), R + 7 + 1);
  for (int i = 0; i < 100; ++i) tac_world_step(world, NULL, NULL, &report);
  tac_world_state(world, state);
  ck_assert_double_eq_tol(state[R + 2], 0.10 - 0.5 * 9.81 * 0.1 * 0.1, 1e-3); /* falls freely */
  for (int i = 0; i < 4000; ++i) {
    tac_world_step(world, NULL, NULL, &report);
    ck_assert_int_eq(report.refused, 0);
  }
  tac_world_state(world, state);
  ck_assert_int_eq(report.touching, 1);
  ck_assert_double_eq_tol(state[R + 2], 0.0, 5e-3); /* its lower side is in z = 0 of its frame */
  double before = state[R + 2];
  for (int i = 0; i < 500; ++i) tac_world_step(world, NULL, NULL, &report);
  tac_world_state(world, state);
  ck_assert_double_eq_tol(state[R + 2], before, 1e-4);
  double turn = state[R + 3] * state[R + 3];
  ck_assert_double_gt(turn, 0.99); /* it lies as it fell */
}

/* Same inputs from reset: the same bits. */
TAC_TEST(a_reset_world_runs_alike) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  tacReducedBodyDef def = def_of("beam", reduced);
  def.body.every = 7; /* which does not divide the ticks of a round */
  TAC_OWN(tacWorld, world) = world_of(&def, 1, NULL, 2);
  tacToolOutput first[300][2];
  for (int round = 0; round < 2; ++round) {
    tac_world_reset(world);
    for (int i = 0; i < 300; ++i) {
      tacToolInput in[2] = {{.position = {0.1605, 0.02 + 1e-4 * i, 0.02}, .grab = i > 5},
                            {.position = {0.1, 0.02, 0.045 - 1e-4 * i}}};
      tacToolOutput out[2];
      tacTickReport report;
      tac_world_step(world, in, out, &report);
      if (round == 0)
        memcpy(first[i], out, sizeof out);
      else
        for (int t = 0; t < 2; ++t) {
          ck_assert_mem_eq(&first[i][t].force, &out[t].force, sizeof out[t].force);
          ck_assert_mem_eq(&first[i][t].proxy, &out[t].proxy, sizeof out[t].proxy);
        }
    }
  }
  tacToolInput nowhere[2] = {{.position = {NAN, 0.0, 0.0}}, {.position = {NAN, 0.0, 0.0}}};
  tacToolOutput out[2];
  tacTickReport report;
  tac_world_reset(world);
  tac_world_step(world, nowhere, out, &report);
  ck_assert_double_eq(tac_vec3_norm(out[0].proxy), 0.0); /* it does not remember where it was */
  ck_assert_double_gt(tac_vec3_norm(first[299][0].force), 0.01);
  ck_assert_double_gt(tac_vec3_norm(first[299][1].force), 0.01);
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
TAC_TEST(parameters_are_asked_for_while_they_are_set) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  tacReducedBodyDef def = def_of("beam", reduced);
  TAC_OWN(tacWorld, world) = world_of(&def, 1, NULL, 1);
  pthread_t thread;
  ck_assert_int_eq(pthread_create(&thread, NULL, ask, world), 0);
  tacToolOutput out;
  tacTickReport report;
  int count = tac_world_parameter_count(world), linear = tac_world_find_parameter(world, "beam.linear");
  for (int i = 0; i < 300; ++i) {
    tac_test_ok(
        tac_world_set_parameter(world, i % count, i % count == linear ? i / count % 2 : 0.5 + 0.001 * i, &error),
        error);
    tac_world_step(world, &(tacToolInput){.position = {0.1, 0.1, 0.1}}, &out, &report);
  }
  ck_assert_int_eq(pthread_join(thread, NULL), 0);
  for (int p = 0; p < count; ++p) /* as it was set last */
    if (p != linear)
      ck_assert_double_eq(tac_world_parameter(world, p).value,
                          0.5 + 0.001 * (p < 300 % count ? 300 / count * count + p : (300 / count - 1) * count + p));
}

TAC_TEST(what_makes_no_sense_is_refused) {
  TAC_OWN(tacReduced, reduced) = beam(false);
  tacWorldDef plain = tac_world_def_default();
  TAC_CREATE(tacWorld, world, tac_world_create(&plain, &world, &error));
  tacReducedBodyDef def = def_of("beam", reduced);
  def.body.touch_stiffness = 0.0;
  tac_test_refused(tac_world_add_reduced(world, &def, NULL, &error), TAC_ERR_ARGUMENT, error, "touch stiffness");
  def = def_of("beam", reduced);
  def.body.every = 0;
  ck_assert_int_eq(tac_world_add_reduced(world, &def, NULL, &error), TAC_ERR_ARGUMENT);
  def = def_of("beam", reduced);
  def.body.pose.orientation[0] = 2.0;
  ck_assert_int_eq(tac_world_add_reduced(world, &def, NULL, &error), TAC_ERR_ARGUMENT);
  tacFloorDef floor = {{0.0, 0.0, 2.0}, 0.0, 0.5};
  ck_assert_int_eq(tac_world_set_floor(world, &floor, &error), TAC_ERR_ARGUMENT);
  ck_assert(!tac_world_floor(world, &floor));
}
