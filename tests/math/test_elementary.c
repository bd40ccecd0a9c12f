/* Against the C library, in steps of the last digit; and the same bits at every width. */
#include "math/elementary.h"

#include "base/lanes.h"
#include "math/random.h"
#include "test.h"

enum { COUNT = 37 };

/* |is - right| in units of the last place. */
static double places(double is, double right) {
  return fabs(is - right) / (nextafter(fabs(right), INFINITY) - fabs(right));
}

TAC_TEST(exp_is_that_of_the_library) {
  tacRandom random = tac_random_seed(1);
  static const double spread[] = {1e-8, 0.1, 1.0, 30.0, 700.0};
  for (int s = 0; s < 5; ++s)
    for (int i = 0; i < (tac_test_light() ? 2000 : 100000); ++i) {
      double x = tac_random_uniform(&random, -spread[s], spread[s]);
      ck_assert_msg(places(tac_elementary_exp(x), exp(x)) <= 2.0, "e^%.17g is %.17g, not %.17g", x,
                    tac_elementary_exp(x), exp(x));
    }
  ck_assert_double_eq(tac_elementary_exp(0.0), 1.0);
  ck_assert_double_eq(tac_elementary_exp(-INFINITY), tac_elementary_exp(-700.0));
  ck_assert_double_eq(tac_elementary_exp(INFINITY), tac_elementary_exp(700.0));
  ck_assert(isnan(tac_elementary_exp(NAN)));
}

TAC_TEST(log_is_that_of_the_library) {
  tacRandom random = tac_random_seed(2);
  static const double spread[] = {1e-8, 0.1, 1.0, 30.0, 680.0};
  for (int s = 0; s < 5; ++s)
    for (int i = 0; i < (tac_test_light() ? 2000 : 100000); ++i) {
      double x = exp(tac_random_uniform(&random, -spread[s], spread[s]));
      ck_assert_msg(places(tac_elementary_log(x), log(x)) <= 2.0, "ln %.17g is %.17g, not %.17g", x,
                    tac_elementary_log(x), log(x));
    }
  ck_assert_double_eq(tac_elementary_log(1.0), 0.0);
  for (int k = -900; k <= 900; ++k)
    ck_assert_double_le(places(tac_elementary_log(ldexp(1.0, k)), log(ldexp(1.0, k))), 2.0);
  ck_assert(isnan(tac_elementary_log(NAN)) && isnan(tac_elementary_log(INFINITY)));
}

TAC_LANES_BODY void both_lanes(const int doubles, const double *restrict x, double *restrict exps,
                               double *restrict logs) {
  (void)doubles;
  for (int i = 0; i < COUNT; ++i) exps[i] = tac_elementary_exp(x[i]);
  for (int i = 0; i < COUNT; ++i) logs[i] = tac_elementary_log(exps[i]);
}
TAC_LANES_KERNEL(static, both, (const double *x, double *exps, double *logs), x, exps, logs)

TAC_TEST(every_width_has_the_same_bits) {
  tacRandom random = tac_random_seed(3);
  double x[COUNT], exps[COUNT], logs[COUNT];
  for (int trial = 0; trial < 50; ++trial)
    for (int most = 2; most <= 8; most *= 2) {
      for (int i = 0; i < COUNT; ++i) x[i] = tac_random_uniform(&random, -700.0, 700.0);
      tac_lanes_limit(most);
      both(x, exps, logs);
      tac_lanes_limit(TAC_LANES_8);
      for (int i = 0; i < COUNT; ++i) {
        volatile double one = x[i]; /* alone */
        ck_assert_double_eq(exps[i], tac_elementary_exp(one));
        one = exps[i];
        ck_assert_double_eq(logs[i], tac_elementary_log(one));
      }
    }
}
