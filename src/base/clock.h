/* Time that never goes back: nanoseconds since an arbitrary moment, as int64_t (292 years). Any phase. */
#pragma once

#include <stdint.h>
#include <time.h>

#define TAC_NS_PER_SECOND INT64_C(1000000000)

int64_t tac_clock_now(void);
/* Processor time that the calling thread has used: what it computed, without the time in which others had its core. */
int64_t tac_clock_thread(void);

/* Returns at `time` or a little later, at once where it has passed; interruptions by signals do not shorten it. Absolute,
 * so that the errors of a periodic loop do not add up. */
void tac_clock_sleep_until(int64_t time);

static inline double tac_clock_seconds(int64_t nanoseconds) {
  return (double)nanoseconds * 1e-9;
}

/* To the nearest nanosecond; what int64_t cannot hold (and NaN) becomes the nearest that it can (and 0). */
int64_t tac_clock_nanoseconds(double seconds);

/* For system calls that take CLOCK_MONOTONIC. `time` is not negative. */
static inline struct timespec tac_clock_timespec(int64_t time) {
  return (struct timespec){.tv_sec = (time_t)(time / TAC_NS_PER_SECOND), .tv_nsec = (long)(time % TAC_NS_PER_SECOND)};
}
