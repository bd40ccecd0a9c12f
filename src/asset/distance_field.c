#include "asset/distance_field.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "asset/analytic_field.h"
#include "base/error.h"
#include "base/files/bake_check.h"
#include "base/lanes.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacDistanceField, tac_distance_field_destroy)

typedef enum { GRID, ANALYTIC, UNION } Kind;

/* Samples as queries read them. Memory comes in lines of 64 bytes, and a query waits for those that hold its cell. A line has
 * 4 x 2 x 2 samples, the fourth along x being the first of the next line too: so pairs along x are never apart, and a
 * cell lies in one line (a quarter of them), in two (half) or in four, 2.25 on average, where rows of the grid would be four
 * lines in two pages. They take 4/3 of the grid's memory, in large pages. */
enum { LINE = 16, LINE_X = 4, LINE_Y = 2, LINE_Z = 2 };

/* Of a row or layer: where it begins in the lines, and how far behind it the next one does, in samples. */
typedef struct {
  ptrdiff_t at, next;
} Step;

typedef struct {
  tacGrid grid;
  tacBox box;
  double per_metre;                /* voxels a metre */
  double last[3];                  /* numbers of the last nodes */
  double boundary;                 /* d_boundary of inequality 3.14 */
  const float *lines;              /* at a multiple of their size */
  uint32_t along_row, along_layer; /* from a line to the next along y and z, in quarters of lines */
  Step *rows, *layers;             /* [ny - 1], [nz - 1] */
  ptrdiff_t *columns;              /* [nx - 1]: where a pair begins in a row */
  tacArrays arrays;                /* these, and the memory of the lines */
} GridField;

typedef struct {
  int count;
  tacDistanceField **parts;
  tacAnalyticPart *analytic; /* [count] the same where all parts are analytic; else NULL */
} UnionField;

struct tacDistanceField {
  Kind kind;
  union {
    GridField grid;
    tacAnalyticPart analytic;
    UnionField parts;
  } of;
  tacBakeChecks checks;
};

static tacStatus create(const tacDistanceField *made, tacDistanceField **result, tacError *error) {
  TAC_TRY(TAC_ARRAY(*result, 1, "a distance field", error));
  **result = *made;
  return TAC_OK;
}

void tac_distance_field_destroy(tacDistanceField *field) {
  if (field == NULL) return;
  if (field->kind == GRID) {
    free(field->of.grid.grid.values);
    tac_arrays_free(&field->of.grid.arrays);
  }
  if (field->kind == UNION) {
    for (int i = 0; i < field->of.parts.count; ++i) tac_distance_field_destroy(field->of.parts.parts[i]);
    free(field->of.parts.parts);
    free(field->of.parts.analytic);
  }
  free(field);
}

/* ---- making fields ---- */

static size_t node_index(const tacGrid *grid, int i, int j, int k) {
  return ((size_t)k * (size_t)grid->ny + (size_t)j) * (size_t)grid->nx + (size_t)i;
}

/* The surface may come nearer to the box between samples than at them: on a face the next one is half a diagonal
 * away at most, and a distance changes by no more than the way. */
static double least_on_boundary(const tacGrid *grid) {
  double smallest = INFINITY;
  for (int k = 0; k < grid->nz; ++k)
    for (int j = 0; j < grid->ny; ++j) {
      bool whole_row = k == 0 || k == grid->nz - 1 || j == 0 || j == grid->ny - 1;
      for (int i = 0; i < grid->nx; i += whole_row ? 1 : grid->nx - 1)
        smallest = fmin(smallest, grid->values[node_index(grid, i, j, k)]);
    }
  return smallest - sqrt(0.5) * grid->spacing;
}

/* Where the cell i, j, k begins, in samples, */
static inline ptrdiff_t place_of_cell(const GridField *g, uint32_t i, uint32_t j, uint32_t k) {
  const uint32_t third = i / (LINE_X - 1);
  const uint32_t quarters = (k >> 1) * g->along_layer + (j >> 1) * g->along_row + 4 * third + (k & 1) * 2 + (j & 1);
  return (ptrdiff_t)(4 * (uint64_t)quarters + (i - (LINE_X - 1) * third));
}
/* and how far behind it the next row and layer are. No branches: they would be guessed wrong. */
static inline ptrdiff_t way_to_row(const GridField *g, uint32_t j) {
  return (ptrdiff_t)(4 * (uint64_t)(1 + (-(j & 1) & (g->along_row - 2))));
}
static inline ptrdiff_t way_to_layer(const GridField *g, uint32_t k) {
  return (ptrdiff_t)(4 * (uint64_t)(2 + (-(k & 1) & (g->along_layer - 4))));
}

