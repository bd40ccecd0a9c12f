#include "couple/held_frame.h"

#include "math/geometry/svd3.h"

static const double period = 0.001;
static const tacVec3 none = {0.0, 0.0, 0.0};

static HeldStep step(const tacCouplingDef *def, int count, const PlanePoint *points, const tacGrasp *device,
                     tacGrasp *body) {
  tacWrench wrench;
  double stiffness[6][6];
  press_points(count, points, body, &wrench, stiffness);
  return held_frame_static(def, period, device, &wrench, stiffness, body);
}

/* In free space nothing is damped: a body is at the device after a tick, by its way and its turn, saturated or not. */
TAC_TEST(free_bodies_come_to_the_device_in_one_tick) {
  tacRandom random = tac_random_seed(1);
  for (int c = 0; c < 60; ++c) {
    tacCouplingDef def = tac_coupling_def_default();
    def.static_damping = (c % 4) * 0.25;
    def.speed_most = def.turn_most = 1e6;
    if (c % 2) def.force_most = 0.5, def.torque_most = 0.01;
    tacVec3 at = random_unit(&random), axis = random_unit(&random);
    tacGrasp device = {at, tac_quat_from_axis_angle(axis, 2.0)}, body = device;
    double angle;
    body.position = tac_vec3_mad(device.position, 0.3, random_unit(&random));
    body.orientation = tac_quat_mul(tac_quat_from_axis_angle(random_unit(&random), 0.05 * c), device.orientation);
    ck_assert(!step(&def, 0, NULL, &device, &body).limited);
    ck_assert_double_lt(grasps_apart(&body, &device, &angle), 1e-12);
    ck_assert_double_lt(angle, 1e-12);
  }
}

/* On a plane, pressed at its middle: the springs in series. Contacts of stiffness K that a step takes as K / (1 - alpha) leave the share
 * 1 - (k + K) / (k + K / (1 - alpha)) of the error after a tick, at most alpha (4.8). A limit of speed is none of force: the device is farther away than a free body could go in a tick. */
TAC_TEST(a_pressed_body_converges_to_springs_in_series) {
  tacCouplingDef def = tac_coupling_def_default();
  PlanePoint points[4];
  make_plate(1000.0, points);
  tacGrasp device = {{0.03, -0.01, 0.002}, tac_quat_identity()}, body = {{0.03, -0.01, 0.0099}, tac_quat_identity()};
  double z = 0.01 - 600.0 * 0.008 / (600.0 + 4000.0), off = 0.0099 - z;
  double left = 1.0 - (600.0 + 4000.0) / (600.0 + 4000.0 / (1.0 - def.static_damping));
  for (int i = 0; i < 20; ++i) {
    ck_assert(!step(&def, 4, points, &device, &body).limited);
    off *= left;
    ck_assert_double_eq_tol(body.position.z - z, off, 1e-12);
  }
  tacWrench felt = tac_coupling_felt(&def, &body, &device);
  ck_assert_double_eq_tol(felt.force.z, 0.008 / (1.0 / 600.0 + 1.0 / 4000.0), 1e-4);
  ck_assert_double_lt(tac_vec3_norm(felt.torque), 1e-12);
}

/* 4.10 in steps, a device that is far away: within the limits the body goes there in the directions that nothing
 * resists, and only there. */
