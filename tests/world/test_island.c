/* Springs of tools, pairs and contacts on bodies that deform and move: closed forms and dense solves by hand. */
#include "world/islands/island.h"

#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include "body/make_model.h"
#include "kinds/reduced/reduced_kind.h"
#include "step_world.h"
#include "world/make_defs.h"
#include "world/make_shell.h"
#include "world/world_tick.h"

/* A world of one reduced body and some point tools. */
typedef struct Scene {
  tacReduced *reduced;
  tacWorld *world;
  tacWorldBody *of; /* in the world, */
  tacReducedBody *body;
  tacToolInput inputs[3];
  tacToolOutput outputs[3];
  tacTickReport report;
} Scene;

static tacReducedBodyDef default_def(void) {
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.body.name = "body";
  def.mass_damping = def.stiffness_damping = def.body.touch_damping = 0.0;
  return def;
}

static void set_pose(tacReducedBodyDef *def, tacVec3 position, tacQuat turn) {
  def->body.pose = (tacPose){position, {turn.w, turn.x, turn.y, turn.z}};
}

static Scene make_scene(Model *m, const tacReducedBodyDef *given, double period, int tools) {
  Scene s = {.reduced = tac_test_keep(make_reduced(m), tac_reduced_destroy)};
  const char *const names[3] = {"one", "two", "three"};
  tacWorldDef world = tac_world_def_default();
  tacReducedBodyDef def = *given;
  world.period = period;
  def.reduced = s.reduced;
  s.world = tac_test_kept(tacWorld, tac_world_create(&world, &made, &error));
  tac_test_ok(tac_world_add_reduced(s.world, &def, NULL, &error), error);
  for (int t = 0; t < tools; ++t)
    tac_test_ok(tac_world_add_point_tool(s.world, &(tacPointToolDef){.name = names[t]}, NULL, &error), error);
  tac_test_ok(tac_world_seal(s.world, &error), error);
  s.of = &s.world->bodies[0];
  s.body = tac_reduced_kind_body(&s.of->body);
  return s;
}

static void step(Scene *s) {
  tac_world_step(s->world, s->inputs, s->outputs, &s->report);
  ck_assert_int_eq(s->report.refused, 0);
}

static tacVec3 place_of(const Scene *s, tacSurfacePoint at) {
  return tac_frame_to_world(&s->of->frame, tac_reduced_body_point(s->body, at));
}

/* The tool takes hold of the point where it is, in the next step, without a force: as if it had been led there. Where
 * a point is in several triangles, it may be told by another one. */
static void grab(Scene *s, int tool, tacSurfacePoint at) {
  s->inputs[tool] = (tacToolInput){.position = place_of(s, at), .orientation = {1.0, 0.0, 0.0, 0.0}, .grab = true};
  *tac_world_approach(s->world, tool, 0) = (tacApproach){.known = true, .nearest = at};
}

static tacSurfacePoint held_point(const Scene *s, int tool) {
  ck_assert_int_eq(s->world->tools[tool].point.state, TAC_CONTACT_GRABBED);
  return s->world->tools[tool].point.at;
}

/* x := A^-1 x by Gauss, A [n][n] symmetric and positive definite. */
static void solve(int n, double *a, double *x) {
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      double share = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; ++j) a[i * n + j] -= share * a[k * n + j];
      x[i] -= share * x[k];
    }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) x[k] -= a[k * n + j] * x[j];
    x[k] /= a[k * n + k];
  }
}

/* A step of a body by hand with springs along some axes: `rows` of its kept coordinates, the force (N) at the start, and the
 * stiffness (N/m). */
static void step_by_hand(tacReducedBody *body, int axes, double rows[][MOST], const double *force, double stiff) {
  const int *kept;
  int n = tac_reduced_body_kept(body, &kept);
  double a[MOST * MOST], b[MOST], done[MOST] = {0.0};
  tac_reduced_body_begin(body);
  for (int newton = 0; newton < tac_reduced_body_motion(body)->newton_steps; ++newton) {
    tacReducedAdvance report = {0};
    ck_assert(tac_reduced_body_linearise(body, a, b, &report));
    for (int axis = 0; axis < axes; ++axis) {
      double way = 0.0;
      for (int i = 0; i < n; ++i) way += rows[axis][kept[i]] * done[i];
      for (int i = 0; i < n; ++i) {
        b[i] += rows[axis][kept[i]] * (force[axis] - stiff * way);
        for (int j = 0; j < n; ++j) a[i * n + j] += stiff * rows[axis][kept[i]] * rows[axis][kept[j]];
      }
    }
    solve(n, a, b);
    tac_reduced_body_move(body, b);
    for (int i = 0; i < n; ++i) done[i] += b[i];
  }
  ck_assert(tac_reduced_body_finish(body));
}

