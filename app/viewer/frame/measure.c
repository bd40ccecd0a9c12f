#include "app/viewer/frame/measure.h"

#include "base/clock.h"

void tac_measure_begin(tacMeasure *m) {
  *m = (tacMeasure){.since = tac_clock_now()};
}

void tac_measure_add(tacMeasure *m, int count, const tacTickSample *samples, double period) {
  for (int i = 0; i < count; ++i) {
    double compute = (double)samples[i].compute, late = (double)samples[i].late;
    tac_histogram_add(&m->compute, compute);
    tac_histogram_add(&m->late, late);
    m->missed_by_computation += compute > period;
    m->missed_by_lateness += compute <= period && compute + late > period;
  }
  m->counted += count;
  int64_t now = tac_clock_now();
  if (now - m->since < TAC_NS_PER_SECOND / 2) return;
  m->rate = (double)m->counted / tac_clock_seconds(now - m->since);
  m->counted = 0;
  m->since = now;
}

void tac_measure_read(const tacMeasure *m, tacFrameNumbers *numbers) {
  numbers->servo_rate = m->rate;
  numbers->tick_p50 = tac_histogram_percentile(&m->compute, 0.5);
  numbers->tick_p99 = tac_histogram_percentile(&m->compute, 0.99);
  numbers->tick_p999 = tac_histogram_percentile(&m->compute, 0.999);
  numbers->tick_max = m->compute.largest;
  numbers->late_p99 = tac_histogram_percentile(&m->late, 0.99);
  numbers->late_max = m->late.largest;
  numbers->missed_by_computation = m->missed_by_computation;
  numbers->missed_by_lateness = m->missed_by_lateness;
}
