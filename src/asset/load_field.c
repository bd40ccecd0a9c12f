#include "asset/load_field.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/body.h>
#include <tactus/distance_field.h>
#include "asset/load_sum.h"
#include "base/files/bake_check.h"
#include "base/files/chunk_transfer.h"
#include "base/lanes.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/dense/vector.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacLoadField, tac_load_field_destroy)

enum { MOST_NODES = 1 << 20, MOST_LEVELS = 64, MOST_SIDE = 1025, MOST_RANK = 4096 };

void tac_load_field_parts_free(tacLoadFieldParts *parts) {
  free(parts->vertices);
  free(parts->levels);
  free(parts->states);
  free(parts->rest);
  free(parts->ranks);
  free(parts->shapes);
  free(parts->loads);
  free(parts->scales);
  free(parts->units);
  *parts = (tacLoadFieldParts){0};
}

void tac_load_field_destroy(tacLoadField *field) {
  if (field == NULL) return;
  tac_load_field_parts_free(&field->parts);
  tac_arrays_free(&field->arrays);
  free(field->bounds.solids);
  free(field);
}

/* ---- making ---- */

int tac_load_field_block_count(const int nodes[3]) {
  int count = 1;
  for (int axis = 0; axis < 3; ++axis) count *= (nodes[axis] + TAC_LOAD_SIDE - 1) / TAC_LOAD_SIDE;
  return count;
}

/* Every number that the sizes of arrays follow from. */
static tacStatus check_counts(const tacLoadFieldParts *parts, tacError *error) {
  if (parts->size < 1 || parts->size > TAC_BODY_MOST_COORDINATES)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "wrong number of coordinates of a load field (%d); 1 to %d are "
                         "possible",
                         parts->size, TAC_BODY_MOST_COORDINATES);
  if (parts->node_count < 1 || parts->node_count > MOST_NODES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of load nodes (%d); 1 to %d are possible",
                         parts->node_count, MOST_NODES);
  if (parts->level_count < 1 || parts->level_count > MOST_LEVELS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of load sizes (%d); 1 to %d are possible",
                         parts->level_count, MOST_LEVELS);
  const tacLoadFieldInfo *info = &parts->info;
  for (int axis = 0; axis < 3; ++axis)
    if (info->nodes[axis] < 2 || info->nodes[axis] > MOST_SIDE)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "a grid side has %d nodes; 2 to %d are possible", info->nodes[axis],
                           MOST_SIDE);
  if (!(info->spacing > 0.0) || !isfinite(info->spacing) || !tac_vec3_finite(info->origin))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the grid spacing is %g m; it must be positive", info->spacing);
  return TAC_OK;
}

static tacStatus check_numbers(const tacLoadFieldParts *parts, int total, tacError *error) {
  const size_t columns = (size_t)parts->node_count * (size_t)parts->level_count;
  for (int i = 0; i < parts->node_count; ++i)
    if (parts->vertices[i] < 0)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "node %d refers to the invalid vertex %d", i, parts->vertices[i]);
  for (int l = 0; l < parts->level_count; ++l)
    if (!(parts->levels[l] > (l > 0 ? parts->levels[l - 1] : 0.0) && parts->levels[l] <= 1.0))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "load sizes must increase within (0, 1], but number %d is %g", l,
                           parts->levels[l]);
  if (!tac_vector_finite(columns * (size_t)parts->size, parts->states))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the states of the loads have NaN or infinite values");
  const size_t samples = (size_t)tac_load_field_block_count(parts->info.nodes) * TAC_LOAD_BLOCK;
  for (size_t i = 0; i < samples; ++i)
    if (!(fabsf(parts->rest[i]) < 1e30f))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "value %zu is NaN or infinite", i);
  for (int b = 0; b < tac_load_field_block_count(parts->info.nodes); ++b)
    if (!(parts->units[b] > 0.0f && parts->units[b] < 1e20f))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the unit of block %d is %g m; it is not valid", b,
                           (double)parts->units[b]);
  for (int i = 0; i < total; ++i)
    if (!(fabsf(parts->scales[i]) < 1e20f))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "scale %d is NaN or infinite", i);
  return TAC_OK;
}

