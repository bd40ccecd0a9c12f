#include "bake/points/point_cells.h"

#include <string.h>
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

enum { MOST_REACH = 8 }; /* cells; fewer than the smallest table has */

static int cell_of(const tacPointCells *cells, double x) {
  return (int)fmax(fmin(floor(x / cells->size), 1e9), -1e9);
}

static uint32_t bucket_of(const tacPointCells *cells, int x, int y, int z) {
  uint32_t row = (uint32_t)y * 0x9e3779b1u ^ (uint32_t)z * 0x85ebca77u;
  return ((row ^ row >> 15) + (uint32_t)x) & cells->mask;
}

tacStatus tac_point_cells_create(int most, tacPointCells *cells, tacError *error) {
  uint32_t buckets = 64;
  while (buckets < (uint32_t)most && buckets < 1u << 30) buckets *= 2;
  *cells = (tacPointCells){.size = 1.0, .mask = buckets - 1};
  cells->first = tac_arrays_add(&cells->arrays, (size_t)buckets + 2, sizeof *cells->first);
  cells->entries = tac_arrays_add(&cells->arrays, (size_t)most, sizeof *cells->entries);
  cells->place = tac_arrays_add(&cells->arrays, (size_t)most, sizeof *cells->place);
  return tac_arrays_status(&cells->arrays, "cells of points", error);
}

void tac_point_cells_free(tacPointCells *cells) {
  tac_arrays_free(&cells->arrays);
  *cells = (tacPointCells){0};
}

enum { POINTS = 4096 }; /* that a thread takes at a time */

typedef struct Fill {
  const tacPointCells *cells;
  const tacVec3 *positions, *normals;
} Fill;

static void find_buckets(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Fill *fill = context;
  const tacPointCells *cells = fill->cells;
  for (size_t i = begin; i < end; ++i) {
    tacVec3 p = fill->positions[i];
    cells->place[i] = (int)bucket_of(cells, cell_of(cells, p.x), cell_of(cells, p.y), cell_of(cells, p.z));
  }
}

static void write_entries(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Fill *fill = context;
  const tacPointCells *cells = fill->cells;
  for (size_t i = begin; i < end; ++i) {
    tacVec3 p = fill->positions[i], n = fill->normals[i];
    cells->entries[cells->place[i]] =
        (tacPointEntry){p, {(float)n.x, (float)n.y, (float)n.z}, (int)i, {cell_of(cells, p.y), cell_of(cells, p.z)}};
  }
}

void tac_point_cells_fill(tacPointCells *cells, double size, int count, const tacVec3 *positions,
                          const tacVec3 *normals) {
  Fill fill = {cells, positions, normals};
  cells->size = size;
  tac_parallel_do((size_t)count, POINTS, find_buckets, &fill);
  memset(cells->first, 0, ((size_t)cells->mask + 2) * sizeof *cells->first);
  /* Sums of counts are ends and, filled downward, beginnings. */
  for (int i = 0; i < count; ++i) ++cells->first[cells->place[i]];
  int sum = 0;
  for (size_t b = 0; b <= (size_t)cells->mask; ++b) {
    sum += cells->first[b];
    cells->first[b] = sum;
  }
  cells->first[(size_t)cells->mask + 1] = sum;
  for (int i = count - 1; i >= 0; --i) cells->place[i] = --cells->first[cells->place[i]];
  tac_parallel_do((size_t)count, POINTS, write_entries, &fill);
}

/* The cells x - reach .. x + reach of a row; one range, or two where they run over the end of the table. */
static int ranges_of_row(const tacPointCells *cells, int x, int y, int z, int reach, tacPointRange ranges[2]) {
  uint32_t begin = bucket_of(cells, x - reach, y, z), end = begin + 2 * (uint32_t)reach + 1, buckets = cells->mask + 1;
  ranges[0] = (tacPointRange){cells->first[begin], cells->first[end < buckets ? end : buckets], {y, z}};
  if (end <= buckets) return 1;
  ranges[1] = (tacPointRange){cells->first[0], cells->first[end - buckets], {y, z}};
  return 2;
}

int tac_point_cells_around(const tacPointCells *cells, tacVec3 p, tacPointRange ranges[TAC_POINT_RANGES]) {
  int x = cell_of(cells, p.x), y = cell_of(cells, p.y), z = cell_of(cells, p.z), count = 0;
  for (int k = z - 1; k <= z + 1; ++k)
    for (int j = y - 1; j <= y + 1; ++j) count += ranges_of_row(cells, x, j, k, 1, &ranges[count]);
  return count;
}

typedef struct Search {
  tacVec3 p;
  const float *normal;
  int except;
  int best[2]; /* on the same side, of all; -1: none yet */
  double least2[2];
} Search;

static void look_at(const tacPointEntry *e, Search *s) {
  double d2 = tac_vec3_norm2(tac_vec3_sub(e->position, s->p));
  /* Equally near: the lower number, whatever the order of the cells. */
  if (e->point == s->except) return;
  if (d2 < s->least2[1] || (d2 == s->least2[1] && e->point < s->best[1])) {
    s->best[1] = e->point;
    s->least2[1] = d2;
  }
  if ((d2 < s->least2[0] || (d2 == s->least2[0] && e->point < s->best[0])) &&
      tac_same_side(e->normal, s->normal) > 0.5) {
    s->best[0] = e->point;
    s->least2[0] = d2;
  }
}

static void look_in_cells(const tacPointCells *cells, int reach, Search *s) {
  int x = cell_of(cells, s->p.x), y = cell_of(cells, s->p.y), z = cell_of(cells, s->p.z);
  for (int k = z - reach; k <= z + reach; ++k)
    for (int j = y - reach; j <= y + reach; ++j) {
      tacPointRange ranges[2];
      int count = ranges_of_row(cells, x, j, k, reach, ranges);
      for (int r = 0; r < count; ++r)
        for (int e = ranges[r].begin; e < ranges[r].end; ++e)
          if (tac_point_range_holds(&ranges[r], &cells->entries[e])) look_at(&cells->entries[e], s);
    }
}

int tac_point_cells_nearest(const tacPointCells *cells, tacVec3 p, const float normal[3], int except,
                            double *distance) {
  Search s = {p, normal, except, {-1, -1}, {INFINITY, INFINITY}};
  int reach = 1;
  for (; reach <= MOST_REACH; reach *= 2) {
    look_in_cells(cells, reach, &s);
    double free_distance = reach * cells->size;
    if (s.best[0] >= 0 && s.least2[0] <= free_distance * free_distance) break;
  }
  if (reach > MOST_REACH)
    for (int e = 0; e < cells->first[(size_t)cells->mask + 1]; ++e) look_at(&cells->entries[e], &s);
  int side = s.best[0] >= 0 ? 0 : 1;
  *distance = sqrt(s.least2[side]);
  return s.best[side];
}
