/* Random parameters and deformation gradients for tests of hyperelastic laws: whatever the registry has. */
#pragma once

#include "elastic/laws/hyper_laws.h"
#include "elastic/laws/hyper_point.h"
#include "math/random_matrix.h"
#include "test.h"

/* Within each range, at most 4 in size, until the law takes them. */
static inline void sample_parameters(const tacHyperLaw *law, tacRandom *random, double *p) {
  do
    for (int i = 0; i < law->parameter_count; ++i)
      p[i] = tac_random_uniform(random, fmax(law->parameters[i].above, -4.0), fmin(law->parameters[i].most, 4.0));
  while (tac_hyper_law_check(law, p, NULL) != TAC_OK);
}

/* Two rotations about stretches that differ by up to `spread`, and with the determinant j. */
static inline tacMat3 sample_gradient(tacRandom *random, double spread, double j) {
  double s[3], product = 1.0;
  for (int a = 0; a < 3; ++a) {
    s[a] = exp(tac_random_uniform(random, -0.5 * log(spread), 0.5 * log(spread)));
    product *= s[a];
  }
  double scale = cbrt(fabs(j) / product);
  tacMat3 u = random_rotation(random), v = random_rotation(random);
  tacMat3 stretch = tac_mat3_diagonal(scale * s[0], scale * s[1], j < 0.0 ? -scale * s[2] : scale * s[2]);
  return tac_mat3_mul(u, tac_mat3_mul(stretch, v));
}
