#include <tactus/device.h>
#include "device/operator.h"
#include "device/oscillator.h"
#include "math/geometry/quat.h"
#include "test.h"

/* A path of `count` points along x. */
static tacTrajectory *path_along_x(int count, const double *times, const double *x, bool smooth) {
  tacTrajectoryPoint points[8] = {0};
  for (int i = 0; i < count; ++i)
    points[i] = (tacTrajectoryPoint){
        .time = times[i], .position = tac_vec3(x[i], 0.0, 0.0), .orientation = {1.0, 0.0, 0.0, 0.0}};
  return tac_test_made(tacTrajectory *, tac_trajectory_create(count, points, smooth, &made, &error));
}

static tacTrajectory *rest(double duration) {
  return path_along_x(2, (double[]){0.0, duration}, (double[]){0.0, 0.0}, true);
}

/* Without friction and encoder: a damped oscillator. */
static tacOperatorDef linear_def(void) {
  tacOperatorDef def = tac_test_made(tacOperatorDef, tac_operator_def_preset("premium-6", &made, &error));
  def.device_friction = 0.0;
  def.info.resolution = 0.0;
  return def;
}

static tacDevice open_operator(const tacOperatorDef *def, tacTrajectory *path, double period) {
  return tac_test_made(tacDevice, tac_device_operator_open(def, path, period, &made, &error));
}

static tacDeviceState next(tacDevice *device, tacVec3 force, tacVec3 torque) {
  tacDeviceState state;
  device->driver->write(device->self, force, torque);
  device->driver->read(device->self, &state);
  return state;
}

static const tacVec3 none = {0.0, 0.0, 0.0};

/* The rendered force is constant between ticks and the path rests: the scheme is exact, whatever the substep. */
TAC_TEST(a_constant_force_gives_the_closed_form) {
  for (int c = 0; c < 3; ++c) {
    tacOperatorDef def = linear_def();
    def.substep = c == 0 ? 25e-6 : 1.0;
    def.hand_damping = c == 2 ? 60.0 : 5.0; /* overdamped: 2 sqrt(k m) is 24 */
    TAC_FREED(tac_device_close, tacDevice, device) = open_operator(&def, rest(10.0), 0.001);
    double m = def.device_mass + def.hand_mass, b = def.hand_damping + def.device_damping;
    tacDeviceState state;
    device.driver->read(device.self, &state);
    tacVec3 force = tac_vec3(2.0, -3.0, 0.0);
    for (int i = 1; i <= 500; ++i) {
      state = next(&device, force, none);
      double x = step_response(m, b, def.hand_stiffness, 2.0, i * 0.001);
      ck_assert_double_eq_tol(state.position.x, x, 1e-13);
      ck_assert_double_eq_tol(state.position.y, -1.5 * x, 1e-13);
    }
  }
}

/* Follows p = P (3 s^2 - 2 s^3), s = t / D, from rest: a cubic plus a decaying oscillation that cancels its start. */
static double follow_cubic(double m, double bh, double bd, double k, double p, double d, double t) {
  double b = bh + bd, c2 = 3.0 * p / (d * d), c3 = -2.0 * p / (d * d * d);
  double a3 = c3, a2 = (k * c2 + 3.0 * bh * c3 - 3.0 * b * a3) / k;
  double a1 = (2.0 * bh * c2 - 2.0 * b * a2 - 6.0 * m * a3) / k, a0 = (-b * a1 - 2.0 * m * a2) / k;
  double delta = 0.5 * b / m, w = sqrt(k / m - delta * delta);
  double cosine = -a0, sine = (-a1 + delta * cosine) / w;
  return a0 + t * (a1 + t * (a2 + t * a3)) + exp(-delta * t) * (cosine * cos(w * t) + sine * sin(w * t));
}

static double follow_error(double substep) {
  tacOperatorDef def = linear_def();
  def.substep = substep;
  TAC_FREED(tac_device_close, tacDevice, device) =
      open_operator(&def, path_along_x(2, (double[]){0.0, 0.4}, (double[]){0.0, 0.05}, true), 0.02);
  tacDeviceState state;
  device.driver->read(device.self, &state);
  double largest = 0.0;
  for (int i = 1; i <= 20; ++i) {
    state = next(&device, none, none);
    double x = follow_cubic(def.device_mass + def.hand_mass, def.hand_damping, def.device_damping, def.hand_stiffness,
                            0.05, 0.4, i * 0.02);
    largest = fmax(largest, fabs(state.position.x - x));
  }
  return largest;
}

TAC_TEST(following_a_curved_path_converges_with_second_order) {
  double coarse = follow_error(0.004), middle = follow_error(0.002), fine = follow_error(0.001);
  ck_assert_double_eq_tol(coarse / middle, 4.0, 0.1);
  ck_assert_double_eq_tol(middle / fine, 4.0, 0.1);
  ck_assert_double_lt(follow_error(25e-6), 1e-8);
}

