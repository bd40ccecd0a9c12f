#include "couple/held_frame.h"

/* A body at some pose, and the device `way` and `angle` from it. */
static void place(tacRandom *random, double way, double angle, tacGrasp *body, tacGrasp *device) {
  body->position = random_unit(random);
  tacVec3 axis = random_unit(random);
  body->orientation = tac_quat_from_axis_angle(axis, 6.0 * tac_random_normal(random));
  device->position = tac_vec3_mad(body->position, way, random_unit(random));
  device->orientation = tac_quat_mul(tac_quat_from_axis_angle(random_unit(random), angle), body->orientation);
  if (tac_random_bits(random) % 2 == 0) { /* the same rotation */
    tacQuat q = device->orientation;
    device->orientation = tac_quat(-q.w, -q.x, -q.y, -q.z);
  }
}

static tacGrasp moved(tacGrasp body, int axis, double by) {
  double motion[6] = {0.0};
  motion[axis] = by;
  body.position = tac_vec3_add(body.position, tac_vec3(motion[0], motion[1], motion[2]));
  body.orientation =
      tac_quat_mul(tac_quat_from_rotation_vector(tac_vec3(motion[3], motion[4], motion[5])), body.orientation);
  return body;
}

static void numbers(tacWrench w, double out[6]) {
  const double all[6] = {w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z};
  memcpy(out, all, sizeof all);
}

/* Largest difference of the stiffness from central differences, relative to k and k_t. */
static double gradient_error(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device) {
  double stiffness[6][6], worst = 0.0;
  tac_coupling_wrench(def, body, device, stiffness);
  for (int j = 0; j < 6; ++j) {
    double h = j < 3 ? 1e-8 : 1e-6, more[6], less[6];
    tacGrasp a = moved(*body, j, h), b = moved(*body, j, -h);
    numbers(tac_coupling_wrench(def, &a, device, NULL), more);
    numbers(tac_coupling_wrench(def, &b, device, NULL), less);
    for (int i = 0; i < 6; ++i) {
      double slope = (less[i] - more[i]) / (2.0 * h), size = i < 3 ? def->stiffness : def->turn_stiffness;
      worst = fmax(worst, fabs(slope - stiffness[i][j]) / size);
    }
  }
  return worst;
}

TAC_TEST(gradients_are_those_of_finite_differences) {
  tacRandom random = tac_random_seed(1);
  const double ways[] = {0.0, 1e-4, 0.9999e-3, 1.0001e-3, 3e-3, 1e-2}; /* m */
  const double angles[] = {0.0, 1e-3, 0.4, 1.0, 2.0, 170.0 / 180.0 * 3.14159265358979};
  const double torques[] = {INFINITY, 0.4, 0.1, 1e-3};
  for (int c = 0; c < (tac_test_light() ? 1 : 20); ++c)
    for (int w = 0; w < 6; ++w)
      for (int a = 0; a < 6; ++a)
        for (int t = 0; t < 4; ++t) {
          tacCouplingDef def = tac_coupling_def_default();
          tacGrasp body, device;
          def.force_most = c % 2 == 0 ? 1.2 : 1.2 + c; /* N: 1.2 is linear up to 1 mm */
          def.torque_most = torques[t];
          place(&random, ways[w], angles[a], &body, &device);
          ck_assert_double_lt(gradient_error(&def, &body, &device), 1e-5);
        }
}

