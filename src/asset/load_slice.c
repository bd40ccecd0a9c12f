#include "asset/load_slice.h"

#include <stdlib.h>
#include <string.h>
#include "asset/load_field.h"
#include "asset/load_sum.h"
#include "base/lanes.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacLoadSlice, tac_load_slice_destroy)

struct tacLoadSlice {
  const tacLoadField *field;
  const tacLoadFieldParts *parts; /* of it, as are the next two */
  const int *first;
  int16_t *const *expanded;
  tacBox box;
  double per_metre, boundary;
  int blocks[3];       /* along each axis */
  int column;          /* the only one; -1: none, or several */
  float *coefficients; /* [total]: T times weights and scales */
};

/* ---- making ---- */

tacStatus tac_load_slice_create(const tacLoadField *field, tacLoadSlice **result, tacError *error) {
  *result = NULL;
  TAC_OWN(tacLoadSlice, slice) = NULL;
  TAC_TRY(TAC_ARRAY(slice, 1, "a slice of a load field", error));
  const tacLoadFieldParts *parts = tac_load_field_parts(field);
  const tacLoadFieldInfo *info = &parts->info;
  slice->field = field;
  slice->parts = parts;
  slice->first = field->first;
  slice->expanded = field->expanded;
  slice->per_metre = 1.0 / info->spacing;
  slice->box.lower = info->origin;
  slice->box.upper =
      tac_vec3_mad(info->origin, info->spacing, tac_vec3(info->nodes[0] - 1, info->nodes[1] - 1, info->nodes[2] - 1));
  for (int axis = 0; axis < 3; ++axis) slice->blocks[axis] = (info->nodes[axis] + TAC_LOAD_SIDE - 1) / TAC_LOAD_SIDE;
  TAC_TRY(TAC_ARRAY(slice->coefficients, (size_t)field->total, "a slice", error));
  tac_load_slice_set(slice, 0, NULL);
  *result = tac_give(&slice);
  return TAC_OK;
}

void tac_load_slice_destroy(tacLoadSlice *slice) {
  if (slice == NULL) return;
  free(slice->coefficients);
  free(slice);
}

/* ---- setting ---- */

static void add_column(tacLoadSlice *slice, int column, float weight) {
  const int total = slice->field->total;
  const int16_t *restrict loads = slice->parts->loads + (size_t)total * (size_t)column;
  float *restrict to = slice->coefficients;
  for (int i = 0; i < total; ++i) to[i] += weight * (float)loads[i];
}

static void scale(tacLoadSlice *slice) {
  const float *restrict scales = slice->parts->scales;
  float *restrict to = slice->coefficients;
  for (int i = 0, total = slice->field->total; i < total; ++i) to[i] *= scales[i];
}

static void clear(tacLoadSlice *slice) {
  memset(slice->coefficients, 0, (size_t)slice->field->total * sizeof *slice->coefficients);
}

/* Coefficients of blocks that are expanded are not asked for. */
void tac_load_slice_set_column(tacLoadSlice *slice, int column) {
  const tacLoadFieldParts *parts = slice->parts;
  const int total = slice->field->total;
  slice->column = column;
  slice->boundary = tac_load_field_bounds(slice->field)->boundary;
  if (column < 0) {
    clear(slice);
    return;
  }
  const int16_t *loads = parts->loads + (size_t)total * (size_t)column;
  for (int b = 0; b < parts->info.block_count; ++b)
    for (int i = slice->first[b]; slice->expanded[b] == NULL && i < slice->first[b] + parts->ranks[b]; ++i)
      slice->coefficients[i] = (float)loads[i] * parts->scales[i];
}

