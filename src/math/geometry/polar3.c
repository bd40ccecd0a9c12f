#include "math/geometry/polar3.h"

#include <stddef.h>
#include "math/geometry/svd3.h"

tacMat3 tac_polar3(tacMat3 a, tacMat3 *stretch) {
  tacSvd3 svd = tac_svd3_rotations(a);
  if (stretch != NULL) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) sum += svd.v.m[i][k] * svd.s[k] * svd.v.m[j][k];
        stretch->m[i][j] = stretch->m[j][i] = sum;
      }
  }
  return tac_mat3_mul(svd.u, tac_mat3_transpose(svd.v));
}
