#include "kinds/green/green.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/files/bake_check.h"
#include "base/files/chunk_transfer.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/trimesh.h"

struct tacGreen {
  tacArrays arrays; /* memory of all arrays except `columns` and the near blocks */
  tacReferenceMethod method;
  tacGreenStorage storage;
  tacTriMesh *surface;
  bool *fixed;
  double *area;
  int sensor_count;
  tacSensor *sensors;
  int *sensor_row; /* [sensor_count + 1] first row of each sensor */
  char *names;     /* names of the sensors, one after the other */
  int column_count;
  int *column_vertex;
  int *column_of; /* [vertex] column of the vertex; -1 if none */
  int row_count;
  double betti_defect, near_radius;
  double *columns;
  int64_t *near_start;
  int *near_vertex;
  double *near_blocks;
  tacBakeChecks checks;
  bool has_error_estimate;
  tacGreenErrorEstimate error_estimate;
};

void tac_green_destroy(tacGreen *green) {
  if (green == NULL) return;
  tac_trimesh_destroy(green->surface);
  tac_arrays_free(&green->arrays);
  free(green->columns);
  free(green->near_start);
  free(green->near_vertex);
  free(green->near_blocks);
  free(green);
}
TAC_OWNED_TYPE(tacGreen, tac_green_destroy)

/* ---- creation ---- */

static int sensor_rows(tacSensorKind kind) {
  return kind == TAC_SENSOR_STRESS ? 6 : 3;
}

int tac_green_parts_row_count(const tacGreenParts *parts) {
  int rows = 3 * parts->surface->vertex_count;
  for (int i = 0; i < parts->sensor_count; ++i) rows += sensor_rows(parts->sensors[i].kind);
  return rows;
}

static tacStatus check_columns(const tacGreenParts *parts, tacError *error) {
  int vertices = parts->surface->vertex_count;
  if (parts->column_count < 0 || parts->column_count > vertices)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of columns (%d); the surface has %d vertices",
                         parts->column_count, vertices);
  for (int c = 0; c < parts->column_count; ++c) {
    int v = parts->column_vertex[c];
    if (v < 0 || v >= vertices || (c > 0 && v <= parts->column_vertex[c - 1]))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "column %d belongs to vertex %d, which is out of range or not in "
                           "ascending order",
                           c, v);
  }
  return TAC_OK;
}

static tacStatus check_near(const tacGreenParts *parts, const int *column_of, tacError *error) {
  if (!(parts->near_radius > 0.0) || !isfinite(parts->near_radius))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the radius of near blocks is %g m; it must be positive",
                         parts->near_radius);
  if (parts->near_start[0] != 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the first near block has index %lld; it must be 0",
                         (long long)parts->near_start[0]);
  for (int c = 0; c < parts->column_count; ++c) {
    int64_t from = parts->near_start[c], to = parts->near_start[c + 1];
    if (to < from || to - from > parts->column_count)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "column %d has an invalid number of near blocks (%lld)", c,
                           (long long)(to - from));
  }
  for (int c = 0; c < parts->column_count; ++c)
    for (int64_t b = parts->near_start[c]; b < parts->near_start[c + 1]; ++b) {
      int v = parts->near_vertex[b];
      if (v < 0 || v >= parts->surface->vertex_count || column_of[v] < 0 ||
          (b > parts->near_start[c] && v <= parts->near_vertex[b - 1]))
        return tac_error_set(
            error, TAC_ERR_ARGUMENT,
            "a near block of column %d is in the row of vertex %d, which is out of order, out of range or has no "
            "column",
            c, v);
    }
  return TAC_OK;
}

