/* Points of a surface in cubic cells, to find those near a place. Offline. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>
#include "base/memory/array.h"

typedef struct tacPointEntry {
  tacVec3 position;
  float normal[3]; /* unit, outward */
  int point;
  int row[2]; /* of its cell: y, z */
} tacPointEntry;

/* Cells are hashed so that those of a row along x are side by side. */
typedef struct tacPointCells {
  double size; /* of a cell, m */
  uint32_t mask;
  int *
      first; /* [bucket]: its entries are first[b] .. first[b + 1], by number; after the last, how many points there are */
  tacPointEntry *entries;
  int *place; /* [point], while cells are filled: its bucket, then its entry */
  tacArrays arrays;
} tacPointCells;

/* Room for `most` points. To be freed on failure, too. */
tacStatus tac_point_cells_create(int most, tacPointCells *cells, tacError *error);
void tac_point_cells_free(tacPointCells *cells); /* a zeroed struct is allowed */
void tac_point_cells_fill(tacPointCells *cells, double size, int count, const tacVec3 *positions,
                          const tacVec3 *normals);

/* Entries begin .. end; of those, the ones with this row are in the cells that were asked for. */
typedef struct tacPointRange {
  int begin, end;
  int row[2];
} tacPointRange;
enum { TAC_POINT_RANGES = 18 };
static inline bool tac_point_range_holds(const tacPointRange *range, const tacPointEntry *entry) {
  return entry->row[0] == range->row[0] && entry->row[1] == range->row[1];
}
/* The cell of `p` and the 26 around it: all points nearer than a cell's size are among them, each once. Returns how many. */
int tac_point_cells_around(const tacPointCells *cells, tacVec3 p, tacPointRange ranges[TAC_POINT_RANGES]);

/* How much two points of a surface are on the same side of the body: 1 where their normals are less than 114 degrees apart, 0
 * beyond 143 degrees. The two sides of a thin sheet are near each other in space only. */
static inline double tac_same_side(const float a[3], const float b[3]) {
  const double opposite = -0.8, same = -0.4;
  double cosine = (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
  double t = (cosine - opposite) / (same - opposite);
  return t >= 1.0 ? 1.0 : t <= 0.0 ? 0.0 : t * t * (3.0 - 2.0 * t);
}

/* The nearest of the points that are more than half on the same side as `normal`, other than `except` (-1: none), and its
 * distance; where there is none, the nearest of all. -1, infinitely far, where there are no points. */
int tac_point_cells_nearest(const tacPointCells *cells, tacVec3 p, const float normal[3], int except, double *distance);
