#include "math/geometry/polar3.h"

#include "math/random_matrix.h"
#include "test.h"

static tacMat3 check(tacMat3 a) {
  double size = tac_mat3_norm(a);
  tacMat3 s, r = tac_polar3(a, &s);
  ck_assert_double_le(mat3_distance(tac_mat3_mul(r, s), a), 1e-14 * size);
  ck_assert_double_eq(mat3_distance(s, tac_mat3_transpose(s)), 0.0);
  ck_assert_double_lt(mat3_distance(tac_mat3_mul(r, tac_mat3_transpose(r)), tac_mat3_identity()), 1e-14);
  ck_assert_double_eq_tol(tac_mat3_det(r), 1.0, 1e-14);
  return r;
}

TAC_TEST(rotation_and_stretch_are_recovered) {
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < 5000; ++i) {
    tacMat3 r = random_rotation(&random), q = random_rotation(&random);
    tacVec3 stretch = tac_random_in_box(&random, (tacBox){{0.5, 0.5, 0.5}, {2.0, 2.0, 2.0}});
    tacMat3 d = tac_mat3_diagonal(stretch.x, stretch.y, stretch.z);
    tacMat3 s = tac_mat3_mul(tac_mat3_mul(q, d), tac_mat3_transpose(q)), found_s;
    tacMat3 found_r = tac_polar3(tac_mat3_mul(r, s), &found_s);
    ck_assert_double_lt(mat3_distance(found_r, r), 1e-14);
    ck_assert_double_lt(mat3_distance(found_s, s), 2e-14);
    ck_assert_double_lt(mat3_distance(check(r), r), 1e-14);
  }
}

TAC_TEST(rotation_is_the_nearest_one) {
  tacRandom random = tac_random_seed(2);
  for (int i = 0; i < 500; ++i) {
    tacMat3 a = random_matrix(&random); /* half of them are inverted */
    tacMat3 r = check(a);
    double nearest = mat3_distance(a, r);
    for (int j = 0; j < 20; ++j) {
      tacVec3 small = tac_vec3_scale(pow(10.0, -j % 5), tac_random_normal3(&random));
      tacMat3 other = tac_mat3_mul(tac_quat_to_mat3(tac_quat_from_rotation_vector(small)), r);
      ck_assert_double_ge(mat3_distance(a, other), nearest - 1e-14);
    }
  }
}

TAC_TEST(inverted_matrix_is_turned_back_across_its_thinnest_direction) {
  tacMat3 s;
  tacMat3 r = tac_polar3(tac_mat3_diagonal(3.0, -0.5, 2.0), &s);
  ck_assert_double_lt(mat3_distance(r, tac_mat3_identity()), 1e-15);
  ck_assert_double_eq_tol(s.m[1][1], -0.5, 1e-15);
}

TAC_TEST(singular_matrices_give_some_rotation) {
  tacRandom random = tac_random_seed(3);
  ck_assert_double_eq(mat3_distance(check(tac_mat3_zero()), tac_mat3_identity()), 0.0);
  for (int i = 0; i < 2000; ++i) {
    tacMat3 a = random_matrix(&random), rank_two = a;
    check(tac_mat3_outer(tac_mat3_column(a, 0), tac_mat3_column(a, 1)));
    for (int j = 0; j < 3; ++j) rank_two.m[j][2] = rank_two.m[j][0] - 2.0 * rank_two.m[j][1];
    check(rank_two);
    check(tac_mat3_mul(random_rotation(&random), tac_mat3_diagonal(1e8, 1.0, 1e-8)));
    check(tac_mat3_scale(1e-150, a));
    check(tac_mat3_scale(1e150, a));
  }
}

TAC_TEST(values_that_are_not_finite_give_the_identity) {
  tacMat3 s, r = tac_polar3(tac_mat3_diagonal(1.0, NAN, INFINITY), &s);
  ck_assert_double_eq(mat3_distance(r, tac_mat3_identity()), 0.0);
  ck_assert(isnan(s.m[0][0]));
  r = tac_polar3(tac_mat3_diagonal(1.0, NAN, 1.0), NULL);
  ck_assert_double_eq(mat3_distance(r, tac_mat3_identity()), 0.0);
}