typedef struct {
  const GridField *field;
  float *values;
} Lines;

static void fill_layers(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Lines *lines = context;
  const GridField *g = lines->field;
  const tacGrid *grid = &g->grid;
  for (size_t k = begin; k < end; ++k)
    for (int j = 0; j < grid->ny; ++j) {
      const float *from = grid->values + node_index(grid, 0, j, (int)k);
      float *to = lines->values + place_of_cell(g, 0, (uint32_t)j, (uint32_t)k);
      for (int i = 0; i < grid->nx - 1; i += LINE_X - 1, to += LINE)
        for (int x = 0; x < LINE_X && i + x < grid->nx; ++x) to[x] = from[i + x];
    }
}

/* Samples in lines, of which what is beyond the grid is never read, and where in them things are. */
static tacStatus make_lines(GridField *g, tacError *error) {
  const tacGrid *grid = &g->grid;
  const int last_x = grid->nx - 1, last_y = grid->ny - 1, last_z = grid->nz - 1;
  const size_t along_x = ((size_t)last_x + LINE_X - 2) / (LINE_X - 1), along_y = ((size_t)grid->ny + 1) / LINE_Y;
  const size_t count = along_x * along_y * (((size_t)grid->nz + 1) / LINE_Z);
  if (count > UINT32_MAX / 4)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "a grid of %d x %d x %d nodes is too large; at most about 2^33 "
                         "nodes are possible",
                         grid->nx, grid->ny, grid->nz);
  g->rows = tac_arrays_add(&g->arrays, (size_t)last_y, sizeof *g->rows);
  g->layers = tac_arrays_add(&g->arrays, (size_t)last_z, sizeof *g->layers);
  g->columns = tac_arrays_add(&g->arrays, (size_t)last_x, sizeof *g->columns);
  float *memory = tac_arrays_add(&g->arrays, count + 1, LINE * sizeof *memory);
  TAC_TRY(tac_arrays_status(&g->arrays, "a distance field", error));
  float *lines = memory + (-(uintptr_t)memory / sizeof *lines) % LINE;
  g->lines = lines;
  g->along_row = (uint32_t)(4 * along_x);
  g->along_layer = (uint32_t)(4 * along_x * along_y);
  for (int i = 0; i < last_x; ++i) g->columns[i] = place_of_cell(g, (uint32_t)i, 0, 0);
  for (int j = 0; j < last_y; ++j) g->rows[j] = (Step){place_of_cell(g, 0, (uint32_t)j, 0), way_to_row(g, (uint32_t)j)};
  for (int k = 0; k < last_z; ++k)
    g->layers[k] = (Step){place_of_cell(g, 0, 0, (uint32_t)k), way_to_layer(g, (uint32_t)k)};
  tac_parallel_do((size_t)grid->nz, 4, fill_layers, &(Lines){g, lines});
  return TAC_OK;
}

tacStatus tac_distance_field_from_grid(const tacGrid *grid, tacDistanceField **field, tacError *error) {
  TAC_REQUIRE(error, field);
  *field = NULL;
  TAC_REQUIRE(error, grid);
  if (grid->nx < 2 || grid->ny < 2 || grid->nz < 2)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a grid of %d x %d x %d nodes is too small; each side needs at "
                         "least 2",
                         grid->nx, grid->ny, grid->nz);
  if (!(grid->spacing > 0.0) || !isfinite(grid->spacing) || !tac_vec3_finite(grid->origin))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the grid spacing is %g m; it must be positive", grid->spacing);
  size_t count = (size_t)grid->nx * (size_t)grid->ny * (size_t)grid->nz;
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(grid->values[i])) return tac_error_set(error, TAC_ERR_ARGUMENT, "value %zu is NaN or infinite", i);
  TAC_OWN(tacDistanceField, made) = NULL;
  TAC_TRY(create(&(tacDistanceField){.kind = GRID}, &made, error));
  GridField *g = &made->of.grid;
  g->grid = *grid;
  g->per_metre = 1.0 / grid->spacing;
  g->box.lower = grid->origin;
  g->box.upper = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(grid->nx - 1, grid->ny - 1, grid->nz - 1));
  g->last[0] = grid->nx - 1, g->last[1] = grid->ny - 1, g->last[2] = grid->nz - 1;
  g->boundary = least_on_boundary(grid);
  tacStatus status = make_lines(g, error);
  if (status == TAC_OK)
    *field = tac_give(&made);
  else
    g->grid.values = NULL; /* the caller's */
  return status;
}

