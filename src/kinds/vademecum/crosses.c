#include "kinds/vademecum/crosses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/float4.h"

enum { LARGEST = 32767 };

/* Returns the largest magnitude in a column. */
static float largest_of(const float *column) {
  tacFloat4 most = tac_float4(0.0f);
  for (int i = 0; i < TAC_CROSSES_ROWS; i += 4)
    most = tac_float4_max(most, tac_float4_abs(tac_float4_load(column + i)));
  return fmaxf(fmaxf(most[0], most[1]), fmaxf(most[2], most[3]));
}

/* Subtracts `factor` times `shape` from `column`. Returns the largest magnitude in the new column. */
static float subtract(float *column, const float *shape, float factor) {
  tacFloat4 most = tac_float4(0.0f);
  for (int i = 0; i < TAC_CROSSES_ROWS; i += 4) {
    tacFloat4 left = tac_float4_load(column + i) - tac_float4(factor) * tac_float4_load(shape + i);
    memcpy(column + i, &left, sizeof left);
    most = tac_float4_max(most, tac_float4_abs(left));
  }
  return fmaxf(fmaxf(most[0], most[1]), fmaxf(most[2], most[3]));
}

static int largest_at(const float *column, float most) {
  int i = 0;
  while (i < TAC_CROSSES_ROWS - 1 && fabsf(column[i]) < most) ++i;
  return i;
}

static tacStatus reserve(tacCrosses *crosses, size_t capacity[3], int columns, tacError *error) {
  size_t rank = (size_t)crosses->rank + 1;
  TAC_TRY(tac_array_reserve((void **)&crosses->shapes, &capacity[0], rank * TAC_CROSSES_ROWS, sizeof *crosses->shapes,
                            "a load field", error));
  TAC_TRY(tac_array_reserve((void **)&crosses->loads, &capacity[1], rank * (size_t)columns, sizeof *crosses->loads,
                            "a load field", error));
  return tac_array_reserve((void **)&crosses->scales, &capacity[2], rank, sizeof *crosses->scales, "a load field",
                           error);
}

tacStatus tac_crosses_find(int columns, float *r, float tolerance, tacCrosses *crosses, tacError *error) {
  *crosses = (tacCrosses){0};
  size_t capacity[3] = {0, 0, 0};
  TAC_MEMORY(float, most) = NULL;
  TAC_TRY(TAC_ARRAY(most, (size_t)columns, "a load field", error));
  for (int c = 0; c < columns; ++c) most[c] = largest_of(r + (size_t)c * TAC_CROSSES_ROWS);
  for (;;) {
    int best = 0;
    for (int c = 1; c < columns; ++c)
      if (most[c] > most[best]) best = c;
    crosses->error = most[best];
    /* Without rounding errors, a step per row would suffice. The limit is twice this number, so that later steps can
     * correct rounding errors. */
    if (!(most[best] > tolerance) || crosses->rank >= 2 * TAC_CROSSES_ROWS) return TAC_OK;
    TAC_TRY(reserve(crosses, capacity, columns, error));
    const float *pivot_column = r + (size_t)best * TAC_CROSSES_ROWS;
    const int row = largest_at(pivot_column, most[best]);
    const float pivot = pivot_column[row], unit = most[best] / (float)LARGEST;
    int16_t *shape = crosses->shapes + (size_t)crosses->rank * TAC_CROSSES_ROWS;
    int16_t *load = crosses->loads + (size_t)crosses->rank * (size_t)columns;
    float rounded[TAC_CROSSES_ROWS];
    crosses->scales[crosses->rank++] = unit / (float)LARGEST;
    for (int i = 0; i < TAC_CROSSES_ROWS; ++i) {
      shape[i] = (int16_t)lrintf(fmaxf(-(float)LARGEST, fminf(pivot_column[i] / unit, (float)LARGEST)));
      rounded[i] = (float)shape[i] * unit;
    }
    for (int c = 0; c < columns; ++c) {
      float *column = r + (size_t)c * TAC_CROSSES_ROWS, share = column[row] / pivot;
      load[c] = (int16_t)lrintf(fmaxf(-1.0f, fminf(share, 1.0f)) * (float)LARGEST);
      if (load[c] != 0) most[c] = subtract(column, rounded, (float)load[c] / (float)LARGEST);
    }
  }
}

void tac_crosses_free(tacCrosses *crosses) {
  free(crosses->shapes);
  free(crosses->loads);
  free(crosses->scales);
  *crosses = (tacCrosses){0};
}
