#include "elastic/reference/reference_problem.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/material.h>
#include "base/files/chunk_transfer.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "elastic/elements/element.h"
#include "elastic/reference/boundary_problem.h"
#include "elastic/reference/reference_def.h"
#include "elastic/reference/thin_parts.h"
#include "elastic/reference/volume_problem.h"
#include "math/geometry/vec3.h"
#include "mesh/trimesh.h"

struct tacReferenceProblem {
  tacArrays arrays; /* those that are kept */
  tacReferenceMethod method;
  uint64_t key;
  int sensor_rows;
  tacTriMesh *surface;
  double *area;
  tacBoundaryProblem *boundary; /* one of the two */
  tacVolumeProblem *volume;
  tacReferenceDef kept; /* finite elements: a copy of the definition, for the file; sensors without their names */
  tacVolMesh *kept_mesh;
};

void tac_reference_problem_destroy(tacReferenceProblem *problem) {
  if (problem == NULL) return;
  tac_trimesh_destroy(problem->surface);
  free(problem->area);
  tac_boundary_problem_destroy(problem->boundary);
  tac_volume_problem_destroy(problem->volume);
  tac_volmesh_destroy(problem->kept_mesh);
  tac_arrays_free(&problem->arrays);
  free(problem);
}
TAC_OWNED_TYPE(tacReferenceProblem, tac_reference_problem_destroy)
TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

const tacTriMesh *tac_reference_problem_surface(const tacReferenceProblem *problem) {
  return problem->surface;
}

const double *tac_reference_problem_area(const tacReferenceProblem *problem) {
  return problem->area;
}

int tac_reference_problem_row_count(const tacReferenceProblem *problem) {
  return 3 * problem->surface->vertex_count + problem->sensor_rows;
}

const tacBakeChecks *tac_reference_problem_checks(const tacReferenceProblem *problem) {
  return problem->boundary != NULL ? &problem->boundary->checks : tac_volume_problem_checks(problem->volume);
}

const tacColumnCheck *tac_reference_problem_column_check(const tacReferenceProblem *problem) {
  return problem->boundary != NULL ? &problem->boundary->column_check
                                   : tac_volume_problem_column_check(problem->volume);
}

uint64_t tac_reference_problem_key(const tacReferenceProblem *problem) {
  return problem->key;
}

