/* What the ticks of a running world cost, since it was started. */
#pragma once

#include <tactus/servo.h>
#include "app/viewer/frame/frame.h"
#include "base/histogram.h"

typedef struct tacMeasure {
  tacHistogram compute, late;
  int64_t missed_by_computation, missed_by_lateness;
  int64_t counted, since; /* ticks since a moment (ns), for the rate */
  double rate;            /* Hz */
} tacMeasure;

void tac_measure_begin(tacMeasure *measure);
/* New samples; `period` in s. Call it many times a second: the rate is that of the last half. */
void tac_measure_add(tacMeasure *measure, int count, const tacTickSample *samples, double period);
/* Fills what it knows. */
void tac_measure_read(const tacMeasure *measure, tacFrameNumbers *numbers);
