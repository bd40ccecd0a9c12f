/* Defines a smooth ramp from 0 to 1, monotonic and continuous in value and slope. */
#pragma once

#include <math.h>
#include <stdint.h>

/* Returns t^2 (3 - 2 t) for t from 0 to 1. Returns 0 for smaller t and NaN, and 1 for larger t. */
static inline double tac_ramp(double t) {
  if (!(t > 0.0)) return 0.0;
  return t < 1.0 ? t * t * (3.0 - 2.0 * t) : 1.0;
}

/* Returns the number of ticks of a ramp of `seconds`, at least 1. Rounding errors of whole periods add no tick. */
static inline int64_t tac_ramp_ticks(double seconds, double period) {
  return (int64_t)fmax(1.0, ceil(seconds / period - 1e-6));
}