static tacStatus create_analytic(tacAnalyticPart part, tacDistanceField **result, tacError *error) {
  return create(&(tacDistanceField){.kind = ANALYTIC, .of.analytic = part}, result, error);
}

tacStatus tac_distance_field_plane(tacVec3 normal, double offset, tacDistanceField **field, tacError *error) {
  TAC_REQUIRE(error, field);
  *field = NULL;
  double length = tac_vec3_norm(normal);
  if (!(length > 0.0) || !isfinite(length) || !isfinite(offset))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a plane needs a finite offset and a normal that is not zero");
  const tacVec3 zero = {0.0, 0.0, 0.0}, unit = tac_vec3_scale(1.0 / length, normal);
  return create_analytic((tacAnalyticPart){TAC_ANALYTIC_PLANE, unit, zero, offset / length}, field, error);
}

tacStatus tac_distance_field_sphere(tacVec3 centre, double radius, tacDistanceField **field, tacError *error) {
  TAC_REQUIRE(error, field);
  return tac_distance_field_capsule(centre, centre, radius, field, error);
}

tacStatus tac_distance_field_capsule(tacVec3 a, tacVec3 b, double radius, tacDistanceField **field, tacError *error) {
  TAC_REQUIRE(error, field);
  *field = NULL;
  if (!(radius >= 0.0) || !isfinite(radius) || !tac_vec3_finite(a) || !tac_vec3_finite(b))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the radius is %g m; it must be finite and 0 or more", radius);
  return create_analytic((tacAnalyticPart){TAC_ANALYTIC_CAPSULE, a, b, radius}, field, error);
}

tacStatus tac_distance_field_box(tacBox box, tacDistanceField **field, tacError *error) {
  TAC_REQUIRE(error, field);
  *field = NULL;
  if (!tac_vec3_finite(box.lower) || !tac_vec3_finite(box.upper) || box.lower.x > box.upper.x ||
      box.lower.y > box.upper.y || box.lower.z > box.upper.z)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a box must be finite with its lower corner below its upper one");
  return create_analytic((tacAnalyticPart){TAC_ANALYTIC_BOX, box.lower, box.upper, 0.0}, field, error);
}

tacStatus tac_distance_field_union(int part_count, tacDistanceField *const *parts, tacDistanceField **field,
                                   tacError *error) {
  TAC_REQUIRE(error, field);
  *field = NULL;
  TAC_REQUIRE(error, parts);
  if (part_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a union cannot have %d fields; at least 1 is "
                         "needed",
                         part_count);
  for (int i = 0; i < part_count; ++i)
    if (parts[i] == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "field %d of a union is NULL", i);
  TAC_OWN(tacDistanceField, made) = NULL;
  TAC_TRY(create(&(tacDistanceField){.kind = UNION}, &made, error));
  UnionField *joined = &made->of.parts;
  TAC_TRY(TAC_ARRAY(joined->parts, (size_t)part_count, "a union of fields", error));
  int analytic = 0;
  while (analytic < part_count && parts[analytic]->kind == ANALYTIC) ++analytic;
  if (analytic == part_count) {
    TAC_TRY(TAC_ARRAY(joined->analytic, (size_t)part_count, "a union of fields", error));
    for (int i = 0; i < part_count; ++i) joined->analytic[i] = parts[i]->of.analytic;
  }
  joined->count = part_count; /* the union owns the parts from here on */
  memcpy(joined->parts, parts, (size_t)part_count * sizeof *parts);
  *field = tac_give(&made);
  return TAC_OK;
}