/* What a tool holds is a spring in the body's equations, implicit, in every step of Newton's method. */
TAC_TEST(a_held_point_is_a_spring_in_the_equations) {
  const bool kept[MOST] = {true, false, true, true, false, true};
  for (int kind = 0; kind < 24; ++kind) {
    Model m = make_model(6, 2, 211 + (uint64_t)kind);
    tacReducedBodyDef def = default_def();
    tacVec3 place = {0.1, -0.2, 0.3};
    tacQuat turn = tac_quat_from_axis_angle(tac_vec3(1.0, -0.3, 0.2), 0.8);
    def.is_static = kind % 4 == 3;
    def.linear = kind % 2 == 1;
    def.newton_steps = 1 + kind % 3;
    def.mass_damping = kind % 5 == 0 ? 0.0 : 2.0;
    def.stiffness_damping = kind % 5 == 0 ? 0.0 : 1e-3;
    def.acceleration_limit = kind % 7 == 1 ? 20.0 : 0.0;
    def.body.gravity = tac_vec3(0.0, 1.0, -9.81);
    def.kept = kind >= 12 ? kept : NULL;
    def.body.touch_stiffness = kind % 2 == 0 ? 300.0 : 1e6;
    def.body.touch_damping = kind % 3 == 0 ? 0.0 : 0.4;
    set_pose(&def, place, turn);
    Scene s = make_scene(&m, &def, 1e-3, 1);
    tacReducedMotion motion = *tac_reduced_body_motion(s.body);
    motion.step = 1e-3;
    motion.gravity = tac_quat_rotate(tac_quat_conjugate(turn), def.body.gravity);
    TAC_CREATE(tacReducedBody, twin, tac_reduced_body_create(s.reduced, def.kept, &motion, &twin, &error));
    tac_reduced_body_set_density(s.body, 1, 1.4);
    tac_reduced_body_set_density(twin, 1, 1.4);
    double moved = 0.0, rows[3][MOST];
    grab(&s, 0, somewhere);
    tacVec3 start = s.inputs[0].position;
    for (int n = 0; n < 200; ++n) {
      if (n > 0) s.inputs[0].position = tac_vec3_add(start, tac_vec3(0.02 * sin(0.05 * n), 0.01, 0.02 * cos(0.03 * n)));
      step(&s);
      tacSurfacePoint at = held_point(&s, 0);
      point_rows(&m, at, rows);
      tacVec3 gap =
          tac_vec3_sub(tac_frame_from_world(&s.of->frame, s.inputs[0].position), tac_reduced_body_point(twin, at));
      double k = def.body.touch_stiffness;
      const double force[3] = {k * gap.x, k * gap.y, k * gap.z};
      step_by_hand(twin, 3, rows, force, k + def.body.touch_damping / motion.step);
      const double *q = tac_reduced_body_q(s.body), *right = tac_reduced_body_q(twin);
      ck_assert_double_le(distance(6, q, right), 1e-9 * (1e-3 + length(6, right)));
      ck_assert_double_le(distance(6, tac_reduced_body_rates(s.body), tac_reduced_body_rates(twin)), 1e-5);
      moved = fmax(moved, length(6, q));
      /* The hand feels the spring as it is at the end. */
      tacVec3 pull = tac_vec3_scale(def.body.touch_stiffness, tac_vec3_sub(place_of(&s, at), s.inputs[0].position));
      ck_assert_double_le(tac_vec3_distance(s.outputs[0].force, pull), 1e-9 * (1.0 + tac_vec3_norm(pull)));
    }
    ck_assert_double_gt(moved, 1e-4);
    /* Let go, it is forgotten. */
    s.inputs[0].lifted = true;
    tac_reduced_body_set(twin, tac_reduced_body_q(s.body), NULL);
    tac_reduced_body_set(s.body, tac_reduced_body_q(s.body), NULL);
    for (int n = 0; n < 5; ++n) {
      step(&s);
      tac_reduced_body_advance(twin);
    }
    ck_assert_mem_eq(tac_reduced_body_q(s.body), tac_reduced_body_q(twin), 6 * sizeof(double));
  }
}

/* U^T f of a force (world frame) that a tool's point has. */
static void load_of(const Model *m, const Scene *s, tacSurfacePoint at, tacVec3 force, double *load) {
  double rows[3][MOST];
  tacVec3 own = tac_quat_rotate(tac_quat_conjugate(s->of->frame.orientation), force);
  point_rows(m, at, rows);
  for (int i = 0; i < m->size; ++i) load[i] = rows[0][i] * own.x + rows[1][i] * own.y + rows[2][i] * own.z;
}

TAC_TEST(springs_and_gravity_balance_internal_forces) {
  Model m = make_model(5, 2, 3);
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(1.0, 2.0, -0.5), 1.1);
  tacVec3 target = {0.4, -0.1, 0.75};
  for (int is_static = 0; is_static < 2; ++is_static) {
    tacReducedBodyDef def = default_def();
    def.body.gravity = tac_vec3(1.0, -2.0, -9.0);
    def.mass_damping = 20.0;
    def.stiffness_damping = 0.01;
    def.is_static = is_static;
    def.body.touch_stiffness = 300.0;
    def.body.touch_damping = 2.0;
    set_pose(&def, tac_vec3(0.3, -0.2, 0.7), turn);
    Scene s = make_scene(&m, &def, 1e-3, 1);
    grab(&s, 0, somewhere);
    for (int n = 0; n < 5000; ++n) {
      step(&s);
      s.inputs[0].position = target;
    }
    double internal[MOST], load[MOST];
    tacSurfacePoint at = held_point(&s, 0);
    tacVec3 x = place_of(&s, at), pull = tac_vec3_scale(def.body.touch_stiffness, tac_vec3_sub(target, x));
    ck_assert_double_gt(tac_vec3_distance(x, target), 1e-3);
    ck_assert_double_le(tac_vec3_distance(s.outputs[0].force, tac_vec3_scale(-1.0, pull)), 1e-9 * tac_vec3_norm(pull));
    load_of(&m, &s, at, pull, load);
    tacVec3 weight = tac_quat_rotate(tac_quat_conjugate(turn), def.body.gravity);
    for (int i = 0; i < m.size; ++i)
      for (int g = 0; g < 2; ++g)
        load[i] += m.fall[g][0][i] * weight.x + m.fall[g][1][i] * weight.y + m.fall[g][2][i] * weight.z;
    model_force(&m, tac_reduced_body_q(s.body), internal);
    ck_assert_double_gt(length(m.size, load), 1.0);
    ck_assert_double_le(distance(m.size, internal, load), 1e-6 * length(m.size, load));
  }
}

