#include "body/frame.h"

#include "math/dense/dense.h"
#include "math/random.h"
#include "test.h"

static const double no_limit = 1e6;

static tacFrame make_frame(void) {
  tacFrame frame = {.mode = TAC_FRAME_FREE, .orientation = tac_quat_identity()};
  const tacInertia inertia = {0.1, {0.02, 0.03, 0.025}, {{2e-4, 0.0, 0.0}, {0.0, 3e-4, 0.0}, {0.0, 0.0, 4e-4}}};
  ck_assert(tac_frame_set_inertia(&frame, &inertia));
  frame.about = frame.centre;
  return frame;
}

/* x := A^-1 x, of a symmetric matrix. */
static void solve6(double a[6][6], double x[6]) {
  tacDense matrix = {6, 6, 6, a[0]};
  int pivot[6];
  ck_assert(tac_dense_loop_lu(&matrix, pivot));
  tac_dense_loop_lu_solve(&matrix, pivot, x);
}

/* A step under the frame's own loads. */
static void step(tacFrame *frame, double h) {
  double matrix[6][6], motion[6];
  tac_frame_equation(frame, h, matrix, motion);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) ck_assert_double_eq_tol(matrix[i][j], matrix[j][i], 1e-12 * matrix[0][0]);
  solve6(matrix, motion);
  ck_assert(tac_frame_advance(frame, h, motion, no_limit, no_limit));
}

static tacMat3 world_moments(const tacFrame *frame) {
  tacMat3 turn = tac_quat_to_mat3(frame->orientation);
  return tac_mat3_mul(turn, tac_mat3_mul(frame->moments, tac_mat3_transpose(turn)));
}

/* After n steps x = v0 t + g t (t + h) / 2: exactly what the method gives, and g t^2 / 2 but for g t h / 2. */
TAC_TEST(free_fall_matches_implicit_euler) {
  for (double h = 1e-4; h < 0.02; h *= 10.0) {
    tacFrame frame = make_frame();
    tacVec3 place = {1.0, 2.0, 3.0};
    frame.gravity = tac_vec3(0.5, 0.0, -9.81);
    tac_frame_place(&frame, place, tac_quat_from_axis_angle(tac_vec3(0.0, 1.0, 0.0), 0.4));
    frame.linear = tac_vec3(-0.3, 0.2, 1.0);
    tacVec3 start = frame.linear, turned = tac_quat_rotate(frame.orientation, tac_vec3(1.0, 2.0, 3.0));
    for (int n = 1; n <= 1000; ++n) {
      step(&frame, h);
      double t = n * h;
      tacVec3 way = tac_vec3_sub(tac_frame_about(&frame), place),
              ideal = tac_vec3_mad(tac_vec3_scale(t, start), 0.5 * t * t, frame.gravity);
      tacVec3 exact = tac_vec3_mad(ideal, 0.5 * t * h, frame.gravity);
      ck_assert_double_le(tac_vec3_distance(way, exact), 1e-11 * (1.0 + tac_vec3_norm(exact)));
      ck_assert_double_le(tac_vec3_distance(way, ideal), 0.51 * t * h * tac_vec3_norm(frame.gravity) + 1e-11);
      ck_assert_double_le(tac_vec3_distance(frame.linear, tac_vec3_mad(start, t, frame.gravity)), 1e-11 * (1.0 + t));
    }
    ck_assert_double_le(tac_vec3_distance(tac_quat_rotate(frame.orientation, tac_vec3(1.0, 2.0, 3.0)), turned), 1e-12);
    ck_assert_double_eq(tac_vec3_norm(frame.angular), 0.0);
  }
}

