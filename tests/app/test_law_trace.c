#include "app/cli/report/law_trace.h"

#include <math.h>
#include "test.h"

enum { TICKS = 1000 };

/* Of ticks 0, 2, 4, ...: the k-th of 500 has k + 1 contacts, twice as many sweeps, and residuals of k + 1 nm and nN. */
TAC_TEST(only_ticks_with_contacts_count) {
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  tacLawTrace trace = {0};
  tac_law_trace_begin(&arrays, TICKS, &trace);
  for (int tick = 0; tick < TICKS; ++tick) {
    double k = tick / 2 + 1;
    tacTickReport with = {.laws = tick / 2 + 1,
                          .sweeps = 2 * (tick / 2 + 1),
                          .residual = 1e-9 * k,
                          .residual_force = 1e-9 * k,
                          .unsolved = k > 490 ? 2 : 0};
    tacTickReport without = {.sweeps = 9999, .residual = 1.0, .residual_force = 1.0, .unsolved = 1};
    tac_law_trace_add(&trace, tick, tick % 2 == 0 ? &with : &without);
  }
  ck_assert_int_eq(trace.ticks, 500);
  ck_assert_int_eq(trace.unsolved, 10);
  ck_assert_double_eq_tol(tac_law_series_most(&trace.contacts), 500.0, 1e-9);
  ck_assert_double_eq_tol(tac_law_series_percentile(&trace.contacts, 0.5), 250.0, 0.005 * 250.0 + 1.0);
  ck_assert_double_eq_tol(tac_law_series_percentile(&trace.sweeps, 0.99), 990.0, 0.005 * 990.0 + 2.0);
  ck_assert_double_eq_tol(tac_law_series_most(&trace.sweeps), 1000.0, 1e-9);
  ck_assert_double_eq_tol(tac_law_series_percentile(&trace.residual, 0.99), 495e-9, 0.005 * 495e-9 + 1e-9);
  ck_assert_double_eq_tol(tac_law_series_most(&trace.residual_force), 500e-9, 1e-15);
  double x[2 * TICKS], y[2 * TICKS];
  int count = tac_envelope_points(&trace.contacts.over_time, 1.0, x, y);
  ck_assert_int_eq(count, 500);
  for (int i = 0; i < count; ++i) ck_assert_double_eq(y[i], x[i] / 2.0 + 1.0);
}

TAC_TEST(invalid_samples_count_as_zero) {
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  tacLawTrace trace = {0};
  tac_law_trace_begin(&arrays, TICKS, &trace);
  tac_law_trace_add(&trace, 0, &(tacTickReport){.laws = 1, .residual = NAN, .residual_force = INFINITY, .sweeps = -3});
  tac_law_trace_add(&trace, 1, &(tacTickReport){.laws = -1, .residual = 1.0});
  ck_assert_int_eq(trace.ticks, 1);
  ck_assert_double_eq(tac_law_series_most(&trace.residual), 0.0);
  ck_assert_double_eq(tac_law_series_most(&trace.residual_force), 0.0);
  ck_assert_double_eq(tac_law_series_most(&trace.sweeps), 0.0);
}