static double most_on_faces(const tacLoadFieldParts *parts) {
  const int *n = parts->info.nodes, bx = (n[0] + TAC_LOAD_SIDE - 1) / TAC_LOAD_SIDE,
            by = (n[1] + TAC_LOAD_SIDE - 1) / TAC_LOAD_SIDE;
  float most = -INFINITY;
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) {
        if (i > 0 && j > 0 && k > 0 && i < n[0] - 1 && j < n[1] - 1 && k < n[2] - 1) continue;
        int block = (k / TAC_LOAD_SIDE * by + j / TAC_LOAD_SIDE) * bx + i / TAC_LOAD_SIDE;
        int at = (k % TAC_LOAD_SIDE * TAC_LOAD_SIDE + j % TAC_LOAD_SIDE) * TAC_LOAD_SIDE + i % TAC_LOAD_SIDE;
        most = fmaxf(most, parts->rest[(size_t)block * TAC_LOAD_BLOCK + (size_t)at]);
      }
  return (double)most;
}

/* What its info says of the separated form. */
static void measure_form(tacLoadField *field) {
  tacLoadFieldInfo *info = &field->parts.info;
  const double columns = tac_load_field_column_count(field), total = field->total;
  info->block_count = tac_load_field_block_count(info->nodes);
  info->bytes = total * (2.0 * TAC_LOAD_BLOCK + 2.0 * columns + 4.0) + 4.0 * TAC_LOAD_BLOCK * info->block_count;
  info->bytes_dense = 2.0 * columns * info->nodes[0] * info->nodes[1] * info->nodes[2];
}

/* ---- expansion ---- */

/* A block's samples of all columns. */
TAC_LANES_BODY void expand_block_lanes(const int doubles, const tacLoadField *field, size_t b) {
  (void)doubles;
  const int rank = field->parts.ranks[b], first = field->first[b];
  const int16_t *shapes = field->parts.shapes + (size_t)first * TAC_LOAD_BLOCK;
  const float per_unit = 1.0f / field->parts.units[b];
  int16_t *to = field->expanded[b];
  for (int c = 0; c < tac_load_field_column_count(field); ++c) {
    float coefficients[MOST_RANK];
    const int16_t *loads = field->parts.loads + (size_t)c * (size_t)field->total + (size_t)first;
    for (int j = 0; j < rank; ++j) coefficients[j] = (float)loads[j] * field->parts.scales[first + j];
    for (size_t i = 0; i < TAC_LOAD_BLOCK; ++i)
      *to++ = tac_load_sum_whole(shapes + (size_t)rank * i, coefficients, rank, per_unit);
  }
}
TAC_LANES_KERNEL(static, expand_block, (const tacLoadField *field, size_t b), field, b)

static void expand_blocks(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const tacLoadField *field = context;
  for (size_t b = begin; b < end; ++b)
    if (field->expanded[b] != NULL) expand_block(field, b);
}

/* The next lower rank than `below`, or 0. */
static int next_rank(const tacLoadField *field, int below) {
  int most = 0;
  for (int b = 0; b < field->parts.info.block_count; ++b)
    if (field->parts.ranks[b] < below && field->parts.ranks[b] > most) most = field->parts.ranks[b];
  return most;
}