/* Between rest at 0 and the levels. */
static void add_part(tacLoadSlice *slice, const tacLoadPart *part) {
  const int last = slice->parts->level_count - 1, first = part->node * (last + 1);
  const double *levels = slice->parts->levels;
  int l = 0;
  while (l < last && part->size > levels[l]) ++l;
  double below = l > 0 ? levels[l - 1] : 0.0, t = (part->size - below) / (levels[l] - below);
  t = t > 0.0 ? fmin(t, 1.0) : 0.0;
  if (l > 0) add_column(slice, first + l - 1, (float)(part->weight * (1.0 - t)));
  add_column(slice, first + l, (float)(part->weight * t));
}

/* With weights w, whose sum is W, the samples are (1 - W) d_rest + sum w d. Up to W = 1 that is a mean, on the box
 * not below the least of all columns; beyond, d_rest is subtracted. */
void tac_load_slice_set(tacLoadSlice *slice, int count, const tacLoadPart *parts) {
  double weights = 0.0;
  clear(slice);
  slice->column = -1;
  for (int i = 0; i < count; ++i) {
    if (parts[i].node < 0 || parts[i].node >= slice->parts->node_count || !isfinite(parts[i].weight)) continue;
    add_part(slice, &parts[i]);
    weights += fabs(parts[i].weight);
  }
  scale(slice);
  const double least = tac_load_field_bounds(slice->field)->boundary, over = weights * (1.0 - 1e-9) - 1.0;
  slice->boundary = over > 0.0 ? weights * least - over * slice->field->most_on_faces : least;
}

/* ---- values ---- */

/* A sample of a block. */
TAC_LANES_BODY float sample_of(const tacLoadSlice *slice, int block, int at) {
  const tacLoadFieldParts *parts = slice->parts;
  const float rest = parts->rest[(size_t)block * TAC_LOAD_BLOCK + (size_t)at];
  const int16_t *expanded = slice->expanded[block];
  if (slice->column >= 0 && expanded != NULL)
    return rest + parts->units[block] * (float)expanded[(size_t)slice->column * TAC_LOAD_BLOCK + (size_t)at];
  const size_t first = (size_t)slice->first[block];
  const int rank = parts->ranks[block];
  const int16_t *shape = parts->shapes + first * TAC_LOAD_BLOCK + (size_t)rank * (size_t)at;
  if (slice->column < 0) return rest + tac_load_sum(shape, slice->coefficients + first, rank);
  const float unit = parts->units[block];
  return rest + unit * (float)tac_load_sum_whole(shape, slice->coefficients + first, rank, 1.0f / unit);
}

/* The block of a sample, and where it is in the block. */
TAC_LANES_BODY int block_of(const tacLoadSlice *slice, unsigned i, unsigned j, unsigned k, size_t *at) {
  const unsigned side = TAC_LOAD_SIDE;
  *at = (k % side * side + j % side) * side + i % side;
  return (int)((k / side * (unsigned)slice->blocks[1] + j / side) * (unsigned)slice->blocks[0] + i / side);
}

TAC_LANES_BODY float sample(const tacLoadSlice *slice, unsigned i, unsigned j, unsigned k) {
  size_t at;
  const int block = block_of(slice, i, j, k, &at);
  return sample_of(slice, block, (int)at);
}

void tac_load_slice_samples(const tacLoadSlice *slice, float *samples) {
  const int *nodes = slice->parts->info.nodes;
  for (int k = 0; k < nodes[2]; ++k)
    for (int j = 0; j < nodes[1]; ++j)
      for (int i = 0; i < nodes[0]; ++i) *samples++ = sample(slice, (unsigned)i, (unsigned)j, (unsigned)k);
}

/* Where a place of the box is: its cell's lowest sample, and how far from it in voxels. */
typedef struct {
  int node[3];
  double t[3];
} Found;

TAC_LANES_BODY int find_along(double place, int nodes, double *t) {
  int cell = (int)place;
  cell = cell < 0 ? 0 : cell > nodes - 2 ? nodes - 2 : cell;
  *t = place - cell;
  return cell;
}

