#include "body/reduced_rigid.h"

#include "body/make_model.h"

START_TEST(free_bodies_fall_without_deforming) {
  Model m = make_model(3, 1, 51);
  m.is_free = true;
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.gravity = tac_vec3(0.5, 0.0, -9.81);
  tacVec3 place = {1.0, 2.0, 3.0};
  Case c = make_case_at(&m, &motion, NULL, place, tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.4));
  for (int step = 1; step <= 1000; ++step) {
    tac_reduced_body_advance(c.body);
    double t = step * motion.step;
    tacVec3 exact = tac_vec3_mad(place, 0.5 * t * t, motion.gravity);
    ck_assert_double_le(tac_vec3_distance(tac_reduced_body_position(c.body), exact), 1e-9);
  }
  ck_assert_double_eq(length(3, tac_reduced_body_q(c.body)), 0.0);
  /* An anchored one does not move. */
  m.is_free = false;
  Case d = make_case_at(&m, &motion, NULL, place, tac_quat_identity());
  tac_reduced_body_set_rigid_velocity(d.body, tac_vec3(1.0, 0.0, 0.0), tac_vec3(1.0, 0.0, 0.0));
  tac_reduced_body_add_wrench(d.body, tac_vec3(1.0, 0.0, 0.0), tac_vec3(1.0, 0.0, 0.0));
  tac_reduced_body_advance(d.body);
  ck_assert_double_eq(tac_vec3_distance(tac_reduced_body_position(d.body), place), 0.0);
  ck_assert_double_eq(tac_vec3_norm(tac_reduced_body_linear(d.body)), 0.0);
  free_case(&c);
  free_case(&d);
}
END_TEST

/* World frame. */
static tacVec3 angular_momentum(const Model *m, const tacReducedBody *body) {
  tacMat3 turn = tac_quat_to_mat3(tac_reduced_body_orientation(body));
  tacMat3 inertia = tac_mat3_diagonal(m->inertia[0], m->inertia[1], m->inertia[2]);
  inertia = tac_mat3_mul(turn, tac_mat3_mul(inertia, tac_mat3_transpose(turn)));
  return tac_mat3_mul_vec(inertia, tac_reduced_body_angular(body));
}

START_TEST(spinning_bodies_keep_momentum_and_energy) {
  Model m = make_model(2, 1, 61);
  m.is_free = true;
  tacReducedMotion motion = tac_reduced_motion_default();
  Case c = make_case(&m, &motion);
  /* About the middle axis, nearly: it tumbles. */
  for (double speed = tac_test_light() ? 80.0 : 5.0; speed <= 80.0; speed *= 4.0) {
    tac_reduced_body_reset(c.body);
    tac_reduced_body_set_rigid_velocity(c.body, nowhere, tac_vec3(0.01 * speed, speed, 0.02 * speed));
    tacVec3 momentum = angular_momentum(&m, c.body), centre = tac_reduced_body_centre(c.body);
    double energy = tac_vec3_dot(momentum, tac_reduced_body_angular(c.body)), least = 1.0;
    for (int step = 0; step < (tac_test_light() ? 2000 : 20000); ++step) {
      tac_reduced_body_advance(c.body);
      tacVec3 now = angular_momentum(&m, c.body);
      ck_assert_double_le(tac_vec3_distance(now, momentum), 1e-9 * tac_vec3_norm(momentum));
      ck_assert_double_eq_tol(tac_vec3_dot(now, tac_reduced_body_angular(c.body)), energy, 0.01 * energy);
      least = fmin(least, tac_quat_rotate(tac_reduced_body_orientation(c.body), tac_vec3(0.0, 1.0, 0.0)).y);
    }
    ck_assert_double_lt(least, -0.5);
    ck_assert_double_le(tac_vec3_distance(tac_reduced_body_centre(c.body), centre), 1e-9);
  }
  /* Euler's top: about an axis of inertia the angle is speed x time. */
  tac_reduced_body_reset(c.body);
  tac_reduced_body_set_rigid_velocity(c.body, nowhere, tac_vec3(0.0, 0.0, 3.0));
  for (int step = 0; step < 1000; ++step) tac_reduced_body_advance(c.body);
  tacVec3 axis = tac_quat_rotate(tac_reduced_body_orientation(c.body), tac_vec3(1.0, 0.0, 0.0));
  ck_assert_double_le(tac_vec3_distance(axis, tac_vec3(cos(3.0), sin(3.0), 0.0)), 1e-9);
  free_case(&c);
}
END_TEST