static tacStatus expand(tacLoadField *field, tacError *error) {
  const size_t columns = (size_t)tac_load_field_column_count(field), blocks = (size_t)field->parts.info.block_count;
  double left = field->parts.compact ? 0.0 : TAC_LOAD_EXPANDED;
  field->expanded = tac_arrays_add(&field->arrays, blocks, sizeof *field->expanded);
  TAC_TRY(tac_arrays_status(&field->arrays, "blocks", error));
  for (int rank = next_rank(field, INT_MAX); rank > 0; rank = next_rank(field, rank))
    for (size_t b = 0; b < blocks; ++b) {
      const double bytes = 2.0 * TAC_LOAD_BLOCK * (double)columns;
      if (field->parts.ranks[b] != rank || bytes > left) continue;
      left -= bytes;
      field->expanded[b] = tac_arrays_add(&field->arrays, columns * TAC_LOAD_BLOCK, sizeof **field->expanded);
    }
  TAC_TRY(tac_arrays_status(&field->arrays, "blocks", error));
  return tac_parallel_for(0, blocks, 1, expand_blocks, field, NULL, "load field", error);
}

/* ---- making the whole ---- */

tacStatus tac_load_field_create(const tacLoadFieldParts *parts, tacLoadField **result, tacError *error) {
  *result = NULL;
  TAC_TRY(check_counts(parts, error));
  const int blocks = tac_load_field_block_count(parts->info.nodes);
  TAC_OWN(tacLoadField, field) = NULL;
  TAC_TRY(TAC_ARRAY(field, 1, "a load field", error));
  field->first = tac_arrays_add(&field->arrays, (size_t)blocks, sizeof *field->first);
  TAC_TRY(tac_arrays_status(&field->arrays, "a load field", error));
  int64_t total = 0;
  for (int b = 0; b < blocks; ++b) {
    if (parts->ranks[b] < 0 || parts->ranks[b] > MOST_RANK || parts->ranks[b] % TAC_LOAD_LANES != 0 ||
        total > INT_MAX / TAC_LOAD_BLOCK)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "block %d has the invalid rank %d", b, parts->ranks[b]);
    field->first[b] = (int)total;
    total += parts->ranks[b];
  }
  if (total > INT_MAX / TAC_LOAD_BLOCK)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the sum of the ranks, %lld, is too large", (long long)total);
  TAC_TRY(check_numbers(parts, (int)total, error));
  field->parts = *parts;
  field->total = (int)total;
  field->most_on_faces = most_on_faces(parts);
  field->bounds.boundary = -INFINITY; /* not known yet */
  measure_form(field);
  tacStatus status = expand(field, error);
  if (status == TAC_OK)
    *result = tac_give(&field);
  else
    field->parts = (tacLoadFieldParts){0}; /* the caller's */
  return status;
}

tacStatus tac_load_field_set_bounds(tacLoadField *field, const tacLoadBounds *bounds, tacError *error) {
  const tacFieldReach *reach = &bounds->reach;
  bool good = bounds->boundary >= 0.0 && isfinite(bounds->boundary) && reach->bin > 0.0 && isfinite(reach->bin) &&
              fabs(reach->bin * reach->per_metre - 1.0) < 1e-9;
  for (int b = 0; good && b < TAC_FIELD_REACH_BINS; ++b)
    good = reach->at[b] >= (b > 0 ? reach->at[b - 1] : 0.0) && isfinite(reach->at[b]) && reach->slope[b] >= 0.0 &&
           reach->slope[b] <= 1.0;
  for (int c = 0; good && c < tac_load_field_column_count(field); ++c)
    good = tac_vec3_finite(bounds->solids[c].centre) && bounds->solids[c].radius >= 0.0 &&
           isfinite(bounds->solids[c].radius);
  if (!good) return tac_error_set(error, TAC_ERR_ARGUMENT, "the bounds of the load field are not valid");
  free(field->bounds.solids);
  field->bounds = *bounds;
  return TAC_OK;
}

/* ---- what it holds ---- */

