#include "app/cli/report/xy_path.h"

#include <math.h>
#include "test.h"

/* An ellipse that is run through many times keeps its extent to the last digit. */
TAC_TEST(loop_keeps_its_extent) {
  enum { STRETCHES = 50 };
  const int count = 30000;
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  tacXyPath path;
  double x[5 * STRETCHES], y[5 * STRETCHES], most[2] = {0.0, 0.0}, kept[2] = {0.0, 0.0};
  tac_xy_path_begin(&arrays, count, STRETCHES, &path);
  for (int i = 0; i < count; ++i) {
    double a = 3.0 * cos(0.013 * i), b = 2.0 * sin(0.013 * i);
    tac_xy_path_add(&path, i, a, b);
    most[0] = fmax(most[0], a);
    most[1] = fmax(most[1], b);
  }
  int points = tac_xy_path_points(&path, x, y);
  ck_assert_int_le(points, 5 * STRETCHES);
  for (int i = 0; i < points; ++i) {
    ck_assert(isfinite(x[i]));
    ck_assert_double_eq_tol(x[i] * x[i] / 9.0 + y[i] * y[i] / 4.0, 1.0, 1e-12);
    kept[0] = fmax(kept[0], x[i]);
    kept[1] = fmax(kept[1], y[i]);
  }
  ck_assert_double_eq(kept[0], most[0]);
  ck_assert_double_eq(kept[1], most[1]);
}

TAC_TEST(pieces_are_kept_apart) {
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  tacXyPath path;
  double x[50], y[50];
  tac_xy_path_begin(&arrays, 10, 10, &path);
  for (int i = 0; i < 10; ++i) {
    if (i == 4 || i == 5) tac_xy_path_lift(&path);
    if (i != 4) tac_xy_path_add(&path, i, i, i == 7 ? NAN : 1.0);
  }
  int points = tac_xy_path_points(&path, x, y), breaks = 0;
  for (int i = 0; i < points; ++i) breaks += isnan(x[i]);
  ck_assert_int_eq(breaks, 1);
  ck_assert(isnan(x[4]));
}