const tacGrid *tac_distance_field_grid(const tacDistanceField *field) {
  return field != NULL && field->kind == GRID ? &field->of.grid.grid : NULL;
}

double tac_distance_field_boundary(const tacDistanceField *field) {
  return field->kind == GRID ? field->of.grid.boundary : 0.0;
}

const tacBakeChecks *tac_distance_field_checks(const tacDistanceField *field) {
  return field != NULL ? &field->checks : NULL;
}

void tac_distance_field_set_checks(tacDistanceField *field, const tacBakeChecks *checks) {
  field->checks = *checks;
}

void tac_distance_field_add_checks(tacDistanceField *field, const tacBakeChecks *more) {
  tac_bake_checks_join(&field->checks, more);
}

int tac_distance_field_part_count(const tacDistanceField *field) {
  return field->kind == UNION ? field->of.parts.count : 0;
}

const tacDistanceField *tac_distance_field_part(const tacDistanceField *field, int part) {
  return field->of.parts.parts[part];
}

/* ---- queries ---- */

/* From the nearest point of the box to `p`: zero inside. */
static tacVec3 outside_of_box(tacBox box, tacVec3 p) {
  return tac_vec3_sub(p, tac_vec3_min(tac_vec3_max(p, box.lower), box.upper));
}

/* The cell that holds a point, as its first sample and the ways to the next row and layer, and the place in it in
 * [0, 1]^3. */
typedef struct {
  const float *v;
  ptrdiff_t row, layer;
  double x, y, z;
} Cell;

static inline Cell cell_at(const GridField *g, int i, int j, int k, double x, double y, double z) {
  const Step row = g->rows[j], layer = g->layers[k];
  return (Cell){g->lines + g->columns[i] + row.at + layer.at, row.next, layer.next, x - i, y - j, z - k};
}

/* False where the point is outside the grid's box. A point on an upper face is in the last cell: that rare case and the
 * outside share the slow path. */
TAC_LANES_BODY bool find_cell(const GridField *g, double px, double py, double pz, Cell *cell) {
  double x = (px - g->grid.origin.x) * g->per_metre;
  double y = (py - g->grid.origin.y) * g->per_metre;
  double z = (pz - g->grid.origin.z) * g->per_metre;
  const double last_x = g->last[0], last_y = g->last[1], last_z = g->last[2];
  if (__builtin_expect((x >= 0.0) & (x < last_x) & (y >= 0.0) & (y < last_y) & (z >= 0.0) & (z < last_z), 1)) {
    *cell = cell_at(g, (int)x, (int)y, (int)z, x, y, z);
    return true;
  }
  if (!(x >= 0.0 && x <= last_x && y >= 0.0 && y <= last_y && z >= 0.0 && z <= last_z)) return false;
  *cell = cell_at(g, (int)x - (x == last_x), (int)y - (y == last_y), (int)z - (z == last_z), x, y, z);
  return true;
}

/* Two neighbours along x side by side: the eight samples of a cell are four rows, and most of the work is done on
 * both ends of a row at once. */
typedef float FloatRow __attribute__((vector_size(8)));
typedef double Row __attribute__((vector_size(16)));
typedef double TwoRows __attribute__((vector_size(32)));

static inline void load_rows(const float *v, ptrdiff_t stride, Row *first, Row *second) {
  FloatRow a, b;
  memcpy(&a, v, sizeof a);
  memcpy(&b, v + stride, sizeof b);
  /* Both rows are converted together, which compilers do in two instructions. */
  TwoRows both = __builtin_convertvector(__builtin_shufflevector(a, b, 0, 1, 2, 3), TwoRows);
  *first = __builtin_shufflevector(both, both, 0, 1);
  *second = __builtin_shufflevector(both, both, 2, 3);
}

static inline Row mix_rows(Row a, Row b, double t) {
  return a + t * (b - a);
}

static inline double mix_row(Row row, double t) {
  return row[0] + t * (row[1] - row[0]);
}