const tacLoadFieldParts *tac_load_field_parts(const tacLoadField *field) {
  return &field->parts;
}
void tac_load_field_set_info(tacLoadField *field, const tacLoadFieldInfo *info) {
  field->parts.info = *info;
}
void tac_load_field_set_checks(tacLoadField *field, const tacBakeChecks *checks) {
  field->checks = *checks;
}
const tacLoadBounds *tac_load_field_bounds(const tacLoadField *field) {
  return &field->bounds;
}
const tacBakeChecks *tac_load_field_checks(const tacLoadField *field) {
  return &field->checks;
}
const tacLoadFieldInfo *tac_load_field_info(const tacLoadField *field) {
  return &field->parts.info;
}
int tac_load_field_column_count(const tacLoadField *field) {
  return field->parts.node_count * field->parts.level_count;
}
int tac_load_field_coordinates(const tacLoadField *field) {
  return field->parts.size;
}
int tac_load_field_node_count(const tacLoadField *field) {
  return field->parts.node_count;
}
int tac_load_field_level_count(const tacLoadField *field) {
  return field->parts.level_count;
}
int tac_load_field_vertex(const tacLoadField *field, int node) {
  return field->parts.vertices[node];
}
int tac_load_field_node_of(const tacLoadField *field, int vertex) {
  for (int i = 0; i < field->parts.node_count; ++i)
    if (field->parts.vertices[i] == vertex) return i;
  return -1;
}
double tac_load_field_level(const tacLoadField *field, int level) {
  return field->parts.levels[level];
}
const double *tac_load_field_state(const tacLoadField *field, int node, int level) {
  return field->parts.states + (size_t)(node * field->parts.level_count + level) * (size_t)field->parts.size;
}

/* ---- files ---- */

#define FILE_KIND "load field"
#define FILE_VERSION 2 /* 2: what a bake took is a chunk of its own */

enum { LAYOUT = 6, PLACE = 4, MEASURED = 6, BAKE = 4, REACH = 2 + 2 * TAC_FIELD_REACH_BINS, SOLID = 4 };

/* 16-bit numbers are bytes in a file, the low one first. */
static void put_shorts(tacChunkTransfer *to, const char *name, size_t count, const int16_t *numbers) {
  TAC_MEMORY(unsigned char, bytes) = NULL;
  if (to->status == TAC_OK) to->status = TAC_ARRAY(bytes, 2 * count, name, to->error);
  for (size_t i = 0; to->status == TAC_OK && i < count; ++i) {
    uint16_t number = (uint16_t)numbers[i];
    bytes[2 * i] = (unsigned char)(number & 255);
    bytes[2 * i + 1] = (unsigned char)(number >> 8);
  }
  tac_chunk_transfer_put(to, name, TAC_CHUNK_U8, 2 * count, bytes);
}

static int16_t *take_shorts(tacChunkTransfer *from, const char *name, int group, int count) {
  TAC_MEMORY(unsigned char, bytes) = tac_chunk_transfer_take(from, name, TAC_CHUNK_U8, 2 * group, &count);
  size_t numbers = (size_t)group * (size_t)count;
  int16_t *to = NULL;
  if (from->status == TAC_OK) from->status = TAC_ARRAY(to, numbers, name, from->error);
  for (size_t i = 0; from->status == TAC_OK && i < numbers; ++i) {
    int number = bytes[2 * i] | bytes[2 * i + 1] << 8;
    to[i] = (int16_t)(number < 32768 ? number : number - 65536);
  }
  return to;
}