START_TEST(forces_at_points_push_and_turn) {
  Model m = make_model(3, 1, 71);
  m.is_free = true;
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = 1e-6;
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(1.0, -1.0, 0.3), 0.8);
  Case c = make_case_at(&m, &motion, NULL, tac_vec3(0.5, 0.5, 0.5), turn);
  double q[MOST] = {0.02, -0.01, 0.015};
  tac_reduced_body_set(c.body, q, NULL);
  tacVec3 force = {1.0, -2.0, 0.5}, more = {0.3, 0.0, 0.0}, torque = {1e-3, 0.0, -2e-3};
  tacVec3 lever = tac_vec3_sub(tac_reduced_body_point(c.body, somewhere), tac_reduced_body_centre(c.body));
  tac_reduced_body_add_force(c.body, somewhere, force);
  tac_reduced_body_add_wrench(c.body, more, torque);
  tac_reduced_body_advance(c.body);
  tacVec3 push = tac_vec3_scale(motion.step / m.group_mass[0], tac_vec3_add(force, more));
  ck_assert_double_le(tac_vec3_distance(tac_reduced_body_linear(c.body), push), 1e-9 * tac_vec3_norm(push));
  tacVec3 spin = tac_vec3_scale(motion.step, tac_vec3_add(torque, tac_vec3_cross(lever, force)));
  ck_assert_double_le(tac_vec3_distance(angular_momentum(&m, c.body), spin), 1e-6 * tac_vec3_norm(spin));
  /* A spring's first force is the same. */
  tac_reduced_body_reset(c.body);
  tac_reduced_body_set(c.body, q, NULL);
  tacVec3 x = tac_reduced_body_point(c.body, somewhere);
  tac_reduced_body_add_spring(c.body, somewhere, tac_vec3_mad(x, 0.01, force), 100.0, 0.0);
  tac_reduced_body_advance(c.body);
  push = tac_vec3_scale(motion.step / m.group_mass[0], force);
  ck_assert_double_le(tac_vec3_distance(tac_reduced_body_linear(c.body), push), 1e-6 * tac_vec3_norm(push));
  spin = tac_vec3_scale(motion.step, tac_vec3_cross(lever, force));
  ck_assert_double_le(tac_vec3_distance(angular_momentum(&m, c.body), spin), 1e-6 * tac_vec3_norm(spin));
  free_case(&c);
}
END_TEST

/* The difference between a body with a damper and one without, after so short a time that nothing else has changed: 20 us,
 * of the order of 1e-4 of the times in which velocities of some m/s and rad/s and the springs of the model matter. */