static tacStatus check_parts(const tacGreenParts *parts, tacError *error) {
  if (parts->method != TAC_BOUNDARY_ELEMENTS && parts->method != TAC_FINITE_ELEMENTS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown method %d of Green's functions", (int)parts->method);
  if (parts->storage != TAC_GREEN_WHOLE && parts->storage != TAC_GREEN_NEAR)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown storage %d of Green's functions", (int)parts->storage);
  TAC_TRY(tac_trimesh_validate(parts->surface, error));
  if (parts->surface->vertex_count > INT_MAX / 4 || parts->sensor_count < 0 || parts->sensor_count > INT_MAX / 64)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "Green's functions of %d vertices and %d sensors are not "
                         "supported",
                         parts->surface->vertex_count, parts->sensor_count);
  for (int v = 0; v < parts->surface->vertex_count; ++v)
    if (!(parts->area[v] > 0.0) || !isfinite(parts->area[v]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "vertex %d has an area of %g m^2; it must be positive", v,
                           parts->area[v]);
  for (int i = 0; i < parts->sensor_count; ++i) {
    const tacSensor *sensor = &parts->sensors[i];
    if (sensor->kind != TAC_SENSOR_DISPLACEMENT && sensor->kind != TAC_SENSOR_STRESS)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "sensor %d has the unknown kind %d", i, (int)sensor->kind);
    if (sensor->name == NULL || !tac_vec3_finite(sensor->point))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "sensor %d has no name or no finite position", i);
  }
  if (!isfinite(parts->betti_defect))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the reciprocity defect is %g; it must be finite",
                         parts->betti_defect);
  return check_columns(parts, error);
}

static void *copy_items(tacArrays *arrays, const void *items, size_t count, size_t size) {
  void *copy = tac_arrays_add(arrays, count, size);
  if (copy != NULL && count > 0) memcpy(copy, items, count * size);
  return copy;
}

static tacStatus copy_sensors(const tacGreenParts *parts, tacGreen *green, tacError *error) {
  size_t length = 0, count = (size_t)parts->sensor_count;
  for (size_t i = 0; i < count; ++i) length += strlen(parts->sensors[i].name) + 1;
  green->sensor_count = parts->sensor_count;
  green->sensors = copy_items(&green->arrays, parts->sensors, count, sizeof *parts->sensors);
  green->sensor_row = tac_arrays_add(&green->arrays, count + 1, sizeof *green->sensor_row);
  char *name = green->names = tac_arrays_add(&green->arrays, length, 1);
  TAC_TRY(tac_arrays_status(&green->arrays, "sensors", error));
  green->sensor_row[0] = 3 * parts->surface->vertex_count;
  for (size_t i = 0; i < count; ++i) {
    size_t size = strlen(parts->sensors[i].name) + 1;
    memcpy(name, parts->sensors[i].name, size);
    green->sensors[i].name = name;
    green->sensor_row[i + 1] = green->sensor_row[i] + sensor_rows(green->sensors[i].kind);
    name += size;
  }
  green->row_count = green->sensor_row[count];
  return TAC_OK;
}

static tacStatus copy_parts(const tacGreenParts *parts, tacGreen *green, tacError *error) {
  size_t vertices = (size_t)parts->surface->vertex_count, columns = (size_t)parts->column_count;
  tacTriMesh bare = *parts->surface;
  bare.group_count = 0;
  bare.groups = NULL;
  TAC_TRY(tac_trimesh_copy(&bare, &green->surface, error));
  TAC_TRY(copy_sensors(parts, green, error));
  green->fixed = copy_items(&green->arrays, parts->fixed, vertices, sizeof *parts->fixed);
  green->area = copy_items(&green->arrays, parts->area, vertices, sizeof *parts->area);
  green->column_count = parts->column_count;
  green->column_vertex = copy_items(&green->arrays, parts->column_vertex, columns, sizeof *parts->column_vertex);
  green->column_of = tac_arrays_add(&green->arrays, vertices, sizeof *green->column_of);
  TAC_TRY(tac_arrays_status(&green->arrays, "Green's functions", error));
  for (size_t v = 0; v < vertices; ++v) green->column_of[v] = -1;
  for (int c = 0; c < green->column_count; ++c) green->column_of[green->column_vertex[c]] = c;
  return TAC_OK;
}

