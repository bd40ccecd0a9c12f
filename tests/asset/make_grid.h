/* Grids and fields that sample a function, for the tests of several rooms. */
#pragma once

#include <tactus/distance_field.h>
#include "math/geometry/vec3.h"
#include "test.h"

/* n nodes a side over the cube [-half, half]^3; values are malloc'ed. */
static inline tacGrid make_grid(int n, double half, double (*function)(tacVec3)) {
  tacGrid grid = {n, n, n, {-half, -half, -half}, 2.0 * half / (n - 1), malloc((size_t)(n * n * n) * sizeof(float))};
  for (int i = 0; i < n * n * n; ++i)
    grid.values[i] = (float)function(tac_vec3_mad(grid.origin, grid.spacing, tac_vec3(i % n, i / n % n, i / n / n)));
  return grid;
}

static inline tacDistanceField *make_grid_field(int n, double half, double (*function)(tacVec3)) {
  tacGrid grid = make_grid(n, half, function);
  tacDistanceField *field = NULL;
  tac_test_ok(tac_distance_field_from_grid(&grid, &field, &error), error);
  return field;
}