/* Just this and that side of the joint value and slope agree: f is C1. Of the force (case 0) and of the torque. */
TAC_TEST(saturation_is_half_reached_at_the_joint_and_smooth_there) {
  tacCouplingDef def = tac_coupling_def_default();
  def.force_most = 3.0;
  def.torque_most = 0.2;
  tacGrasp body = {{0.0, 0.0, 0.0}, tac_quat_identity()};
  double joint = 0.5 * def.force_most / def.stiffness,
         turn_joint = 2.0 * asin(0.5 * def.torque_most / def.turn_stiffness);
  for (int turn = 0; turn < 2; ++turn) {
    double value[3], slope[3];
    for (int side = -1; side <= 1; ++side) {
      double stiffness[6][6], at = 1.0 + side * 1e-9;
      tacGrasp device = body;
      if (turn)
        device.orientation = tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), turn_joint * at);
      else
        device.position.x = joint * at;
      tacWrench w = tac_coupling_wrench(&def, &body, &device, stiffness);
      value[side + 1] = turn ? w.torque.y : w.force.x;
      slope[side + 1] = turn ? stiffness[4][4] : stiffness[0][0];
    }
    double half = turn ? 0.1 : 1.5, steep = turn ? 0.25 * cos(0.5 * turn_joint) : 600.0;
    ck_assert_double_eq_tol(value[1], half, 1e-12);
    ck_assert_double_eq_tol(value[2] - value[0], 2e-9 * steep * (turn ? turn_joint : joint), 1e-14);
    ck_assert_double_eq_tol(slope[0], steep, 1e-8 * steep);
    ck_assert_double_eq_tol(slope[2], steep, 1e-8 * steep);
  }
  /* Farther out (4.39): the rest to the plateau falls by e each F / 2k. */
  for (int i = 1; i < 40; ++i) {
    tacGrasp device = {{joint + i * joint, 0.0, 0.0}, tac_quat_identity()};
    ck_assert_double_eq_tol(tac_coupling_wrench(&def, &body, &device, NULL).force.x, 3.0 * (1.0 - 0.5 * exp(-i)),
                            1e-12);
  }
  tacGrasp far = {{0.0, 0.0, 1e300}, tac_quat_identity()},
           turned = {{0.0, 0.0, 0.0}, tac_quat_from_axis_angle(tac_vec3(0.0, 0.0, 1.0), 3.1)};
  ck_assert_double_eq_tol(tac_coupling_wrench(&def, &body, &far, NULL).force.z, 3.0, 1e-9);
  double sine = sin(0.5 * 3.1), torque = tac_coupling_wrench(&def, &body, &turned, NULL).torque.z;
  ck_assert_double_eq_tol(torque, 0.2 * (1.0 - 0.5 * exp(1.0 - 2.0 * 0.5 * sine / 0.2)), 1e-12);
}

/* (4.14): k sin(theta/2) along the axis that turns the body to the device the shorter way, whatever the quaternions'
 * signs. */
TAC_TEST(the_torque_turns_the_shorter_way) {
  tacRandom random = tac_random_seed(2);
  tacCouplingDef def = tac_coupling_def_default();
  for (int c = 0; c < 500; ++c) {
    tacVec3 axis = random_unit(&random);
    double angle = tac_random_uniform(&random, 0.0, 3.1);
    tacGrasp body = {.orientation = tac_quat_from_axis_angle(random_unit(&random), 5.0)}, device = body;
    device.orientation = tac_quat_mul(tac_quat_from_axis_angle(axis, c % 2 ? angle : angle - 2.0 * 3.14159265358979324),
                                      body.orientation);
    tacVec3 torque = tac_coupling_wrench(&def, &body, &device, NULL).torque;
    ck_assert_double_lt(tac_vec3_distance(torque, tac_vec3_scale(0.5 * sin(0.5 * angle), axis)), 1e-12);
    double toward[6];
    tac_coupling_toward(&body, &device, toward);
    ck_assert_double_lt(tac_vec3_distance(tac_vec3(toward[3], toward[4], toward[5]), tac_vec3_scale(angle, axis)),
                        1e-12);
  }
}

/* The secant: times the way it is the wrench. Of a way or a turn alone it is never below the symmetric part of the
 * gradient. */
