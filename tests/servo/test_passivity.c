#include "servo/passivity.h"

#include <tactus/device.h>
#include "test.h"

static const double period = 0.001;
static const tacVec3 none = {0.0, 0.0, 0.0};

/* A force that is held does exactly force times way, on any path. */
START_TEST(observes_the_work_of_held_forces) {
  tacPassivity p = tac_passivity_begin(period, 1000.0, 8.0, 0.02, 0.0);
  tac_passivity_observe(&p, tac_vec3(5.0, 5.0, 5.0), tac_quat_identity()); /* the first state is no motion */
  ck_assert_double_eq(p.energy, 0.0);
  tac_passivity_hold(&p, tac_vec3(0.0, 0.0, 2.0), tac_vec3(0.1, 0.0, 0.0));
  tac_passivity_observe(&p, tac_vec3(5.0, 5.0, 4.99), tac_quat_from_axis_angle(tac_vec3(1.0, 0.0, 0.0), 0.05));
  ck_assert_double_eq_tol(p.energy, 0.02 - 0.005, 1e-12); /* pushed against the force, turned with the torque */
  ck_assert_double_eq_tol(p.work, 0.015, 1e-12);
  ck_assert_double_eq(p.least, 0.0);
  tac_passivity_hold(&p, tac_vec3(0.0, 0.0, 2.0), none);
  tac_passivity_observe(&p, tac_vec3(5.0, 5.0, 5.01), tac_quat_from_axis_angle(tac_vec3(1.0, 0.0, 0.0), 0.05));
  ck_assert_double_eq_tol(p.energy, -0.025, 1e-12);
  ck_assert_double_eq_tol(p.least, -0.025, 1e-12);
}
END_TEST

/* Where the last motion goes on, the damped force leaves exactly no energy generated. */
START_TEST(damps_by_what_is_missing) {
  tacPassivity p = tac_passivity_begin(period, 1e6, 8.0, 0.02, 0.0);
  tac_passivity_observe(&p, none, tac_quat_identity());
  tac_passivity_observe(&p, tac_vec3(1e-4, 0.0, 0.0), tac_quat_from_rotation_vector(tac_vec3(0.0, 2e-3, 0.0)));
  p.energy = 1e-4;
  p.damper = 100.0; /* it has risen already */
  tacVec3 force = tac_vec3(3.0, 1.0, 0.0), torque = tac_vec3(0.0, 0.05, 0.0);
  ck_assert(tac_passivity_damp(&p, &force, &torque));
  tac_passivity_hold(&p, force, torque);
  tac_passivity_observe(&p, tac_vec3(2e-4, 0.0, 0.0), tac_quat_from_rotation_vector(tac_vec3(0.0, 4e-3, 0.0)));
  ck_assert_double_eq_tol(p.energy, 0.0, 1e-12);
  /* Enough energy, no motion, or a hand that works against the force: nothing to damp. */
  p.energy = 1.0;
  force = tac_vec3(3.0, 0.0, 0.0);
  ck_assert(!tac_passivity_damp(&p, &force, &torque));
  p.energy = -1.0;
  tac_passivity_observe(&p, p.positions[p.newest], p.orientation);
  ck_assert(!tac_passivity_damp(&p, &force, &torque));
  ck_assert_double_eq(force.x, 3.0);
}
END_TEST

START_TEST(damping_is_bounded_and_a_flickering_encoder_is_not_damped) {
  const double count = 55e-6, limit = 1260.0;
  tacPassivity p = tac_passivity_begin(period, limit, 3.3, 0.0, count);
  for (int i = 0; i < 1000; ++i) { /* the device rests between two counts under the largest force */
    tac_passivity_observe(&p, tac_vec3(0.0, 0.0, i % 2 * count), tac_quat_identity());
    tacVec3 force = tac_vec3(0.0, 0.0, i % 2 != 0 ? 0.0 : 3.3), torque = none;
    p.energy = fmax(p.energy, 0.0);
    ck_assert(!tac_passivity_damp(&p, &force, &torque));
    tac_passivity_hold(&p, force, torque);
  }
  p.energy = -10.0;
  tac_passivity_observe(&p, tac_vec3(1e-3, 0.0, 0.0), tac_quat_identity());
  for (int i = 1; i < 20; ++i) { /* rises evenly */
    tacVec3 rising = none, torque = none;
    ck_assert(tac_passivity_damp(&p, &rising, &torque));
    ck_assert_double_eq_tol(tac_vec3_norm(rising), i * 3.3 / 50.0, 1e-12);
  }
  p.damper = 100.0;
  tacVec3 force = none, torque = none;
  ck_assert(tac_passivity_damp(&p, &force, &torque));
  ck_assert_double_eq_tol(tac_vec3_norm(force), 2.0 * limit * tac_vec3_norm(p.motion), 1e-12);
  ck_assert_double_lt(tac_vec3_dot(force, p.motion), 0.0);
}
END_TEST

typedef struct {
  double energy, least, work, largest_step;
  int damped;
} Outcome;

