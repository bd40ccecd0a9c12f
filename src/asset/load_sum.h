/* sum_j D_j c_j of a sample: the separated form of a load field. The same bits for whoever adds. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>
#include "base/lanes.h"

typedef int16_t tacLoadLanes __attribute__((vector_size(16)));
typedef int32_t tacLoadWide __attribute__((vector_size(32)));
typedef float tacLoadFloats __attribute__((vector_size(32)));

/* `rank` is a multiple of 8. */
TAC_LANES_BODY float tac_load_sum(const int16_t *shape, const float *coefficients, int rank) {
  tacLoadFloats sum = {0.0f};
  for (int j = 0; j < rank; j += 8) {
    tacLoadLanes narrow;
    tacLoadFloats c;
    memcpy(&narrow, shape + j, sizeof narrow);
    memcpy(&c, coefficients + j, sizeof c);
    sum += __builtin_convertvector(__builtin_convertvector(narrow, tacLoadWide), tacLoadFloats) * c;
  }
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/* In whole multiples of a unit. */
TAC_LANES_BODY int16_t tac_load_sum_whole(const int16_t *shape, const float *coefficients, int rank, float per_unit) {
  const float most = 32767.0f, units = tac_load_sum(shape, coefficients, rank) * per_unit;
  const float below = units < most ? units : most; /* fminf and fmaxf would be called */
  return (int16_t)lrintf(below > -most ? below : -most);
}