TAC_TEST(the_secant_leads_to_the_device_and_bounds_the_gradient) {
  tacRandom random = tac_random_seed(3);
  for (int c = 0; c < 3000; ++c) {
    tacCouplingDef def = tac_coupling_def_default();
    def.force_most = c % 4 ? 2.0 : INFINITY;
    def.torque_most = c % 5 ? 0.05 : INFINITY;
    tacGrasp body, device;
    double way = exp(tac_random_uniform(&random, -12.0, 0.0)), pi = 3.14159265358979324;
    double angle = c % 7 ? tac_random_uniform(&random, 0.0, 3.14159) : pi;
    place(&random, c % 3 == 1 ? 0.0 : way, c % 3 == 2 ? 0.0 : angle, &body, &device);
    double secant[6][6], gradient[6][6], toward[6], wrench[6], x[6], form = 0.0;
    numbers(tac_coupling_wrench(&def, &body, &device, gradient), wrench);
    tac_coupling_secant(&def, &body, &device, secant);
    tac_coupling_toward(&body, &device, toward);
    for (int i = 0; i < 6; ++i) {
      double sum = 0.0;
      for (int j = 0; j < 6; ++j) sum += secant[i][j] * toward[j];
      ck_assert_double_eq_tol(sum, wrench[i], 1e-12);
      x[i] = tac_random_normal(&random);
      ck_assert_double_gt(secant[i][i], 0.0);
    }
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) form += x[i] * x[j] * (secant[i][j] - gradient[i][j]);
    if (c % 3 != 0) ck_assert_double_ge(form, -1e-9);
  }
}

/* What is felt, the springs, does not saturate. On the body force and torque have one share of it, that of the length of both
 * against their most, and all of it without limits: the lever of what acts is the lever of what is felt. */
TAC_TEST(force_and_torque_saturate_together_and_are_felt_whole) {
  tacRandom random = tac_random_seed(6);
  for (int c = 0; c < 700; ++c) {
    tacCouplingDef def = tac_coupling_def_default();
    bool limited = c < 500;
    if (limited) def.force_most = 2.0, def.torque_most = 0.05;
    tacGrasp body, device;
    double way = tac_random_uniform(&random, 0.0, limited ? 0.02 : 0.05);
    double angle = tac_random_uniform(&random, 0.0, limited ? 1.0 : 3.0);
    place(&random, way, angle, &body, &device);
    tacWrench w = tac_coupling_wrench(&def, &body, &device, NULL), felt = tac_coupling_felt(&def, &body, &device);
    double f = 600.0 * way / 2.0, t = 0.5 * sin(0.5 * angle) / 0.05, full = limited ? sqrt(f * f + t * t) : 0.0;
    double share = full <= 0.5 ? 1.0 : (1.0 - 0.5 * exp(1.0 - 2.0 * full)) / full;
    ck_assert_double_eq_tol(tac_vec3_norm(felt.force), 2.0 * f, 1e-11);
    ck_assert_double_eq_tol(tac_vec3_norm(felt.torque), 0.05 * t, 1e-12);
    ck_assert_double_lt(tac_vec3_norm(tac_vec3_mad(w.force, share, felt.force)), 1e-12);
    ck_assert_double_lt(tac_vec3_norm(tac_vec3_mad(w.torque, share, felt.torque)), 1e-12);
    if (limited) ck_assert_double_lt(hypot(tac_vec3_norm(w.force) / 2.0, tac_vec3_norm(w.torque) / 0.05), 1.0);
  }
}

TAC_TEST(nothing_that_is_not_finite_comes_out) {
  const double bad[] = {NAN, INFINITY, -1e308, 5e-324, 1e160};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      for (int s = 0; s < 2; ++s) {
        tacCouplingDef def = tac_coupling_def_default();
        if (s) def.force_most = 1.0, def.torque_most = 0.1;
        tacGrasp body = {{bad[i], 0.0, bad[j]}, {bad[j], 1.0, 0.0, bad[i]}},
                 device = {{bad[j], 0.0, 1.0}, {0.0, 0.0, bad[j], 0.0}};
        double stiffness[6][6], values[6], motion[6] = {bad[i], 0.0, 0.0, bad[j], 0.0, 0.0};
        tacWrench w = tac_coupling_wrench(&def, &body, &device, stiffness),
                  felt = tac_coupling_felt(&def, &body, &device);
        numbers(w, values);
        for (int k = 0; k < 6; ++k) {
          ck_assert(isfinite(values[k]));
          for (int l = 0; l < 6; ++l) ck_assert(isfinite(stiffness[k][l]));
        }
        ck_assert(tac_vec3_finite(felt.force) && tac_vec3_finite(felt.torque));
        tac_coupling_move(&def, 1e-3, motion, &body);
        for (int k = 0; k < 6; ++k) ck_assert(isfinite(motion[k]));
        ck_assert(tac_vec3_finite(body.position) && isfinite(tac_quat_norm(body.orientation)));
      }
}

