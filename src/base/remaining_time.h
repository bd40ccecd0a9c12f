/* The remaining time of long work, estimated only while the work goes on at a steady rate. */
#pragma once

#define TAC_REMAINING_TIME_SAMPLES 32

typedef struct tacRemainingTime {
  double times[TAC_REMAINING_TIME_SAMPLES];     /* s since the start, */
  double fractions[TAC_REMAINING_TIME_SAMPLES]; /* and what was done then */
  int count;
  double interval; /* s between samples */
  double agreed;   /* s since the start: since when both estimates agree; < 0: they do not */
} tacRemainingTime;

/* Also forgets what went before. */
void tac_remaining_time_begin(tacRemainingTime *remaining);

/* The remaining time in s, or -1 where it is not known. `elapsed` is in s since the start, `fraction` in [0, 1]; neither falls
 * from call to call. Two estimates are compared: by the mean rate since the start, and by the rate over the last third of the
 * elapsed time. They must have agreed within 30 % for 3 s, and 5 s must have passed. The longer one is returned. */
double tac_remaining_time_update(tacRemainingTime *remaining, double elapsed, double fraction);