/* Returns the reciprocity defect (see tac_green_betti_defect), measured on all pairs of some evenly chosen vertices. */
static double measure_betti(const tacGreen *green) {
  enum { MOST = 200 };
  int free_count = 0, count = 0, vertices[MOST];
  for (int c = 0; c < green->column_count; ++c) free_count += !green->fixed[green->column_vertex[c]];
  double step = fmax(1.0, (double)free_count / MOST), defect = 0.0, all = 0.0;
  for (int c = 0, seen = 0; c < green->column_count && count < MOST; ++c) {
    if (green->fixed[green->column_vertex[c]]) continue;
    if (seen++ >= (int)(step * count)) vertices[count++] = green->column_vertex[c];
  }
  for (int p = 0; p < count; ++p)
    for (int q = 0; q < p; ++q) {
      int i = vertices[p], j = vertices[q];
      double ij[3][3], ji[3][3];
      if (!tac_green_block(green, i, j, ij) || !tac_green_block(green, j, i, ji)) continue;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          double there = green->area[i] * ij[r][c], back = green->area[j] * ji[c][r];
          defect += (there - back) * (there - back);
          all += 0.5 * (there * there + back * back);
        }
    }
  return all > 0.0 ? sqrt(defect / all) : 0.0;
}

tacStatus tac_green_create(const tacGreenParts *parts, tacGreen **result, tacError *error) {
  *result = NULL;
  TAC_TRY(check_parts(parts, error));
  TAC_OWN(tacGreen, green) = NULL;
  TAC_TRY(TAC_ARRAY(green, 1, "Green's functions", error));
  green->method = parts->method;
  green->storage = parts->storage;
  TAC_TRY(copy_parts(parts, green, error));
  if (parts->storage == TAC_GREEN_NEAR) {
    TAC_TRY(check_near(parts, green->column_of, error));
    green->near_radius = parts->near_radius;
    green->near_start = parts->near_start;
    green->near_vertex = parts->near_vertex;
    green->near_blocks = parts->near_blocks;
  } else {
    green->columns = parts->columns;
  }
  green->betti_defect = parts->betti_defect >= 0.0 ? parts->betti_defect : measure_betti(green);
  *result = tac_give(&green);
  return TAC_OK;
}

/* ---- queries ---- */

const tacTriMesh *tac_green_surface(const tacGreen *green) {
  return green != NULL ? green->surface : NULL;
}
const bool *tac_green_fixed(const tacGreen *green) {
  return green != NULL ? green->fixed : NULL;
}
const double *tac_green_area(const tacGreen *green) {
  return green != NULL ? green->area : NULL;
}
tacReferenceMethod tac_green_method(const tacGreen *green) {
  return green->method;
}
tacGreenStorage tac_green_storage(const tacGreen *green) {
  return green->storage;
}
double tac_green_near_radius(const tacGreen *green) {
  return green->near_radius;
}
int tac_green_sensor_count(const tacGreen *green) {
  return green->sensor_count;
}
const tacSensor *tac_green_sensor(const tacGreen *green, int index) {
  return index >= 0 && index < green->sensor_count ? &green->sensors[index] : NULL;
}
int tac_green_sensor_row(const tacGreen *green, int index) {
  return index >= 0 && index < green->sensor_count ? green->sensor_row[index] : -1;
}
int tac_green_row_count(const tacGreen *green) {
  return green != NULL ? green->row_count : 0;
}
int tac_green_column_count(const tacGreen *green) {
  return green != NULL ? green->column_count : 0;
}
const int *tac_green_column_vertex(const tacGreen *green) {
  return green != NULL ? green->column_vertex : NULL;
}
double tac_green_betti_defect(const tacGreen *green) {
  return green != NULL ? green->betti_defect : 0.0;
}

const tacBakeChecks *tac_green_checks(const tacGreen *green) {
  return green != NULL ? &green->checks : NULL;
}
void tac_green_set_checks(tacGreen *green, const tacBakeChecks *checks) {
  green->checks = *checks;
}
const tacGreenErrorEstimate *tac_green_error_estimate(const tacGreen *green) {
  return &green->error_estimate;
}
bool tac_green_has_error_estimate(const tacGreen *green) {
  return green->has_error_estimate;
}
void tac_green_set_error_estimate(tacGreen *green, const tacGreenErrorEstimate *error_estimate) {
  green->has_error_estimate = true;
  green->error_estimate = *error_estimate;
}

static int column_of(const tacGreen *green, int vertex) {
  return vertex >= 0 && vertex < green->surface->vertex_count ? green->column_of[vertex] : -1;
}

const double *tac_green_column(const tacGreen *green, int vertex) {
  if (green == NULL) return NULL;
  int column = column_of(green, vertex);
  return column >= 0 && green->columns != NULL ? green->columns + 3 * (size_t)column * (size_t)green->row_count : NULL;
}

