/* Free bodies on the floor and against each other. */
#include <math.h>
#include <tactus/world.h>

#include "brick_beam.h"
#include "math/random.h"
#include "world/world_parts.h"

#define G 9.81

static tacReducedBodyDef def_of(const char *name, const tacReduced *reduced, tacVec3 position) {
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.name = name;
  def.reduced = reduced;
  def.pose.position = position;
  def.gravity = tac_vec3(0.0, 0.0, -G);
  def.alpha_mass = 1.0;
  def.beta_stiffness = 0.005;
  return def;
}

static tacWorld *world_of(int count, const tacReducedBodyDef *defs, double floor_friction) {
  tacWorld *world = NULL;
  tacError error;
  tacWorldDef def = tac_world_def_default();
  tac_test_ok(tac_world_create(&def, &world, &error), error);
  for (int b = 0; b < count; ++b) tac_test_ok(tac_world_add_reduced(world, &defs[b], NULL, &error), error);
  if (floor_friction >= 0.0)
    tac_test_ok(tac_world_set_floor(world, &(tacFloorDef){{0.0, 0.0, 1.0}, 0.0, floor_friction}, &error), error);
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

static tacReducedBody *body_of(const tacWorld *world, int b) {
  return world->bodies[b].reduced;
}

/* What all bodies have: energy (J), the fastest centre (m/s) and turn (rad/s), the lowest vertex (m), momentum (kg m/s) and
 * angular momentum about the origin (kg m^2/s). */
typedef struct Sum {
  double energy, speed, spin, low;
  tacVec3 momentum, turning;
} Sum;

static Sum sum_of(const tacWorld *world) {
  Sum sum = {.low = INFINITY};
  for (int b = 0; b < world->body_count; ++b) {
    const tacReducedBody *body = body_of(world, b);
    const tacReduced *asset = tac_reduced_body_asset(body);
    double mass = tac_reduced_body_mass(body), inertia[3][3], turning = 0.0;
    tacVec3 v = tac_reduced_body_linear(body), w = tac_reduced_body_angular(body);
    tacVec3 inside = tac_quat_rotate(tac_quat_conjugate(tac_reduced_body_orientation(body)), w);
    const double omega[3] = {inside.x, inside.y, inside.z};
    tac_reduced_inertia(asset, inertia);
    for (int i = 0; i < 9; ++i) turning += 0.5 * omega[i / 3] * inertia[i / 3][i % 3] * omega[i % 3];
    tacVec3 gravity = tac_reduced_body_motion(body)->gravity;
    sum.energy += -mass * tac_vec3_dot(gravity, tac_reduced_body_centre(body)) + 0.5 * mass * tac_vec3_norm2(v) +
                  turning + tac_reduced_body_energy(body);
    sum.momentum = tac_vec3_mad(sum.momentum, mass, v);
    double own[3];
    for (int i = 0; i < 3; ++i) own[i] = inertia[i][0] * omega[0] + inertia[i][1] * omega[1] + inertia[i][2] * omega[2];
    tacVec3 spin = tac_quat_rotate(tac_reduced_body_orientation(body), tac_vec3(own[0], own[1], own[2]));
    tacVec3 orbit = tac_vec3_cross(tac_reduced_body_centre(body), tac_vec3_scale(mass, v));
    sum.turning = tac_vec3_add(sum.turning, tac_vec3_add(orbit, spin));
    sum.speed = fmax(sum.speed, tac_vec3_norm(v));
    sum.spin = fmax(sum.spin, tac_vec3_norm(w));
    for (int i = 0; i < tac_reduced_surface(asset)->vertex_count; ++i)
      sum.low = fmin(sum.low, tac_reduced_body_vertex(body, i).z);
  }
  return sum;
}

static void run(tacWorld *world, int ticks) {
  tacTickReport report;
  for (int i = 0; i < ticks; ++i) {
    tac_world_step(world, NULL, NULL, &report);
    ck_assert_int_eq(report.refused, 0);
  }
}

/* However it falls and however long its steps are, a body comes to rest on the floor and gains no energy on the way. */
START_TEST(what_falls_comes_to_rest) {
  tacReduced *assets[3];
  assets[0] = brick_beam_reduced(2, 2, 2, 0.02, true, 4, 6);
  assets[1] = brick_beam_reduced(4, 4, 1, 0.02, true, 5, 10);
  assets[2] = brick_beam_reduced(4, 1, 1, 0.02, true, 4, 8);
  for (int a = 0; a < 3; ++a)
    for (int every = 1; every <= 8; every += 7)
      for (int stiff = 0; stiff < 2; ++stiff) {
        tacReducedBodyDef def = def_of("body", assets[a], tac_vec3(0.0, 0.0, 0.2));
        def.every = every;
        def.contact_stiffness = stiff ? 20000.0 : 500.0;
        def.contact_damping = stiff ? 0.0 : 1.0;
        tacWorld *world = world_of(1, &def, 0.5);
        tac_reduced_body_set_rigid_velocity(body_of(world, 0), tac_vec3(0.5, 0.0, 0.0), tac_vec3(2.0, 7.0, 3.0));
        Sum start = sum_of(world);
        for (int i = 0; i < (tac_test_light() ? 30 : 150); ++i) {
          run(world, 20);
          double energy = sum_of(world).energy;
          ck_assert_msg(energy <= 1.001 * start.energy, "asset %d, every %d, stiff %d: %g J of %g J", a, every, stiff,
                        energy, start.energy);
        }
        Sum end = sum_of(world);
        if (!tac_test_light()) {
          ck_assert_msg(end.speed < 0.02 && end.spin < 0.5, "asset %d, every %d, stiff %d: %g m/s, %g rad/s", a, every,
                        stiff, end.speed, end.spin);
          ck_assert_double_gt(end.low, -0.01);
        }
        ck_assert_double_gt(end.low, -0.04);
        tac_world_destroy(world);
      }
  for (int a = 0; a < 3; ++a) tac_reduced_destroy(assets[a]);
}
END_TEST

/* Coulomb: v = v0 - mu g t, then rest; a spinning one stops too. */
START_TEST(the_floor_rubs) {
  tacReduced *cube = brick_beam_reduced(2, 2, 2, 0.02, true, 4, 6);
  tacReducedBodyDef def = def_of("cube", cube, tac_vec3(0.0, 0.0, 0.0));
  tacWorld *world = world_of(1, &def, 0.2);
  run(world, 500);
  tac_reduced_body_set_rigid_velocity(body_of(world, 0), tac_vec3(0.6, 0.0, 0.0), tac_vec3(0.0, 0.0, 0.0));
  run(world, 100);
  ck_assert_double_eq_tol(tac_reduced_body_linear(body_of(world, 0)).x, 0.6 - 0.2 * G * 0.1, 0.03);
  run(world, 600);
  tacVec3 at = tac_reduced_body_centre(body_of(world, 0));
  ck_assert_double_eq_tol(at.x, 0.02 + 0.5 * 0.6 * 0.6 / (0.2 * G), 0.006);
  run(world, 500);
  ck_assert_double_lt(tac_vec3_distance(tac_reduced_body_centre(body_of(world, 0)), at), 1e-4);
  tac_reduced_body_set_rigid_velocity(body_of(world, 0), tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.0, 0.0, 10.0));
  run(world, 600);
  ck_assert_double_lt(tac_vec3_norm(tac_reduced_body_angular(body_of(world, 0))), 0.01);
  tac_world_destroy(world);
  tac_reduced_destroy(cube);
}
END_TEST

