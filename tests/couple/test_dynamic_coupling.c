#include "couple/held_frame.h"

static const double period = 0.001;
static const tacVec3 none = {0.0, 0.0, 0.0};
static const tacWrench no_wrench = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
static const tacTwist rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};

/* A body whose moments differ. About its centre of mass: 1, 2 and 3 times 1e-5 kg m^2. */
static tacCouplingDef some_def(void) {
  tacCouplingDef def = tac_coupling_def_default();
  def.inertia = tac_mat3_diagonal(1e-5, 2e-5, 3e-5);
  def.speed_most = def.turn_most = 1e3;
  return def;
}

/* About the grasp, of moments about the centre of mass (Steiner). */
static tacMat3 about_grasp(const tacCouplingDef *def, tacMat3 moments) {
  double far = def->mass * tac_vec3_norm2(def->centre);
  return tac_mat3_add(moments, tac_mat3_sub(tac_mat3_diagonal(far, far, far),
                                            tac_mat3_scale(def->mass, tac_mat3_outer(def->centre, def->centre))));
}

static HeldStep step(const tacCouplingDef *def, double h, const tacGrasp *device, tacGrasp *body, tacTwist *velocity) {
  double stiffness[6][6] = {{0.0}};
  return held_frame_dynamic(def, h, device, &rest, &no_wrench, stiffness, body, velocity);
}

/* x'' + 2 w x' + w^2 x = 0 from x0 at rest is x0 (1 + w t) exp(-w t): never below zero. About each principal axis
 * likewise, with the small angles' stiffness k_t / 2; the others are not excited. */
TAC_TEST(the_free_response_is_critically_damped) {
  for (int axis = -1; axis < 3; ++axis) {
    tacCouplingDef def = some_def();
    tacGrasp device = {none, tac_quat_identity()}, body = device;
    tacTwist velocity = rest;
    tacVec3 direction = tac_vec3(axis == 0, axis == 1, axis == 2);
    double start = 0.01, w = axis < 0 ? sqrt(600.0 / 0.1) : sqrt(0.25 / (1e-5 * (axis + 1)));
    if (axis < 0)
      body.position.y = start;
    else
      body.orientation = tac_quat_from_axis_angle(direction, start);
    for (int i = 1; i <= 20000; ++i) {
      step(&def, 0.01 * period, &device, &body, &velocity);
      double toward[6], t = 0.01 * i * period;
      tac_coupling_toward(&body, &device, toward);
      double left = axis < 0 ? -toward[1] : -toward[3 + axis];
      ck_assert_double_gt(left, -1e-12); /* no overshoot */
      ck_assert_double_eq_tol(left, start * (1.0 + w * t) * exp(-w * t), 2e-3 * start);
      for (int k = 0; k < 6; ++k)
        if (k != (axis < 0 ? 1 : 3 + axis)) ck_assert_double_lt(fabs(toward[k]), 1e-12);
    }
  }
}

/* The step is Euler's: half the period, half the error. */
TAC_TEST(steps_converge_with_first_order) {
  double off[4];
  for (int n = 0; n < 4; ++n) {
    tacCouplingDef def = some_def();
    def.damping_ratio = 0.3;
    int steps = 160 << n;
    double t = 0.04;
    tacGrasp device = {none, tac_quat_identity()}, body = {{0.01, 0.0, 0.0}, tac_quat_identity()};
    tacTwist velocity = rest;
    for (int i = 0; i < steps; ++i) step(&def, t / steps, &device, &body, &velocity);
    double w = sqrt(6000.0), d = 0.3 * w, v = w * sqrt(1.0 - 0.09);
    off[n] = fabs(body.position.x - 0.01 * exp(-d * t) * (cos(v * t) + d / v * sin(v * t)));
  }
  for (int n = 0; n < 3; ++n) ck_assert_double_eq_tol(off[n] / off[n + 1], 2.0, 0.15);
}

/* Kinetic energy and that of the coupling: 1/2 k r^2, 2 k_t (1 - cos(theta/2)). */
static double energy(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                     const tacTwist *velocity) {
  double toward[6];
  tac_coupling_toward(body, device, toward);
  double angle = tac_vec3_norm(tac_vec3(toward[3], toward[4], toward[5]));
  tacMat3 turn = tac_quat_to_mat3(body->orientation);
  tacVec3 centre = tac_mat3_mul_vec(turn, def->centre);
  tacVec3 spin = tac_mat3_mul_vec(tac_mat3_transpose(turn), velocity->angular);
  return 0.5 * def->mass * tac_vec3_norm2(velocity->linear) +
         def->mass * tac_vec3_dot(velocity->linear, tac_vec3_cross(velocity->angular, centre)) +
         0.5 * tac_vec3_dot(spin, tac_mat3_mul_vec(def->inertia, spin)) +
         0.5 * def->stiffness * (toward[0] * toward[0] + toward[1] * toward[1] + toward[2] * toward[2]) +
         2.0 * def->turn_stiffness * (1.0 - cos(0.5 * angle));
}

