#include "math/geometry/mat3.h"

#include "math/random_matrix.h"
#include "test.h"

TAC_TEST(product_applies_the_right_factor_first) {
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < 100; ++i) {
    tacMat3 a = random_matrix(&random), b = random_matrix(&random);
    tacVec3 v = tac_vec3(1, -2, 0.5);
    tacVec3 once = tac_mat3_mul_vec(tac_mat3_mul(a, b), v), twice = tac_mat3_mul_vec(a, tac_mat3_mul_vec(b, v));
    ck_assert_double_lt(tac_vec3_distance(once, twice), 1e-13);
    ck_assert_double_lt(mat3_distance(tac_mat3_transpose(tac_mat3_mul(a, b)),
                                      tac_mat3_mul(tac_mat3_transpose(b), tac_mat3_transpose(a))),
                        1e-13);
  }
}

TAC_TEST(determinant_is_multiplicative) {
  tacRandom random = tac_random_seed(2);
  for (int i = 0; i < 100; ++i) {
    tacMat3 a = random_matrix(&random), b = random_matrix(&random);
    ck_assert_double_eq_tol(tac_mat3_det(tac_mat3_mul(a, b)), tac_mat3_det(a) * tac_mat3_det(b), 1e-11);
  }
  ck_assert_double_eq(tac_mat3_det(tac_mat3_diagonal(2, 3, -4)), -24.0);
}

TAC_TEST(inverse_times_matrix_is_the_identity_at_any_scale) {
  tacRandom random = tac_random_seed(3);
  const double scales[] = {1.0, 1e-150, 1e150, 1e-300, 1e300};
  for (int i = 0; i < 500; ++i) {
    double scale = scales[i % 5];
    tacMat3 a = tac_mat3_scale(scale, random_matrix(&random)), inverse;
    ck_assert(tac_mat3_inverse(a, &inverse));
    double size = tac_mat3_norm(tac_mat3_scale(1.0 / scale, a)) * tac_mat3_norm(tac_mat3_scale(scale, inverse));
    ck_assert_double_lt(mat3_distance(tac_mat3_mul(a, inverse), tac_mat3_identity()), 1e-14 * size);
  }
}

TAC_TEST(graded_matrix_is_invertible_and_singular_ones_are_not) {
  tacMat3 inverse = tac_mat3_identity();
  ck_assert(tac_mat3_inverse(tac_mat3_diagonal(1e-8, 1, 1e8), &inverse));
  ck_assert_double_eq_tol(inverse.m[0][0], 1e8, 1e-6);
  tacRandom random = tac_random_seed(4);
  for (int i = 0; i < 1000; ++i) {
    tacMat3 a = random_matrix(&random);
    tacVec3 c0 = tac_mat3_column(a, 0), c1 = tac_mat3_column(a, 1);
    tacMat3 rank_two = tac_mat3_from_columns(c0, c1, tac_vec3_mad(tac_vec3_scale(0.3, c0), -1.7, c1));
    ck_assert(!tac_mat3_inverse(rank_two, &inverse));
    ck_assert(!tac_mat3_inverse(tac_mat3_outer(c0, c1), &inverse));
  }
  ck_assert(!tac_mat3_inverse(tac_mat3_zero(), &inverse));
  ck_assert(!tac_mat3_inverse(tac_mat3_diagonal(1, NAN, 1), &inverse));
  ck_assert(!tac_mat3_inverse(tac_mat3_diagonal(1, INFINITY, 1), &inverse));
  ck_assert_double_eq_tol(inverse.m[0][0], 1e8, 1e-6); /* left alone */
}

TAC_TEST(skew_and_outer_act_like_their_products) {
  tacVec3 a = tac_vec3(1, 2, 3), b = tac_vec3(-4, 5, 0.5), v = tac_vec3(7, -8, 9);
  ck_assert_double_lt(tac_vec3_distance(tac_mat3_mul_vec(tac_mat3_skew(a), v), tac_vec3_cross(a, v)), 1e-14);
  ck_assert_double_lt(
      tac_vec3_distance(tac_mat3_mul_vec(tac_mat3_outer(a, b), v), tac_vec3_scale(tac_vec3_dot(b, v), a)), 1e-13);
  ck_assert_double_eq(tac_mat3_trace(tac_mat3_outer(a, b)), tac_vec3_dot(a, b));
}

TAC_TEST(columns_round_trip) {
  tacMat3 a = tac_mat3_from_columns(tac_vec3(1, 2, 3), tac_vec3(4, 5, 6), tac_vec3(7, 8, 10));
  ck_assert(a.m[0][1] == 4 && a.m[2][0] == 3);
  ck_assert_double_eq(tac_mat3_column(a, 2).z, 10.0);
  ck_assert_double_eq(tac_mat3_det(a), -3.0);
  ck_assert_double_eq_tol(tac_mat3_norm(a), sqrt(304.0), 1e-14);
  ck_assert_double_eq(tac_mat3_norm(tac_mat3_add(a, tac_mat3_scale(-1.0, a))), 0.0);
}