/* Of both couplings, whatever comes: limits hold, the pose stays finite, and the quaternion one. */
TAC_TEST(limits_hold_and_poses_stay_finite_for_any_input) {
  tacRandom random = tac_random_seed(3);
  const double sizes[] = {1e-9, 1.0, 1e6, 1e300, INFINITY, NAN}, period = 0.001;
  for (int n = 0; n < (tac_test_light() ? 1000 : 10000); ++n) {
    int c = n / 2;
    bool is_static = n % 2 == 0;
    tacCouplingDef def = tac_coupling_def_default();
    def.force_most = c % 3 ? 1.0 : INFINITY;
    def.torque_most = c % 4 ? 0.02 : INFINITY;
    tacVec3 unit[10];
    for (int i = 0; i < 10; ++i) unit[i] = random_unit(&random);
    tacGrasp body = {tac_vec3_scale(c % 5 || !is_static ? 1.0 : 1e6, unit[0]), tac_quat_from_axis_angle(unit[1], 1.0)};
    tacGrasp before = body, device = body;
    device.position = tac_vec3_mad(body.position, sizes[c % (is_static ? 4 : 6)], unit[2]);
    device.orientation =
        tac_quat_mul(tac_quat_from_axis_angle(unit[3], c % 2 ? 3.14159265358979324 : 3.0), body.orientation);
    tacTwist fast = {tac_vec3_scale(sizes[c / 3 % 6], unit[4]), tac_vec3_scale(sizes[c / 5 % 6], unit[5])};
    tacTwist velocity = {tac_vec3_scale(sizes[c / 7 % 6], unit[6]), tac_vec3_scale(sizes[c / 11 % 6], unit[7])};
    tacWrench wrench = {tac_vec3_scale(sizes[c / 4 % 6], unit[8]), tac_vec3_scale(sizes[c / 24 % 6], unit[9])};
    double stiffness[6][6] = {{0.0}}, slack = is_static ? 1e-6 : 1e-9, angle;
    for (int k = 0; k < c % 9; ++k) {
      double row[6];
      for (int i = 0; i < 6; ++i) row[i] = tac_random_normal(&random) * (i < 3 ? 100.0 : 3.0);
      for (int i = 0; i < 36; ++i) stiffness[i / 6][i % 6] += row[i / 6] * row[i % 6];
    }
    if (c % 97 == 0) stiffness[2][2] = NAN;
    HeldStep done = is_static ? held_frame_static(&def, period, &device, &wrench, stiffness, &body)
                              : held_frame_dynamic(&def, period, &device, &fast, &wrench, stiffness, &body, &velocity);
    double way = grasps_apart(&before, &body, &angle);
    ck_assert(tac_vec3_finite(body.position));
    ck_assert_double_eq_tol(tac_quat_norm(body.orientation), 1.0, 1e-12);
    ck_assert_double_le(way, def.speed_most * period * (1.0 + slack) + (is_static ? 1e-9 : 0.0));
    ck_assert_double_le(angle, def.turn_most * period * (1.0 + slack));
    for (int k = 0; k < 6; ++k) ck_assert(isfinite(done.motion[k]));
    if (is_static) continue;
    ck_assert(tac_vec3_finite(velocity.angular));
    ck_assert_double_le(tac_vec3_norm(velocity.linear), def.speed_most * (1.0 + slack));
    tacWrench felt = tac_dynamic_coupling_felt(&def, &body, &device, &velocity, &fast);
    ck_assert(tac_vec3_finite(felt.force) && tac_vec3_finite(felt.torque));
  }
}