TAC_TEST(degenerate_contacts_let_the_body_go_where_nothing_resists) {
  const double r = 0.03;
  enum { FREE, SHAFT, PLANES, HEMISPHERE, CASES };
  for (int c = 0; c < CASES; ++c) {
    tacCouplingDef def = tac_coupling_def_default();
    def.force_most = 0.5, def.torque_most = 0.5 * r;
    PlanePoint points[32];
    int count = 0;
    for (int i = 0; i < 8 && c != FREE; ++i) {
      tacVec3 corner = tac_vec3(i & 1 ? r : -r, i & 2 ? r : -r, i & 4 ? r : -r);
      tacVec3 x = tac_vec3(corner.x > 0 ? -1.0 : 1.0, 0.0, 0.0), y = tac_vec3(0.0, corner.y > 0 ? -1.0 : 1.0, 0.0);
      if (c == SHAFT) points[count++] = (PlanePoint){corner, x, -r + 1e-5, 2000.0, false};
      if (c == SHAFT || c == PLANES) points[count++] = (PlanePoint){corner, y, -r + 1e-5, 2000.0, false};
    }
    tacGrasp body = {none, tac_quat_identity()},
             device = {{0.2, 0.3, 0.4}, tac_quat_from_axis_angle(tac_vec3(1.0, -1.0, 0.0), 0.3)};
    for (int i = 0; i < 1000; ++i) {
      tacGrasp before = body;
      HeldStep report;
      if (c == HEMISPHERE) { /* normals turn with the place, not with the ball */
        tacWrench wrench = {none, none};
        double stiffness[6][6] = {{0.0}};
        for (int k = 0; k < 8; ++k) {
          tacVec3 n =
              tac_vec3_scale(1.0 / sqrt(3.0), tac_vec3(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0));
          double d = -1e-5 - tac_vec3_dot(n, body.position);
          tacVec3 at = tac_vec3_mad(body.position, -r, n);
          tacContactSpring spring = {at, tac_vec3_scale(2000.0 * fmax(0.0, d), n),
                                     tac_mat3_scale(d > 0.0 ? 2000.0 : 0.0, tac_mat3_outer(n, n))};
          tac_contact_springs_on_rigid(1, &spring, 1.0, body.position, &wrench, stiffness);
        }
        report = held_frame_static(&def, period, &device, &wrench, stiffness, &body);
      } else {
        report = step(&def, count, points, &device, &body);
      }
      double angle, way = grasps_apart(&before, &body, &angle);
      ck_assert_double_le(way, def.speed_most * period * (1.0 + 1e-9));
      ck_assert_double_le(angle, def.turn_most * period * (1.0 + 1e-9));
      ck_assert_double_eq_tol(tac_vec3_norm(tac_vec3(report.motion[0], report.motion[1], report.motion[2])), way,
                              1e-12);
    }
    double toward[6];
    tac_coupling_toward(&body, &device, toward);
    bool goes_x = c == FREE || c == PLANES, goes_y = c == FREE, goes_z = c != HEMISPHERE;
    ck_assert(goes_x ? fabs(toward[0]) < 1e-3 : fabs(body.position.x) < 1e-3);
    ck_assert(goes_y ? fabs(toward[1]) < 1e-3 : fabs(body.position.y) < 1e-3);
    ck_assert(goes_z ? fabs(toward[2]) < 1e-3 : fabs(body.position.z) < 1e-3);
    double left = tac_vec3_norm(tac_vec3(toward[3], toward[4], toward[5]));
    if (c == FREE || c == HEMISPHERE) ck_assert_double_lt(left, 1e-6); /* turns freely */
    if (c == SHAFT) ck_assert_double_gt(left, 0.28);
  }
}

/* A free body goes the straight way, at the limit of speed or of turn, whichever it meets, and both come to their end together. */
TAC_TEST(a_free_body_goes_straight_to_the_device_at_its_limits) {
  tacRandom random = tac_random_seed(6);
  for (int c = 0; c < 200; ++c) {
    tacCouplingDef def = tac_coupling_def_default();
    if (c % 2) def.force_most = 0.5, def.torque_most = 0.01;
    tacVec3 at = random_unit(&random), axis = random_unit(&random);
    double far = exp(tac_random_uniform(&random, log(3e-3), log(10.0))), angle = tac_random_uniform(&random, 0.03, 3.0);
    tacGrasp body = {none, tac_quat_from_axis_angle(axis, 2.0)}, device = {tac_vec3_scale(far, at), body.orientation};
    device.orientation = tac_quat_mul(tac_quat_from_axis_angle(random_unit(&random), angle), body.orientation);
    double toward[6];
    tac_coupling_toward(&body, &device, toward);
    HeldStep done = step(&def, 0, NULL, &device, &body);
    double share = fmin(def.speed_most * period / far, def.turn_most * period / angle);
    ck_assert(done.limited);
    for (int i = 0; i < 6; ++i) /* the matrix is at most 5000 times stiffer along the way: some 1e-11 of round-off */
      ck_assert_double_eq_tol(done.motion[i], share * toward[i], 1e-9 * share * (i < 3 ? far : angle));
  }
}