TAC_TEST(stiff_springs_are_stable) {
  for (int is_free = 0; is_free < 2; ++is_free) {
    Model m = make_model(6, 1, 11);
    m.is_free = is_free;
    m.group_mass[0] = 0.01;
    for (int i = 0; i < 3; ++i) m.inertia[i] = (1.0 + 0.3 * i) * 1e-6;
    for (double k = 2e3; k <= (is_free ? 1e5 : 1e6); k *= is_free ? 50.0 : 500.0) {
      tacReducedBodyDef def = default_def();
      def.stiffness_damping = 1e-3;
      def.body.touch_stiffness = k;
      def.body.touch_damping = 1e-3 * k;
      int tools = is_free ? 3 : 1;
      Scene s = make_scene(&m, &def, 1e-3, tools);
      const tacSurfacePoint at[3] = {{0, {1.0, 0.0, 0.0}}, {1, {0.0, 0.5, 0.5}}, {2, {0.3, 0.3, 0.4}}};
      tacVec3 start[3];
      for (int t = 0; t < tools; ++t) {
        grab(&s, t, at[t]);
        start[t] = s.inputs[t].position;
      }
      step(&s);
      for (int n = 0; n < (tac_test_light() ? 500 : 3000); ++n) {
        /* The hand jumps now and then, and then comes back. */
        tacVec3 shift = {n % 400 < 200 ? 0.01 : 0.0, 0.005 * sin(0.02 * n), 0.0};
        for (int t = 0; t < tools; ++t) s.inputs[t].position = tac_vec3_add(start[t], shift);
        step(&s);
        ck_assert_double_lt(tac_vec3_distance(place_of(&s, at[0]), corners[0]), 0.05);
        ck_assert_double_lt(length(m.size, tac_reduced_body_q(s.body)), 0.2);
      }
      for (int t = 0; t < tools; ++t) held_point(&s, t);
    }
  }
}

/* A linear oscillator that a tool without a damper holds: Newmark's method keeps the energy of both springs, however
 * stiff. */
TAC_TEST(a_held_oscillator_keeps_its_energy) {
  for (double k = 1e2; k < 1e11; k *= 100.0) {
    Model m = make_duffing(400.0, 0.0);
    tacReducedBodyDef def = default_def();
    def.linear = true;
    def.body.touch_stiffness = k;
    Scene s = make_scene(&m, &def, 1e-3, 1);
    grab(&s, 0, somewhere);
    step(&s);
    double rows[3][MOST], q0 = 0.01, before = 0.0;
    point_rows(&m, held_point(&s, 0), rows);
    double held = k * (rows[0][0] * rows[0][0] + rows[1][0] * rows[1][0] + rows[2][0] * rows[2][0]);
    tac_reduced_body_set(s.body, &q0, NULL);
    for (int n = 0; n < 5000; ++n) {
      double q = tac_reduced_body_q(s.body)[0], v = tac_reduced_body_rates(s.body)[0];
      double energy = 0.5 * v * v + 0.5 * (400.0 + held) * q * q;
      if (n == 1) before = energy; /* the first step begins without the spring's acceleration */
      if (n > 1) ck_assert_double_eq_tol(energy / before, 1.0, 1e-6);
      step(&s);
    }
  }
}

static tacVec3 spin_of(const tacFrame *frame) { /* about the centre */
  tacVec3 inside = tac_quat_rotate(tac_quat_conjugate(frame->orientation), frame->angular);
  return tac_quat_rotate(frame->orientation, tac_mat3_mul_vec(frame->moments, inside));
}

/* The difference between a body with a damper and one without, after so short a time that nothing else has changed:
 * 20 us, of the order of 1e-4 of the times in which velocities of some m/s and rad/s and the springs of the model
 * matter. */
