#include "math/dense/dense_lu.h"

#include "math/dense/blas.h"
#include "math/dense_samples.h"

static tacDense copy_of(const tacDense *a) {
  tacDense copy;
  tac_test_ok(tac_dense_copy(a, &copy, &error), error);
  return copy;
}

/* Sizes on both sides of those of a panel and of a strip. */
TAC_TEST(solutions_satisfy_their_equations) {
  tac_blas_start();
  tacRandom random = tac_random_seed(1);
  static const int sizes[] = {1, 2, 63, 127, 128, 129, 255, 256, 257, 300, 520};
  for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); ++s) {
    int n = sizes[s];
    if (tac_test_light() && n > 300) continue;
    TAC_DENSE a = random_dense(&random, n, n), x = random_dense(&random, n, 70), b;
    for (int i = 0; n > 1 && i < n; ++i) tac_dense_column(&a, i)[i] = 0.0; /* pivots are needed */
    tac_test_ok(tac_dense_create(n, 70, &b, &error), error);
    tac_dense_gemm(1.0, &a, false, &x, false, 0.0, &b);
    TAC_DENSE factor = copy_of(&a), right = copy_of(&b);
    int *pivot = tac_test_alloc((size_t)n * sizeof *pivot);
    double rcond = 0.0;
    tac_test_ok(tac_dense_lu(&factor, pivot, &rcond, 2, NULL, &error), error);
    ck_assert(rcond > 1e-9 && rcond <= 1.0);
    tac_test_ok(tac_dense_lu_solve(&factor, pivot, &b, 2, NULL, &error), error);
    ck_assert_double_lt(largest_difference(&b, &x), 1e-13 / rcond);
    tac_dense_gemm(1.0, &a, false, &b, false, -1.0, &right);
    for (int j = 0; j < 70; ++j)
      for (int i = 0; i < n; ++i) ck_assert_double_lt(fabs(tac_dense_column(&right, j)[i]), 1e-11 * n);
    /* The plain loops read the same factors. */
    double *single = tac_test_doubles((size_t)n);
    tac_dense_gemv(1.0, &a, false, x.a, 0.0, single);
    tac_dense_loop_lu_solve(&factor, pivot, single);
    for (int i = 0; i < n; ++i) ck_assert_double_eq_tol(single[i], x.a[i], 1e-13 / rcond);
  }
}

TAC_TEST(results_do_not_depend_on_the_number_of_threads) {
  tac_blas_start();
  tacRandom random = tac_random_seed(2);
  int n = 600;
  TAC_DENSE a = random_dense(&random, n, n), b = random_dense(&random, n, 200), one = copy_of(&a), right = copy_of(&b);
  int pivot[2][600];
  tac_test_ok(tac_dense_lu(&a, pivot[0], NULL, 3, NULL, &error), error);
  tac_test_ok(tac_dense_lu(&one, pivot[1], NULL, 1, NULL, &error), error);
  ck_assert_mem_eq(pivot[0], pivot[1], sizeof pivot[0]);
  ck_assert_mem_eq(a.a, one.a, (size_t)(n * n) * sizeof(double));
  tac_test_ok(tac_dense_lu_solve(&a, pivot[0], &b, 3, NULL, &error), error);
  tac_test_ok(tac_dense_lu_solve(&one, pivot[1], &right, 1, NULL, &error), error);
  ck_assert_mem_eq(b.a, right.a, (size_t)(n * 200) * sizeof(double));
}

/* diag(1, ..., 1, 1e-9) turned by a reflection has a condition number of 1e9, within n in the 1-norm. */
TAC_TEST(the_condition_number_is_estimated) {
  tacRandom random = tac_random_seed(3);
  int n = 150;
  TAC_DENSE w = random_dense(&random, n, 1), a;
  double square = 0.0, rcond;
  for (int i = 0; i < n; ++i) square += w.a[i] * w.a[i];
  tac_test_ok(tac_dense_create(n, n, &a, &error), error);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      tac_dense_column(&a, j)[i] = ((i == j) - 2.0 * w.a[i] * w.a[j] / square) * (j == n - 1 ? 1e-9 : 1.0);
  int pivot[150];
  tac_test_ok(tac_dense_lu(&a, pivot, &rcond, 2, NULL, &error), error);
  ck_assert(rcond > 1e-9 / n && rcond < 1e-9 * n);
}

TAC_TEST(singular_matrices_are_refused) {
  tacRandom random = tac_random_seed(4);
  int pivot[200], calls = 0;
  TAC_DENSE a = random_dense(&random, 200, 200), wide = random_dense(&random, 3, 4),
            b = random_dense(&random, 200, 200);
  for (int i = 0; i < 200; ++i) tac_dense_column(&a, 150)[i] = 0.0;
  tac_test_refused(tac_dense_lu(&a, pivot, NULL, 2, NULL, &error), TAC_ERR_SINGULAR, error, "column 150");
  tac_dense_column(&a, 150)[3] = NAN;
  ck_assert_int_eq(tac_dense_lu(&a, pivot, NULL, 2, NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_dense_lu(&wide, pivot, NULL, 2, NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_dense_lu_solve(&wide, pivot, &wide, 2, NULL, &error), TAC_ERR_ARGUMENT);
  tacProgress cancel = {tac_test_cancel, &calls};
  ck_assert_int_eq(tac_dense_lu(&b, pivot, NULL, 2, &cancel, &error), TAC_ERR_CANCELLED);
  ck_assert_int_ge(calls, 1);
}
