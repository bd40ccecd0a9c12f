#include "math/dense/vector.h"

#include <float.h>
#include "base/lanes.h"
#include "math/random.h"
#include "test.h"

enum { N = 103 };

static void fill(uint64_t seed, double *x) {
  tacRandom random = tac_random_seed(seed);
  for (int i = 0; i < N; ++i) x[i] = tac_random_uniform(&random, -1.0, 1.0);
}

TAC_TEST(dot_is_the_sum_of_products_for_every_length) {
  double x[N], y[N];
  fill(1, x);
  fill(2, y);
  for (int n = 0; n <= N; ++n) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += x[i] * y[i];
    ck_assert_double_eq_tol(tac_vector_dot(n, x, y), sum, n * DBL_EPSILON * n + DBL_MIN);
  }
}

/* Of every width the same bits: those of each row alone, and of the sum as it is written. */
TAC_TEST(three_rows_equal_single_products) {
  double rows[3 * N], x[N], y[N], sum[N], sums[3];
  const double f[3] = {0.3, -1.7, 2.1};
  for (int k = 0; k < 3; ++k) fill((uint64_t)(5 + k), rows + k * N);
  fill(8, x);
  fill(9, y);
  for (int n = 0; n <= N; ++n) {
    const double *a = rows, *b = a + n, *c = b + n;
    tac_vector_dot3(n, rows, x, sums);
    ck_assert(sums[0] == tac_vector_dot(n, a, x) && sums[1] == tac_vector_dot(n, b, x) &&
              sums[2] == tac_vector_dot(n, c, x));
    for (int i = 0; i < N; ++i) sum[i] = y[i];
    tac_vector_add3(n, rows, f, sum);
    for (int i = 0; i < N; ++i) {
      double products[3] = {0.0, 0.0, 0.0};
      for (int k = 0; k < 3 && i < n; ++k) products[k] = rows[k * n + i] * f[k];
      ck_assert(sum[i] == (i < n ? y[i] + ((products[0] + products[1]) + products[2]) : y[i]));
    }
  }
}

TAC_TEST(norm_neither_overflows_nor_vanishes) {
  static const double scales[] = {1.0, 1e-170, 1e170, 1e-300, 1e300, 5e-324};
  for (size_t s = 0; s < sizeof scales / sizeof *scales; ++s) {
    const double x[3] = {3.0 * scales[s], -4.0 * scales[s], 12.0 * scales[s]};
    ck_assert_double_eq_tol(tac_vector_norm(3, x), 13.0 * scales[s], 1e-15 * 13.0 * scales[s] + 5e-324);
  }
  const double zero[2] = {0.0, 0.0}, infinite[2] = {1.0, -INFINITY}, none[2] = {INFINITY, NAN};
  ck_assert_double_eq(tac_vector_norm(2, zero), 0.0);
  ck_assert_double_eq(tac_vector_norm(0, zero), 0.0);
  ck_assert_double_eq(tac_vector_norm(2, infinite), INFINITY);
  ck_assert_double_nan(tac_vector_norm(2, none));
}

TAC_TEST(sums_multiples_and_swaps_are_entry_by_entry) {
  double x[N], y[N], sum[N], other[N];
  fill(3, x);
  fill(4, y);
  for (int i = 0; i < N; ++i) sum[i] = y[i], other[i] = x[i];
  tac_vector_add(N - 1, 0.75, x, sum);
  for (int i = 0; i < N; ++i) ck_assert_double_eq_tol(sum[i], i < N - 1 ? y[i] + 0.75 * x[i] : y[i], DBL_EPSILON);
  tac_vector_scale(N - 1, -2.0, sum);
  ck_assert_double_eq_tol(sum[5], -2.0 * (y[5] + 0.75 * x[5]), 4.0 * DBL_EPSILON);
  ck_assert_double_eq(sum[N - 1], y[N - 1]);
  tac_vector_swap(N - 1, other, y);
  ck_assert_double_eq(y[7], x[7]);
  ck_assert_double_eq(other[N - 1], x[N - 1]);
}

TAC_TEST_EVERY_WIDTH()
