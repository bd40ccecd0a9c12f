/* Points of one level, placed by hand, that all face one way. */
#pragma once

#include "asset/pointshell.h"
#include "test.h"

static inline tacPointshell *make_points(int count, const tacVec3 *positions, tacVec3 normal, double area) {
  TAC_MEMORY(tacVec3, normals) = calloc((size_t)count, sizeof *normals);
  TAC_MEMORY(int, level_of) = calloc((size_t)count, sizeof *level_of);
  TAC_MEMORY(double, areas) = calloc((size_t)count, sizeof *areas);
  for (int i = 0; i < count; ++i) normals[i] = normal, areas[i] = area;
  tacPointshellParts parts = {count, 1, positions, normals, level_of, areas};
  return tac_test_made(tacPointshell *, tac_pointshell_create(&parts, NULL, &made, &error));
}
