/* What the contacts that obey laws did over a run: how many there were, and how well their solver did. */
#pragma once

#include <tactus/world.h>
#include "app/cli/report/envelope.h"
#include "base/histogram.h"

/* One quantity of the ticks that had such contacts. */
typedef struct tacLawSeries {
  tacEnvelope over_time;
  tacHistogram histogram; /* of `unit` times the values, which suits its bins */
  double unit;
} tacLawSeries;

typedef struct tacLawTrace {
  tacLawSeries contacts, sweeps, residual, residual_force; /* residuals: m, N */
  int64_t ticks, unsolved;                                 /* that had such contacts; of these, those not solved */
} tacLawTrace;

/* Of a run of `ticks`; `trace` is zeroed. Its curves are among `arrays`. */
void tac_law_trace_begin(tacArrays *arrays, int64_t ticks, tacLawTrace *trace);
void tac_law_trace_add(tacLawTrace *trace, int64_t tick, const tacTickReport *report);

double tac_law_series_most(const tacLawSeries *series);
/* The value that a fraction of the ticks do not exceed, within 0.5 %. */
double tac_law_series_percentile(const tacLawSeries *series, double fraction);
