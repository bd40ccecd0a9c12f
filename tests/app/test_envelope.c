#include "app/cli/report/envelope.h"

#include <math.h>
#include "test.h"

TAC_TEST(one_sample_peak_survives) {
  enum { COLUMNS = 100 };
  const int64_t count = 60000;
  for (int64_t peak = 0; peak < count; peak += 1237) {
    TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
    tacEnvelope envelope;
    double x[2 * COLUMNS], y[2 * COLUMNS];
    tac_envelope_begin(&arrays, count, COLUMNS, &envelope);
    for (int64_t i = 0; i < count; ++i)
      tac_envelope_add(&envelope, i, i == peak ? 7.0 : i == peak / 2 + 1 ? -5.0 : sin(0.01 * (double)i));
    int points = tac_envelope_points(&envelope, 0.001, x, y), high = 0, low = 0;
    ck_assert_int_le(points, 2 * COLUMNS);
    for (int i = 0; i < points; ++i) {
      ck_assert(i == 0 || x[i] > x[i - 1]);
      if (y[i] > y[high]) high = i;
      if (y[i] < y[low]) low = i;
    }
    ck_assert_double_eq(y[high], 7.0);
    ck_assert_double_eq_tol(x[high], 0.001 * (double)peak, 1e-12);
    if (peak / 2 + 1 != peak) ck_assert_double_eq(y[low], -5.0);
  }
}

TAC_TEST(short_series_is_kept_whole) {
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  tacEnvelope envelope;
  double x[20], y[20];
  tac_envelope_begin(&arrays, 7, 10, &envelope);
  for (int i = 0; i < 7; ++i) tac_envelope_add(&envelope, i, i * i);
  ck_assert_int_eq(tac_envelope_points(&envelope, 2.0, x, y), 7);
  for (int i = 0; i < 7; ++i) {
    ck_assert_double_eq(x[i], 2.0 * i);
    ck_assert_double_eq(y[i], i * i);
  }
}

TAC_TEST(undrawable_points_are_omitted) {
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  tacEnvelope envelope;
  double x[8], y[8];
  tac_envelope_begin(&arrays, 100, 4, &envelope);
  tac_envelope_add(&envelope, 3, NAN);
  tac_envelope_add(&envelope, 40, INFINITY);
  tac_envelope_add(&envelope, -1, 1.0);
  tac_envelope_add(&envelope, 100, 1.0);
  ck_assert_int_eq(tac_envelope_points(&envelope, 1.0, x, y), 0);
  tac_envelope_add(&envelope, 99, 2.0);
  ck_assert_int_eq(tac_envelope_points(&envelope, 1.0, x, y), 1);
  ck_assert_double_eq(x[0], 99.0);
}
