#include "app/cli/report/law_trace.h"

#include <math.h>

/* Bins reach from 1e-9 to 100: counts to 10^8, residuals from 1e-15 m to 0.1 mm and from 1e-12 N to 0.1 N; what is larger is
 * told by the largest. */
void tac_law_trace_begin(tacArrays *arrays, int64_t ticks, tacLawTrace *trace) {
  tacLawSeries *series[] = {&trace->contacts, &trace->sweeps, &trace->residual, &trace->residual_force};
  static const double units[] = {1e-6, 1e-6, 1e6, 1e3};
  for (int i = 0; i < 4; ++i) {
    series[i]->unit = units[i];
    tac_envelope_begin(arrays, ticks, 1000, &series[i]->over_time);
  }
}

/* Numbers in a file may be anything: what is not finite, or less than 0, counts as 0. */
static void add(tacLawSeries *series, int64_t tick, double value) {
  value = value > 0.0 && isfinite(value) ? value : 0.0;
  tac_envelope_add(&series->over_time, tick, value);
  tac_histogram_add(&series->histogram, series->unit * value);
}

void tac_law_trace_add(tacLawTrace *trace, int64_t tick, const tacTickReport *report) {
  if (report->laws <= 0) return;
  ++trace->ticks;
  trace->unsolved += report->unsolved > 0;
  add(&trace->contacts, tick, report->laws);
  add(&trace->sweeps, tick, report->sweeps);
  add(&trace->residual, tick, report->residual);
  add(&trace->residual_force, tick, report->residual_force);
}

double tac_law_series_most(const tacLawSeries *series) {
  return series->histogram.largest / series->unit;
}

double tac_law_series_percentile(const tacLawSeries *series, double fraction) {
  return tac_histogram_percentile(&series->histogram, fraction) / series->unit;
}