/* Inequality 3.14. No branches: loops over many points use it too. */
TAC_LANES_BODY double outside_value(const GridField *g, double px, double py, double pz) {
  const tacVec3 away = outside_of_box(g->box, tac_vec3(px, py, pz));
  const double bound = tac_vec3_norm(away) + g->boundary;
  const bool finite = (fabs(px) <= DBL_MAX) & (fabs(py) <= DBL_MAX) & (fabs(pz) <= DBL_MAX);
  return finite ? bound : INFINITY;
}

static inline double cell_value(Cell c) {
  Row v00, v10, v01, v11; /* by their y and z */
  load_rows(c.v, c.row, &v00, &v10);
  load_rows(c.v + c.layer, c.row, &v01, &v11);
  return mix_row(mix_rows(mix_rows(v00, v10, c.y), mix_rows(v01, v11, c.y), c.z), c.x);
}

/* Coordinates go one by one: in registers. */
TAC_LANES_BODY void grid_value_lanes(const int doubles, const GridField *g, double px, double py, double pz,
                                     double *value) {
  (void)doubles;
  Cell cell;
  *value = find_cell(g, px, py, pz, &cell) ? cell_value(cell) : outside_value(g, px, py, pz);
}
TAC_LANES_KERNEL(static inline, grid_value, (const GridField *g, double px, double py, double pz, double *value), g, px,
                 py, pz, value)

/* Points that are looked up together. All cells are asked for before the first is needed: memory answers many at a time. */
enum { BLOCK = 64 };

TAC_LANES_BODY void values_one_by_one(const GridField *g, int count, const tacVec3 *points, double *values) {
  Cell cells[BLOCK];
  for (int i = 0; i < count; ++i) {
    cells[i].v = NULL;
    if (!find_cell(g, points[i].x, points[i].y, points[i].z, &cells[i])) continue;
    __builtin_prefetch(cells[i].v);
    __builtin_prefetch(cells[i].v + cells[i].row);
    __builtin_prefetch(cells[i].v + cells[i].layer);
    __builtin_prefetch(cells[i].v + cells[i].layer + cells[i].row);
  }
  for (int i = 0; i < count; ++i)
    values[i] = cells[i].v != NULL ? cell_value(cells[i]) : outside_value(g, points[i].x, points[i].y, points[i].z);
}

/* Cells of some points: their places in [0, 1]^3, and their four rows of two samples. Points outside the box have the grid's
 * first cell. */
typedef struct {
  _Alignas(64) double x[BLOCK], y[BLOCK], z[BLOCK];
  _Alignas(64) float rows[4][2 * BLOCK];
  _Alignas(64) ptrdiff_t at[BLOCK], row[BLOCK], layer[BLOCK];
  _Alignas(64) double values[BLOCK];
  _Alignas(64) double outside[BLOCK]; /* 0 or 1 */
} Cells;

/* The same as find_cell, in a loop that compilers turn into one over many points. Returns whether a point is outside. */
TAC_LANES_BODY bool find_cells(const GridField *field, int count, const tacVec3 *points, Cells *restrict cells) {
  const GridField g = *field;
  double outside = 0.0;
  for (int n = 0; n < count; ++n) {
    double x = (points[n].x - g.grid.origin.x) * g.per_metre;
    double y = (points[n].y - g.grid.origin.y) * g.per_metre;
    double z = (points[n].z - g.grid.origin.z) * g.per_metre;
    bool inside = (x >= 0.0) & (x <= g.last[0]) & (y >= 0.0) & (y <= g.last[1]) & (z >= 0.0) & (z <= g.last[2]);
    x = inside ? x : 0.0;
    y = inside ? y : 0.0;
    z = inside ? z : 0.0;
    int i = (int)x - (x == g.last[0]), j = (int)y - (y == g.last[1]), k = (int)z - (z == g.last[2]);
    cells->x[n] = x - i;
    cells->y[n] = y - j;
    cells->z[n] = z - k;
    cells->at[n] = place_of_cell(&g, (uint32_t)i, (uint32_t)j, (uint32_t)k);
    cells->row[n] = way_to_row(&g, (uint32_t)j);
    cells->layer[n] = way_to_layer(&g, (uint32_t)k);
    cells->outside[n] = inside ? 0.0 : 1.0;
  }
  for (int n = 0; n < count; ++n) outside = cells->outside[n] > outside ? cells->outside[n] : outside;
  return outside > 0.0;
}