tacStatus tac_load_field_write(const tacLoadField *field, const char *path, tacError *error) {
  const tacLoadFieldParts *parts = &field->parts;
  const tacLoadFieldInfo *info = &parts->info;
  const size_t columns = (size_t)tac_load_field_column_count(field), total = (size_t)field->total,
               blocks = (size_t)tac_load_field_block_count(info->nodes);
  const int32_t layout[LAYOUT] = {parts->size,    parts->node_count, parts->level_count,
                                  info->nodes[0], info->nodes[1],    info->nodes[2]};
  const double place[PLACE] = {info->origin.x, info->origin.y, info->origin.z, info->spacing};
  const double measured[MEASURED] = {info->tolerance, info->error,     info->steepest,
                                     info->rank_mean, info->rank_most, field->bounds.boundary};
  const double bake[BAKE] = {info->bytes_bake, info->seconds_distances, info->seconds_separation, info->seconds_bounds};
  double reach[REACH] = {field->bounds.reach.bin, field->bounds.reach.per_metre};
  memcpy(reach + 2, field->bounds.reach.at, sizeof field->bounds.reach.at);
  memcpy(reach + 2 + TAC_FIELD_REACH_BINS, field->bounds.reach.slope, sizeof field->bounds.reach.slope);
  tacChunkTransfer to = tac_chunk_transfer_write(path, FILE_KIND, FILE_VERSION, error);
  tac_bake_checks_put(&to, &field->checks);
  tac_chunk_transfer_put(&to, "layout", TAC_CHUNK_I32, LAYOUT, layout);
  tac_chunk_transfer_put(&to, "place", TAC_CHUNK_F64, PLACE, place);
  tac_chunk_transfer_put(&to, "measured", TAC_CHUNK_F64, MEASURED, measured);
  tac_chunk_transfer_put(&to, "bake", TAC_CHUNK_F64, BAKE, bake);
  tac_chunk_transfer_put(&to, "vertices", TAC_CHUNK_I32, (uint64_t)parts->node_count, parts->vertices);
  tac_chunk_transfer_put(&to, "levels", TAC_CHUNK_F64, (uint64_t)parts->level_count, parts->levels);
  tac_chunk_transfer_put(&to, "states", TAC_CHUNK_F64, columns * (uint64_t)parts->size, parts->states);
  tac_chunk_transfer_put(&to, "rest", TAC_CHUNK_F32, blocks * TAC_LOAD_BLOCK, parts->rest);
  tac_chunk_transfer_put(&to, "ranks", TAC_CHUNK_I32, blocks, parts->ranks);
  put_shorts(&to, "shapes", total * TAC_LOAD_BLOCK, parts->shapes);
  put_shorts(&to, "loads", total * columns, parts->loads);
  tac_chunk_transfer_put(&to, "units", TAC_CHUNK_F32, blocks, parts->units);
  tac_chunk_transfer_put(&to, "scales", TAC_CHUNK_F32, total, parts->scales);
  tac_chunk_transfer_put(&to, "reach", TAC_CHUNK_F64, REACH, reach);
  tac_chunk_transfer_put(&to, "solids", TAC_CHUNK_F64, SOLID * columns, field->bounds.solids);
  return tac_chunk_transfer_end(&to);
}

static void take_layout(tacChunkTransfer *from, tacLoadFieldParts *parts, double *boundary) {
  int32_t layout[LAYOUT] = {0};
  double place[PLACE] = {0.0}, measured[MEASURED] = {0.0}, bake[BAKE] = {0.0};
  tac_chunk_transfer_take_into(from, "layout", TAC_CHUNK_I32, sizeof layout, layout);
  tac_chunk_transfer_take_into(from, "place", TAC_CHUNK_F64, sizeof place, place);
  tac_chunk_transfer_take_into(from, "measured", TAC_CHUNK_F64, sizeof measured, measured);
  tac_chunk_transfer_take_into(from, "bake", TAC_CHUNK_F64, sizeof bake, bake);
  parts->size = layout[0];
  parts->node_count = layout[1];
  parts->level_count = layout[2];
  parts->info = (tacLoadFieldInfo){.nodes = {layout[3], layout[4], layout[5]},
                                   .origin = {place[0], place[1], place[2]},
                                   .spacing = place[3],
                                   .tolerance = measured[0],
                                   .error = measured[1],
                                   .steepest = measured[2],
                                   .rank_mean = measured[3],
                                   .rank_most = measured[4] >= 0.0 && measured[4] < 1e6 ? (int)measured[4] : 0,
                                   .bytes_bake = bake[0],
                                   .seconds_distances = bake[1],
                                   .seconds_separation = bake[2],
                                   .seconds_bounds = bake[3]};
  *boundary = measured[5];
  if (from->status == TAC_OK) from->status = check_counts(parts, from->error);
}

