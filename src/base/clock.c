#include "base/clock.h"

#include <errno.h>
#include <math.h>

static int64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * TAC_NS_PER_SECOND + now.tv_nsec;
}

int64_t tac_clock_now(void) {
  return read_clock(CLOCK_MONOTONIC);
}

int64_t tac_clock_thread(void) {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

void tac_clock_sleep_until(int64_t time) {
  if (time <= 0) return;
  struct timespec until = tac_clock_timespec(time);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) continue;
}

int64_t tac_clock_nanoseconds(double seconds) {
  double nanoseconds = round(seconds * 1e9);
  if (isnan(nanoseconds)) return 0;
  if (nanoseconds >= 0x1p63) return INT64_MAX;
  if (nanoseconds < -0x1p63) return INT64_MIN;
  return (int64_t)nanoseconds;
}