/* In free space: what one loses, the other gains, also where they differ; without friction nothing turns that did not turn. */
START_TEST(a_blow_is_passed_on) {
  tacReduced *cube = brick_beam_reduced(2, 2, 2, 0.02, true, 4, 6),
             *large = brick_beam_reduced(3, 3, 3, 0.02, true, 4, 6);
  for (int differ = 0; differ < 2; ++differ) {
    tacReducedBodyDef defs[2] = {def_of("a", cube, tac_vec3(-0.1, 0.0, 0.0)),
                                 def_of("b", differ ? large : cube, tac_vec3(0.1, 0.005, 0.0))};
    defs[0].gravity = defs[1].gravity = tac_vec3(0.0, 0.0, 0.0);
    if (differ) defs[1].contact_stiffness = 300.0;
    defs[0].friction = 0.0;
    tacWorld *world = world_of(2, defs, -1.0);
    tac_reduced_body_set_rigid_velocity(body_of(world, 0), tac_vec3(1.0, 0.0, 0.0), tac_vec3(0.0, 0.0, 0.0));
    Sum before = sum_of(world);
    run(world, 1000);
    Sum after = sum_of(world);
    ck_assert_double_lt(tac_vec3_distance(before.momentum, after.momentum), 1e-12 * tac_vec3_norm(before.momentum));
    ck_assert_double_gt(tac_reduced_body_linear(body_of(world, 1)).x, 0.3); /* it was hit */
    ck_assert_double_lt(after.spin, 1e-9);
    double kinetic = 0.0;
    for (int b = 0; b < 2; ++b)
      kinetic +=
          0.5 * tac_reduced_body_mass(body_of(world, b)) * tac_vec3_norm2(tac_reduced_body_linear(body_of(world, b)));
    ck_assert_double_le(kinetic, 0.5 * tac_reduced_mass(cube));
    tac_world_destroy(world);
  }
  tac_reduced_destroy(cube);
  tac_reduced_destroy(large);
}
END_TEST