/* A free mass under force F and Coulomb friction C: a = (F - C) / m; then it slides to rest by C and stays. */
TAC_TEST(friction_brakes_stops_and_holds) {
  tacOperatorDef def = linear_def();
  def.hand_stiffness = def.hand_damping = def.device_damping = 0.0;
  def.device_friction = 0.26;
  double m = def.device_mass + def.hand_mass;
  TAC_FREED(tac_device_close, tacDevice, device) = open_operator(&def, rest(10.0), 0.001);
  tacDeviceState state;
  device.driver->read(device.self, &state);
  for (int i = 0; i < 100; ++i) state = next(&device, tac_vec3(0.25, 0.0, 0.0), none); /* below the friction: sticks */
  ck_assert_double_eq(state.position.x, 0.0);
  ck_assert_double_eq(tac_device_operator_work(&device), 0.0);
  for (int i = 0; i < 100; ++i) state = next(&device, tac_vec3(1.26, 0.0, 0.0), none);
  double speed = 0.1 / m, way = 0.5 * 0.01 / m;
  ck_assert_double_eq_tol(state.position.x, way, 1e-12);
  double last = state.position.x;
  for (int i = 0; i < 1000; ++i) {
    state = next(&device, none, none);
    ck_assert_double_ge(state.position.x, last); /* never back */
    last = state.position.x;
  }
  ck_assert_double_eq_tol(last, way + 0.5 * m * speed * speed / 0.26, speed * 25e-6);
  double rests = last;
  for (int i = 0; i < 100; ++i) state = next(&device, tac_vec3(0.0, 0.0, i % 2 != 0 ? 0.25 : -0.25), none);
  ck_assert_double_eq(state.position.x, rests);
  ck_assert_double_eq(state.position.z, 0.0);
}

/* A hand that moves at v pulls a handle at rest by b v, through its damping alone: it sticks while that is below the
 * friction. */
TAC_TEST(a_moving_hand_breaks_the_friction) {
  for (int moves = 0; moves < 2; ++moves) {
    tacOperatorDef def = linear_def();
    def.hand_stiffness = def.device_damping = 0.0;
    def.hand_damping = 2.0;
    def.device_friction = 0.1;
    double v = moves ? 0.06 : 0.04, m = def.device_mass + def.hand_mass;
    TAC_FREED(tac_device_close, tacDevice, device) =
        open_operator(&def, path_along_x(2, (double[]){0.0, 10.0}, (double[]){0.0, 10.0 * v}, false), 0.001);
    tacDeviceState state = {0};
    for (int i = 0; i <= 100; ++i) state = next(&device, none, none);
    /* m a = b (v - x') - C from rest: x' goes to v - C / b. */
    double end = v - 0.1 / 2.0, decay = m / 2.0, t = 0.1;
    ck_assert_double_eq_tol(state.position.x, moves ? end * (t - decay * (1.0 - exp(-t / decay))) : 0.0, 1e-9);
  }
}

/* A push from the side is braked too, and friction takes energy whatever the direction. */
TAC_TEST(friction_in_the_plane_dissipates) {
  tacOperatorDef def = linear_def();
  def.hand_damping = def.device_damping = 0.0;
  def.device_friction = 0.1;
  TAC_FREED(tac_device_close, tacDevice, device) = open_operator(&def, rest(10.0), 0.001);
  tacDeviceState state, before;
  device.driver->read(device.self, &before);
  for (int i = 0; i < 20; ++i) before = next(&device, tac_vec3(5.0, 0.0, 0.0), none);
  for (int i = 0; i < 20; ++i) before = next(&device, tac_vec3(0.0, 5.0, 0.0), none);
  double m = def.device_mass + def.hand_mass, energy = INFINITY;
  for (int i = 0; i < 6000; ++i) {
    state = next(&device, none, none);
    tacVec3 v = tac_vec3_scale(1e3, tac_vec3_sub(state.position, before.position));
    tacVec3 middle = tac_vec3_mix(state.position, before.position, 0.5);
    double now = 0.5 * m * tac_vec3_norm2(v) + 0.5 * def.hand_stiffness * tac_vec3_norm2(middle);
    ck_assert_double_lt(now, energy + 1e-6);
    energy = now;
    before = state;
  }
  ck_assert_double_le(def.hand_stiffness * tac_vec3_norm(state.position), 0.1 + 1e-9); /* within the friction */
  tacDeviceState again = next(&device, none, none);
  ck_assert_double_eq(tac_vec3_distance(again.position, state.position), 0.0);
}