/* A hand presses a spring of 800 N/m again and again; its force comes `delay` ticks late, which acts as a negative damper. */
static Outcome press(int delay, bool controlled, double resolution) {
  tacOperatorDef def;
  tacError error;
  tacTrajectory *path = NULL;
  tacDevice device;
  tac_test_ok(tac_operator_def_preset("premium-3", &def, &error), error);
  def.info.resolution = resolution;
  def.repeats = true;
  tacTrajectoryPoint points[3] = {{.position = {0.0, 0.0, 0.005}},
                                  {.time = 0.4, .position = {0.0, 0.0, -0.015}},
                                  {.time = 0.8, .position = {0.0, 0.0, 0.005}}};
  for (int i = 0; i < 3; ++i) points[i].orientation[0] = 1.0;
  tac_test_ok(tac_trajectory_create(3, points, true, &path, &error), error);
  tac_test_ok(tac_device_operator_open(&def, path, period, &device, &error), error);
  tacPassivity p = tac_passivity_begin(period, def.info.stiffness_limit, def.info.force_limit, 0.0, resolution);
  tacVec3 line[16] = {0}, last = none;
  Outcome outcome = {0};
  for (int i = 0; i < 8000; ++i) {
    tacDeviceState state;
    device.driver->read(device.self, &state);
    tac_passivity_observe(&p, state.position, tac_quat_identity());
    line[i % 16] = tac_vec3(0.0, 0.0, 800.0 * fmax(0.0, -state.position.z));
    tacVec3 force = i >= delay ? line[(i - delay) % 16] : none, torque = none;
    if (controlled && tac_passivity_damp(&p, &force, &torque)) ++outcome.damped;
    outcome.largest_step = fmax(outcome.largest_step, tac_vec3_distance(force, last));
    last = force;
    device.driver->write(device.self, force, torque);
    tac_passivity_hold(&p, force, torque);
  }
  outcome.energy = p.energy, outcome.least = p.least, outcome.work = p.work;
  ck_assert_double_eq_tol(p.energy, tac_device_operator_work(&device), 0.01 * p.work);
  tac_device_close(&device);
  return outcome;
}

START_TEST(an_active_spring_is_made_passive) {
  for (int encoder = 0; encoder < 2; ++encoder) {
    Outcome active = press(4, false, encoder * 30e-6), tamed = press(4, true, encoder * 30e-6);
    ck_assert_double_lt(active.least, -0.05 * active.work);
    ck_assert_double_gt(tamed.least, -0.01 * tamed.work);
    ck_assert_int_gt(tamed.damped, 0);
  }
}
END_TEST

/* The same with a torque: a hand turns against a rotational spring of 0.5 N m/rad whose torque comes late. */
static Outcome twist(int delay, bool controlled) {
  tacOperatorDef def;
  tacError error;
  tacTrajectory *path = NULL;
  tacDevice device;
  tac_test_ok(tac_operator_def_preset("premium-6", &def, &error), error);
  def.repeats = true;
  tacTrajectoryPoint points[3] = {{0}, {.time = 0.4}, {.time = 0.8}};
  for (int i = 0; i < 3; ++i) {
    tacQuat q = tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), i == 1 ? -0.5 : 0.1);
    points[i].orientation[0] = q.w, points[i].orientation[2] = q.y;
  }
  tac_test_ok(tac_trajectory_create(3, points, true, &path, &error), error);
  tac_test_ok(tac_device_operator_open(&def, path, period, &device, &error), error);
  double lever = def.info.torque_limit / def.info.force_limit;
  tacPassivity p =
      tac_passivity_begin(period, def.info.stiffness_limit, def.info.force_limit, lever, def.info.resolution);
  tacVec3 line[16] = {0}, last = none;
  Outcome outcome = {0};
  for (int i = 0; i < 8000; ++i) {
    tacDeviceState state;
    device.driver->read(device.self, &state);
    const double *q = state.orientation;
    tacQuat orientation = tac_quat(q[0], q[1], q[2], q[3]);
    tac_passivity_observe(&p, state.position, orientation);
    double angle = tac_quat_to_rotation_vector(orientation).y;
    line[i % 16] = tac_vec3(0.0, 0.5 * fmax(0.0, -angle), 0.0);
    tacVec3 torque = i >= delay ? line[(i - delay) % 16] : none, force = none;
    if (controlled && tac_passivity_damp(&p, &force, &torque)) ++outcome.damped;
    outcome.largest_step = fmax(outcome.largest_step, tac_vec3_distance(torque, last));
    last = torque;
    device.driver->write(device.self, force, torque);
    tac_passivity_hold(&p, force, torque);
  }
  outcome.energy = p.energy, outcome.least = p.least, outcome.work = p.work;
  ck_assert_double_eq_tol(p.energy, tac_device_operator_work(&device), 0.01 * p.work);
  ck_assert_double_gt(p.least + p.tolerance, controlled ? -0.003 * p.work : -INFINITY);
  tac_device_close(&device);
  return outcome;
}

START_TEST(an_active_rotational_spring_is_made_passive) {
  for (int delay = 4; delay <= 8; delay += 4) {
    Outcome active = twist(delay, false), tamed = twist(delay, true);
    ck_assert_double_lt(active.least, -0.008 * delay * active.work);
    ck_assert_double_gt(tamed.least, -0.005 * tamed.work);
    ck_assert_int_gt(tamed.damped, 0);
    ck_assert_double_lt(tamed.largest_step, active.largest_step + 0.17 / 50.0);
  }
}
END_TEST

/* An undelayed spring generates little (K T / 2 as a negative damper); the controller hardly acts. */
START_TEST(a_passive_spring_is_left_alone) {
  Outcome plain = press(0, false, 0.0), watched = press(0, true, 0.0);
  ck_assert_double_lt(watched.largest_step, plain.largest_step + 8.5 / 50.0);
  ck_assert_double_gt(watched.least, -0.005 * watched.work);
  ck_assert_double_gt(plain.least, -0.05 * plain.work);
  ck_assert_int_lt(watched.damped, 800);
  ck_assert_double_eq_tol(watched.work, plain.work, 0.05 * plain.work);
}
END_TEST

TAC_TEST_MAIN("passivity", observes_the_work_of_held_forces, damps_by_what_is_missing,
              damping_is_bounded_and_a_flickering_encoder_is_not_damped, an_active_spring_is_made_passive,
              an_active_rotational_spring_is_made_passive, a_passive_spring_is_left_alone)