/* a_j, a third of the triangles around j (James and Pai 2001, (5)). */
static tacStatus measure_areas(const tacTriMesh *mesh, double **area, tacError *error) {
  TAC_TRY(TAC_ARRAY(*area, (size_t)mesh->vertex_count, "areas of vertices", error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 a = mesh->vertices[v[0]];
    tacVec3 cross = tac_vec3_cross(tac_vec3_sub(mesh->vertices[v[1]], a), tac_vec3_sub(mesh->vertices[v[2]], a));
    for (int c = 0; c < 3; ++c) (*area)[v[c]] += tac_vec3_norm(cross) / 6.0;
  }
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (!((*area)[v] > 0.0))
      return tac_error_set(error, TAC_ERR_GEOMETRY,
                           "vertex %d of the surface belongs to no triangle, or only to "
                           "degenerate ones",
                           v);
  return TAC_OK;
}

/* A copy; NULL where there are no items, or no memory, which the status of the arrays tells. */
static void *copy_items(tacArrays *arrays, const void *items, size_t count, size_t size) {
  void *copy = items != NULL ? tac_arrays_add(arrays, count, size) : NULL;
  if (copy != NULL) memcpy(copy, items, count * size);
  return copy;
}

static tacStatus keep_definition(const tacReferenceDef *def, tacReferenceProblem *problem, tacError *error) {
  const tacVolMesh *mesh = def->volume;
  TAC_TRY(tac_volmesh_create(mesh->vertex_count, mesh->tet_count, mesh->brick_count, &problem->kept_mesh, error));
  tacVolMesh *kept = problem->kept_mesh;
  size_t vertices = (size_t)mesh->vertex_count, elements = (size_t)tac_element_count(mesh);
  size_t shown = (size_t)problem->surface->vertex_count, sensor_count = (size_t)def->sensor_count;
  memcpy(kept->vertices, mesh->vertices, vertices * sizeof *mesh->vertices);
  if (mesh->tet_count > 0) memcpy(kept->tets, mesh->tets, (size_t)mesh->tet_count * sizeof *mesh->tets);
  if (mesh->brick_count > 0) memcpy(kept->bricks, mesh->bricks, (size_t)mesh->brick_count * sizeof *mesh->bricks);
  tacArrays *arrays = &problem->arrays;
  tacSensor *sensors = copy_items(arrays, def->sensors, sensor_count, sizeof *sensors);
  tacReferenceDef *to = &problem->kept;
  *to = *def;
  to->surface = NULL;
  to->volume = kept;
  to->materials = copy_items(arrays, def->materials, (size_t)def->material_count, sizeof *def->materials);
  to->material_of = copy_items(arrays, def->material_of, elements, sizeof *def->material_of);
  to->fixed = copy_items(arrays, def->fixed, shown, sizeof *def->fixed);
  to->fixed_inside = copy_items(arrays, def->fixed_inside, vertices, sizeof *def->fixed_inside);
  to->sensors = sensors;
  TAC_TRY(tac_arrays_status(arrays, "a reference problem", error));
  for (int i = 0; i < def->sensor_count; ++i) sensors[i].name = NULL;
  return TAC_OK;
}

tacStatus tac_reference_problem_create(const tacReferenceDef *def, const tacProgress *progress,
                                       tacReferenceProblem **result, tacError *error) {
  *result = NULL;
  bool boundary = def->method == TAC_BOUNDARY_ELEMENTS;
  TAC_TRY(tac_reference_def_check(def, error));
  if (boundary) TAC_TRY(tac_thin_parts_warn(def->surface, error));
  TAC_MEMORY(int, vertex_of) = NULL;
  TAC_OWN(tacReferenceProblem, problem) = tac_array_create(1, sizeof *problem, "a reference problem", error);
  if (problem == NULL) return TAC_ERR_MEMORY;
  problem->method = def->method;
  TAC_TRY(boundary ? tac_trimesh_copy(def->surface, &problem->surface, error)
                   : tac_volmesh_surface(def->volume, &problem->surface, &vertex_of, NULL, error));
  int count = problem->surface->vertex_count;
  if (!boundary && count == 0) return tac_error_set(error, TAC_ERR_GEOMETRY, "the volume mesh has no elements");
  if (count > (INT_MAX - 6 * def->sensor_count) / 3)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "Green's functions of %d vertices are not supported; use fewer "
                         "vertices",
                         count);
  TAC_TRY(measure_areas(problem->surface, &problem->area, error));
  TAC_TRY(tac_reference_def_check_fixed(def, problem->surface, error));
  problem->key = tac_reference_def_key(def, count);
  for (int i = 0; i < def->sensor_count; ++i)
    problem->sensor_rows += tac_reference_def_sensor_rows(def->sensors[i].kind);
  if (!boundary) TAC_TRY(keep_definition(def, problem, error));
  TAC_TRY(boundary
              ? tac_boundary_problem_create(def, problem->area, progress, &problem->boundary, error)
              : tac_volume_problem_create(def, count, vertex_of, problem->area, progress, &problem->volume, error));
  *result = tac_give(&problem);
  return TAC_OK;
}

tacStatus tac_reference_problem_columns(tacReferenceProblem *problem, int count, const int *vertices,
                                        const tacProgress *progress, double *columns, tacError *error) {
  if (count < 0 || count > INT_MAX / 3)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the number of vertices to solve at once is %d; it must be 0 or more and below 2^31 / 3",
                         count);
  for (int i = 0; i < count; ++i)
    if (vertices[i] < 0 || vertices[i] >= problem->surface->vertex_count)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "vertex %d does not exist; the surface has %d", vertices[i],
                           problem->surface->vertex_count);
  TAC_TRY(problem->boundary != NULL
              ? tac_boundary_problem_columns(problem->boundary, count, vertices, progress, columns, error)
              : tac_volume_problem_columns(problem->volume, count, vertices, progress, columns, error));
  size_t total = 3 * (size_t)count * (size_t)tac_reference_problem_row_count(problem);
  for (size_t i = 0; i < total; ++i)
    if (!isfinite(columns[i]))
      return tac_error_set(error, TAC_ERR_SINGULAR, "the columns of vertex %d have NaN or infinite values",
                           vertices[i / 3 / (size_t)tac_reference_problem_row_count(problem)]);
  const tacColumnCheck *check = tac_reference_problem_column_check(problem);
  tacBakeChecks checks = {0};
  tacWorst worst = {0};
  tac_column_check_compare(check, count, vertices, columns, &worst);
  return tac_bake_checks_add(&checks, TAC_COLUMN_CHECK_TEXT, &worst, check->allowed, TAC_COLUMN_CHECK_PLACE, error);
}

