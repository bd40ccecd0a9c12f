/* A smooth way from 0 to 1: without a step in value or slope, and never back. */
#ifndef TAC_SERVO_RAMP_H
#define TAC_SERVO_RAMP_H

/* t^2 (3 - 2 t), 0 before t = 0 (and for NaN) and 1 after t = 1. */
static inline double tac_ramp(double t) {
  if (!(t > 0.0)) return 0.0;
  return t < 1.0 ? t * t * (3.0 - 2.0 * t) : 1.0;
}

#endif