TAC_TEST(dampers_slow_the_motion_of_their_point) {
  Model m = make_model(3, 1, 75);
  m.is_free = true;
  const int steps = 200;
  double period = 1e-7; /* the first step has half of the acceleration: 1 / 400 of all */
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(0.2, 1.0, -0.3), 1.2);
  double q[MOST] = {0.02, -0.01, 0.015}, v[MOST] = {1.0, 0.4, -0.7}, damping = 0.1, load[MOST], change[MOST];
  Scene s[2];
  tacVec3 force = {0.0, 0.0, 0.0}, lever = force;
  for (int i = 0; i < 2; ++i) {
    tacReducedBodyDef def = default_def();
    set_pose(&def, nowhere, turn);
    def.body.velocity = tac_vec3(0.5, -1.0, 0.8);
    def.body.spin = tac_vec3(4.0, 5.0, -6.0);
    def.body.touch_stiffness = 1e-9; /* none to speak of */
    def.body.touch_damping = i == 0 ? damping : 0.0;
    s[i] = make_scene(&m, &def, 1e-3, 1);
    s[i].world->period = period; /* shorter than a device's */
    ck_assert(tac_reduced_body_set(s[i].body, q, v));
    grab(&s[i], 0, somewhere);
    tacVec3 at = s[i].inputs[0].position, own = point_velocity(s[i].body, somewhere);
    tacVec3 velocity = tac_vec3_add(tac_frame_velocity(&s[i].of->frame, at), tac_quat_rotate(turn, own));
    force = tac_vec3_scale(-damping, velocity);
    lever = tac_vec3_sub(at, tac_frame_about(&s[i].of->frame));
    for (int n = 0; n < steps; ++n) step(&s[i]);
    held_point(&s[i], 0);
  }
  double time = steps * period;
  tacVec3 push = tac_vec3_sub(tac_frame_momentum(&s[0].of->frame), tac_frame_momentum(&s[1].of->frame));
  ck_assert_double_le(tac_vec3_distance(tac_vec3_scale(1.0 / time, push), force), 0.03 * tac_vec3_norm(force));
  tacVec3 spin = tac_vec3_sub(spin_of(&s[0].of->frame), spin_of(&s[1].of->frame));
  double most_torque = tac_vec3_norm(lever) * tac_vec3_norm(force); /* they may be almost parallel */
  ck_assert_double_le(tac_vec3_distance(tac_vec3_scale(1.0 / time, spin), tac_vec3_cross(lever, force)),
                      0.03 * most_torque);
  load_of(&m, &s[0], held_point(&s[0], 0), force, load);
  for (int i = 0; i < m.size; ++i)
    change[i] = (tac_reduced_body_rates(s[0].body)[i] - tac_reduced_body_rates(s[1].body)[i]) / time;
  ck_assert_double_le(distance(m.size, change, load), 0.03 * length(m.size, load));
}

TAC_TEST(a_free_body_hangs_on_a_spring) {
  Model m = make_model(3, 1, 81);
  m.is_free = true;
  m.group_mass[0] = 0.01;
  for (int i = 0; i < 3; ++i) m.inertia[i] = 1e-5;
  tacReducedBodyDef def = default_def();
  def.body.gravity = tac_vec3(0.0, 0.0, -9.81);
  def.mass_damping = 5.0;
  def.stiffness_damping = 2e-3;
  def.body.touch_stiffness = 2000.0;
  def.body.touch_damping = 0.2;
  Scene s = make_scene(&m, &def, 1e-3, 1);
  grab(&s, 0, somewhere);
  tacVec3 target = {0.1, 0.1, 0.2};
  for (int n = 0; n < 20000; ++n) {
    /* Air, so that it comes to rest. */
    s.of->frame.force = tac_vec3_scale(-0.02, s.of->frame.linear);
    s.of->frame.torque = tac_vec3_scale(-2e-4, s.of->frame.angular);
    step(&s);
    s.inputs[0].position = target;
  }
  tacSurfacePoint at = held_point(&s, 0);
  tacVec3 x = place_of(&s, at), pull = tac_vec3_scale(def.body.touch_stiffness, tac_vec3_sub(target, x));
  ck_assert_double_le(tac_vec3_distance(pull, tac_vec3(0.0, 0.0, 0.01 * 9.81)), 1e-4);
  ck_assert_double_le(tac_vec3_distance(s.outputs[0].force, tac_vec3(0.0, 0.0, -0.01 * 9.81)), 1e-4);
  /* Its centre is below the point that is held, and it is deformed by the pull. */
  tacVec3 lever = tac_vec3_sub(x, tac_frame_about(&s.of->frame));
  ck_assert_double_le(hypot(lever.x, lever.y), 1e-3 * lever.z);
  double internal[MOST], load[MOST];
  load_of(&m, &s, at, pull, load);
  model_force(&m, tac_reduced_body_q(s.body), internal);
  ck_assert_double_le(distance(m.size, internal, load), 1e-3 * length(m.size, load));
}

static void push(Scene *s, tacSurfacePoint at, tacVec3 force) {
  s->world->pushes[s->world->push_count] =
      (tacPush){.site = tac_site_on_surface(at), .at = place_of(s, at), .force = force};
  ++s->world->push_count;
}

/* A force deforms a free body as it deforms an anchored one, and moves it as it moves a rigid one. What falls is not
 * deformed. */
