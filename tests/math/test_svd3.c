#include "math/geometry/svd3.h"

#include <lapacke.h>
#include "math/dense/blas.h"
#include "math/random_matrix.h"
#include "test.h"

/* Q diag(x, y, z) W with random rotations. */
static tacMat3 with_singular_values(tacRandom *random, double x, double y, double z) {
  tacMat3 q = random_rotation(random), w = random_rotation(random);
  return tac_mat3_mul(tac_mat3_mul(q, tac_mat3_diagonal(x, y, z)), w);
}

static double departure_from_orthogonal(tacMat3 q) {
  return mat3_distance(tac_mat3_mul(tac_mat3_transpose(q), q), tac_mat3_identity());
}

static tacMat3 compose(const tacSvd3 *svd, double scale) {
  tacMat3 s = tac_mat3_diagonal(svd->s[0] * scale, svd->s[1] * scale, svd->s[2] * scale);
  return tac_mat3_mul(tac_mat3_mul(svd->u, s), tac_mat3_transpose(svd->v));
}

static void check(tacMat3 a) {
  double largest = tac_mat3_max_abs(a), scale = largest > 0.0 ? 1.0 / largest : 1.0;
  tacMat3 scaled = tac_mat3_scale(scale, a);
  tacSvd3 ordinary = tac_svd3(a), rotations = tac_svd3_rotations(a);
  ck_assert_double_lt(mat3_distance(compose(&ordinary, scale), scaled), 1e-14);
  ck_assert_double_lt(mat3_distance(compose(&rotations, scale), scaled), 1e-14);
  ck_assert_double_lt(departure_from_orthogonal(ordinary.u), 1e-14);
  ck_assert_double_lt(departure_from_orthogonal(ordinary.v), 1e-14);
  ck_assert_double_eq_tol(tac_mat3_det(rotations.u), 1.0, 1e-14);
  ck_assert_double_eq_tol(tac_mat3_det(rotations.v), 1.0, 1e-14);
  ck_assert(ordinary.s[0] >= ordinary.s[1] && ordinary.s[1] >= ordinary.s[2] * (1.0 - 1e-14) && ordinary.s[2] >= 0.0);
  ck_assert_double_eq(rotations.s[0], ordinary.s[0]);
  ck_assert_double_eq(fabs(rotations.s[2]), ordinary.s[2]);
}

TAC_TEST(random_matrices_and_reflections_are_decomposed) {
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < 20000; ++i) {
    tacMat3 a = random_matrix(&random);
    check(a);
    double det = tac_mat3_det(a);
    if (fabs(det) > 1e-10) ck_assert(tac_svd3_rotations(a).s[2] * det > 0.0);
  }
}

TAC_TEST(singular_values_are_those_of_lapack) {
  tacRandom random = tac_random_seed(2);
  for (int i = 0; i < 2000; ++i) {
    tacMat3 a = random_matrix(&random), copy = a;
    double s[3], work[64];
    tac_blas_begin();
    int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', 3, 3, &copy.m[0][0], 3, s, NULL, 1, NULL, 1, work, 64);
    tac_blas_end();
    ck_assert_int_eq(info, 0);
    tacSvd3 svd = tac_svd3(a);
    for (int k = 0; k < 3; ++k) ck_assert_double_eq_tol(svd.s[k], s[k], 1e-14 * s[0]);
  }
}

TAC_TEST(rank_deficient_matrices_are_decomposed) {
  tacRandom random = tac_random_seed(3);
  check(tac_mat3_zero());
  for (int i = 0; i < 5000; ++i) {
    check(with_singular_values(&random, 1.0, 0.5, 0.0));
    check(with_singular_values(&random, 1.0, 1.0, 0.0));
    check(with_singular_values(&random, 3.0, 0.0, 0.0));
    tacMat3 a = random_matrix(&random);
    check(tac_mat3_outer(tac_mat3_column(a, 0), tac_mat3_column(a, 1)));
    check(tac_mat3_from_columns(tac_mat3_column(a, 0), tac_vec3(0, 0, 0), tac_mat3_column(a, 1)));
  }
  tacSvd3 flat = tac_svd3(tac_mat3_diagonal(0, 0, 2));
  ck_assert(flat.s[0] == 2.0 && flat.s[1] == 0.0 && flat.s[2] == 0.0);
}

