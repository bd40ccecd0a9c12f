#include "base/remaining_time.h"

#include <math.h>
#include <stdbool.h>

static const double least_elapsed = 5.0, least_agreed = 3.0; /* s */
static const double tolerance = 1.3;                         /* of one estimate over the other */
static const double first_interval = 0.2;                    /* s */

void tac_remaining_time_begin(tacRemainingTime *remaining) {
  *remaining = (tacRemainingTime){.interval = first_interval, .agreed = -1.0};
}

static void add_sample(tacRemainingTime *r, double elapsed, double fraction) {
  if (r->count > 0 && elapsed < r->times[r->count - 1] + r->interval) return;
  if (r->count == TAC_REMAINING_TIME_SAMPLES) { /* every other one is enough */
    r->count /= 2;
    for (int i = 0; i < r->count; ++i) {
      r->times[i] = r->times[2 * i];
      r->fractions[i] = r->fractions[2 * i];
    }
    r->interval *= 2.0;
  }
  r->times[r->count] = elapsed;
  r->fractions[r->count++] = fraction;
}

double tac_remaining_time_update(tacRemainingTime *r, double elapsed, double fraction) {
  add_sample(r, elapsed, fraction);
  int begin = 0, recent = 0;
  while (recent + 1 < r->count && 3.0 * r->times[recent + 1] <= 2.0 * elapsed) ++recent;
  double done = fraction - r->fractions[begin], lately = fraction - r->fractions[recent];
  bool known = recent > begin && done > 0.0 && lately > 0.0 && fraction < 1.0;
  double mean = known ? (elapsed - r->times[begin]) * (1.0 - fraction) / done : INFINITY;
  double late = known ? (elapsed - r->times[recent]) * (1.0 - fraction) / lately : INFINITY;
  if (!known || fmax(mean, late) > tolerance * fmin(mean, late)) {
    r->agreed = -1.0;
    return -1.0;
  }
  if (r->agreed < 0.0) r->agreed = elapsed;
  return elapsed >= least_elapsed && elapsed >= r->agreed + least_agreed ? fmax(mean, late) : -1.0;
}