TAC_TEST(free_bodies_deform_as_anchored_ones_do) {
  Model m = make_model(5, 1, 251);
  tacReducedBodyDef def = default_def();
  set_pose(&def, tac_vec3(1.0, 2.0, 3.0), tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.4));
  def.body.velocity = tac_vec3(0.1, 0.2, 0.3); /* only of free ones */
  def.body.spin = tac_vec3(1.0, 0.0, -1.0);
  Scene anchored = make_scene(&m, &def, 1e-3, 0);
  m.is_free = true;
  Scene s = make_scene(&m, &def, 1e-3, 0);
  anchored.of->euler = s.of->euler; /* as bodies that meet others move */
  tacFrame start = anchored.of->frame;
  tacVec3 momentum = tac_frame_momentum(&s.of->frame), spin = spin_of(&s.of->frame);
  ck_assert_double_le(tac_vec3_distance(s.of->frame.linear, def.body.velocity), 1e-15);
  for (int n = 0; n < 200; ++n) {
    tacVec3 own = tac_vec3(2.0, 3.0 * sin(0.1 * n), -1.0), force = tac_quat_rotate(s.of->frame.orientation, own);
    tacVec3 lever = tac_vec3_sub(place_of(&s, somewhere), tac_frame_about(&s.of->frame));
    push(&s, somewhere, force);
    push(&anchored, somewhere, tac_quat_rotate(start.orientation, own));
    step(&s);
    step(&anchored);
    momentum = tac_vec3_mad(momentum, 1e-3, force);
    spin = tac_vec3_mad(spin, 1e-3, tac_vec3_cross(lever, force));
    ck_assert_double_le(distance(5, tac_reduced_body_q(s.body), tac_reduced_body_q(anchored.body)), 1e-12);
    ck_assert_double_le(tac_vec3_distance(tac_frame_momentum(&s.of->frame), momentum), 1e-12);
    ck_assert_double_le(tac_vec3_distance(spin_of(&s.of->frame), spin), 1e-12);
  }
  ck_assert_double_gt(length(5, tac_reduced_body_q(s.body)), 1e-3);
  ck_assert_double_eq(tac_vec3_distance(anchored.of->frame.position, start.position), 0.0);
  ck_assert_double_eq(tac_vec3_norm(anchored.of->frame.linear), 0.0);
  /* x = v t + g t (t + h) / 2, as Euler's method has it. */
  def.body.gravity = tac_vec3(0.5, 0.0, -9.81);
  def.body.spin = nowhere;
  s = make_scene(&m, &def, 1e-3, 0);
  tacVec3 centre = tac_frame_about(&s.of->frame);
  for (int n = 1; n <= 1000; ++n) {
    step(&s);
    double t = 1e-3 * n;
    tacVec3 exact = tac_vec3_mad(tac_vec3_mad(centre, t, def.body.velocity), 0.5 * t * (t + 1e-3), def.body.gravity);
    ck_assert_double_le(tac_vec3_distance(tac_frame_about(&s.of->frame), exact), 1e-10);
  }
  ck_assert_double_eq(length(5, tac_reduced_body_q(s.body)), 0.0);
}

/* What is not finite brings the body to rest where it is, and is told. */
TAC_TEST(non_finite_forces_stop_the_body) {
  const double absurd[] = {1e300, NAN, INFINITY, -INFINITY, 1e100};
  for (int kind = 0; kind < 8; ++kind) {
    Model m = make_model(4, 1, 261);
    tacReducedBodyDef def = default_def();
    def.is_static = kind % 2 == 1;
    def.newton_steps = kind / 2 % 2 == 1 ? 3 : 1;
    m.is_free = kind / 4 == 1;
    def.body.velocity = tac_vec3(0.1, 0.2, 0.3);
    Scene s = make_scene(&m, &def, 1e-3, 0);
    const double q[MOST] = {0.01, 0.02, -0.01, 0.0}, v[MOST] = {1.0, 0.0, 0.5, -1.0};
    for (int a = 0; a < 5; ++a) {
      tac_world_reset(s.world);
      ck_assert(tac_reduced_body_set(s.body, q, v));
      tacVec3 position = s.of->frame.position;
      push(&s, somewhere, tac_vec3(absurd[a], 0.0, absurd[a]));
      tac_world_step(s.world, s.inputs, s.outputs, &s.report);
      ck_assert_int_ge(s.report.refused, 1);
      ck_assert_double_eq(distance(4, tac_reduced_body_q(s.body), q), 0.0);
      ck_assert_double_eq(length(4, tac_reduced_body_rates(s.body)), 0.0);
      ck_assert_double_eq(tac_vec3_distance(s.of->frame.position, position), 0.0);
      ck_assert_double_eq(tac_vec3_norm(s.of->frame.linear), 0.0);
      for (int n = 0; n < 5; ++n) step(&s); /* and goes on */
      ck_assert(isfinite(tac_reduced_body_energy(s.body)) && tac_vec3_finite(s.of->frame.position));
    }
  }
}

/* A shell of one point of the model's surface. */
static tacPointshell *make_point(const Model *m, tacSurfacePoint at) {
  tacVec3 x = {0.0, 0.0, 0.0}, normal = {0.0, 0.0, -1.0};
  double area = 1.0, u[3 * MOST], none[3 * MOST] = {0.0}, rows[3][MOST];
  int level = 0;
  for (int c = 0; c < 3; ++c) x = tac_vec3_mad(x, at.weight[c], corners[faces[at.triangle].v[c]]);
  tacPointshellParts parts = {1, 1, &x, &normal, &level, &area};
  TAC_CREATE(tacPointshell, rigid, tac_pointshell_create(&parts, NULL, &rigid, &error));
  point_rows(m, at, rows);
  for (int axis = 0; axis < 3; ++axis) memcpy(u + axis * m->size, rows[axis], (size_t)m->size * sizeof *u);
  return tac_test_kept(tacPointshell, tac_pointshell_with_basis(rigid, m->size, u, none, &made, &error));
}

