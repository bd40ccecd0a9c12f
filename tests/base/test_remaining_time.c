#include "base/remaining_time.h"

#include <math.h>
#include "test.h"

/* Even work from one moment and share to another, in twentieths of a second; the last answer. `promised` gets the least. */
static double work(tacRemainingTime *r, double *time, double seconds, double from, double to, double *promised) {
  double left = -1.0;
  int steps = (int)lround(20.0 * seconds);
  for (int i = 1; i <= steps; ++i) {
    *time += 0.05;
    left = tac_remaining_time_update(r, *time, from + (to - from) * i / steps);
    if (left >= 0.0 && promised != NULL) *promised = fmin(*promised, left);
  }
  return left;
}

TAC_TEST(steady_work_has_an_estimate_after_five_seconds) {
  tacRemainingTime r;
  double time = 0.0, promised = INFINITY;
  tac_remaining_time_begin(&r);
  ck_assert_double_lt(tac_remaining_time_update(&r, 0.0, 0.0), 0.0);
  ck_assert_double_lt(work(&r, &time, 4.9, 0.0, 0.049, &promised), 0.0);
  ck_assert_double_eq(promised, INFINITY);
  for (int i = 1; i < 10; ++i) { /* 100 s in all */
    double left = work(&r, &time, 10.0, 0.049 + 0.1 * (i - 1), 0.049 + 0.1 * i, NULL);
    ck_assert_double_eq_tol(left, 95.1 - 10.0 * i, 0.01 * left);
  }
}

/* The first half in a second, the second in 50 s: an average rate would promise 1 s for a long time. */
TAC_TEST(work_that_slows_down_has_no_estimate) {
  tacRemainingTime r;
  double time = 0.0, promised = INFINITY;
  tac_remaining_time_begin(&r);
  work(&r, &time, 1.0, 0.0, 0.5, &promised);
  ck_assert_double_lt(work(&r, &time, 50.0, 0.5, 1.0, &promised), 0.0);
  ck_assert_double_eq(promised, INFINITY);
}

TAC_TEST(an_estimate_ends_when_the_work_stalls) {
  tacRemainingTime r;
  double time = 0.0;
  tac_remaining_time_begin(&r);
  ck_assert_double_eq_tol(work(&r, &time, 20.0, 0.0, 0.5, NULL), 20.0, 0.1);
  ck_assert_double_lt(work(&r, &time, 5.0, 0.5, 0.5, NULL), 0.0);
}

/* After a change of rate, when the mean is near the new rate again, and for 3 s. */
TAC_TEST(an_estimate_returns_after_a_stall) {
  tacRemainingTime r;
  double time = 0.0;
  tac_remaining_time_begin(&r);
  work(&r, &time, 10.0, 0.0, 0.1, NULL);
  ck_assert_double_lt(work(&r, &time, 10.0, 0.1, 0.3, NULL), 0.0);
  double left = work(&r, &time, 30.0, 0.3, 0.9, NULL);
  ck_assert_double_ge(left, 5.0);
  ck_assert_double_le(left, 7.0);
}