/* Returns the near block in the rows of `vertex`, or NULL if the column has no such block. */
static const double *find_near(const tacGreen *green, int column, int vertex) {
  int64_t from = green->near_start[column], to = green->near_start[column + 1];
  while (from < to) {
    int64_t middle = from + (to - from) / 2;
    if (green->near_vertex[middle] == vertex) return green->near_blocks + 9 * middle;
    if (green->near_vertex[middle] < vertex)
      from = middle + 1;
    else
      to = middle;
  }
  return NULL;
}

bool tac_green_block(const tacGreen *green, int i, int j, double block[3][3]) {
  if (green == NULL || block == NULL) return false;
  int column = column_of(green, j);
  if (column < 0 || i < 0 || i >= green->surface->vertex_count) return false;
  if (green->storage == TAC_GREEN_NEAR) {
    const double *near = find_near(green, column, i);
    if (near == NULL) return false;
    memcpy(block, near, 9 * sizeof *near);
    return true;
  }
  size_t rows = (size_t)green->row_count;
  const double *entry = green->columns + 3 * (size_t)column * rows + 3 * (size_t)i;
  for (int c = 0; c < 3; ++c, entry += rows)
    for (int r = 0; r < 3; ++r) block[r][c] = entry[r];
  return true;
}

/* ---- files ---- */

#define FILE_KIND "green"
#define FILE_VERSION 3 /* format version; 2 adds the results of checks, 3 renames a chunk */
enum { OF_ERROR_ESTIMATE = 1 + TAC_GREEN_WAYS };

tacStatus tac_green_write(const tacGreen *green, const char *path, tacError *error) {
  TAC_REQUIRE(error, green, path);
  const tacTriMesh *mesh = green->surface;
  const int32_t layout[2] = {green->method, green->storage};
  const double measures[2] = {green->betti_defect, green->near_radius};
  uint64_t vertices = (uint64_t)mesh->vertex_count, columns = (uint64_t)green->column_count;
  size_t sensors = (size_t)green->sensor_count;
  size_t length = 0;
  TAC_MEMORY(int32_t, kinds) = NULL;
  TAC_MEMORY(tacVec3, points) = NULL;
  TAC_TRY(TAC_ARRAY(kinds, sensors, "sensors", error));
  TAC_TRY(TAC_ARRAY(points, sensors, "sensors", error));
  for (size_t i = 0; i < sensors; ++i) {
    kinds[i] = green->sensors[i].kind;
    points[i] = green->sensors[i].point;
    length += strlen(green->sensors[i].name) + 1;
  }
  tacChunkTransfer to = tac_chunk_transfer_write(path, FILE_KIND, FILE_VERSION, error);
  tac_chunk_transfer_put(&to, "layout", TAC_CHUNK_I32, 2, layout);
  tac_chunk_transfer_put(&to, "measures", TAC_CHUNK_F64, 2, measures);
  tac_bake_checks_put(&to, &green->checks);
  const double error_estimate[OF_ERROR_ESTIMATE] = {green->error_estimate.power, green->error_estimate.length[0],
                                                    green->error_estimate.length[1], green->error_estimate.length[2]};
  if (green->has_error_estimate)
    tac_chunk_transfer_put(&to, "error estimate", TAC_CHUNK_F64, OF_ERROR_ESTIMATE, error_estimate);
  tac_chunk_transfer_put(&to, "vertices", TAC_CHUNK_F64, 3 * vertices, mesh->vertices);
  tac_chunk_transfer_put(&to, "triangles", TAC_CHUNK_I32, 3 * (uint64_t)mesh->triangle_count, mesh->triangles);
  tac_chunk_transfer_put(&to, "fixed", TAC_CHUNK_U8, vertices, green->fixed);
  tac_chunk_transfer_put(&to, "area", TAC_CHUNK_F64, vertices, green->area);
  tac_chunk_transfer_put(&to, "sensor kinds", TAC_CHUNK_I32, sensors, kinds);
  tac_chunk_transfer_put(&to, "sensor points", TAC_CHUNK_F64, 3 * sensors, points);
  tac_chunk_transfer_put(&to, "sensor names", TAC_CHUNK_U8, length, green->names);
  tac_chunk_transfer_put(&to, "columns", TAC_CHUNK_I32, columns, green->column_vertex);
  if (green->storage == TAC_GREEN_NEAR) {
    uint64_t blocks = (uint64_t)green->near_start[columns];
    tac_chunk_transfer_put(&to, "near start", TAC_CHUNK_I64, columns + 1, green->near_start);
    tac_chunk_transfer_put(&to, "near vertex", TAC_CHUNK_I32, blocks, green->near_vertex);
    tac_chunk_transfer_put_long(&to, "near", 9 * blocks, green->near_blocks);
  } else {
    tac_chunk_transfer_put_long(&to, "xi", 3 * columns * (uint64_t)green->row_count, green->columns);
  }
  return tac_chunk_transfer_end(&to);
}

