#include "asset/field_reach.h"

#include "asset/distance_field.h"
#include "asset/make_grid.h"
#include "math/random.h"

static const tacBox unit = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}}, wide = {{-2.0, -2.0, -2.0}, {2.0, 2.0, 2.0}};

/* Random samples. */
static struct {
  tacRandom random;
  double outside; /* of the ball of radius 0.75 values are at least this; within 0.6 they are negative */
  double lower, upper;
} rough;

static double rough_value(tacVec3 p) {
  double value = tac_random_uniform(&rough.random, rough.lower, rough.upper);
  if (tac_vec3_norm(p) < 0.6) value = -fabs(value); /* a sample, however coarse the grid is */
  return tac_vec3_norm(p) > 0.75 ? fmax(value, rough.outside) : value;
}

static tacDistanceField *make_rough(int n, uint64_t seed, double outside, double lower, double upper) {
  rough.random = tac_random_seed(seed);
  rough.outside = outside;
  rough.lower = lower;
  rough.upper = upper;
  return make_grid_field(n, 1.0, rough_value);
}

static double ball(tacVec3 p) {
  return tac_vec3_norm(p) - 0.5;
}

static double cube(tacVec3 p) {
  tacVec3 q = {fabs(p.x) - 0.43, fabs(p.y) - 0.43, fabs(p.z) - 0.43};
  tacVec3 out = tac_vec3_max(q, tac_vec3(0.0, 0.0, 0.0));
  return tac_vec3_norm(out) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0);
}

/* Every pair of a positive and a negative place is at least so far apart; returns how near the bound came, at best
 * 1. */
static double check_against_all_pairs(const tacDistanceField *field, uint64_t seed) {
  enum { MOST = 1200 };
  tacFieldReach reach = tac_field_reach(field);
  tacRandom random = tac_random_seed(seed);
  tacVec3 inside[MOST];
  int count = 0, most = tac_test_light() ? 200 : MOST;
  for (int i = 0; i < 20 * most && count < most; ++i) {
    tacVec3 p = tac_random_in_box(&random, i % 4 == 0 ? wide : unit);
    if (tac_distance_field_value(field, p) < 0.0) inside[count++] = p;
  }
  ck_assert_msg(count > 20, "%d negative places, seed %d", count, (int)seed);
  double tightest = 0.0;
  for (int i = 0; i < 4 * most; ++i) {
    tacVec3 p = i % 2 == 0 ? tac_random_in_box(&random, i % 4 == 0 ? wide : unit) /* or near a negative place */
                           : tac_vec3_add(inside[i % count], tac_vec3_scale(0.1, tac_random_in_box(&random, unit)));
    double bound = tac_field_reach_at(&reach, tac_distance_field_value(field, p)), nearest = INFINITY;
    for (int k = 0; k < count; ++k) nearest = fmin(nearest, tac_vec3_norm2(tac_vec3_sub(p, inside[k])));
    if (bound > sqrt(nearest)) ck_abort_msg("%g m is told, %g m is true", bound, sqrt(nearest));
    tightest = fmax(tightest, bound / sqrt(nearest));
  }
  return tightest;
}

TAC_TEST(no_contact_is_nearer_than_the_bound_in_rough_grids) {
  double tightest = 0.0;
  for (int i = 0; i < 12; ++i) {
    double outside = i % 2 == 0 ? 1.0 : -INFINITY; /* half of them have negative values on the box */
    TAC_OWN(tacDistanceField, field) = make_rough(4 + i % 5, (uint64_t)i, outside, -1.5, i % 3 == 0 ? 0.5 : 2.0);
    ck_assert_int_eq(tac_distance_field_boundary(field) < 0.0, i % 2 == 1);
    tightest = fmax(tightest, check_against_all_pairs(field, (uint64_t)(100 + i)));
  }
  ck_assert_double_gt(tightest, 0.1);
}

TAC_TEST(bounds_are_close_to_true_distances) {
  for (int i = 0; i < 2; ++i) {
    TAC_OWN(tacDistanceField, field) = make_grid_field(41, 1.0, i == 0 ? ball : cube);
    const double voxel = 2.0 / 40.0;
    tacFieldReach reach = tac_field_reach(field);
    ck_assert_double_gt(check_against_all_pairs(field, 7), 0.7);
    for (double value = 0.1 * voxel; value < 2.0; value *= 1.3) {
      double reach_there = tac_field_reach_at(&reach, value);
      ck_assert_double_le(reach_there, value);
      ck_assert_double_ge(reach_there, 0.9 * value - (i == 0 ? 0.1 : 1.0) * voxel); /* a cube has sharp edges */
    }
  }
}

TAC_TEST(analytic_fields_are_distances) {
  TAC_CREATE(tacDistanceField, field, tac_distance_field_sphere(tac_vec3(0.1, 0.2, 0.3), 0.4, &field, &error));
  tacFieldReach reach = tac_field_reach(field);
  for (double value = 1e-6; value < 1e6; value *= 3.0)
    ck_assert_double_eq_tol(tac_field_reach_at(&reach, value), value, 1e-8 * value);
}

TAC_TEST(a_union_is_as_steep_as_its_steepest_part) {
  tacDistanceField *parts[2] = {make_rough(7, 1, 1.0, -0.4, 2.0)};
  tac_test_ok(tac_distance_field_sphere(tac_vec3(1.2, 0.0, 0.0), 0.5, &parts[1], &error), error);
  tacFieldReach of_grid = tac_field_reach(parts[0]);
  TAC_CREATE(tacDistanceField, whole, tac_distance_field_union(2, parts, &whole, &error));
  tacFieldReach reach = tac_field_reach(whole);
  for (double value = 0.01; value < 4.0; value *= 1.2)
    ck_assert_double_eq(tac_field_reach_at(&reach, value), tac_field_reach_at(&of_grid, value));
  check_against_all_pairs(whole, 8);
}

TAC_TEST(the_bound_never_falls_and_is_zero_in_contact) {
  TAC_OWN(tacDistanceField, field) = make_rough(7, 5, 1.0, -0.4, 2.0);
  tacFieldReach reach = tac_field_reach(field);
  ck_assert_double_eq(tac_field_reach_at(&reach, 0.0), 0.0);
  ck_assert_double_eq(tac_field_reach_at(&reach, -1.0), 0.0);
  ck_assert_double_eq(tac_field_reach_at(&reach, NAN), 0.0);
  ck_assert_double_infinite(tac_field_reach_at(&reach, INFINITY));
  double before = 0.0;
  for (double value = 0.0; value < 3.0; value += 0.001) {
    double now = tac_field_reach_at(&reach, value);
    if (now < before) ck_abort_msg("the bound falls at %g", value);
    before = now;
  }
}
