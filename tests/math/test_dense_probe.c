#include "math/dense/dense_probe.h"

#include "math/dense/dense_lu.h"
#include "math/random.h"
#include "test.h"

enum { SIZE = 150 };

TAC_TEST(factors_of_the_matrix_pass_and_others_do_not) {
  tacRandom random = tac_random_seed(5);
  TAC_DENSE a;
  TAC_FREED(tac_dense_probe_destroy, tacDenseProbe, probe);
  int pivot[SIZE];
  tac_test_ok(tac_dense_create(SIZE, SIZE, &a, &error), error);
  for (int i = 0; i < SIZE * SIZE; ++i) a.a[i] = tac_random_uniform(&random, -1.0, 1.0);
  tac_test_ok(tac_dense_probe_create(&a, &probe, &error), error);
  tac_test_ok(tac_dense_lu(&a, pivot, NULL, 1, NULL, &error), error);
  tacWorst worst = {0};
  tac_dense_probe_compare(&probe, &a, pivot, &worst);
  ck_assert_int_eq(worst.samples, TAC_DENSE_PROBES * SIZE);
  ck_assert_double_lt(worst.error, 1e-12);
  for (int trial = 0; trial < 50; ++trial) {
    int row = (int)tac_random_uniform(&random, 0.0, SIZE), column = (int)tac_random_uniform(&random, 0.0, SIZE);
    double *entry = tac_dense_column(&a, column) + row, kept = *entry;
    *entry += 1e-3 * copysign(fmax(fabs(kept), 0.1), kept);
    worst = (tacWorst){0};
    tac_dense_probe_compare(&probe, &a, pivot, &worst);
    ck_assert_double_gt(worst.error, 1e-7);
    *entry = kept;
  }
}

TAC_TEST(the_transposed_system_is_solved) {
  tacRandom random = tac_random_seed(6);
  TAC_DENSE a, copy;
  int pivot[SIZE];
  double x[SIZE], b[SIZE];
  tac_test_ok(tac_dense_create(SIZE, SIZE, &a, &error), error);
  for (int i = 0; i < SIZE * SIZE; ++i) a.a[i] = tac_random_uniform(&random, -1.0, 1.0);
  for (int i = 0; i < SIZE; ++i) x[i] = b[i] = tac_random_uniform(&random, -1.0, 1.0);
  tac_test_ok(tac_dense_copy(&a, &copy, &error), error);
  tac_test_ok(tac_dense_lu(&a, pivot, NULL, 1, NULL, &error), error);
  tac_dense_probe_solve_transposed(&a, pivot, x);
  for (int j = 0; j < SIZE; ++j) {
    double sum = 0.0;
    for (int i = 0; i < SIZE; ++i) sum += tac_dense_column(&copy, j)[i] * x[i];
    ck_assert_double_eq_tol(sum, b[j], 1e-10);
  }
}