/* ---- files ---- */

#define FILE_KIND "reference problem"
#define FILE_VERSION 3 /* 3: with what is fixed inside */

enum { MATERIAL_NUMBERS = 40 };

static void put_materials(tacChunkTransfer *to, int count, const tacMaterial *materials) {
  TAC_MEMORY(double, numbers) =
      tac_array_create((size_t)count, MATERIAL_NUMBERS * sizeof *numbers, "materials", to->error);
  if (numbers == NULL) {
    to->status = TAC_ERR_MEMORY;
    return;
  }
  for (int i = 0; i < count; ++i) {
    double *n = numbers + (size_t)MATERIAL_NUMBERS * (size_t)i;
    memcpy(n, materials[i].stiffness, sizeof materials[i].stiffness);
    n[36] = materials[i].density;
    n[37] = materials[i].isotropic;
    n[38] = materials[i].young;
    n[39] = materials[i].poisson;
  }
  tac_chunk_transfer_put(to, "materials", TAC_CHUNK_F64, (uint64_t)count * MATERIAL_NUMBERS, numbers);
}

static tacMaterial *take_materials(tacChunkTransfer *from, int *count) {
  *count = -1;
  TAC_MEMORY(double, numbers) = tac_chunk_transfer_take(from, "materials", TAC_CHUNK_F64, MATERIAL_NUMBERS, count);
  tacMaterial *materials = NULL;
  if (numbers != NULL) {
    materials = tac_array_create((size_t)*count, sizeof *materials, "materials", from->error);
    if (materials == NULL) from->status = TAC_ERR_MEMORY;
  }
  for (int i = 0; materials != NULL && i < *count; ++i) {
    const double *n = numbers + (size_t)MATERIAL_NUMBERS * (size_t)i;
    memcpy(materials[i].stiffness, n, sizeof materials[i].stiffness);
    materials[i].density = n[36];
    materials[i].isotropic = n[37] != 0.0;
    materials[i].young = n[38];
    materials[i].poisson = n[39];
  }
  return materials;
}

static void put_volume(tacChunkTransfer *to, const tacReferenceProblem *problem) {
  const tacReferenceDef *def = &problem->kept;
  const tacVolMesh *mesh = def->volume;
  tac_chunk_transfer_put(to, "volume vertices", TAC_CHUNK_F64, 3 * (uint64_t)mesh->vertex_count, mesh->vertices);
  tac_chunk_transfer_put(to, "tets", TAC_CHUNK_I32, 4 * (uint64_t)mesh->tet_count, mesh->tets);
  tac_chunk_transfer_put(to, "bricks", TAC_CHUNK_I32, 8 * (uint64_t)mesh->brick_count, mesh->bricks);
  put_materials(to, def->material_count, def->materials);
  tac_chunk_transfer_put(to, "material of", TAC_CHUNK_I32,
                         def->material_of != NULL ? (uint64_t)tac_element_count(mesh) : 0, def->material_of);
  tac_chunk_transfer_put(to, "fixed", TAC_CHUNK_U8, (uint64_t)problem->surface->vertex_count, def->fixed);
  tac_chunk_transfer_put(to, "fixed inside", TAC_CHUNK_U8, def->fixed_inside != NULL ? (uint64_t)mesh->vertex_count : 0,
                         def->fixed_inside);
  TAC_MEMORY(double, points) = tac_array_create((size_t)def->sensor_count, 4 * sizeof *points, "sensors", to->error);
  if (points == NULL) {
    to->status = TAC_ERR_MEMORY;
    return;
  }
  for (int i = 0; i < def->sensor_count; ++i) {
    const tacSensor *sensor = &def->sensors[i];
    points[4 * i] = sensor->kind;
    memcpy(&points[4 * i + 1], &sensor->point, sizeof sensor->point);
  }
  tac_chunk_transfer_put(to, "sensors", TAC_CHUNK_F64, 4 * (uint64_t)def->sensor_count, points);
}