/* A reduced body whose one point may meet a wall 1 mm below it, in a pair. */
typedef struct Wall {
  tacReduced *reduced;
  tacPointshell *shell;
  tacTriMesh *surface;
  tacDistanceField *plane;
  tacWorld *world;
  tacReducedBody *body;
} Wall;

static Wall make_wall(Model *m, const tacReducedBodyDef *given, tacContactMethod method) {
  Wall w = {.reduced = tac_test_keep(make_reduced(m), tac_reduced_destroy), .shell = make_point(m, somewhere)};
  tacReducedBodyDef def = *given;
  tacWorldDef world = tac_world_def_default();
  tacPairDef pair = tac_pair_def_default();
  double below = tac_pointshell_point(w.shell, 0).z - 1e-3;
  w.surface = make_box_surface((tacBox){{-1.0, -1.0, -1.0}, {1.0, 1.0, 0.0}});
  tac_test_keep(w.surface, tac_trimesh_destroy);
  w.plane = tac_test_kept(tacDistanceField, tac_distance_field_plane(tac_vec3(0.0, 0.0, 1.0), below, &made, &error));
  def.reduced = w.reduced;
  def.shell = w.shell;
  tacRigidBodyDef ground = rigid_def("ground", w.surface, NULL, w.plane);
  pair.stiffness = 1e6;
  pair.ramp = 1e-9;
  pair.area_weights = false;
  pair.method = method;
  w.world = tac_test_kept(tacWorld, tac_world_create(&world, &made, &error));
  tac_test_ok(tac_world_add_reduced(w.world, &def, &pair.points, &error), error);
  tac_test_ok(tac_world_add_rigid(w.world, &ground, &pair.field, &error), error);
  tac_test_ok(tac_world_add_pair(w.world, &pair, NULL, &error), error);
  tac_test_ok(tac_world_seal(w.world, &error), error);
  w.body = tac_reduced_kind_body(&w.world->bodies[0].body);
  return w;
}

static Model make_bouncer(int trial) {
  Model m = make_model(5, 1, 241 + (uint64_t)trial);
  for (int i = 0; i < 12 * MOST; ++i) m.u[i / (3 * MOST)][i / MOST % 3][i % MOST] *= 0.4;
  return m;
}

static const double thrown[MOST] = {0.3, -0.4, 0.2, 0.5, -0.1}, undeformed[MOST] = {0.0};

/* Contact that comes and goes, 1e6 N/m or by laws: the damper of pairs takes what Newmark's method would give,
 * Euler's gives none. */
TAC_TEST(stiff_walls_dissipate_energy) {
  for (int trial = 0; trial < 16; ++trial) {
    Model m = make_bouncer(trial % 8);
    tacReducedBodyDef def = default_def();
    def.newton_steps = 3;
    Wall w = make_wall(&m, &def, trial < 8 ? TAC_METHOD_PENALTY : TAC_METHOD_SIGNORINI);
    ck_assert(tac_reduced_body_set(w.body, undeformed, thrown));
    double energy = tac_reduced_body_energy(w.body), last = energy;
    int hits = 0;
    for (int n = 0; n < 3000; ++n) {
      tacTickReport report = step_world(w.world, NULL, NULL);
      ck_assert_int_eq(report.refused, 0);
      double now = tac_reduced_body_energy(w.body);
      hits += report.points > 0 || w.world->contacts.count > 0;
      if (trial < 8)
        ck_assert_double_le(now, 1.3 * energy);
      else
        ck_assert_double_le(now, last + 1e-3 * energy); /* what is too deep comes out slowly */
      last = now;
    }
    ck_assert_int_gt(hits, 3);
    ck_assert_double_le(last, energy);
  }
}

/* A pair by penalty is a spring k and a damper h k in the body's equations, both of the end of the step: with d the
 * way of the point into the wall, v' = 2 d / h - v, the force is k (depth + d) + h k v' = k depth - h k v + 3 k d.
 * Points and their rows are floats. */