/* Reads the sensors from their chunks. The sensors refer to the text in `*names`. */
static tacSensor *take_sensors(tacChunkTransfer *from, int *sensor_count, char **names) {
  int count = -1, length = -1;
  TAC_MEMORY(int32_t, kinds) = tac_chunk_transfer_take(from, "sensor kinds", TAC_CHUNK_I32, 1, &count);
  TAC_MEMORY(tacVec3, points) = tac_chunk_transfer_take(from, "sensor points", TAC_CHUNK_F64, 3, &count);
  *names = tac_chunk_transfer_take(from, "sensor names", TAC_CHUNK_U8, 1, &length);
  tacSensor *sensors = NULL;
  if (from->status == TAC_OK) from->status = TAC_ARRAY(sensors, (size_t)count, "sensors", from->error);
  const char *name = *names, *end = from->status == TAC_OK ? name + length : NULL;
  for (int i = 0; from->status == TAC_OK && i < count; ++i) {
    const char *after = name < end ? memchr(name, 0, (size_t)(end - name)) : NULL;
    if (after == NULL || (kinds[i] != TAC_SENSOR_DISPLACEMENT && kinds[i] != TAC_SENSOR_STRESS)) {
      tac_chunk_transfer_refuse(from, "a sensor has no name or an unknown kind");
      break;
    }
    sensors[i] = (tacSensor){name, (tacSensorKind)kinds[i], points[i]};
    name = after + 1;
  }
  *sensor_count = count;
  return sensors;
}

/* Reads the error estimate. Returns false for older files, which have no error estimate. */
static bool take_error_estimate(tacChunkTransfer *from, tacGreenErrorEstimate *error_estimate) {
  *error_estimate = (tacGreenErrorEstimate){0};
  if (!tac_chunk_transfer_has(from, "error estimate")) return false;
  int count = OF_ERROR_ESTIMATE;
  TAC_MEMORY(double, numbers) = tac_chunk_transfer_take(from, "error estimate", TAC_CHUNK_F64, 1, &count);
  if (numbers == NULL) return false;
  bool good = numbers[0] == 0.0 || (numbers[0] > 0.0 && numbers[0] < 10.0);
  for (int i = 1; i < OF_ERROR_ESTIMATE; ++i)
    good = good && (numbers[0] == 0.0 || (numbers[i] > 0.0 && isfinite(numbers[i])));
  if (good)
    *error_estimate = (tacGreenErrorEstimate){numbers[0], {numbers[1], numbers[2], numbers[3]}};
  else
    tac_chunk_transfer_refuse(from, "the estimated model error is not valid");
  return good;
}

/* Reads the large arrays. Call after the counts in `parts` are set. */
static void take_numbers(tacChunkTransfer *from, tacGreenParts *parts) {
  if (from->status != TAC_OK) return;
  uint64_t columns = (uint64_t)parts->column_count;
  if (parts->storage == TAC_GREEN_WHOLE) {
    parts->columns = tac_chunk_transfer_take_long(from, "xi", 3 * columns * (uint64_t)tac_green_parts_row_count(parts));
    return;
  }
  int starts = parts->column_count + 1, blocks = -1;
  parts->near_start = tac_chunk_transfer_take(from, "near start", TAC_CHUNK_I64, 1, &starts);
  parts->near_vertex = tac_chunk_transfer_take(from, "near vertex", TAC_CHUNK_I32, 1, &blocks);
  if (from->status == TAC_OK && parts->near_start[columns] != blocks)
    tac_chunk_transfer_refuse(from, "the number of near blocks differs from the one in \"near start\"");
  parts->near_blocks = tac_chunk_transfer_take_long(from, "near", 9 * (uint64_t)blocks);
}

