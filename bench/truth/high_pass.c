#include "bench/truth/high_pass.h"

#include <math.h>

tacHighPass tac_high_pass_begin(double frequency, double period) {
  double w = tan(M_PI * frequency * period), norm = 1.0 / (1.0 + M_SQRT2 * w + w * w);
  return (tacHighPass){.b = norm, .a1 = 2.0 * (w * w - 1.0) * norm, .a2 = (1.0 - M_SQRT2 * w + w * w) * norm};
}

double tac_high_pass_square(tacHighPass *f, tacVec3 signal) {
  const double x[3] = {signal.x, signal.y, signal.z};
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    double y = f->b * (x[i] - 2.0 * f->in[i][0] + f->in[i][1]) - f->a1 * f->out[i][0] - f->a2 * f->out[i][1];
    f->in[i][1] = f->in[i][0];
    f->in[i][0] = x[i];
    f->out[i][1] = f->out[i][0];
    f->out[i][0] = y;
    sum += y * y;
  }
  return sum;
}
