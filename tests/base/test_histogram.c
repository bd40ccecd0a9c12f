#include "base/histogram.h"

#include <math.h>
#include "test.h"

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Against sorting, over seven decades. */
TAC_TEST(percentiles_are_right_within_half_a_percent) {
  enum { COUNT = 20000 };
  static double values[COUNT];
  static tacHistogram histogram;
  uint64_t state = 7;
  for (int i = 0; i < COUNT; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values[i] = exp(-18.0 + 16.0 * (double)(state >> 11) * 0x1p-53);
    tac_histogram_add(&histogram, values[i]);
  }
  qsort(values, COUNT, sizeof *values, ascending);
  const double fractions[] = {0.01, 0.5, 0.9, 0.99, 0.999, 1.0};
  for (int i = 0; i < 6; ++i) {
    double expected = values[(int)ceil(fractions[i] * COUNT) - 1];
    ck_assert_double_eq_tol(tac_histogram_percentile(&histogram, fractions[i]), expected, 0.0051 * expected);
  }
  ck_assert_double_eq(histogram.largest, values[COUNT - 1]);
  ck_assert_int_eq(histogram.count, COUNT);
}

TAC_TEST(extremes_are_kept_in_bounds) {
  static tacHistogram histogram;
  ck_assert_double_eq(tac_histogram_percentile(&histogram, 0.5), 0.0);
  tac_histogram_add(&histogram, 0.0);
  tac_histogram_add(&histogram, -1.0);
  tac_histogram_add(&histogram, NAN);
  ck_assert_double_eq(tac_histogram_percentile(&histogram, 0.99), 0.0);
  tac_histogram_add(&histogram, 1e30);
  tac_histogram_add(&histogram, INFINITY);
  ck_assert_double_gt(tac_histogram_percentile(&histogram, 1.0), 99.0);
  ck_assert_double_le(tac_histogram_percentile(&histogram, 0.5), 2e-9);
}