static tacVec3 random_vector(tacRandom *random, double most) {
  return tac_random_in_box(random, (tacBox){{-most, -most, -most}, {most, most, most}});
}

/* Bodies that fly at each other, spin, rub and bounce, each with a step of its own. Every impulse is given twice, opposite, at one
 * point, so the sums of momentum and of angular momentum stay, to rounding, whatever the numbers are: while all bodies step
 * in every tick, at every tick; otherwise as soon as those that were pushed have stepped. No blow gives energy. */
START_TEST(collisions_keep_momentum) {
  enum { BODIES = 5 };
  static const int steps[][BODIES] = {{1, 1, 1, 1, 1}, {12, 12, 12, 12, 12}, {1, 12, 3, 7, 1}, {5, 2, 8, 1, 12}};
  tacReduced *assets[3];
  assets[0] = brick_beam_reduced(2, 2, 2, 0.02, true, 4, 6);
  assets[1] = brick_beam_reduced(3, 3, 3, 0.02, true, 4, 6);
  assets[2] = brick_beam_reduced(3, 2, 1, 0.02, true, 4, 6);
  for (uint64_t seed = 1; seed <= (tac_test_light() ? 2 : 25); ++seed)
    for (int pace = 0; pace < 4; ++pace) {
      tacRandom random = tac_random_seed(seed);
      tacReducedBodyDef defs[BODIES];
      tacVec3 places[BODIES];
      static const char *names[BODIES] = {"a", "b", "c", "d", "e"};
      for (int b = 0; b < BODIES; ++b) {
        places[b] = tac_vec3_mad(random_vector(&random, 0.02), 0.15 * (b - 2), tac_vec3(b % 2, 1 - b % 2, 0.5));
        defs[b] = def_of(names[b], assets[tac_random_bits(&random) % 3], places[b]);
        defs[b].gravity = tac_vec3(0.0, 0.0, 0.0);
        defs[b].every = steps[pace][b];
        defs[b].friction = tac_random_uniform(&random, 0.0, 0.8);
        defs[b].contact_stiffness = tac_random_uniform(&random, 200.0, 5000.0);
        defs[b].contact_damping = tac_random_uniform(&random, 0.0, 1.0);
      }
      tacWorld *world = world_of(BODIES, defs, -1.0);
      for (int b = 0; b < BODIES; ++b) {
        tacVec3 inward = tac_vec3_mad(random_vector(&random, 0.3), -4.0, places[b]);
        tac_reduced_body_set_rigid_velocity(body_of(world, b), inward, random_vector(&random, 10.0));
      }
      Sum before = sum_of(world), after;
      double speed = tac_vec3_norm(before.momentum) + 0.1, turn = tac_vec3_norm(before.turning) + 0.01;
      tacTickReport report;
      int met = 0;
      for (int tick = 0, quiet = 0; tick < 3000 && (met == 0 || quiet < 300); ++tick) {
        tac_world_step(world, NULL, NULL, &report);
        ck_assert_int_eq(report.refused, 0);
        met += report.touching;
        quiet = report.touching > 0 ? 0 : quiet + 1;
        if (pace > 0 && quiet < 13) continue;
        after = sum_of(world);
        double lost = tac_vec3_distance(before.momentum, after.momentum) / speed;
        double turned = tac_vec3_distance(before.turning, after.turning) / turn;
        ck_assert_msg(lost < 1e-12 && turned < 1e-12,
                      "seed %d, pace %d, tick %d: %g of momentum, %g of angular momentum", (int)seed, pace, tick, lost,
                      turned);
      }
      ck_assert_int_gt(met, 0);
      after = sum_of(world);
      ck_assert_msg(after.energy <= before.energy, "seed %d, pace %d: %g J of %g J", (int)seed, pace, after.energy,
                    before.energy);
      tac_world_destroy(world);
    }
  for (int a = 0; a < 3; ++a) tac_reduced_destroy(assets[a]);
}
END_TEST