/* A body that is far behind its device along a wall, which lies as it likes, or has much to turn about the wall's normal leaves
 * the wall at full rate all the same. */
TAC_TEST(limits_do_not_keep_a_body_in_the_wall) {
  tacRandom random = tac_random_seed(7);
  for (int c = 0; c < 40; ++c) {
    tacCouplingDef def = tac_coupling_def_default();
    bool turns = c >= 20;
    tacVec3 n = random_unit(&random), along = tac_vec3_unit(tac_vec3_cross(n, random_unit(&random)));
    PlanePoint point = {none, n, 0.0, 5000.0, false};
    tacGrasp body = {tac_vec3_scale(-0.4e-3, n), tac_quat_identity()},
             device = {tac_vec3_scale(turns ? 0.0 : 0.3, along), tac_quat_from_axis_angle(n, turns ? 1.0 : 0.0)};
    for (int i = 0; i < 4; ++i) {
      double depth = tac_vec3_dot(n, body.position);
      ck_assert(step(&def, 1, &point, &device, &body).limited);
      /* Of what the coupling would do by itself little is left: of turns at most a tenth of its 600 N/m. */
      ck_assert_double_eq_tol(tac_vec3_dot(n, body.position), depth * (1.0 - 5000.0 / (600.0 + 5000.0 / 0.5)),
                              turns ? 0.006 * -depth : 2e-5);
      tacVec3 turned = tac_quat_to_rotation_vector(body.orientation);
      if (turns)
        ck_assert_double_lt(tac_vec3_distance(turned, tac_vec3_scale(def.turn_most * period * (i + 1), n)), 1e-9);
      else
        ck_assert_double_gt(tac_vec3_dot(along, body.position), 0.7e-3 * (i + 1));
    }
  }
}

/* (4.31) with turns held still: contacts act at the grasp. The stiffness that is rendered, d felt / d device in
 * equilibrium, is that of the springs in series, its largest at most 1 / (1/|J| + 1/k) and below k; |J| is at most the sum of
 * the planes' (4.7). */
TAC_TEST(the_rendered_stiffness_is_bounded_in_random_multiplane_contacts) {
  tacRandom random = tac_random_seed(4);
  int cases = tac_test_light() ? 300 : 100000;
  for (int c = 0; c < cases; ++c) {
    tacCouplingDef def = tac_coupling_def_default();
    def.static_damping = 0.0;
    def.speed_most = 1e3;
    PlanePoint points[12];
    int count = 1 + c % 12;
    tacMat3 rendered, j_own;
    double planes = 0.0, stiffness[6][6];
    tacWrench wrench;
    for (int i = 0; i < count; ++i) {
      tacVec3 n = c % 10 == 0 ? tac_vec3(0.0, 0.6, 0.8) : random_unit(&random);
      points[i] = (PlanePoint){none, n, 0.0, exp(tac_random_uniform(&random, 3.0, 10.0)), true};
      planes += points[i].k;
    }
    press_points(count, points, &(tacGrasp){none, tac_quat_identity()}, &wrench, stiffness);
    for (int i = 0; i < 9; ++i) j_own.m[i / 3][i % 3] = stiffness[i / 3][i % 3];
    tacVec3 felt[4];
    for (int j = 0; j < 4; ++j) { /* the model is linear: one step is the equilibrium */
      tacGrasp device = {{1e-3, -2e-3, 5e-4}, tac_quat_identity()}, body = {none, tac_quat_identity()};
      if (j > 0) ((double *)&device.position)[j - 1] += 1e-3;
      step(&def, count, points, &device, &body);
      felt[j] = tac_coupling_felt(&def, &body, &device).force;
    }
    for (int j = 0; j < 3; ++j) {
      tacVec3 column = tac_vec3_scale(-1e3, tac_vec3_sub(felt[j + 1], felt[0]));
      rendered.m[0][j] = column.x, rendered.m[1][j] = column.y, rendered.m[2][j] = column.z;
    }
    double contact = tac_svd3(j_own).s[0], most = 1.0 / (1.0 / contact + 1.0 / def.stiffness),
           largest = tac_svd3(rendered).s[0];
    ck_assert_double_le(contact, planes * (1.0 + 1e-12));
    ck_assert_double_le(largest, most * (1.0 + 1e-9));
    ck_assert_double_lt(largest, def.stiffness);
    if (c % 10 == 0 && contact < 900.0 * def.stiffness)
      ck_assert_double_eq_tol(largest, most, 1e-6 * most); /* all parallel: reached */
  }
}