/* Few instructions a point, so that a processor has many of them under way while memory answers: gcc would make vectors of
 * the addresses only to take them apart again, hence the asm that it cannot see through. */
TAC_LANES_BODY void load_cells(const GridField *g, int count, Cells *cells) {
  for (int n = 0; n < count; ++n) {
    const float *near = g->lines + cells->at[n];
    __asm__("" : "+r"(near));
    const float *far = near + cells->layer[n];
    const ptrdiff_t row = cells->row[n];
    memcpy(&cells->rows[0][2 * n], near, 2 * sizeof(float));
    memcpy(&cells->rows[1][2 * n], near + row, 2 * sizeof(float));
    memcpy(&cells->rows[2][2 * n], far, 2 * sizeof(float));
    memcpy(&cells->rows[3][2 * n], far + row, 2 * sizeof(float));
  }
  for (int n = count; n % 8 != 0; ++n) { /* what fills up vectors is a number */
    cells->x[n] = cells->y[n] = cells->z[n] = 0.0;
    for (int row = 0; row < 4; ++row) cells->rows[row][2 * n] = cells->rows[row][2 * n + 1] = 0.0f;
  }
}

/* The same as cell_value, operation by operation, for eight points at a time. */
TAC_LANES_BODY void mix_cells(int count, Cells *cells) {
  typedef float Pairs __attribute__((vector_size(64)));
  typedef double Doubles __attribute__((vector_size(64)));
  for (int n = 0; n < count; n += 8) {
    const Doubles x = *(const Doubles *)(cells->x + n), y = *(const Doubles *)(cells->y + n);
    const Doubles z = *(const Doubles *)(cells->z + n);
    Doubles v[4][2];
    for (int row = 0; row < 4; ++row) {
      const Pairs p = *(const Pairs *)(cells->rows[row] + 2 * n);
      v[row][0] = __builtin_convertvector(__builtin_shufflevector(p, p, 0, 2, 4, 6, 8, 10, 12, 14), Doubles);
      v[row][1] = __builtin_convertvector(__builtin_shufflevector(p, p, 1, 3, 5, 7, 9, 11, 13, 15), Doubles);
    }
    for (int end = 0; end < 2; ++end) {
      const Doubles near = v[0][end] + y * (v[1][end] - v[0][end]), far = v[2][end] + y * (v[3][end] - v[2][end]);
      v[0][end] = near + z * (far - near);
    }
    *(Doubles *)(cells->values + n) = v[0][0] + x * (v[0][1] - v[0][0]);
  }
}

TAC_LANES_BODY void values_together(const GridField *g, int count, const tacVec3 *points, double *values) {
  Cells cells;
  const bool outside = find_cells(g, count, points, &cells);
  load_cells(g, count, &cells);
  mix_cells(count, &cells);
  if (outside)
    for (int n = 0; n < count; ++n) {
      const double bound = outside_value(g, points[n].x, points[n].y, points[n].z);
      cells.values[n] = cells.outside[n] > 0.0 ? bound : cells.values[n];
    }
  memcpy(values, cells.values, (size_t)count * sizeof *values);
}

TAC_LANES_BODY void grid_values_lanes(const int doubles, const GridField *g, int count, const tacVec3 *points,
                                      double *values) {
  for (int begin = 0; begin < count; begin += BLOCK) {
    int size = count - begin < BLOCK ? count - begin : BLOCK;
    if (doubles == 8)
      values_together(g, size, points + begin, values + begin);
    else /* with four at a time, what is gained by it is lost by putting them side by side */
      values_one_by_one(g, size, points + begin, values + begin);
  }
}
TAC_LANES_KERNEL(static, grid_values, (const GridField *g, int count, const tacVec3 *points, double *values), g, count,
                 points, values)

