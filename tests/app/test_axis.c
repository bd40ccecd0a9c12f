#include "app/cli/report/axis.h"

#include <math.h>
#include <string.h>
#include "test.h"

/* 1, 2 or 5 times a power of ten. */
static bool is_round(double x) {
  double digit = x / pow(10.0, floor(log10(x) + 1e-9));
  return fabs(digit - 1.0) < 1e-6 || fabs(digit - 2.0) < 1e-6 || fabs(digit - 5.0) < 1e-6;
}

static const double ranges[][2] = {{0.0, 1.0},    {-3.7, 9.2},   {0.0, 6.1e-6}, {1e-12, 3e-12}, {-5e8, -1e8},
                                   {99.9, 100.1}, {0.0, 59.999}, {-1e-3, 7e3},  {2.0, 2.0},     {0.0, 0.0}};
enum { RANGES = sizeof ranges / sizeof *ranges };

TAC_TEST(linear_ticks_are_round_and_cover_the_range) {
  for (int i = 0; i < RANGES; ++i) {
    double from = ranges[i][0], to = ranges[i][1];
    tacAxis axis = tac_axis_linear(from, to, false, 5, "N");
    double slack = 1e-9 * axis.step;
    ck_assert(is_round(axis.step));
    ck_assert(axis.from <= from + slack && axis.to >= to - slack && axis.from < axis.to);
    ck_assert_int_ge(axis.tick_count, 2);
    ck_assert_int_le(axis.tick_count, 12);
    ck_assert_double_eq_tol(axis.tick[0], axis.from, slack);
    ck_assert_double_eq_tol(axis.tick[axis.tick_count - 1], axis.to, slack);
    for (int k = 0; k < axis.tick_count; ++k) {
      double steps = axis.tick[k] / axis.step;
      ck_assert_double_eq_tol(steps, round(steps), 1e-6);
    }
  }
}

TAC_TEST(tight_axis_keeps_its_range) {
  tacAxis axis = tac_axis_linear(0.3, 19.7, true, 10, "s");
  ck_assert_double_eq(axis.from, 0.3);
  ck_assert_double_eq(axis.to, 19.7);
  ck_assert_int_eq(axis.tick_count, 9);
  ck_assert_double_eq_tol(axis.tick[0], 2.0, 1e-12);
  ck_assert_double_eq_tol(axis.tick[8], 18.0, 1e-12);
}

TAC_TEST(logarithmic_ticks_are_round_and_inside) {
  static const double logs[][2] = {{2.1e-6, 3e-3}, {0.49, 500.0}, {1e-14, 3.0}, {0.7, 2e6}, {1e-300, 1e300}};
  for (int i = 0; i < 5; ++i) {
    tacAxis axis = tac_axis_logarithmic(logs[i][0], logs[i][1], TAC_AXIS_PREFIXED, "s");
    ck_assert_int_ge(axis.tick_count, 3);
    for (int k = 0; k < axis.tick_count; ++k) {
      ck_assert(is_round(axis.tick[k]));
      ck_assert(axis.tick[k] >= logs[i][0] && axis.tick[k] <= logs[i][1]);
      ck_assert(k == 0 || axis.tick[k] > axis.tick[k - 1]);
    }
    ck_assert_double_eq_tol(tac_axis_place(&axis, sqrt(logs[i][0]) * sqrt(logs[i][1])), 0.5, 1e-9);
  }
}

TAC_TEST(any_range_gives_places_from_0_to_1) {
  static const double odd[] = {NAN, INFINITY, -INFINITY, 0.0, -1.0, 1e308, -1e308};
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) {
      tacAxis axes[2] = {tac_axis_linear(odd[i], odd[j], false, 5, "N"),
                         tac_axis_logarithmic(odd[i], odd[j], TAC_AXIS_PREFIXED, "N")};
      for (int a = 0; a < 2; ++a) {
        ck_assert(isfinite(axes[a].from) && axes[a].from < axes[a].to);
        for (int k = 0; k < 7; ++k) {
          double place = tac_axis_place(&axes[a], odd[k]);
          ck_assert(place >= 0.0 && place <= 1.0);
        }
        for (int k = 0; k < axes[a].tick_count; ++k) ck_assert_uint_gt(strlen(tac_axis_label(&axes[a], k).text), 0);
      }
    }
  }
}

TAC_TEST(labels_are_short_and_share_the_unit_of_the_name) {
  tacAxis axis = tac_axis_linear(-0.0042, 0.0061, false, 5, "N");
  ck_assert_str_eq(tac_axis_unit(&axis).text, "mN");
  ck_assert_str_eq(tac_axis_label(&axis, 0).text, "−6");
  ck_assert_str_eq(tac_axis_label(&axis, 3).text, "0");
  axis = tac_axis_linear(0.0, 0.45, false, 5, "");
  ck_assert_str_eq(tac_axis_label(&axis, 1).text, "0.1");
  axis = tac_axis_logarithmic(1e-6, 1e-3, TAC_AXIS_PREFIXED, "s");
  ck_assert_str_eq(tac_axis_label(&axis, 0).text, "1 µs");
  ck_assert_str_eq(tac_axis_label(&axis, axis.tick_count - 1).text, "1 ms");
  axis = tac_axis_logarithmic(1e-12, 1.0, TAC_AXIS_POWERS, "N²/Hz");
  ck_assert_str_eq(tac_axis_label(&axis, 0).text, "10⁻¹²");
  ck_assert_str_eq(tac_axis_unit(&axis).text, "N²/Hz");
}

TAC_TEST(values_have_three_digits_and_a_prefix) {
  static const struct {
    double value;
    const char *unit, *text;
  } cases[] = {{6.1e-6, "s", "6.10 µs"},   {0.99999e-3, "s", "1.00 ms"}, {-0.0123, "J", "−12.3 mJ"}, {0.0, "N", "0 N"},
               {1000.0, "Hz", "1.00 kHz"}, {70.04, "%", "70.0 %"},       {123.4, "m", "123 m"},      {3.0, "", "3.00"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    ck_assert_str_eq(tac_axis_value(cases[i].value, cases[i].unit).text, cases[i].text);
}