/* Figure 4.1: a pole of 0.4 m lies with one end on an obstacle and the hand presses. Held at its middle or at its far
 * end the force is about the same and the torque that of the lever. */
TAC_TEST(the_grasp_decides_the_torque) {
  double torque[2], force[2];
  for (int c = 0; c < 2; ++c) {
    tacCouplingDef def = tac_coupling_def_default();
    def.turn_stiffness = 1000.0;
    double arm = c == 0 ? 0.2 : 0.4;
    PlanePoint tip = {{arm, 0.0, 0.0}, {0.0, 0.0, 1.0}, 0.0, 20000.0, false};
    tacGrasp device = {{0.0, 0.0, -0.002}, tac_quat_identity()}, body = {none, tac_quat_identity()};
    for (int i = 0; i < 300; ++i) step(&def, 1, &tip, &device, &body);
    tacWrench felt = tac_coupling_felt(&def, &body, &device);
    force[c] = felt.force.z, torque[c] = felt.torque.y;
    ck_assert_double_eq_tol(torque[c], -arm * force[c], 1e-3 * fabs(torque[c])); /* of the contact about the grasp */
    /* Three springs in series: coupling, turn (k_t / 2 about the arm), contact. */
    ck_assert_double_eq_tol(force[c], 0.002 / (1.0 / 600.0 + arm * arm / 500.0 + 1.0 / 20000.0), 1e-3);
  }
  ck_assert_double_gt(fabs(torque[1]), 1.5 * fabs(torque[0]));
}

/* Nothing swings on: a tilted block is pressed into a corner of three planes, with saturation, and comes to rest in
 * equilibrium. */
TAC_TEST(a_jammed_body_comes_to_rest) {
  tacRandom random = tac_random_seed(5);
  for (int c = 0; c < (tac_test_light() ? 5 : 60); ++c) {
    tacCouplingDef def = tac_coupling_def_default();
    if (c % 2) def.force_most = 1.5, def.torque_most = 1.5 * 0.035;
    PlanePoint points[24];
    const tacVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 24; ++i)
      points[i] = (PlanePoint){
          {i & 1 ? 0.02 : -0.02, i & 2 ? 0.02 : -0.02, i & 4 ? 0.02 : -0.02}, axes[i / 8], -0.025, 3000.0, false};
    tacGrasp body = {none, tac_quat_identity()};
    tacGrasp device = {tac_vec3_scale(-0.03, tac_vec3(1.0, c % 3 * 0.5, 0.7)),
                       tac_quat_from_axis_angle(random_unit(&random), 1.0 * c / 60.0)};
    double moved = 0.0, angle;
    for (int i = 0; i < 1000; ++i) {
      tacGrasp before = body;
      step(&def, 24, points, &device, &body);
      moved = grasps_apart(&before, &body, &angle);
      moved += 0.035 * angle;
    }
    ck_assert_msg(moved < 1e-8, "case %d moves on by %g m a tick", c, moved);
    tacWrench contact, pull = tac_coupling_wrench(&def, &body, &device, NULL);
    double stiffness[6][6];
    press_points(24, points, &body, &contact, stiffness);
    ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(contact.force, pull.force)), 1e-4);
    ck_assert_double_lt(tac_vec3_norm(tac_vec3_add(contact.torque, pull.torque)), 1e-5);
  }
}