TAC_LANES_BODY void grid_gradient_lanes(const int doubles, const GridField *g, double px, double py, double pz,
                                        tacVec3 *gradient, double *value) {
  (void)doubles;
  Cell c;
  if (!find_cell(g, px, py, pz, &c)) {
    const tacVec3 p = tac_vec3(px, py, pz);
    *gradient = tac_vec3_finite(p) ? tac_vec3_unit(outside_of_box(g->box, p)) : tac_vec3(0.0, 0.0, 0.0);
    *value = outside_value(g, px, py, pz);
    return;
  }
  Row v00, v10, v01, v11;
  load_rows(c.v, c.row, &v00, &v10);
  load_rows(c.v + c.layer, c.row, &v01, &v11);
  Row near = mix_rows(v00, v10, c.y), far = mix_rows(v01, v11, c.y), row = mix_rows(near, far, c.z);
  gradient->x = g->per_metre * (row[1] - row[0]); /* equation 3.11 */
  gradient->y = g->per_metre * mix_row(mix_rows(v10 - v00, v11 - v01, c.z), c.x);
  gradient->z = g->per_metre * mix_row(far - near, c.x);
  *value = mix_row(row, c.x);
}
TAC_LANES_KERNEL(static inline, grid_gradient,
                 (const GridField *g, double px, double py, double pz, tacVec3 *gradient, double *value), g, px, py, pz,
                 gradient, value)

TAC_LANES_BODY void grid_gradients_lanes(const int doubles, const GridField *g, int count, const tacVec3 *points,
                                         tacVec3 *gradients) {
  double value;
  for (int i = 0; i < count; ++i)
    grid_gradient_lanes(doubles, g, points[i].x, points[i].y, points[i].z, &gradients[i], &value);
}
TAC_LANES_KERNEL(static, grid_gradients, (const GridField *g, int count, const tacVec3 *points, tacVec3 *gradients), g,
                 count, points, gradients)

/* The parts of an analytic field or of a union of such; NULL: of another. */
static inline const tacAnalyticPart *analytic_parts(const tacDistanceField *field, int *count) {
  *count = field->kind == UNION ? field->of.parts.count : 1;
  if (field->kind == UNION) return field->of.parts.analytic;
  return field->kind == ANALYTIC ? &field->of.analytic : NULL;
}

/* Has the bits of what tac_distance_field_gradient returns. */
double tac_distance_field_value(const tacDistanceField *field, tacVec3 p) {
  double value = INFINITY;
  if (field->kind == GRID) {
    grid_value(&field->of.grid, p.x, p.y, p.z, &value);
    return value;
  }
  int count;
  const tacAnalyticPart *parts = analytic_parts(field, &count);
  if (parts != NULL) return tac_analytic_value(count, parts, p);
  for (int i = 0; i < count; ++i) {
    double other = tac_distance_field_value(field->of.parts.parts[i], p);
    value = other < value ? other : value;
  }
  return value;
}

double tac_distance_field_gradient(const tacDistanceField *field, tacVec3 p, tacVec3 *gradient) {
  if (field == NULL || gradient == NULL) return 0.0;
  double value, smallest = INFINITY;
  if (field->kind == GRID) {
    grid_gradient(&field->of.grid, p.x, p.y, p.z, gradient, &value);
    return value;
  }
  int count;
  const tacAnalyticPart *parts = analytic_parts(field, &count);
  if (parts != NULL) return tac_analytic_gradient(count, parts, p, gradient);
  const tacDistanceField *nearest = NULL;
  for (int i = 0; i < count; ++i) {
    value = tac_distance_field_value(field->of.parts.parts[i], p);
    if (!(value < smallest)) continue;
    smallest = value;
    nearest = field->of.parts.parts[i];
  }
  *gradient = tac_vec3(0.0, 0.0, 0.0);
  return nearest != NULL ? tac_distance_field_gradient(nearest, p, gradient) : smallest;
}

static void union_values(const UnionField *of, int count, const tacVec3 *points, double *values) {
  double others[BLOCK];
  for (int begin = 0; begin < count; begin += BLOCK) {
    const int size = count - begin < BLOCK ? count - begin : BLOCK;
    for (int i = 0; i < size; ++i) values[begin + i] = INFINITY;
    for (int part = 0; part < of->count; ++part) {
      tac_distance_field_values(of->parts[part], size, points + begin, others);
      for (int i = 0; i < size; ++i) values[begin + i] = others[i] < values[begin + i] ? others[i] : values[begin + i];
    }
  }
}