static void take_parts(tacChunkTransfer *from, tacLoadFieldParts *parts) {
  if (from->status != TAC_OK) return;
  int nodes = parts->node_count, levels = parts->level_count, blocks = tac_load_field_block_count(parts->info.nodes);
  int columns = nodes * levels, all_blocks = blocks, unit_count = blocks, total = -1;
  parts->vertices = tac_chunk_transfer_take(from, "vertices", TAC_CHUNK_I32, 1, &nodes);
  parts->levels = tac_chunk_transfer_take(from, "levels", TAC_CHUNK_F64, 1, &levels);
  parts->states = tac_chunk_transfer_take(from, "states", TAC_CHUNK_F64, parts->size, &columns);
  parts->rest = tac_chunk_transfer_take(from, "rest", TAC_CHUNK_F32, TAC_LOAD_BLOCK, &blocks);
  parts->ranks = tac_chunk_transfer_take(from, "ranks", TAC_CHUNK_I32, 1, &all_blocks);
  parts->units = tac_chunk_transfer_take(from, "units", TAC_CHUNK_F32, 1, &unit_count);
  parts->scales = tac_chunk_transfer_take(from, "scales", TAC_CHUNK_F32, 1, &total);
  int64_t sum = 0;
  for (int b = 0; from->status == TAC_OK && b < all_blocks; ++b) {
    if (parts->ranks[b] < 0) tac_chunk_transfer_refuse(from, "a rank is negative");
    sum += parts->ranks[b];
  }
  if (sum != total || sum > INT_MAX / 2 / TAC_LOAD_BLOCK)
    tac_chunk_transfer_refuse(from, "the ranks do not match the number of scales");
  if (from->status != TAC_OK) return;
  parts->shapes = take_shorts(from, "shapes", TAC_LOAD_BLOCK, total);
  if (total > 0 && columns > INT_MAX / 2 / total) tac_chunk_transfer_refuse(from, "there are more loads than possible");
  if (from->status == TAC_OK) parts->loads = take_shorts(from, "loads", columns, total);
}

static void take_bounds(tacChunkTransfer *from, int columns, tacLoadBounds *bounds) {
  double reach[REACH] = {0.0};
  tac_chunk_transfer_take_into(from, "reach", TAC_CHUNK_F64, sizeof reach, reach);
  bounds->solids = tac_chunk_transfer_take(from, "solids", TAC_CHUNK_F64, SOLID, &columns);
  bounds->reach.bin = reach[0];
  bounds->reach.per_metre = reach[1];
  memcpy(bounds->reach.at, reach + 2, sizeof bounds->reach.at);
  memcpy(bounds->reach.slope, reach + 2 + TAC_FIELD_REACH_BINS, sizeof bounds->reach.slope);
}

static void free_bounds(tacLoadBounds *bounds) {
  free(bounds->solids);
}

tacStatus tac_load_field_read(const char *path, tacLoadField **result, tacError *error) {
  *result = NULL;
  TAC_FREED(tac_load_field_parts_free, tacLoadFieldParts, parts) = {0};
  TAC_FREED(free_bounds, tacLoadBounds, bounds) = {0};
  TAC_OWN(tacLoadField, field) = NULL;
  tacBakeChecks checks;
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  tac_bake_checks_take(&from, &checks);
  take_layout(&from, &parts, &bounds.boundary);
  take_parts(&from, &parts);
  if (from.status == TAC_OK) take_bounds(&from, parts.node_count * parts.level_count, &bounds);
  if (from.status == TAC_OK) from.status = tac_load_field_create(&parts, &field, error);
  if (from.status == TAC_OK) {
    parts = (tacLoadFieldParts){0}; /* the field's */
    from.status = tac_load_field_set_bounds(field, &bounds, error);
  }
  if (from.status == TAC_OK) {
    bounds.solids = NULL;
    tac_load_field_set_checks(field, &checks);
    *result = tac_give(&field);
  }
  return tac_chunk_transfer_end(&from);
}