TAC_TEST(equal_and_nearly_equal_singular_values_are_handled) {
  tacRandom random = tac_random_seed(4);
  for (int i = 0; i < 5000; ++i) {
    check(with_singular_values(&random, 1.0, 1.0, 1.0));
    check(with_singular_values(&random, 1.0, 1.0, -1.0));
    check(with_singular_values(&random, 1.0, 1.0 - 1e-15, 1.0 - 1e-12));
    check(with_singular_values(&random, 2.0, 1.0, -1.0 + 1e-14));
  }
}

TAC_TEST(permutations_and_signs_are_decomposed_exactly) {
  static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int p = 0; p < 6; ++p)
    for (int signs = 0; signs < 8; ++signs) {
      tacMat3 a = tac_mat3_zero();
      for (int i = 0; i < 3; ++i) a.m[i][order[p][i]] = (signs >> i) & 1 ? -1.0 - i : 1.0 + i;
      check(a);
      tacSvd3 svd = tac_svd3(a);
      ck_assert(svd.s[0] == 3.0 && svd.s[1] == 2.0 && svd.s[2] == 1.0);
    }
}

TAC_TEST(graded_matrices_keep_the_digits_of_small_singular_values) {
  tacRandom random = tac_random_seed(5);
  for (int i = 0; i < 2000; ++i) {
    /* Columns of lengths 1e8, 1, 1e-8 at right angles: one-sided rotations see them as they are. */
    tacMat3 q = random_rotation(&random);
    tacMat3 a = tac_mat3_mul(q, tac_mat3_diagonal(1e8, 1.0, 1e-8));
    check(a);
    tacSvd3 svd = tac_svd3(a);
    ck_assert_double_eq_tol(svd.s[1], 1.0, 1e-14);
    ck_assert_double_eq_tol(svd.s[2], 1e-8, 1e-22);
    check(with_singular_values(&random, 1e8, 1.0, 1e-8));
    check(with_singular_values(&random, 1e8, 1.0, -1e-8));
    check(with_singular_values(&random, 1.0, 1e-160, 1e-300));
  }
}

TAC_TEST(scale_changes_nothing_from_the_tiniest_to_the_largest) {
  tacRandom random = tac_random_seed(6);
  for (int i = 0; i < 2000; ++i) {
    tacMat3 a = random_matrix(&random);
    tacSvd3 svd = tac_svd3(a);
    for (int exponent = -1000; exponent <= 1000; exponent += 250) {
      double scale = ldexp(1.0, exponent);
      tacSvd3 other = tac_svd3(tac_mat3_scale(scale, a));
      for (int k = 0; k < 3; ++k) ck_assert_double_eq(other.s[k], scale * svd.s[k]);
      ck_assert_double_eq(mat3_distance(other.u, svd.u), 0.0);
    }
  }
  check(tac_mat3_diagonal(1e-150, 2e-150, -3e-150));
  check(tac_mat3_diagonal(1e150, -2e150, 3e150));
  check(tac_mat3_diagonal(1e150, 1e-150, 1.0));
}

TAC_TEST(entries_near_the_end_of_the_range_do_not_overflow) {
  tacSvd3 svd = tac_svd3(tac_mat3_diagonal(1.0, 1.5e308, 0.0));
  ck_assert_double_eq_tol(svd.s[0] / 1.5e308, 1.0, 1e-15);
  ck_assert(svd.s[1] >= 0.0 && svd.s[1] <= 1e293); /* zero beside the first */
  ck_assert_double_eq(svd.s[2], 0.0);
}

TAC_TEST(values_that_are_not_finite_give_nan_and_an_end) {
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 27; ++i) {
    tacMat3 a = tac_mat3_diagonal(1, 2, 3);
    a.m[i / 9][i / 3 % 3] = bad[i % 3];
    tacSvd3 svd = tac_svd3(a);
    ck_assert(isnan(svd.s[0]) && isnan(svd.s[1]) && isnan(svd.s[2]));
    ck_assert_double_eq(mat3_distance(svd.u, tac_mat3_identity()), 0.0);
    ck_assert_double_eq(mat3_distance(svd.v, tac_mat3_identity()), 0.0);
  }
}