TAC_TEST(the_encoder_rounds) {
  tacOperatorDef def = linear_def();
  const double resolution = 55e-6;
  TAC_FREED(tac_device_close, tacDevice, exact) = open_operator(&def, rest(10.0), 0.001);
  def.info.resolution = resolution;
  TAC_FREED(tac_device_close, tacDevice, rounded) = open_operator(&def, rest(10.0), 0.001);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    tacVec3 force = tac_vec3(0.3, 0.2, -0.1);
    tacVec3 a = next(&exact, force, none).position, b = next(&rounded, force, none).position;
    ck_assert_double_le(fabs(a.x - b.x), 0.5 * resolution + 1e-15);
    ck_assert_double_eq_tol(remainder(b.x, resolution), 0.0, 1e-15);
    ck_assert_double_eq_tol(remainder(b.z, resolution), 0.0, 1e-15);
    differs |= a.x != b.x;
  }
  ck_assert(differs);
  ck_assert_double_eq(tac_device_operator_work(&exact), tac_device_operator_work(&rounded));
}

/* The device renders at most its limit, the direction kept; what is not finite is not rendered. */
TAC_TEST(forces_are_cut_at_the_limit) {
  tacOperatorDef def = linear_def();
  tacDevice a = open_operator(&def, rest(10.0), 0.001), b = open_operator(&def, rest(10.0), 0.001);
  for (int i = 0; i < 50; ++i) {
    tacDeviceState x = next(&a, tac_vec3(0.0, 600.0, 800.0), tac_vec3(9.0, 0.0, 0.0));
    tacDeviceState y = next(&b, tac_vec3(0.0, 0.6 * 8.5, 0.8 * 8.5), tac_vec3(0.17, 0.0, 0.0));
    ck_assert_double_lt(tac_vec3_distance(x.position, y.position), 1e-14);
    ck_assert_double_eq_tol(x.orientation[1], y.orientation[1], 1e-14);
  }
  tac_device_close(&a);
  tac_device_close(&b);
  TAC_FREED(tac_device_close, tacDevice, c) = open_operator(&def, rest(10.0), 0.001);
  for (int i = 0; i < 50; ++i) {
    tacDeviceState x = next(&c, tac_vec3(NAN, 0.0, INFINITY), tac_vec3(0.0, NAN, 0.0));
    ck_assert_double_eq(tac_vec3_norm(x.position), 0.0);
    ck_assert_double_eq(x.orientation[0], 1.0);
  }
}

/* Rotation about a fixed axis is the same oscillator. */
TAC_TEST(a_constant_torque_gives_the_closed_form) {
  tacOperatorDef def = linear_def();
  TAC_FREED(tac_device_close, tacDevice, device) = open_operator(&def, rest(10.0), 0.001);
  tacVec3 axis = tac_vec3_unit(tac_vec3(1.0, -2.0, 2.0));
  next(&device, none, none);
  for (int i = 1; i <= 300; ++i) {
    tacDeviceState s = next(&device, none, tac_vec3_scale(0.1, axis));
    double angle =
        step_response(def.device_inertia, def.hand_rotational_damping, def.hand_rotational_stiffness, 0.1, i * 0.001);
    tacVec3 r = tac_quat_to_rotation_vector(tac_quat_of(s.orientation));
    ck_assert_double_lt(tac_vec3_distance(r, tac_vec3_scale(angle, axis)), 1e-11);
  }
}

/* Torques act about the axes of the room, however the handle is turned. */
TAC_TEST(a_turned_handle_turns_about_the_axis_of_the_torque) {
  tacOperatorDef def = linear_def();
  tacQuat held = tac_quat_from_axis_angle(tac_vec3(1.0, 0.0, 0.0), 1.0);
  tacTrajectoryPoint p[2] = {{.orientation = {held.w, held.x, held.y, held.z}},
                             {.time = 10.0, .orientation = {held.w, held.x, held.y, held.z}}};
  tacTrajectory *path = tac_test_made(tacTrajectory *, tac_trajectory_create(2, p, true, &made, &error));
  TAC_FREED(tac_device_close, tacDevice, device) = open_operator(&def, path, 0.001);
  const tacVec3 torque = {0.0, 0.0, 0.1};
  next(&device, none, none);
  for (int i = 1; i <= 300; ++i) {
    tacDeviceState s = next(&device, none, torque);
    tacQuat found = tac_quat_of(s.orientation);
    tacVec3 r = tac_quat_to_rotation_vector(tac_quat_mul(found, tac_quat_conjugate(held)));
    double angle =
        step_response(def.device_inertia, def.hand_rotational_damping, def.hand_rotational_stiffness, 0.1, i * 0.001);
    ck_assert_double_lt(tac_vec3_distance(r, tac_vec3(0.0, 0.0, angle)), 1e-11);
  }
}