TAC_TEST(spinning_bodies_conserve_momentum_and_energy) {
  /* About the middle axis, nearly: it tumbles. */
  for (double speed = tac_test_light() ? 80.0 : 5.0; speed <= 80.0; speed *= 4.0) {
    tacFrame frame = make_frame();
    frame.angular = tac_vec3(0.01 * speed, speed, 0.02 * speed);
    tacVec3 momentum = tac_mat3_mul_vec(world_moments(&frame), frame.angular), centre = tac_frame_about(&frame);
    double energy = 0.5 * tac_vec3_dot(momentum, frame.angular), least = 1.0;
    double turn = 0.25 * speed * 1e-3; /* the midpoint rule errs by the square of a step's angle, and does not drift */
    ck_assert_double_eq_tol(tac_frame_energy(&frame), energy, 1e-14 * energy);
    for (int n = 0; n < (tac_test_light() ? 2000 : 20000); ++n) {
      step(&frame, 1e-3);
      tacVec3 now = tac_mat3_mul_vec(world_moments(&frame), frame.angular);
      ck_assert_double_le(tac_vec3_distance(now, momentum), 1e-12 * tac_vec3_norm(momentum) * (1.0 + 0.01 * n));
      ck_assert_double_eq_tol(0.5 * tac_vec3_dot(now, frame.angular), energy, turn * turn * energy);
      least = fmin(least, tac_quat_rotate(frame.orientation, tac_vec3(0.0, 1.0, 0.0)).y);
    }
    ck_assert_double_lt(least, -0.5);
    ck_assert_double_le(tac_vec3_distance(tac_frame_about(&frame), centre), 1e-12);
  }
  /* Euler's top: about an axis of inertia the angle is speed x time. */
  tacFrame frame = make_frame();
  frame.angular = tac_vec3(0.0, 0.0, 3.0);
  for (int n = 0; n < 1000; ++n) step(&frame, 1e-3);
  tacVec3 axis = tac_quat_rotate(frame.orientation, tac_vec3(1.0, 0.0, 0.0));
  ck_assert_double_le(tac_vec3_distance(axis, tac_vec3(cos(3.0), sin(3.0), 0.0)), 1e-9);
}