TAC_LANES_BODY Found find(const tacLoadSlice *slice, tacVec3 p) {
  const int *nodes = slice->parts->info.nodes;
  Found found;
  found.node[0] = find_along((p.x - slice->box.lower.x) * slice->per_metre, nodes[0], &found.t[0]);
  found.node[1] = find_along((p.y - slice->box.lower.y) * slice->per_metre, nodes[1], &found.t[1]);
  found.node[2] = find_along((p.z - slice->box.lower.z) * slice->per_metre, nodes[2], &found.t[2]);
  return found;
}

TAC_LANES_BODY bool in_one_block(const Found *found) {
  const int last = TAC_LOAD_SIDE - 1;
  return found->node[0] % TAC_LOAD_SIDE < last && found->node[1] % TAC_LOAD_SIDE < last &&
         found->node[2] % TAC_LOAD_SIDE < last;
}

TAC_LANES_BODY int block_at(const tacLoadSlice *slice, const Found *found, size_t *at) {
  return block_of(slice, (unsigned)found->node[0], (unsigned)found->node[1], (unsigned)found->node[2], at);
}

/* Asks for what cell_of will want, where it is the usual. */
TAC_LANES_BODY void prefetch(const tacLoadSlice *slice, const Found *found) {
  size_t at;
  const int block = block_at(slice, found, &at);
  const int16_t *expanded = slice->expanded[block];
  if (slice->column < 0 || expanded == NULL) return;
  const float *rest = slice->parts->rest + (size_t)block * TAC_LOAD_BLOCK + at;
  expanded += (size_t)slice->column * TAC_LOAD_BLOCK + at;
  for (int k = 0; k < 2; ++k) {
    __builtin_prefetch(expanded + TAC_LOAD_SIDE * TAC_LOAD_SIDE * k);
    __builtin_prefetch(rest + TAC_LOAD_SIDE * TAC_LOAD_SIDE * k);
    __builtin_prefetch(rest + TAC_LOAD_SIDE * TAC_LOAD_SIDE * k + TAC_LOAD_SIDE + 1);
  }
}

/* The cell's samples, whose bits of the index are z, y, x, and where in it the place is. */
typedef struct {
  double v[8];
  double t[3];
} Cell;

TAC_LANES_BODY Cell cell_of(const tacLoadSlice *slice, const Found *found) {
  Cell cell = {.t = {found->t[0], found->t[1], found->t[2]}};
  size_t at;
  const int block = block_at(slice, found, &at);
  const int16_t *expanded = slice->expanded[block];
  if (slice->column >= 0 && expanded != NULL && in_one_block(found)) {
    const float *rest = slice->parts->rest + (size_t)block * TAC_LOAD_BLOCK + at, unit = slice->parts->units[block];
    expanded += (size_t)slice->column * TAC_LOAD_BLOCK + at;
    for (int c = 0; c < 8; ++c) {
      const int next = (c & 1) + TAC_LOAD_SIDE * (c >> 1 & 1) + TAC_LOAD_SIDE * TAC_LOAD_SIDE * (c >> 2);
      cell.v[c] = (double)(rest[next] + unit * (float)expanded[next]);
    }
    return cell;
  }
  for (int c = 0; c < 8; ++c)
    cell.v[c] = (double)sample(slice, (unsigned)(found->node[0] + (c & 1)), (unsigned)(found->node[1] + (c >> 1 & 1)),
                               (unsigned)(found->node[2] + (c >> 2)));
  return cell;
}

TAC_LANES_BODY double mix(double a, double b, double t) {
  return a + t * (b - a);
}

TAC_LANES_BODY double inside_value(const tacLoadSlice *slice, const Found *found) {
  const Cell c = cell_of(slice, found);
  const double near = mix(mix(c.v[0], c.v[1], c.t[0]), mix(c.v[2], c.v[3], c.t[0]), c.t[1]);
  const double far = mix(mix(c.v[4], c.v[5], c.t[0]), mix(c.v[6], c.v[7], c.t[0]), c.t[1]);
  return mix(near, far, c.t[2]);
}

