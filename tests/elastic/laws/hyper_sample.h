/* Random parameters and deformation gradients for tests of hyperelastic laws: whatever the registry has. */
#pragma once

#include "elastic/laws/hyper_laws.h"
#include "elastic/laws/hyper_point.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "test.h"

/* Within each range, at most 4 in size, until the law takes them. */
static inline void sample_parameters(const tacHyperLaw *law, tacRandom *random, double *p) {
  do
    for (int i = 0; i < law->parameter_count; ++i)
      p[i] = tac_random_uniform(random, fmax(law->parameters[i].above, -4.0), fmin(law->parameters[i].most, 4.0));
  while (tac_hyper_law_check(law, p, NULL) != TAC_OK);
}

static inline tacMat3 sample_rotation(tacRandom *random) {
  tacQuat q;
  q.w = tac_random_normal(random);
  q.x = tac_random_normal(random);
  q.y = tac_random_normal(random);
  q.z = tac_random_normal(random);
  q = tac_quat_normalise(q);
  tacVec3 x = tac_quat_rotate(q, tac_vec3(1.0, 0.0, 0.0)), y = tac_quat_rotate(q, tac_vec3(0.0, 1.0, 0.0));
  return tac_mat3_from_columns(x, y, tac_vec3_cross(x, y));
}

/* Two rotations about stretches that differ by up to `spread`, and with the determinant j. */
static inline tacMat3 sample_gradient(tacRandom *random, double spread, double j) {
  double s[3], product = 1.0;
  for (int a = 0; a < 3; ++a) {
    s[a] = exp(tac_random_uniform(random, -0.5 * log(spread), 0.5 * log(spread)));
    product *= s[a];
  }
  double scale = cbrt(fabs(j) / product);
  tacMat3 u = sample_rotation(random), v = sample_rotation(random);
  tacMat3 stretch = tac_mat3_diagonal(scale * s[0], scale * s[1], j < 0.0 ? -scale * s[2] : scale * s[2]);
  return tac_mat3_mul(u, tac_mat3_mul(stretch, v));
}