/* What a file has of a definition; arrays are the transfer's. */
typedef struct Taken {
  tacVolMesh mesh;
  tacMaterial *materials;
  int *material_of;
  unsigned char *fixed, *inside; /* a byte is a bool: 0, or not */
  double *points;
} Taken;

static void free_taken(Taken *taken) {
  free(taken->mesh.vertices);
  free(taken->mesh.tets);
  free(taken->mesh.bricks);
  free(taken->materials);
  free(taken->material_of);
  free(taken->fixed);
  free(taken->inside);
  free(taken->points);
}

static bool *make_bools(tacArrays *arrays, int count, const unsigned char *bytes) {
  bool *made = tac_arrays_add(arrays, (size_t)count, sizeof *made);
  for (int i = 0; made != NULL && i < count; ++i) made[i] = bytes[i] != 0;
  return made;
}

/* The problem is made again from its definition. */
static tacStatus take_volume(tacChunkTransfer *from, tacReferenceProblem **problem) {
  TAC_FREED(free_taken, Taken, taken) = {.mesh = {.vertex_count = -1, .tet_count = -1, .brick_count = -1}};
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  TAC_OWN(tacTriMesh, surface) = NULL;
  tacVolMesh *mesh = &taken.mesh;
  int fixed_count = -1, inside_count = -1, of_count = -1, sensor_count = -1;
  tacReferenceDef def = {.method = TAC_FINITE_ELEMENTS, .volume = mesh};
  mesh->vertices = tac_chunk_transfer_take(from, "volume vertices", TAC_CHUNK_F64, 3, &mesh->vertex_count);
  mesh->tets = tac_chunk_transfer_take(from, "tets", TAC_CHUNK_I32, 4, &mesh->tet_count);
  mesh->bricks = tac_chunk_transfer_take(from, "bricks", TAC_CHUNK_I32, 8, &mesh->brick_count);
  def.materials = taken.materials = take_materials(from, &def.material_count);
  taken.material_of = tac_chunk_transfer_take(from, "material of", TAC_CHUNK_I32, 1, &of_count);
  taken.fixed = tac_chunk_transfer_take(from, "fixed", TAC_CHUNK_U8, 1, &fixed_count);
  taken.inside = tac_chunk_transfer_take(from, "fixed inside", TAC_CHUNK_U8, 1, &inside_count);
  taken.points = tac_chunk_transfer_take(from, "sensors", TAC_CHUNK_F64, 4, &sensor_count);
  TAC_TRY(from->status);
  tacSensor *sensors = tac_arrays_add(&arrays, (size_t)sensor_count, sizeof *sensors);
  char(*names)[16] = tac_arrays_add(&arrays, (size_t)sensor_count, sizeof *names);
  def.fixed = make_bools(&arrays, fixed_count, taken.fixed);
  const bool *inside = make_bools(&arrays, inside_count, taken.inside);
  TAC_TRY(tac_arrays_status(&arrays, "a reference problem", from->error));
  TAC_TRY(tac_volmesh_validate(mesh, from->error));
  TAC_TRY(tac_volmesh_surface(mesh, &surface, NULL, NULL, from->error));
  if (surface->vertex_count != fixed_count || (of_count != 0 && of_count != tac_element_count(mesh)))
    return tac_error_set(from->error, TAC_ERR_FORMAT,
                         "%s: the surface of the mesh has %d vertices, but %d are "
                         "expected",
                         from->path, surface->vertex_count, fixed_count);
  if (inside_count != 0 && inside_count != mesh->vertex_count)
    return tac_error_set(from->error, TAC_ERR_FORMAT, "%s: the mesh has %d vertices, but %d are expected", from->path,
                         mesh->vertex_count, inside_count);
  for (int i = 0; i < sensor_count; ++i) {
    const double *at = taken.points + 4 * (size_t)i;
    snprintf(names[i], sizeof names[i], "%d", i);
    sensors[i] = (tacSensor){
        names[i], at[0] == TAC_SENSOR_STRESS ? TAC_SENSOR_STRESS : TAC_SENSOR_DISPLACEMENT, {at[1], at[2], at[3]}};
  }
  def.material_of = of_count > 0 ? taken.material_of : NULL;
  def.fixed_inside = inside_count > 0 ? inside : NULL;
  def.sensor_count = sensor_count;
  def.sensors = sensors;
  return tac_reference_problem_create(&def, NULL, problem, from->error);
}