void tac_distance_field_values(const tacDistanceField *field, int count, const tacVec3 *points, double *values) {
  if (field == NULL || points == NULL || values == NULL) return;
  if (field->kind == GRID) {
    grid_values(&field->of.grid, count, points, values);
    return;
  }
  int part_count;
  const tacAnalyticPart *parts = analytic_parts(field, &part_count);
  if (parts == NULL)
    union_values(&field->of.parts, count, points, values);
  else if (count == 1)
    *values = tac_analytic_value(part_count, parts, *points);
  else
    tac_analytic_values(part_count, parts, count, points, values);
}

void tac_distance_field_gradients(const tacDistanceField *field, int count, const tacVec3 *points, tacVec3 *gradients) {
  if (field->kind == GRID) {
    grid_gradients(&field->of.grid, count, points, gradients);
  } else {
    for (int i = 0; i < count; ++i) tac_distance_field_gradient(field, points[i], &gradients[i]);
  }
}

/* ---- files ---- */

#define FILE_KIND "distance field"
#define FILE_VERSION 2 /* 2: with checks */

static const tacGridNames names = {"nodes", "layout", "values"};

void tac_distance_field_put(tacChunkTransfer *to, const tacDistanceField *field, const tacGridNames *as) {
  const tacGrid *grid = tac_distance_field_grid(field);
  const int32_t nodes[3] = {grid->nx, grid->ny, grid->nz};
  const double place[4] = {grid->origin.x, grid->origin.y, grid->origin.z, grid->spacing};
  uint64_t count = (uint64_t)grid->nx * (uint64_t)grid->ny * (uint64_t)grid->nz;
  tac_chunk_transfer_put(to, as->nodes, TAC_CHUNK_I32, 3, nodes);
  tac_chunk_transfer_put(to, as->place, TAC_CHUNK_F64, 4, place);
  tac_chunk_transfer_put(to, as->values, TAC_CHUNK_F32, count, grid->values);
}

tacDistanceField *tac_distance_field_take(tacChunkTransfer *from, const tacGridNames *as) {
  int32_t n[3] = {0};
  double place[4] = {0.0};
  int count = -1;
  tacDistanceField *field = NULL;
  tac_chunk_transfer_take_into(from, as->nodes, TAC_CHUNK_I32, sizeof n, n);
  tac_chunk_transfer_take_into(from, as->place, TAC_CHUNK_F64, sizeof place, place);
  TAC_MEMORY(float, values) = tac_chunk_transfer_take(from, as->values, TAC_CHUNK_F32, 1, &count);
  if (n[0] < 2 || n[1] < 2 || n[2] < 2 || (double)n[0] * n[1] * n[2] != (double)count)
    tac_chunk_transfer_refuse(from, "the number of values of a grid differs from its number of nodes");
  if (from->status != TAC_OK) return NULL;
  tacGrid grid = {n[0], n[1], n[2], {place[0], place[1], place[2]}, place[3], values};
  from->status = tac_distance_field_from_grid(&grid, &field, from->error);
  if (from->status == TAC_OK) values = NULL; /* the field's */
  return field;
}

tacStatus tac_distance_field_write(const tacDistanceField *field, const char *path, tacError *error) {
  TAC_REQUIRE(error, field, path);
  if (tac_distance_field_grid(field) == NULL)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s: only grid fields can be written to a file", path);
  tacChunkTransfer to = tac_chunk_transfer_write(path, FILE_KIND, FILE_VERSION, error);
  tac_bake_checks_put(&to, &field->checks);
  tac_distance_field_put(&to, field, &names);
  return tac_chunk_transfer_end(&to);
}

tacStatus tac_distance_field_read(const char *path, tacDistanceField **field, tacError *error) {
  TAC_REQUIRE(error, field);
  *field = NULL;
  TAC_REQUIRE(error, path);
  tacBakeChecks checks;
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  tac_bake_checks_take(&from, &checks);
  *field = tac_distance_field_take(&from, &names);
  if (*field != NULL) (*field)->checks = checks;
  return tac_chunk_transfer_end(&from);
}
