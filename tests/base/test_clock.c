#include "base/clock.h"

#include <math.h>
#include <signal.h>
#include <sys/time.h>
#include "test.h"

TAC_TEST(time_never_goes_back) {
  int64_t last = tac_clock_now();
  for (int i = 0; i < 100000; ++i) {
    int64_t now = tac_clock_now();
    ck_assert(now >= last);
    last = now;
  }
}

TAC_TEST(sleep_ends_at_the_given_time_or_later) {
  int64_t until = tac_clock_now() + 20 * 1000 * 1000;
  tac_clock_sleep_until(until);
  ck_assert(tac_clock_now() >= until);
}

TAC_TEST(a_time_that_has_passed_is_no_sleep) {
  /* Ends at all: a relative sleep of this length would take decades. */
  tac_clock_sleep_until(tac_clock_now() - 1);
  tac_clock_sleep_until(0);
  tac_clock_sleep_until(-1);
}

static volatile sig_atomic_t alarms;

static void count_alarm(int number) {
  (void)number;
  ++alarms;
}

TAC_TEST(signals_do_not_end_a_sleep) {
  signal(SIGALRM, count_alarm);
  struct itimerval often = {.it_interval = {.tv_usec = 5000}, .it_value = {.tv_usec = 5000}}, never = {0};
  int64_t until = tac_clock_now() + 50 * 1000 * 1000;
  setitimer(ITIMER_REAL, &often, NULL);
  tac_clock_sleep_until(until);
  int64_t end = tac_clock_now();
  setitimer(ITIMER_REAL, &never, NULL);
  signal(SIGALRM, SIG_DFL);
  ck_assert(end >= until);
  ck_assert_int_gt(alarms, 0);
}

TAC_TEST(conversions_round_and_saturate) {
  ck_assert_double_eq(tac_clock_seconds(1500000000), 1.5);
  ck_assert(tac_clock_nanoseconds(1.5) == 1500000000);
  ck_assert(tac_clock_nanoseconds(0.6e-9) == 1);
  ck_assert(tac_clock_nanoseconds(-0.6e-9) == -1);
  ck_assert(tac_clock_nanoseconds(1e300) == INT64_MAX);
  ck_assert(tac_clock_nanoseconds(-INFINITY) == INT64_MIN);
  ck_assert(tac_clock_nanoseconds(NAN) == 0);
  struct timespec time = tac_clock_timespec(2 * TAC_NS_PER_SECOND + 7);
  ck_assert_int_eq(time.tv_sec, 2);
  ck_assert_int_eq(time.tv_nsec, 7);
}