static tacStatus take_boundary(tacChunkTransfer *from, tacReferenceProblem **result) {
  int key_count = 1, vertex_count = -1, triangle_count = -1;
  TAC_MEMORY(int64_t, key) = tac_chunk_transfer_take(from, "key", TAC_CHUNK_I64, 1, &key_count);
  TAC_MEMORY(tacVec3, vertices) = tac_chunk_transfer_take(from, "vertices", TAC_CHUNK_F64, 3, &vertex_count);
  TAC_MEMORY(tacTriangle, triangles) = tac_chunk_transfer_take(from, "triangles", TAC_CHUNK_I32, 3, &triangle_count);
  TAC_TRY(from->status);
  TAC_OWN(tacReferenceProblem, problem) = tac_array_create(1, sizeof *problem, "a reference problem", from->error);
  if (problem == NULL) return TAC_ERR_MEMORY;
  problem->method = TAC_BOUNDARY_ELEMENTS;
  problem->key = (uint64_t)key[0];
  const tacTriMesh mesh = {
      .vertex_count = vertex_count, .vertices = vertices, .triangle_count = triangle_count, .triangles = triangles};
  if (vertex_count == 0 || vertex_count > INT_MAX / 6)
    return tac_error_set(from->error, TAC_ERR_FORMAT, "%s: a surface of %d vertices is not valid", from->path,
                         vertex_count);
  TAC_TRY(tac_trimesh_copy(&mesh, &problem->surface, from->error));
  TAC_TRY(tac_trimesh_validate(problem->surface, from->error));
  TAC_TRY(measure_areas(problem->surface, &problem->area, from->error));
  problem->boundary = tac_boundary_problem_take(from, vertex_count);
  TAC_TRY(from->status);
  problem->sensor_rows = problem->boundary->sensor_rows;
  *result = tac_give(&problem);
  return TAC_OK;
}

tacStatus tac_reference_problem_write(const tacReferenceProblem *problem, const char *path, tacError *error) {
  tacChunkTransfer to = tac_chunk_transfer_write(path, FILE_KIND, FILE_VERSION, error);
  const int32_t method = problem->method;
  tac_chunk_transfer_put(&to, "method", TAC_CHUNK_I32, 1, &method);
  tac_bake_checks_put(&to, tac_reference_problem_checks(problem));
  if (problem->boundary != NULL) {
    const int64_t key = (int64_t)problem->key;
    const tacTriMesh *mesh = problem->surface;
    tac_chunk_transfer_put(&to, "key", TAC_CHUNK_I64, 1, &key);
    tac_chunk_transfer_put(&to, "vertices", TAC_CHUNK_F64, 3 * (uint64_t)mesh->vertex_count, mesh->vertices);
    tac_chunk_transfer_put(&to, "triangles", TAC_CHUNK_I32, 3 * (uint64_t)mesh->triangle_count, mesh->triangles);
    tac_boundary_problem_put(problem->boundary, &to);
  } else {
    put_volume(&to, problem);
  }
  return tac_chunk_transfer_end(&to);
}

tacStatus tac_reference_problem_read(const char *path, tacReferenceProblem **result, tacError *error) {
  TAC_OWN(tacReferenceProblem, problem) = NULL;
  int one = 1;
  *result = NULL;
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  tacBakeChecks checks;
  tac_bake_checks_take(&from, &checks);
  TAC_MEMORY(int32_t, method) = tac_chunk_transfer_take(&from, "method", TAC_CHUNK_I32, 1, &one);
  if (from.status == TAC_OK && method[0] == TAC_BOUNDARY_ELEMENTS)
    from.status = take_boundary(&from, &problem);
  else if (from.status == TAC_OK && method[0] == TAC_FINITE_ELEMENTS)
    from.status = take_volume(&from, &problem);
  else if (from.status == TAC_OK)
    from.status = tac_error_set(error, TAC_ERR_FORMAT, "%s: the method %d is unknown", path, method[0]);
  if (from.status == TAC_OK && problem->boundary != NULL) problem->boundary->checks = checks;
  TAC_TRY(tac_chunk_transfer_end(&from));
  *result = tac_give(&problem);
  return TAC_OK;
}
