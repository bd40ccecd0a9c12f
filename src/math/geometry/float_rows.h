/* Three rows of floats, as displacements of a point by a body's coordinates are kept. */
#pragma once

#include "math/geometry/float4.h"
#include "math/geometry/vec3.h"

/* rows [3][stride] times x [stride], in doubles; stride is a multiple of four. Four floats become doubles at once,
 * since gcc 12 takes pairs apart for that; sums are of pairs, since compilers may keep fours in memory. */
static inline tacVec3 tac_float_rows_mul(const float *rows, int stride, const double *x) {
  typedef double Two __attribute__((vector_size(16)));
  typedef double Four __attribute__((vector_size(32)));
  Two sums[6] = {{0.0, 0.0}};
  for (int j = 0; j < stride; j += 4) {
    Two low, high;
    memcpy(&low, x + j, sizeof low);
    memcpy(&high, x + j + 2, sizeof high);
    for (int axis = 0; axis < 3; ++axis) {
      Four u = __builtin_convertvector(tac_float4_load(rows + axis * stride + j), Four);
      sums[2 * axis] += __builtin_shufflevector(u, u, 0, 1) * low;
      sums[2 * axis + 1] += __builtin_shufflevector(u, u, 2, 3) * high;
    }
  }
  for (int axis = 0; axis < 3; ++axis) sums[axis] = sums[2 * axis] + sums[2 * axis + 1];
  return tac_vec3(sums[0][0] + sums[0][1], sums[1][0] + sums[1][1], sums[2][0] + sums[2][1]);
}
