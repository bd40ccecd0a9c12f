#include "math/svd6.h"

#include <math.h>
#include <string.h>
#include "math/random.h"
#include "test.h"

static double dot(const double a[6], const double b[6]) {
  double sum = 0.0;
  for (int i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

/* The largest difference of A from its product, and of U and V from orthogonality where s is not zero; relative to
 * s[0]. */
static double error_of(double a[6][6], const tacSvd6 *svd) {
  double worst = 0.0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      double sum = 0.0;
      for (int k = 0; k < 6; ++k) sum += svd->s[k] * svd->u[k][i] * svd->v[k][j];
      worst = fmax(worst, fabs(sum - a[i][j]) / (svd->s[0] > 0.0 ? svd->s[0] : 1.0));
      worst = fmax(worst, fabs(dot(svd->v[i], svd->v[j]) - (i == j)));
      if (svd->s[i] > 0.0 && svd->s[j] > 0.0) worst = fmax(worst, fabs(dot(svd->u[i], svd->u[j]) - (i == j)));
    }
  return worst;
}

static void random_matrix(tacRandom *random, int rank, double scale, double a[6][6]) {
  memset(a, 0, 36 * sizeof(double));
  for (int k = 0; k < rank; ++k) {
    double u[6], v[6];
    for (int i = 0; i < 6; ++i) u[i] = tac_random_normal(random), v[i] = tac_random_normal(random);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) a[i][j] += scale * u[i] * v[j];
  }
}

START_TEST(any_matrix_of_any_rank_and_scale_is_its_product) {
  tacRandom random = tac_random_seed(1);
  const double scales[] = {1.0, 1e-300, 1e300, 1e-12, 1e9};
  int cases = tac_test_light() ? 200 : 4000;
  for (int c = 0; c < cases; ++c) {
    double a[6][6];
    int rank = c % 7;
    random_matrix(&random, rank, scales[c % 5], a);
    tacSvd6 svd;
    tac_svd6(a, &svd);
    ck_assert_double_lt(error_of(a, &svd), 2e-14);
    for (int i = 0; i < 5; ++i) ck_assert_double_ge(svd.s[i], svd.s[i + 1]);
    if (rank < 6) ck_assert_double_le(svd.s[rank], 1e-13 * svd.s[0]);
    if (rank > 0) ck_assert_double_gt(svd.s[rank - 1], 1e-9 * svd.s[0]);
  }
}
END_TEST

/* Singular values that are known: rotations about pairs of axes on both sides of a diagonal. Small ones keep their
 * digits where the columns differ in scale. */
START_TEST(known_singular_values_are_found) {
  tacRandom random = tac_random_seed(2);
  for (int c = 0; c < 500; ++c) {
    double a[6][6] = {{0.0}}, known[6] = {5e4, 3e4, 600.0, 600.0, 25.0, 1e-3};
    for (int i = 0; i < 6; ++i) a[i][i] = known[i];
    for (int k = 0; k < 12; ++k) {
      int p = (int)tac_random_uniform(&random, 0.0, 6.0), q = (p + 1 + (int)tac_random_uniform(&random, 0.0, 5.0)) % 6;
      double angle = tac_random_uniform(&random, 0.0, 6.3), co = cos(angle), si = sin(angle);
      for (int i = 0; i < 6; ++i) {
        double *x = k % 2 != 0 ? &a[i][p] : &a[p][i], *y = k % 2 != 0 ? &a[i][q] : &a[q][i], first = *x;
        *x = co * first - si * *y;
        *y = si * first + co * *y;
      }
    }
    tacSvd6 svd;
    tac_svd6(a, &svd);
    for (int i = 0; i < 6; ++i) ck_assert_double_eq_tol(svd.s[i], known[i], 1e-10);
  }
}
END_TEST

START_TEST(what_is_not_finite_is_told_and_zero_has_no_direction) {
  double a[6][6] = {{0.0}};
  tacSvd6 svd;
  tac_svd6(a, &svd);
  for (int i = 0; i < 6; ++i) {
    ck_assert_double_eq(svd.s[i], 0.0);
    ck_assert_double_eq(dot(svd.u[i], svd.u[i]), 0.0);
    ck_assert_double_eq(dot(svd.v[i], svd.v[i]), 1.0);
  }
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int c = 0; c < 3; ++c) {
    a[4][1] = bad[c];
    tac_svd6(a, &svd);
    for (int i = 0; i < 6; ++i) ck_assert(isnan(svd.s[i]) && svd.v[i][i] == 1.0 && svd.u[i][i] == 1.0);
  }
}
END_TEST

TAC_TEST_MAIN("svd6", any_matrix_of_any_rank_and_scale_is_its_product, known_singular_values_are_found,
              what_is_not_finite_is_told_and_zero_has_no_direction)