START_TEST(dampers_slow_the_motion_of_their_point) {
  Model m = make_model(3, 1, 75);
  m.is_free = true;
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = 1e-7; /* the first step has half of the acceleration: 1 / 400 of all */
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(0.2, 1.0, -0.3), 1.2);
  Case c = make_case_at(&m, &motion, NULL, nowhere, turn), d = make_case_at(&m, &motion, NULL, nowhere, turn);
  double q[MOST] = {0.02, -0.01, 0.015}, v[MOST] = {1.0, 0.4, -0.7}, damping = 0.1, rows[3][MOST];
  int steps = 200;
  for (int i = 0; i < 2; ++i) {
    tacReducedBody *body = i == 0 ? c.body : d.body;
    tac_reduced_body_set(body, q, v);
    tac_reduced_body_set_rigid_velocity(body, tac_vec3(0.5, -1.0, 0.8), tac_vec3(4.0, 5.0, -6.0));
  }
  tacVec3 force = tac_vec3_scale(-damping, tac_reduced_body_point_velocity(c.body, somewhere));
  tacVec3 lever = tac_vec3_sub(tac_reduced_body_point(c.body, somewhere), tac_reduced_body_centre(c.body));
  for (int step = 0; step < steps; ++step) {
    tac_reduced_body_add_spring(c.body, somewhere, nowhere, 0.0, damping);
    tac_reduced_body_advance(c.body);
    tac_reduced_body_advance(d.body);
  }
  double time = steps * motion.step;
  tacVec3 push = tac_vec3_sub(tac_reduced_body_linear(c.body), tac_reduced_body_linear(d.body));
  push = tac_vec3_scale(m.group_mass[0] / time, push);
  ck_assert_double_le(tac_vec3_distance(push, force), 0.03 * tac_vec3_norm(force));
  tacVec3 spin = tac_vec3_sub(angular_momentum(&m, c.body), angular_momentum(&m, d.body));
  tacVec3 torque = tac_vec3_cross(lever, force);
  double most_torque = tac_vec3_norm(lever) * tac_vec3_norm(force); /* they may be almost parallel */
  ck_assert_double_le(tac_vec3_distance(tac_vec3_scale(1.0 / time, spin), torque), 0.03 * most_torque);
  point_rows(&m, somewhere, rows);
  tacVec3 own = tac_quat_rotate(tac_quat_conjugate(turn), force);
  double change[MOST], expected[MOST];
  for (int i = 0; i < m.size; ++i) {
    change[i] = (tac_reduced_body_velocity(c.body)[i] - tac_reduced_body_velocity(d.body)[i]) / time;
    expected[i] = rows[0][i] * own.x + rows[1][i] * own.y + rows[2][i] * own.z;
  }
  ck_assert_double_le(distance(m.size, change, expected), 0.03 * length(m.size, expected));
  free_case(&c);
  free_case(&d);
}
END_TEST

START_TEST(a_free_body_hangs_on_a_spring) {
  Model m = make_model(3, 1, 81);
  m.is_free = true;
  m.group_mass[0] = 0.01;
  for (int i = 0; i < 3; ++i) m.inertia[i] = 1e-5;
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.gravity = tac_vec3(0.0, 0.0, -9.81);
  motion.alpha_mass = 5.0;
  motion.beta_stiffness = 2e-3;
  Case c = make_case(&m, &motion);
  double k = 2000.0;
  tacVec3 target = {0.1, 0.1, 0.2};
  for (int step = 0; step < 20000; ++step) {
    tac_reduced_body_add_spring(c.body, somewhere, target, k, 0.2);
    /* Air, so that it comes to rest. */
    tac_reduced_body_add_wrench(c.body, tac_vec3_scale(-0.02, tac_reduced_body_linear(c.body)),
                                tac_vec3_scale(-2e-4, tac_reduced_body_angular(c.body)));
    ck_assert(!tac_reduced_body_advance(c.body).refused);
  }
  tacVec3 x = tac_reduced_body_point(c.body, somewhere), pull = tac_vec3_scale(k, tac_vec3_sub(target, x));
  ck_assert_double_le(tac_vec3_distance(pull, tac_vec3(0.0, 0.0, 0.01 * 9.81)), 1e-4);
  /* Its centre is below the point that is held, and it is deformed by the pull. */
  tacVec3 lever = tac_vec3_sub(x, tac_reduced_body_centre(c.body));
  ck_assert_double_le(hypot(lever.x, lever.y), 1e-3 * lever.z);
  double rows[3][MOST], internal[MOST], load[MOST];
  point_rows(&m, somewhere, rows);
  tacVec3 own = tac_quat_rotate(tac_quat_conjugate(tac_reduced_body_orientation(c.body)), pull);
  for (int i = 0; i < m.size; ++i) load[i] = rows[0][i] * own.x + rows[1][i] * own.y + rows[2][i] * own.z;
  model_force(&m, tac_reduced_body_q(c.body), internal);
  ck_assert_double_le(distance(m.size, internal, load), 1e-3 * length(m.size, load));
  free_case(&c);
}
END_TEST

TAC_TEST_MAIN("reduced_rigid", free_bodies_fall_without_deforming, spinning_bodies_keep_momentum_and_energy,
              forces_at_points_push_and_turn, dampers_slow_the_motion_of_their_point, a_free_body_hangs_on_a_spring)
