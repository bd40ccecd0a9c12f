/* A smooth way from 0 to 1: without a step in value or slope, and never back. */
#pragma once

#include <math.h>
#include <stdint.h>

/* t^2 (3 - 2 t), 0 before t = 0 (and for NaN) and 1 after t = 1. */
static inline double tac_ramp(double t) {
  if (!(t > 0.0)) return 0.0;
  return t < 1.0 ? t * t * (3.0 - 2.0 * t) : 1.0;
}

/* Ticks that a ramp of so many seconds takes, at least one. What rounding adds to whole periods makes no tick. */
static inline int64_t tac_ramp_ticks(double seconds, double period) {
  return (int64_t)fmax(1.0, ceil(seconds / period - 1e-6));
}
