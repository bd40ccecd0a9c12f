/* Random 3x3 matrices and rotations for tests. */
#pragma once

#include "math/geometry/quat.h"
#include "math/random.h"

static inline tacMat3 random_matrix(tacRandom *random) {
  tacMat3 a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a.m[i][j] = tac_random_normal(random);
  return a;
}

static inline tacMat3 random_rotation(tacRandom *random) {
  double w = tac_random_normal(random);
  tacVec3 v = tac_random_normal3(random);
  return tac_quat_to_mat3(tac_quat_normalise(tac_quat(w, v.x, v.y, v.z)));
}

static inline double mat3_distance(tacMat3 a, tacMat3 b) {
  return tac_mat3_norm(tac_mat3_sub(a, b));
}