/* A device that is held: energy only falls, for any start, turned as far as can be, grasped beside the centre of mass,
 * and ends at zero. */
TAC_TEST(the_energy_of_a_free_body_never_grows) {
  tacRandom random = tac_random_seed(1);
  for (int c = 0; c < (tac_test_light() ? 4 : 40); ++c) {
    tacCouplingDef def = some_def();
    def.damping_ratio = c % 3 ? 1.0 : 0.1;
    if (c % 2) def.centre = tac_vec3_scale(0.02, random_unit(&random));
    def.inertia = about_grasp(&def, def.inertia);
    tacGrasp device = {none, tac_quat_identity()};
    tacVec3 at = random_unit(&random), axis = random_unit(&random), way = random_unit(&random),
            spin = random_unit(&random);
    tacGrasp body = {tac_vec3_scale(0.02, at), tac_quat_from_axis_angle(axis, 3.0 * c / 40.0)};
    tacTwist velocity = {tac_vec3_scale(0.3, way), tac_vec3_scale(3.0, spin)};
    double last = energy(&def, &body, &device, &velocity), first = last;
    for (int i = 0; i < 1000; ++i) {
      step(&def, period, &device, &body, &velocity);
      double now = energy(&def, &body, &device, &velocity);
      ck_assert_double_le(now, last * (1.0 + 1e-9) + 1e-15);
      last = now;
    }
    ck_assert_double_lt(last, 1e-3 * first);
  }
}

/* Without coupling the body flies on, though it tumbles about a centre of mass beside its grasp: both momenta stay. What turns is
 * taken at the start of a step, so they do with an error that halves with the period. */
TAC_TEST(a_body_that_nothing_holds_keeps_its_momenta) {
  enum { PERIODS = 5 };
  const int steps[PERIODS] = {200, 400, 800, 1600, 20000}; /* in 0.2 s */
  double momentum_error[PERIODS], spin_error[PERIODS], way_error[PERIODS];
  tacCouplingDef def = some_def();
  def.stiffness = 1e-12, def.turn_stiffness = 1e-15, def.damping_ratio = 0.0;
  def.centre = tac_vec3(0.01, -0.02, 0.005);
  tacMat3 moments = tac_mat3_diagonal(2e-5, 5e-5, 6e-5); /* about the centre of mass */
  def.inertia = about_grasp(&def, moments);
  for (int n = 0; n < PERIODS; ++n) {
    tacGrasp device = {none, tac_quat_identity()}, body = device;
    tacTwist velocity = {{0.1, 0.2, -0.1}, {3.0, 8.0, -1.0}};
    tacVec3 momentum[2], spin[2], centre[2];
    for (int end = 0; end < 2; ++end) {
      for (int i = 0; end && i < steps[n]; ++i) step(&def, 0.2 / steps[n], &device, &body, &velocity);
      tacMat3 turn = tac_quat_to_mat3(body.orientation);
      tacVec3 c = tac_mat3_mul_vec(turn, def.centre);
      tacVec3 w = tac_mat3_mul_vec(tac_mat3_transpose(turn), velocity.angular);
      momentum[end] = tac_vec3_add(velocity.linear, tac_vec3_cross(velocity.angular, c));
      spin[end] = tac_mat3_mul_vec(turn, tac_mat3_mul_vec(moments, w));
      centre[end] = tac_vec3_add(body.position, c);
    }
    momentum_error[n] = tac_vec3_distance(momentum[0], momentum[1]) / tac_vec3_norm(momentum[0]);
    spin_error[n] = tac_vec3_distance(spin[0], spin[1]) / tac_vec3_norm(spin[0]);
    way_error[n] = tac_vec3_distance(centre[1], tac_vec3_mad(centre[0], 0.2, momentum[0]));
  }
  for (int n = 0; n < PERIODS - 2; ++n) {
    ck_assert_double_eq_tol(momentum_error[n] / momentum_error[n + 1], 2.0, 0.1);
    ck_assert_double_eq_tol(spin_error[n] / spin_error[n + 1], 2.0, 0.1);
    ck_assert_double_eq_tol(way_error[n] / way_error[n + 1], 2.0, 0.1);
  }
  ck_assert_double_lt(momentum_error[PERIODS - 1], 1e-3);
  ck_assert_double_lt(spin_error[PERIODS - 1], 1e-3);
  ck_assert_double_lt(way_error[PERIODS - 1], 1e-4);
}

