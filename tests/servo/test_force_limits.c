#include "servo/force_limits.h"

#include "servo/ramp.h"
#include "test.h"

static tacForceLimits some_limits(void) {
  return (tacForceLimits){.force = 8.0, .torque = 0.2, .stiffness = 2000.0, .step = 0.5, .motion = 1.0};
}

static const tacVec3 none = {0.0, 0.0, 0.0};

TAC_TEST(long_forces_are_cut_and_keep_their_direction) {
  const double sizes[] = {1e-3, 7.999, 8.001, 1e3, 1e200, 1e308};
  for (int i = 0; i < 6; ++i) {
    tacVec3 a = tac_vec3_scale(sizes[i] / 3.0, tac_vec3(1.0, -2.0, 2.0)), cut = tac_force_limits_cut(a, 8.0);
    ck_assert_double_eq_tol(tac_vec3_norm(cut), fmin(sizes[i], 8.0), 1e-12);
    ck_assert_double_eq_tol(cut.y, -2.0 * cut.x, 1e-12);
    ck_assert_double_eq_tol(cut.z, 2.0 * cut.x, 1e-12);
  }
  ck_assert_double_eq(tac_vec3_norm(tac_force_limits_cut(none, 8.0)), 0.0);
  ck_assert_double_eq(tac_vec3_norm(tac_force_limits_cut(tac_vec3(1.0, 2.0, 3.0), 0.0)), 0.0);
}

TAC_TEST(a_force_that_is_not_finite_becomes_zero) {
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 9; ++i) {
    double a[3] = {1.0, 2.0, 3.0};
    a[i % 3] = bad[i / 3];
    ck_assert_double_eq(tac_vec3_norm(tac_force_limits_cut(tac_vec3(a[0], a[1], a[2]), 8.0)), 0.0);
  }
}

TAC_TEST(a_cut_along_one_axis_is_reported) {
  for (int axis = 0; axis < 3; ++axis) {
    tacForceLimits limits = some_limits();
    double a[3] = {0.0, 0.0, 0.0};
    a[axis] = 9.0;
    tacVec3 force = tac_vec3(a[0], a[1], a[2]), torque = none;
    bool length = false, rate = false;
    tac_force_limits_apply(&limits, none, none, &force, &torque, &length, &rate);
    ck_assert(length);
  }
}

TAC_TEST(outputs_are_always_finite) {
  const double bad[] = {NAN, INFINITY, -INFINITY, 1e308, 5e-324};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      tacForceLimits limits = some_limits();
      for (int k = 0; k < 3; ++k) {
        tacVec3 force = tac_vec3(bad[i], bad[j], 1.0), torque = tac_vec3(0.1, bad[j], bad[i]);
        bool length = false, rate = false;
        tac_force_limits_apply(&limits, tac_vec3(bad[j], 0.0, 0.0), tac_vec3(0.0, bad[i], 0.0), &force, &torque,
                               &length, &rate);
        ck_assert(tac_vec3_finite(force) && tac_vec3_finite(torque));
        ck_assert_double_le(tac_vec3_norm(force), 8.0 + 1e-12);
      }
    }
}

/* A device at rest sees a step become a slope of the rate; one that moves may see its stiffness limit in addition. */
TAC_TEST(the_change_is_limited_by_rate_and_stiffness) {
  tacForceLimits limits = some_limits();
  for (int i = 1; i <= 40; ++i) {
    tacVec3 force = tac_vec3(0.0, 6.0, 0.0), torque = tac_vec3(0.1, 0.0, 0.0);
    bool length = false, rate = false;
    tac_force_limits_apply(&limits, none, none, &force, &torque, &length, &rate);
    ck_assert_double_eq_tol(force.y, fmin(6.0, 0.5 * i), 1e-12);
    ck_assert_double_eq_tol(torque.x, fmin(0.1, 0.5 * 0.025 * i), 1e-12);
    ck_assert(!length);
    ck_assert(rate == (i < 12));
  }
  limits = some_limits();
  for (int i = 1; i <= 5; ++i) { /* 0.1 mm a tick against a wall of 10,000 N/m */
    tacVec3 force = tac_vec3(0.0, 0.0, 1.0 * i), torque = none;
    bool length = false, rate = false;
    tac_force_limits_apply(&limits, tac_vec3(0.0, 0.0, -1e-4), none, &force, &torque, &length, &rate);
    ck_assert_double_eq_tol(force.z, 0.7 * i, 1e-12);
  }
}