/* Frees the arrays that tac_green_create takes over on success. */
static void free_numbers(tacGreenParts *parts) {
  free(parts->columns);
  free(parts->near_start);
  free(parts->near_vertex);
  free(parts->near_blocks);
}

static tacGreen *take_green(tacChunkTransfer *from) {
  tacTriMesh mesh = {.vertex_count = -1, .triangle_count = -1};
  TAC_FREED(free_numbers, tacGreenParts, parts) = {.surface = &mesh, .column_count = -1};
  int two = 2, measure_count = 2, fixed_count, area_count;
  tacBakeChecks checks;
  tac_bake_checks_take(from, &checks);
  tacGreenErrorEstimate error_estimate;
  bool has_error_estimate = take_error_estimate(from, &error_estimate);
  TAC_MEMORY(int32_t, layout) = tac_chunk_transfer_take(from, "layout", TAC_CHUNK_I32, 1, &two);
  TAC_MEMORY(double, measures) = tac_chunk_transfer_take(from, "measures", TAC_CHUNK_F64, 1, &measure_count);
  TAC_MEMORY(void, vertices) = tac_chunk_transfer_take(from, "vertices", TAC_CHUNK_F64, 3, &mesh.vertex_count);
  TAC_MEMORY(void, triangles) = tac_chunk_transfer_take(from, "triangles", TAC_CHUNK_I32, 3, &mesh.triangle_count);
  fixed_count = area_count = mesh.vertex_count;
  TAC_MEMORY(unsigned char, bytes) = tac_chunk_transfer_take(from, "fixed", TAC_CHUNK_U8, 1, &fixed_count);
  TAC_MEMORY(double, area) = tac_chunk_transfer_take(from, "area", TAC_CHUNK_F64, 1, &area_count);
  TAC_MEMORY(char, names) = NULL;
  TAC_MEMORY(tacSensor, sensors) = take_sensors(from, &parts.sensor_count, &names);
  TAC_MEMORY(int, column_vertex) = tac_chunk_transfer_take(from, "columns", TAC_CHUNK_I32, 1, &parts.column_count);
  TAC_MEMORY(bool, fixed) = NULL;
  if (from->status == TAC_OK) from->status = TAC_ARRAY(fixed, (size_t)mesh.vertex_count, "vertices", from->error);
  if (from->status != TAC_OK) return NULL;
  for (int v = 0; v < mesh.vertex_count; ++v) fixed[v] = bytes[v] != 0;
  if (layout[0] < 0 || layout[0] > TAC_FINITE_ELEMENTS || layout[1] < 0 || layout[1] > TAC_GREEN_NEAR) {
    tac_chunk_transfer_refuse(from, "the method or storage is unknown");
    return NULL;
  }
  mesh.vertices = vertices;
  mesh.triangles = triangles;
  parts.method = (tacReferenceMethod)layout[0];
  parts.storage = (tacGreenStorage)layout[1];
  parts.betti_defect = fabs(measures[0]);
  parts.near_radius = measures[1];
  parts.fixed = fixed;
  parts.area = area;
  parts.sensors = sensors;
  parts.column_vertex = column_vertex;
  from->status = check_parts(&parts, from->error);
  take_numbers(from, &parts);
  tacGreen *green = NULL;
  if (from->status == TAC_OK) from->status = tac_green_create(&parts, &green, from->error);
  if (from->status == TAC_ERR_ARGUMENT || from->status == TAC_ERR_GEOMETRY) from->status = TAC_ERR_FORMAT;
  if (green == NULL) return NULL;
  parts.columns = parts.near_blocks = NULL; /* owned by `green` now */
  parts.near_start = NULL;
  parts.near_vertex = NULL;
  tac_green_set_checks(green, &checks);
  if (has_error_estimate) tac_green_set_error_estimate(green, &error_estimate);
  return green;
}

tacStatus tac_green_read(const char *path, tacGreen **green, tacError *error) {
  TAC_REQUIRE(error, green);
  *green = NULL;
  TAC_REQUIRE(error, path);
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  *green = take_green(&from);
  return tac_chunk_transfer_end(&from);
}