static double inside_gradient(const tacLoadSlice *slice, tacVec3 p, tacVec3 *gradient) {
  const Found found = find(slice, p);
  const Cell c = cell_of(slice, &found);
  const double *v = c.v, x = c.t[0], y = c.t[1], z = c.t[2], h = slice->per_metre;
  const double near = mix(mix(v[0], v[1], x), mix(v[2], v[3], x), y);
  const double far = mix(mix(v[4], v[5], x), mix(v[6], v[7], x), y);
  gradient->x = h * mix(mix(v[1] - v[0], v[3] - v[2], y), mix(v[5] - v[4], v[7] - v[6], y), z);
  gradient->y = h * mix(mix(v[2] - v[0], v[3] - v[1], x), mix(v[6] - v[4], v[7] - v[5], x), z);
  gradient->z = h * (far - near);
  return mix(near, far, z);
}

TAC_LANES_BODY tacVec3 nearest_of(tacBox box, tacVec3 p) {
  return tac_vec3_min(tac_vec3_max(p, box.lower), box.upper);
}

/* With the cell of the nearest place of the box. */
TAC_LANES_BODY double value_at(const tacLoadSlice *slice, const Found *found, double away) {
  const double value = inside_value(slice, found);
  return away > 0.0 ? fmax(value - away, away + slice->boundary) : value;
}

double tac_load_slice_value(const tacLoadSlice *slice, tacVec3 x) {
  if (!tac_vec3_finite(x)) return INFINITY;
  const tacVec3 p = nearest_of(slice->box, x);
  const Found found = find(slice, p);
  return value_at(slice, &found, tac_vec3_distance(x, p));
}

/* All cells of a batch are asked for before the first is needed: memory answers many at a time. */
TAC_LANES_BODY void tac_load_slice_values_lanes(const int doubles, const tacLoadSlice *slice, int count,
                                                const tacVec3 *x, double *values) {
  (void)doubles;
  enum { BATCH = 16 };
  for (int begin = 0; begin < count; begin += BATCH) {
    const int size = count - begin < BATCH ? count - begin : BATCH;
    Found found[BATCH];
    for (int i = 0; i < size; ++i) {
      const tacVec3 at = x[begin + i], p = nearest_of(slice->box, tac_vec3_finite(at) ? at : slice->box.lower);
      found[i] = find(slice, p);
      prefetch(slice, &found[i]);
      values[begin + i] = tac_vec3_finite(at) ? tac_vec3_distance(at, p) : INFINITY;
    }
    for (int i = begin; i < begin + size; ++i)
      if (values[i] < INFINITY) values[i] = value_at(slice, &found[i - begin], values[i]);
  }
}

TAC_LANES_KERNEL(, tac_load_slice_values, (const tacLoadSlice *slice, int count, const tacVec3 *x, double *values),
                 slice, count, x, values)

double tac_load_slice_gradient(const tacLoadSlice *slice, tacVec3 x, tacVec3 *gradient) {
  *gradient = tac_vec3(0.0, 0.0, 0.0);
  if (!tac_vec3_finite(x)) return INFINITY;
  const tacVec3 p = nearest_of(slice->box, x), out = tac_vec3_sub(x, p), direction = tac_vec3_unit(out);
  const double away = tac_vec3_norm(out), value = inside_gradient(slice, p, gradient);
  if (!(away > 0.0)) return value;
  if (value - away > away + slice->boundary) { /* the nearest place moves along where x is between the box's faces */
    const tacVec3 along =
        tac_vec3(out.x == 0.0 ? gradient->x : 0.0, out.y == 0.0 ? gradient->y : 0.0, out.z == 0.0 ? gradient->z : 0.0);
    *gradient = tac_vec3_sub(along, direction);
    return value - away;
  }
  *gradient = direction;
  return away + slice->boundary;
}
