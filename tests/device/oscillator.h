/* m x'' + b x' + k x = f from rest, by the roots of m s^2 + b s + k = 0. */
#pragma once

#include <complex.h>

static inline double step_response(double m, double b, double k, double f, double t) {
  double complex root = csqrt(b * b - 4.0 * m * k), s = (-b + root) / (2.0 * m), r = (-b - root) / (2.0 * m);
  return f / k * (1.0 - creal((r * cexp(s * t) - s * cexp(r * t)) / (r - s)));
}