/* Without torque a hand that turns evenly is followed, and the orientation stays a unit quaternion. */
TAC_TEST(orientation_follows_the_path) {
  for (int dof = 3; dof <= 6; dof += 3) {
    tacOperatorDef def = linear_def();
    def.info.dof = dof;
    if (dof == 3) def.info.torque_limit = 0.0;
    tacQuat end = tac_quat_from_axis_angle(tac_vec3(1.0, 1.0, 0.0), 1.0);
    tacTrajectoryPoint p[2] = {{.orientation = {1.0, 0.0, 0.0, 0.0}},
                               {.time = 1.0, .orientation = {end.w, end.x, end.y, end.z}}};
    tacTrajectory *path = tac_test_made(tacTrajectory *, tac_trajectory_create(2, p, true, &made, &error));
    TAC_FREED(tac_device_close, tacDevice, device) = open_operator(&def, path, 0.001);
    tacDeviceState s = {0};
    for (int i = 0; i < 2000; ++i) s = next(&device, none, none);
    ck_assert_double_eq_tol(s.orientation[0], end.w, 1e-9);
    ck_assert_double_eq_tol(s.orientation[1], end.x, 1e-9);
  }
}

/* A constant force moves the handle by f / k: the world gives f^2 / k; likewise for torque. */
TAC_TEST(work_is_force_times_way) {
  tacOperatorDef def = linear_def();
  TAC_FREED(tac_device_close, tacDevice, device) = open_operator(&def, rest(10.0), 0.001);
  next(&device, none, none);
  for (int i = 0; i < 5000; ++i) next(&device, tac_vec3(0.0, 3.0, 4.0), tac_vec3(0.0, 0.1, 0.0));
  double expected = 25.0 / def.hand_stiffness + 0.01 / def.hand_rotational_stiffness;
  ck_assert_double_eq_tol(tac_device_operator_work(&device), -expected, 1e-9);
}

TAC_TEST(ends_with_its_path_or_repeats) {
  tacOperatorDef def = linear_def();
  TAC_FREED(tac_device_close, tacDevice, device) = open_operator(&def, rest(0.05), 0.001);
  tacDeviceState s;
  for (int i = 0; i < 60; ++i)
    ck_assert_int_eq(device.driver->read(device.self, &s), i < 50 ? TAC_DEVICE_FINE : TAC_DEVICE_DONE);
  tac_device_close(&device);
  def.repeats = true;
  device = open_operator(&def, rest(0.05), 0.001);
  for (int i = 0; i < 200; ++i) ck_assert_int_eq(device.driver->read(device.self, &s), TAC_DEVICE_FINE);
}

TAC_TEST(presets_open_and_others_are_named) {
  tacOperatorDef def;
  tacDevice device;
  ck_assert_int_eq(tac_operator_preset_count(), 5);
  for (int i = 0; i < tac_operator_preset_count(); ++i) {
    tac_test_ok(tac_operator_def_preset(tac_operator_preset_name(i), &def, &error), error);
    device = open_operator(&def, rest(1.0), 0.001);
    tac_device_close(&device);
  }
  ck_assert_ptr_null(tac_operator_preset_name(5));
  tac_test_refused(tac_operator_def_preset("falcon", &def, &error), TAC_ERR_ARGUMENT, error,
                   "\"falcon\"; use one of premium-3, premium-6, omni, omni-6");
}

TAC_TEST(impossible_definitions_are_refused) {
  tacDevice device;
  const struct {
    size_t field;
    double value;
    const char *message;
  } cases[] = {
      {offsetof(tacOperatorDef, device_friction), -1.0, "device_friction is -1; it must be finite and not negative"},
      {offsetof(tacOperatorDef, substep), 0.0, "substep is 0; it must be finite and positive"},
      {offsetof(tacOperatorDef, substep), 1e-9, "must be at least period / 10000"},
      {offsetof(tacOperatorDef, hand_stiffness), NAN, "hand_stiffness is nan"},
      {offsetof(tacOperatorDef, device_inertia), 0.0, "device_inertia is 0"},
      {offsetof(tacOperatorDef, device_inertia), 1e-320, "the motion overflows"},
      {offsetof(tacOperatorDef, info.force_limit), 0.0, "force_limit must be positive"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    tacOperatorDef def = linear_def();
    memcpy((char *)&def + cases[i].field, &cases[i].value, sizeof cases[i].value);
    ck_assert_int_eq(tac_device_operator_open(&def, rest(1.0), 0.001, &device, &error), TAC_ERR_ARGUMENT);
    ck_assert_msg(strstr(error.text, cases[i].message) != NULL, "%s", error.text);
    ck_assert_ptr_null(device.driver);
  }
}
