/* Counts of positive values in bins that are 1 % wide, for percentiles of times: fixed size, no allocation. Any phase. */
#pragma once

#include <stdint.h>

/* From 1 ns to 100 s; smaller values (0 too) are in the first bin, larger ones in the last. */
enum { TAC_HISTOGRAM_BINS = 2548 };

typedef struct tacHistogram {
  int64_t bins[TAC_HISTOGRAM_BINS];
  int64_t count;
  double largest;
} tacHistogram;

/* A zeroed struct is empty. What is not a number counts as 0. */
void tac_histogram_add(tacHistogram *histogram, double value);
/* The value that a fraction of all do not exceed, within 0.5 %; never more than the largest. 0 where it is empty. */
double tac_histogram_percentile(const tacHistogram *histogram, double fraction);