/* Pressed on a plane and turned against it, saturated or not: it comes to rest where the static coupling does. */
TAC_TEST(it_rests_where_the_static_coupling_does) {
  for (int c = 0; c < 6; ++c) {
    tacCouplingDef def = some_def();
    def.speed_most = 1.0, def.turn_most = 10.0;
    if (c % 2) def.force_most = 2.0, def.torque_most = 0.03;
    tacGrasp device = {{0.01, 0.0, -0.005}, tac_quat_from_axis_angle(tac_vec3(1.0, 0.5, 0.0), 0.1 * c)};
    tacGrasp fixed = {{0.0, 0.0, 0.02}, tac_quat_identity()}, body = fixed;
    tacTwist velocity = rest;
    PlanePoint plate[4];
    make_plate(2000.0, plate);
    for (int i = 0; i < 3000; ++i) {
      tacWrench wrench;
      double stiffness[6][6];
      press_points(4, plate, &fixed, &wrench, stiffness);
      held_frame_static(&def, period, &device, &wrench, stiffness, &fixed);
      press_points(4, plate, &body, &wrench, stiffness);
      held_frame_dynamic(&def, period, &device, &rest, &wrench, stiffness, &body, &velocity);
    }
    double toward[6];
    tac_coupling_toward(&fixed, &body, toward);
    for (int k = 0; k < 6; ++k) ck_assert_double_lt(fabs(toward[k]), 1e-7);
    tacWrench a = tac_coupling_felt(&def, &fixed, &device),
              b = tac_dynamic_coupling_felt(&def, &body, &device, &velocity, &rest);
    ck_assert_double_lt(tac_vec3_distance(a.force, b.force), 1e-4);
    ck_assert_double_lt(tac_vec3_distance(a.torque, b.torque), 1e-5);
  }
}

/* A device that moves evenly is followed without any lag, and then nothing is felt; one that starts is felt through the damper
 * first. */
TAC_TEST(an_even_motion_is_followed_and_not_felt) {
  tacCouplingDef def = some_def();
  tacGrasp device = {none, tac_quat_identity()}, body = device;
  tacTwist velocity = rest, motion = {{0.2, 0.0, 0.0}, {0.0, 0.0, 2.0}};
  double stiffness[6][6] = {{0.0}};
  tacWrench felt = tac_dynamic_coupling_felt(&def, &body, &device, &velocity, &motion);
  ck_assert_double_eq_tol(felt.force.x, -2.0 * sqrt(600.0 * 0.1) * 0.2, 1e-12);
  ck_assert_double_eq_tol(felt.torque.z, -2.0 * sqrt(0.25 * 3e-5) * 2.0, 1e-12);
  for (int i = 0; i < 500; ++i) {
    device.position = tac_vec3_mad(device.position, period, motion.linear);
    device.orientation =
        tac_quat_mul(tac_quat_from_rotation_vector(tac_vec3_scale(period, motion.angular)), device.orientation);
    held_frame_dynamic(&def, period, &device, &motion, &no_wrench, stiffness, &body, &velocity);
  }
  double toward[6];
  tac_coupling_toward(&body, &device, toward);
  /* With d = h v of the device the equation holds with the body at the device at the end of the step, whatever h is. */
  for (int k = 0; k < 6; ++k) ck_assert_double_lt(fabs(toward[k]), 1e-12);
  felt = tac_dynamic_coupling_felt(&def, &body, &device, &velocity, &motion);
  ck_assert_double_lt(tac_vec3_norm(felt.force), 1e-9);
  ck_assert_double_lt(tac_vec3_norm(felt.torque), 1e-9);
}

/* With saturation the damper does not pull the body off the wall into which the hand still presses it, and forces on
 * it have their bound. */
TAC_TEST(spring_and_damper_saturate_together) {
  tacCouplingDef def = some_def();
  def.force_most = 2.0;
  tacGrasp body = {{0.0, 0.0, 0.0}, tac_quat_identity()}, device = {{0.0, 0.0, -0.02}, tac_quat_identity()};
  tacTwist up = {{0.0, 0.0, 0.7}, {0.0, 0.0, 0.0}}, velocity = rest;
  double stiffness[6][6] = {{0.0}};
  ck_assert_double_gt(2.0 * sqrt(600.0 * 0.1) * 0.7, def.force_most); /* more than the spring has left */
  held_frame_dynamic(&def, period, &device, &up, &no_wrench, stiffness, &body, &velocity);
  ck_assert_double_lt(velocity.linear.z, 0.0);
  ck_assert_double_ge(velocity.linear.z, -def.force_most / def.mass * period * (1.0 + 1e-9));
}