TAC_TEST(penalty_pair_is_a_damped_spring_in_the_equations) {
  for (int trial = 0; trial < 4; ++trial) {
    const double k = 1e6, h = 1e-3;
    Model m = make_bouncer(trial);
    tacReducedBodyDef def = default_def();
    def.newton_steps = 1 + trial % 3;
    Wall w = make_wall(&m, &def, TAC_METHOD_PENALTY);
    TAC_CREATE(tacReducedBody, twin,
               tac_reduced_body_create(w.reduced, NULL, tac_reduced_body_motion(w.body), &twin, &error));
    ck_assert(tac_reduced_body_set(w.body, undeformed, thrown));
    double rows[3][MOST], wall = tac_reduced_body_point(w.body, somewhere).z - 1e-3;
    int hits = 0;
    point_rows(&m, somewhere, rows);
    for (int n = 0; n < 1000; ++n) {
      double state[3 * MOST + 1], depth = wall - tac_reduced_body_point(w.body, somewhere).z;
      tac_reduced_body_save(w.body, state);
      ck_assert(tac_reduced_body_load(twin, state));
      double into = -point_velocity(twin, somewhere).z;
      tacTickReport report = step_world(w.world, NULL, NULL);
      if (fabs(depth) < 1e-7) continue; /* in contact or not is rounding */
      ck_assert_int_eq(report.points, depth > 0.0);
      step_by_hand(twin, depth > 0.0, rows + 2, (double[1]){k * depth - h * k * into}, 3.0 * k);
      ck_assert_double_le(distance(5, tac_reduced_body_q(w.body), tac_reduced_body_q(twin)), 2e-7);
      hits += depth > 0.0;
    }
    ck_assert_int_gt(hits, 3);
  }
}

/* In ticks between its steps a body is asked how it would move, for contacts that others' steps bring; that is not
 * its motion. */
TAC_TEST(bodies_do_not_move_between_their_steps) {
  Model m = make_bouncer(0);
  tacReducedBodyDef def = default_def();
  def.newton_steps = 3;
  def.body.every = 2;
  Wall w = make_wall(&m, &def, TAC_METHOD_SIGNORINI);
  tacBody *body = &w.world->bodies[0].body, fresh;
  def.reduced = w.reduced;
  tac_test_ok(tac_reduced_kind_create(&def, NULL, &fresh, &error), error);
  ck_assert(tac_reduced_body_set(w.body, undeformed, thrown));
  int asked = 0;
  for (int n = 0; n < 600; ++n) {
    tacTickReport report = step_world(w.world, NULL, NULL);
    ck_assert_int_eq(report.refused, 0);
    const tacBodyStep *step_of = &w.world->bodies[0].step;
    if (w.world->bodies[0].turn.due || w.world->bodies[0].moves.block < 0) continue;
    double state[3 * MOST + 1], matrix[25], load[5], right[5];
    body->table->save(body->self, tac_body_describe(body).state, state);
    ck_assert(fresh.table->load(fresh.self, state));
    ck_assert(body->table->linearise(body->self, step_of, matrix, load));
    ck_assert(fresh.table->linearise(fresh.self, step_of, matrix, right));
    ck_assert_double_le(distance(5, load, right), 1e-9 * (1.0 + length(5, right)));
    fresh.table->finish(fresh.self, step_of);
    ++asked;
  }
  ck_assert_int_gt(asked, 3);
  fresh.table->destroy(fresh.self);
}

/* A cube of 40 mm, 0.1 kg, on the floor, which is z = 0. */
typedef struct Cube {
  tacPointshell *shell;
  tacTriMesh *surface;
  tacWorld *world;
  tacFrame *frame;
} Cube;

#define HALF 0.02
#define MASS 0.1
#define FRICTION 0.3

static Cube make_cube(tacContactMethod method, double stiffness, double height, tacVec3 velocity) {
  tacBox box = {{-HALF, -HALF, -HALF}, {HALF, HALF, HALF}};
  Cube c = {.shell = tac_test_keep(make_box_shell(box, 8), tac_pointshell_destroy),
            .surface = tac_test_keep(make_box_surface(box), tac_trimesh_destroy)};
  tacWorldDef world = tac_world_def_default();
  tacRigidBodyDef def = rigid_def("cube", c.surface, c.shell, NULL);
  tacFloorDef floor = {{0.0, 0.0, 1.0}, 0.0, FRICTION};
  double moment = MASS * (2.0 * HALF) * (2.0 * HALF) / 6.0;
  world.method = method;
  def.body.free = true;
  def.inertia = (tacInertia){MASS, {0.0, 0.0, 0.0}, {{moment, 0.0, 0.0}, {0.0, moment, 0.0}, {0.0, 0.0, moment}}};
  def.body.contact_stiffness = stiffness;
  def.body.gravity = tac_vec3(0.0, 0.0, -10.0);
  def.body.pose.position = tac_vec3(0.0, 0.0, height + HALF);
  def.body.velocity = velocity;
  c.world = tac_test_kept(tacWorld, tac_world_create(&world, &made, &error));
  tac_test_ok(tac_world_add_rigid(c.world, &def, NULL, &error), error);
  tac_test_ok(tac_world_set_floor(c.world, &floor, &error), error);
  tac_test_ok(tac_world_seal(c.world, &error), error);
  c.frame = &c.world->bodies[0].frame;
  return c;
}

static void step_cube(Cube *c) {
  tacTickReport report = step_world(c->world, NULL, NULL);
  ck_assert_int_eq(report.refused, 0);
}

/* What the floor does to it, as its contacts tell. */
static tacVec3 pressed(const Cube *c) {
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int i = 0; i < c->world->contacts.count; ++i) {
    const tacSetContact *at = &c->world->contacts.list[i];
    double normal = tac_vec3_dot(at->force, at->axes[0]);
    ck_assert_double_ge(normal, 0.0);
    ck_assert_double_le(tac_vec3_norm(tac_vec3_mad(at->force, -normal, at->axes[0])), FRICTION * normal + 1e-6);
    sum = tac_vec3_add(sum, at->force);
  }
  return sum;
}

