/* Another way to say that the laws hold than contact/laws/coulomb.h's. */
#pragma once

#include <math.h>

/* How far f is from the projection of f - rho (u_n + mu |u_t|, u_t) onto its cone, in newtons: zero where the laws
 * hold (de Saxce and Feng 1998), and another way to say so than ours. */
static inline double natural_map(const double u[3], const double f[3], double mu, double rho) {
  double x[3], slip = sqrt(u[1] * u[1] + u[2] * u[2]);
  x[0] = f[0] - rho * (u[0] + mu * slip);
  x[1] = f[1] - rho * u[1];
  x[2] = f[2] - rho * u[2];
  double t = sqrt(x[1] * x[1] + x[2] * x[2]), normal = (x[0] + mu * t) / (1.0 + mu * mu);
  if (t > mu * x[0] || x[0] < 0.0) {
    double scale = normal > 0.0 ? mu * normal / t : 0.0;
    x[0] = fmax(normal, 0.0);
    x[1] *= scale;
    x[2] *= scale;
  }
  return sqrt((x[0] - f[0]) * (x[0] - f[0]) + (x[1] - f[1]) * (x[1] - f[1]) + (x[2] - f[2]) * (x[2] - f[2]));
}