START_TEST(a_heap_comes_to_rest) {
  enum { SIDE = 4, COUNT = SIDE * SIDE * SIDE };
  tacReduced *cube = brick_beam_reduced(2, 2, 2, 0.02, true, 4, 6);
  static tacReducedBodyDef defs[COUNT];
  static char names[COUNT][8];
  int side = tac_test_light() ? 2 : SIDE, count = side * side * side;
  for (int i = 0; i < count; ++i) {
    snprintf(names[i], sizeof names[i], "%d", i);
    defs[i] =
        def_of(names[i], cube, tac_vec3(0.1 * (i % side), 0.1 * (i / side % side), 0.1 + 0.1 * (i / side / side)));
    double turn = 0.7 * i;
    tacQuat q = tac_quat_from_axis_angle(tac_vec3(0.6, 0.0, 0.8), turn);
    memcpy(defs[i].pose.orientation, (double[4]){q.w, q.x, q.y, q.z}, sizeof defs[i].pose.orientation);
    defs[i].every = 8;
    defs[i].contact_stiffness = 500.0;
    defs[i].contact_damping = 1.0;
  }
  tacWorld *world = world_of(count, defs, 0.5);
  Sum start = sum_of(world);
  for (int i = 0; i < 50; ++i) {
    run(world, tac_test_light() ? 20 : 80);
    ck_assert_double_le(sum_of(world).energy, 1.01 * start.energy);
  }
  Sum end = sum_of(world);
  if (!tac_test_light()) ck_assert_msg(end.speed < 0.1 && end.spin < 5.0, "%g m/s, %g rad/s", end.speed, end.spin);
  ck_assert_double_gt(end.low, -0.03);
  tac_world_destroy(world);
  tac_reduced_destroy(cube);
}
END_TEST

TAC_TEST_MAIN("crowd", what_falls_comes_to_rest, the_floor_rubs, a_blow_is_passed_on, collisions_keep_momentum,
              a_heap_comes_to_rest)
