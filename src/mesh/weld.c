#include "mesh/weld.h"

#include <stdint.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"

/* Points that stay themselves, chained by the hash of their grid cell; the cell of a zero distance is the point. */
typedef struct Grid {
  double distance;
  const tacVec3 *points;
  size_t mask;
  int *heads; /* -1: none */
  int *next;
} Grid;

static double cell_of(const Grid *grid, double x) {
  /* + 0.0 makes one zero of both */
  return (grid->distance > 0.0 ? floor(x / grid->distance) : x) + 0.0;
}

static size_t hash_cell(const Grid *grid, double x, double y, double z) {
  const double cell[3] = {x + 0.0, y + 0.0, z + 0.0};
  uint64_t words[3], hash = 0;
  memcpy(words, cell, sizeof words);
  for (int i = 0; i < 3; ++i) {
    hash = (hash ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 32;
  }
  return (size_t)hash & grid->mask;
}

static void find_in_bucket(const Grid *grid, size_t bucket, int point, int *nearest, double *least2) {
  tacVec3 p = grid->points[point];
  for (int i = grid->heads[bucket]; i >= 0; i = grid->next[i]) {
    double d2 = tac_vec3_norm2(tac_vec3_sub(grid->points[i], p));
    if (d2 < *least2 || (d2 == *least2 && (*nearest < 0 || i < *nearest))) {
      *least2 = d2;
      *nearest = i;
    }
  }
}

static int find_near(const Grid *grid, int point, const double cell[3]) {
  int nearest = -1;
  double least2 = grid->distance * grid->distance;
  if (grid->distance == 0.0) {
    find_in_bucket(grid, hash_cell(grid, cell[0], cell[1], cell[2]), point, &nearest, &least2);
    return nearest;
  }
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      for (int k = -1; k <= 1; ++k)
        find_in_bucket(grid, hash_cell(grid, cell[0] + i, cell[1] + j, cell[2] + k), point, &nearest, &least2);
    }
  }
  return nearest;
}

tacStatus tac_weld_points(int count, const tacVec3 *points, double distance, int *target, int *welded,
                          tacError *error) {
  size_t bucket_count = 16;
  while (bucket_count < (size_t)count) bucket_count *= 2;
  Grid grid = {.distance = distance, .points = points, .mask = bucket_count - 1};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  grid.heads = tac_arrays_add(&work, bucket_count, sizeof *grid.heads);
  grid.next = tac_arrays_add(&work, (size_t)count, sizeof *grid.next);
  TAC_TRY(tac_arrays_status(&work, "a grid of vertices", error));
  *welded = 0;
  for (size_t b = 0; b < bucket_count; ++b) grid.heads[b] = -1;
  for (int p = 0; p < count; ++p) {
    const double cell[3] = {cell_of(&grid, points[p].x), cell_of(&grid, points[p].y), cell_of(&grid, points[p].z)};
    int near = find_near(&grid, p, cell);
    target[p] = near >= 0 ? near : p;
    if (near >= 0) {
      ++*welded;
      continue;
    }
    size_t bucket = hash_cell(&grid, cell[0], cell[1], cell[2]);
    grid.next[p] = grid.heads[bucket];
    grid.heads[bucket] = p;
  }
  return TAC_OK;
}