TAC_TEST(contacts_support_stop_and_rub_but_never_pull) {
  const tacContactMethod methods[3] = {TAC_METHOD_PENALTY, TAC_METHOD_SIGNORINI, TAC_METHOD_PENALTY};
  const double stiffness[3] = {2000.0, 2000.0, 1e12}; /* however stiff; not of Signorini's */
  for (int k = 0; k < 3; ++k) {
    /* It slides until friction has stopped it, and stays; what its contacts tell is what changes its momentum. */
    Cube c = make_cube(methods[k], stiffness[k], 0.0, tac_vec3(0.3, -0.4, 0.0));
    tacVec3 start = tac_frame_about(c.frame);
    for (int n = 0; n < 1500; ++n) {
      tacVec3 before = c.frame->linear;
      step_cube(&c);
      tacVec3 force = tac_vec3_scale(MASS / 1e-3, tac_vec3_sub(c.frame->linear, before));
      force.z += 10.0 * MASS;
      ck_assert_double_le(tac_vec3_distance(force, pressed(&c)), 1e-9);
    }
    tacVec3 way = tac_vec3_sub(tac_frame_about(c.frame), start);
    /* Laws are solved to 1e-10 m and 1e-7 N: in a step places may move by a few of the one, speeds change by a few of the other. */
    double slow = k > 0 ? 5e-9 / 1e-3 : 8.0 * (1e-7 + 1e-10 * stiffness[k]) / MASS * 1e-3;
    ck_assert_double_lt(tac_vec3_norm(c.frame->linear), slow);
    ck_assert_double_lt(tac_vec3_norm(c.frame->angular), slow / HALF);
    ck_assert_double_eq_tol(hypot(way.x, way.y), 0.5 * 0.5 * 0.5 / (FRICTION * 10.0), 0.001); /* v^2 / (2 mu g) */
    ck_assert_double_eq_tol(way.x / way.y, -0.75, 0.01);
    ck_assert_double_le(tac_vec3_distance(pressed(&c), tac_vec3(0.0, 0.0, 10.0 * MASS)), MASS * slow / 1e-3);
    ck_assert_double_ge(way.z, k > 0 ? -1e-6 : -10.0 * MASS / 2000.0);
    /* What leaves is not held. */
    c = make_cube(methods[k], stiffness[k], -1e-5, tac_vec3(0.0, 0.0, 2.0));
    step_cube(&c);
    ck_assert_double_eq_tol(c.frame->linear.z, 2.0 - 10.0 * 1e-3, 1e-12);
    ck_assert_double_eq(tac_vec3_norm(pressed(&c)), 0.0);
    /* What comes is stopped, or comes back no faster; energy is not made, where it came from outside. */
    c = make_cube(methods[k], stiffness[k], 1e-3, tac_vec3(0.0, 0.0, -2.0));
    double energy = 0.5 * MASS * 2.0 * 2.0 + MASS * 10.0 * 1e-3;
    for (int n = 0; n < 1000; ++n) {
      step_cube(&c);
      ck_assert_double_le(tac_frame_energy(c.frame) + MASS * 10.0 * (tac_frame_about(c.frame).z - HALF), energy + 1e-9);
    }
  }
}

/* W of a rigid cube's contacts with the floor: h^2 (1 / m + (r x n)^2 / J) along the normal, and so on; symmetric. It is kept from
 * when it was asked for, and is that of the last step: of nothing once the cube is away from the floor. */
TAC_TEST(delassus_operator_matches_a_rigid_cube) {
  Cube c = make_cube(TAC_METHOD_SIGNORINI, 2000.0, 0.0, tac_vec3(0.0, 0.0, 0.0));
  static double w[9 * 64 * 64];
  tacShownContact at[64];
  step_cube(&c);
  ck_assert_int_eq(tac_world_delassus(c.world, 64, w), 0);
  step_cube(&c);
  int count = tac_world_delassus(c.world, 64, w);
  ck_assert_int_eq(count, tac_world_contacts(c.world, 64, at));
  ck_assert_int_ge(count, 3);
  double h = 1e-3, moment = MASS * (2.0 * HALF) * (2.0 * HALF) / 6.0;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      tacVec3 a = tac_vec3_cross(tac_vec3_sub(at[i].at, tac_frame_about(c.frame)), at[i].normal);
      tacVec3 b = tac_vec3_cross(tac_vec3_sub(at[j].at, tac_frame_about(c.frame)), at[j].normal);
      double wanted = h * h * (1.0 / MASS + tac_vec3_dot(a, b) / moment);
      ck_assert_double_eq_tol(w[3 * i * 3 * count + 3 * j], wanted, 1e-3 * h * h / MASS);
    }
  for (int i = 0, n = 3 * count; i < n * n; ++i) ck_assert_double_eq_tol(w[i], w[i % n * n + i / n], 1e-12 * w[0]);
  ck_assert_int_eq(tac_world_delassus(c.world, 2, w), 2);
  c.frame->position.z = 1.0;
  step_cube(&c);
  ck_assert_int_eq(tac_world_delassus(c.world, 64, w), 0);
}
