#include "base/histogram.h"

#include <math.h>

static const double least = 1e-9;
static const double log_width = 0.00995033085316808; /* ln 1.01 */

void tac_histogram_add(tacHistogram *histogram, double value) {
  int bin = 0;
  if (value > least) {
    double position = log(value / least) / log_width;
    bin = position < TAC_HISTOGRAM_BINS - 1 ? (int)position : TAC_HISTOGRAM_BINS - 1;
  }
  ++histogram->bins[bin];
  ++histogram->count;
  if (value > histogram->largest) histogram->largest = value;
}

double tac_histogram_percentile(const tacHistogram *histogram, double fraction) {
  double wanted = fmax(1.0, fraction * (double)histogram->count);
  int64_t passed = 0;
  for (int bin = 0; bin < TAC_HISTOGRAM_BINS; ++bin) {
    passed += histogram->bins[bin];
    if ((double)passed >= wanted) return fmin(histogram->largest, least * exp((bin + 0.5) * log_width));
  }
  return histogram->largest;
}
