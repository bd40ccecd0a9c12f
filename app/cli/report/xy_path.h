/* A long path in a plane in few points: of each stretch of time the four that reach farthest, so that loops keep their
 * extent. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "base/memory/array.h"

typedef struct tacXyPoint {
  double x, y;
  int64_t at;
} tacXyPoint;

typedef struct tacXyStretch {
  bool used, begins;      /* begins: not joined to the stretch before */
  tacXyPoint farthest[4]; /* least x, greatest x, least y, greatest y */
} tacXyStretch;

typedef struct tacXyPath {
  int64_t count;
  int stretches;
  bool lifted;
  tacXyStretch *stretch;
} tacXyPath;

/* Indices of time run from 0 to count - 1. Its stretches are among `arrays`. */
void tac_xy_path_begin(tacArrays *arrays, int64_t count, int stretches, tacXyPath *path);
void tac_xy_path_add(tacXyPath *path, int64_t index, double x, double y);
void tac_xy_path_lift(tacXyPath *path); /* the next point begins a new piece */
/* At most 5 a stretch; a NaN stands between pieces. Returns how many. */
int tac_xy_path_points(const tacXyPath *path, double *x, double *y);