/* A held body that leans on something changes its torque with the way and its force with the turn: L = 0.025 m, 50
 * N/rad and 1.25 N m/rad. */
TAC_TEST(both_motions_count_for_both_limits) {
  tacForceLimits limits = some_limits();
  tacVec3 force = tac_vec3(7.0, 0.0, 0.0), torque = tac_vec3(0.0, 0.2, 0.0);
  bool length = false, rate = false;
  tac_force_limits_apply(&limits, none, tac_vec3(0.0, 0.0, 0.02), &force, &torque, &length, &rate);
  ck_assert_double_eq_tol(force.x, 0.5 + 50.0 * 0.02, 1e-12);
  ck_assert_double_eq_tol(torque.y, 0.0125 + 1.25 * 0.02, 1e-12);
  force = tac_vec3(7.0, 0.0, 0.0), torque = tac_vec3(0.0, 0.2, 0.0);
  tac_force_limits_apply(&limits, tac_vec3(0.0, 1e-3, 0.0), none, &force, &torque, &length, &rate);
  ck_assert_double_eq_tol(force.x, 1.5 + 0.5 + 2.0, 1e-12);
  ck_assert_double_eq_tol(torque.y, 0.0375 + 0.0125 + 50.0 * 1e-3, 1e-12);
  ck_assert(rate && !length);
}

/* 1 mm counts: 0.5 N + 2 N, and 25 mm times as much torque, however far the device went or turned. */
TAC_TEST(motion_counts_up_to_a_limit) {
  const double sizes[] = {1e-3, 0.05, 3.14159, 1e6, 1e100};
  for (int turns = 0; turns < 2; ++turns)
    for (int i = turns; i < 5; ++i) {
      tacForceLimits limits = some_limits();
      limits.motion = 1e-3;
      tacVec3 way = tac_vec3(0.0, sizes[i], 0.0), force = tac_vec3(7.0, 0.0, 0.0), torque = tac_vec3(0.0, 0.2, 0.0);
      bool length = false, rate = false;
      tac_force_limits_apply(&limits, turns ? none : way, turns ? way : none, &force, &torque, &length, &rate);
      ck_assert_double_eq_tol(force.x, 2.5, 1e-12);
      ck_assert_double_eq_tol(torque.y, 0.0625, 1e-12);
    }
}

TAC_TEST(three_degrees_of_freedom_get_no_torque) {
  tacForceLimits limits = some_limits();
  limits.torque = 0.0;
  tacVec3 force = none, torque = tac_vec3(0.1, 0.0, 0.0);
  bool length = false, rate = false;
  tac_force_limits_apply(&limits, none, none, &force, &torque, &length, &rate);
  ck_assert_double_eq(tac_vec3_norm(torque), 0.0);
  ck_assert(!length && !rate);
}

TAC_TEST(a_ramp_is_monotone_and_smooth) {
  ck_assert_double_eq(tac_ramp(-1.0), 0.0);
  ck_assert_double_eq(tac_ramp(NAN), 0.0);
  ck_assert_double_eq(tac_ramp(0.5), 0.5);
  ck_assert_double_eq(tac_ramp(1.0), 1.0);
  ck_assert_double_eq(tac_ramp(7.0), 1.0);
  const double h = 1e-3;
  for (int i = -100; i < 1100; ++i) {
    double a = tac_ramp((i - 1) * h), b = tac_ramp(i * h), c = tac_ramp((i + 1) * h);
    ck_assert_double_ge(c, b);
    ck_assert_double_le(fabs(a - 2.0 * b + c), 6.1 * h * h); /* the slope has no step */
  }
}