/* Adds a force at a place of the world to the equations. */
static void push(const tacFrame *frame, tacVec3 at, tacVec3 force, double load[6]) {
  tacVec3 torque = tac_vec3_cross(tac_vec3_sub(at, tac_frame_about(frame)), force);
  const double f[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
  for (int i = 0; i < 6; ++i) load[i] += f[i];
}

TAC_TEST(forces_at_points_translate_and_rotate) {
  double h = 1e-3;
  tacFrame frame = make_frame();
  tac_frame_place(&frame, tac_vec3(0.5, 0.5, 0.5), tac_quat_from_axis_angle(tac_vec3(1.0, -1.0, 0.3), 0.8));
  tacVec3 force = {1.0, -2.0, 0.5}, more = {0.3, 0.0, 0.0}, torque = {1e-3, 0.0, -2e-3}, at = {0.52, 0.47, 0.53};
  double matrix[6][6], motion[6];
  frame.force = more;
  frame.torque = torque;
  tac_frame_equation(&frame, h, matrix, motion);
  push(&frame, at, force, motion);
  solve6(matrix, motion);
  tacVec3 lever = tac_vec3_sub(at, tac_frame_about(&frame));
  ck_assert(tac_frame_advance(&frame, h, motion, no_limit, no_limit));
  /* What they give in h, to the last digits: momentum, and angular momentum about the centre. */
  tacVec3 given = tac_vec3_scale(h, tac_vec3_add(force, more));
  ck_assert_double_le(tac_vec3_distance(tac_frame_momentum(&frame), given), 1e-13 * tac_vec3_norm(given));
  tacVec3 spin = tac_vec3_scale(h, tac_vec3_add(torque, tac_vec3_cross(lever, force)));
  tacVec3 got = tac_mat3_mul_vec(world_moments(&frame), frame.angular);
  ck_assert_double_le(tac_vec3_distance(got, spin), 1e-12 * tac_vec3_norm(spin));
  /* A place that moves with it goes as fast as it says, up to what it turns in the step. */
  tacFrame next = frame;
  tacVec3 inside = tac_frame_from_world(&frame, at), velocity = tac_frame_velocity(&frame, at);
  next.force = next.torque = tac_vec3(0.0, 0.0, 0.0);
  step(&next, 1e-6);
  tacVec3 way = tac_vec3_scale(1e6, tac_vec3_sub(tac_frame_to_world(&next, inside), at));
  ck_assert_double_le(tac_vec3_distance(way, velocity), 1e-5 * tac_vec3_norm(velocity));
}

/* Action and reaction at one place, any forces: the sum of momenta and of angular momenta about the origin stays. */
TAC_TEST(mutual_forces_conserve_momentum) {
  tacRandom random = tac_random_seed(91);
  tacFrame frames[2];
  for (int s = 0; s < 2; ++s) {
    frames[s] = make_frame();
    tac_frame_place(&frames[s], tac_vec3(0.1 * s, 0.0, -0.05 * s),
                    tac_quat_from_axis_angle(tac_vec3(1.0, 0.4, s), 0.7 + s));
    frames[s].mass *= 1.0 + 2.0 * s;
    frames[s].linear = tac_vec3(0.2 - 0.5 * s, 0.1, -0.3 * s);
    frames[s].angular = tac_vec3(3.0, -8.0 * s, 5.0);
  }
  tacVec3 momentum = tac_vec3_add(tac_frame_momentum(&frames[0]), tac_frame_momentum(&frames[1]));
  tacVec3 angular = tac_vec3_add(tac_frame_angular_momentum(&frames[0]), tac_frame_angular_momentum(&frames[1]));
  double size = 0.0, spin = 0.0; /* of the largest single terms, which rounding is measured by */
  for (int n = 0; n < 500; ++n) {
    tacVec3 at = tac_random_in_box(&random, (tacBox){{-0.1, -0.1, -0.1}, {0.2, 0.2, 0.2}});
    tacVec3 force = tac_random_normal3(&random);
    for (int s = 0; s < 2; ++s) {
      double matrix[6][6], motion[6];
      tac_frame_equation(&frames[s], 1e-3, matrix, motion);
      push(&frames[s], at, tac_vec3_scale(s == 0 ? 1.0 : -1.0, force), motion);
      solve6(matrix, motion);
      ck_assert(tac_frame_advance(&frames[s], 1e-3, motion, no_limit, no_limit));
      size = fmax(size, tac_vec3_norm(tac_frame_momentum(&frames[s])));
      spin = fmax(spin, tac_vec3_norm(tac_frame_angular_momentum(&frames[s])));
    }
    tacVec3 now = tac_vec3_add(tac_frame_momentum(&frames[0]), tac_frame_momentum(&frames[1]));
    ck_assert_double_le(tac_vec3_distance(now, momentum), 1e-13 * size * (1.0 + 0.1 * n));
    now = tac_vec3_add(tac_frame_angular_momentum(&frames[0]), tac_frame_angular_momentum(&frames[1]));
    ck_assert_double_le(tac_vec3_distance(now, angular), 1e-13 * spin * (1.0 + 0.1 * n));
  }
  ck_assert_double_gt(tac_vec3_distance(frames[0].linear, tac_vec3(0.2, 0.1, 0.0)), 0.1); /* they did something */
}

TAC_TEST(invalid_motion_and_inertia_are_rejected) {
  tacFrame frame = make_frame();
  frame.linear = tac_vec3(0.1, 0.2, 0.3);
  frame.angular = tac_vec3(1.0, 2.0, 3.0);
  const double absurd[] = {NAN, INFINITY, -INFINITY, 1e300, 1e12};
  for (int a = 0; a < 5; ++a)
    for (int i = 0; i < 6; ++i) {
      double motion[6] = {0.0};
      motion[i] = absurd[a];
      tacFrame before;
      memcpy(&before, &frame, sizeof before);
      ck_assert(!tac_frame_advance(&frame, 1e-3, motion, 100.0, 10.0));
      ck_assert_mem_eq(&frame, &before, sizeof frame);
    }
  /* The limits are where they say: m/s, and rad a step. */
  ck_assert(!tac_frame_advance(&frame, 1e-3, (double[6]){0.1001, 0.0, 0.0, 0.0, 0.0, 0.0}, 100.0, 10.0));
  ck_assert(!tac_frame_advance(&frame, 1e-3, (double[6]){0.0, 0.0, 0.0, 0.0, 10.01, 0.0}, 100.0, 10.0));
  ck_assert(tac_frame_advance(&frame, 1e-3, (double[6]){0.0999, 0.0, 0.0, 0.0, 0.0, 0.0}, 100.0, 10.0));
  ck_assert_double_eq_tol(frame.linear.x, 99.9, 1e-9);
  static const struct {
    double mass, centre, moment;
  } inertias[] = {{0.1, 0.0, 1e-4}, {0.0, 0.0, 1e-4},  {NAN, 0.0, 1e-4},
                  {0.1, 0.0, 0.0},  {0.1, 0.0, -1e-4}, {0.1, INFINITY, 1e-4}}; /* the first is right */
  for (int i = 0; i < 6; ++i) {
    tacInertia inertia = {inertias[i].mass,
                          {inertias[i].centre, 0.0, 0.0},
                          {{1e-4, 0.0, 0.0}, {0.0, inertias[i].moment, 0.0}, {0.0, 0.0, 1e-4}}};
    ck_assert_int_eq(tac_frame_set_inertia(&frame, &inertia), i == 0);
  }
}
