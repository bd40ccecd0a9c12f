#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/reference_problem.h>
#include "base/files/chunk_transfer.h"
#include "base/memory/array.h"
#include "elastic/elements/element.h"
#include "elastic/reference/boundary_problem.h"
#include "elastic/reference/reference_def.h"
#include "elastic/reference/thin_parts.h"
#include "elastic/reference/volume_problem.h"
#include "math/geometry/vec3.h"

struct tacReferenceProblem {
  tacReferenceMethod method;
  uint64_t key;
  int sensor_rows;
  tacTriMesh *surface;
  double *area;
  tacBoundaryProblem *boundary; /* one of the two */
  tacVolumeProblem *volume;
  tacReferenceDef kept; /* finite elements: a copy of the definition, for the file */
  tacVolMesh *kept_mesh;
  tacMaterial *kept_materials;
  int *kept_material_of;
  bool *kept_fixed, *kept_inside;
  tacSensor *kept_sensors; /* names are not needed */
};

void tac_reference_problem_destroy(tacReferenceProblem *problem) {
  if (problem == NULL) return;
  tac_trimesh_destroy(problem->surface);
  free(problem->area);
  tac_boundary_problem_destroy(problem->boundary);
  tac_volume_problem_destroy(problem->volume);
  tac_volmesh_destroy(problem->kept_mesh);
  free(problem->kept_materials);
  free(problem->kept_material_of);
  free(problem->kept_fixed);
  free(problem->kept_inside);
  free(problem->kept_sensors);
  free(problem);
}

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
      return tac_error_set(error, TAC_ERR_GEOMETRY, "vertex %d of the surface has no triangle, or only flat ones", v);
  return TAC_OK;
}

static void *copy_items(const void *items, size_t count, size_t size, tacError *error) {
  void *copy = tac_array_create(count, size, "a reference problem", error);
  if (copy != NULL && count > 0) memcpy(copy, items, count * size);
  return copy;
}

static tacStatus keep_definition(const tacReferenceDef *def, tacReferenceProblem *problem, tacError *error) {
  const tacVolMesh *mesh = def->volume;
  tacStatus status =
      tac_volmesh_create(mesh->vertex_count, mesh->tet_count, mesh->brick_count, &problem->kept_mesh, error);
  if (status != TAC_OK) return status;
  tacVolMesh *kept = problem->kept_mesh;
  memcpy(kept->vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
  if (mesh->tet_count > 0) memcpy(kept->tets, mesh->tets, (size_t)mesh->tet_count * sizeof *mesh->tets);
  if (mesh->brick_count > 0) memcpy(kept->bricks, mesh->bricks, (size_t)mesh->brick_count * sizeof *mesh->bricks);
  problem->kept_materials = copy_items(def->materials, (size_t)def->material_count, sizeof *def->materials, error);
  problem->kept_fixed = copy_items(def->fixed, (size_t)problem->surface->vertex_count, sizeof *def->fixed, error);
  problem->kept_sensors = copy_items(def->sensors, (size_t)def->sensor_count, sizeof *def->sensors, error);
  if (problem->kept_materials == NULL || problem->kept_fixed == NULL || problem->kept_sensors == NULL)
    return TAC_ERR_MEMORY;
  for (int i = 0; i < def->sensor_count; ++i) problem->kept_sensors[i].name = NULL;
  if (def->fixed_inside != NULL) {
    problem->kept_inside = copy_items(def->fixed_inside, (size_t)mesh->vertex_count, sizeof *def->fixed_inside, error);
    if (problem->kept_inside == NULL) return TAC_ERR_MEMORY;
  }
  if (def->material_of != NULL) {
    problem->kept_material_of =
        copy_items(def->material_of, (size_t)tac_element_count(mesh), sizeof *def->material_of, error);
    if (problem->kept_material_of == NULL) return TAC_ERR_MEMORY;
  }
  problem->kept = (tacReferenceDef){.method = def->method,
                                    .volume = kept,
                                    .material_count = def->material_count,
                                    .materials = problem->kept_materials,
                                    .material_of = problem->kept_material_of,
                                    .fixed = problem->kept_fixed,
                                    .fixed_inside = problem->kept_inside,
                                    .sensor_count = def->sensor_count,
                                    .sensors = problem->kept_sensors};
  return TAC_OK;
}

tacStatus tac_reference_problem_create(const tacReferenceDef *def, const tacProgress *progress,
                                       tacReferenceProblem **result, tacError *error) {
  *result = NULL;
  tacStatus status = tac_reference_def_check(def, error);
  if (status == TAC_OK && def->method == TAC_BOUNDARY_ELEMENTS) status = tac_thin_parts_warn(def->surface, error);
  if (status != TAC_OK) return status;
  tacReferenceProblem *problem = tac_array_create(1, sizeof *problem, "a reference problem", error);
  if (problem == NULL) return TAC_ERR_MEMORY;
  int *vertex_of = NULL;
  problem->method = def->method;
  if (def->method == TAC_BOUNDARY_ELEMENTS) {
    status = tac_trimesh_copy(def->surface, &problem->surface, error);
  } else {
    status = tac_volmesh_surface(def->volume, &problem->surface, &vertex_of, NULL, error);
    if (status == TAC_OK && problem->surface->vertex_count == 0)
      status = tac_error_set(error, TAC_ERR_GEOMETRY, "the volume mesh has no elements");
  }
  if (status == TAC_OK && problem->surface->vertex_count > (INT_MAX - 6 * def->sensor_count) / 3)
    status =
        tac_error_set(error, TAC_ERR_UNSUPPORTED, "Green's functions of %d vertices", problem->surface->vertex_count);
  if (status == TAC_OK) status = measure_areas(problem->surface, &problem->area, error);
  if (status == TAC_OK) status = tac_reference_def_check_fixed(def, problem->surface, error);
  if (status != TAC_OK) goto done;
  problem->key = tac_reference_def_key(def, problem->surface->vertex_count);
  for (int i = 0; i < def->sensor_count; ++i)
    problem->sensor_rows += tac_reference_def_sensor_rows(def->sensors[i].kind);
  if (def->method == TAC_BOUNDARY_ELEMENTS) {
    status = tac_boundary_problem_create(def, problem->area, progress, &problem->boundary, error);
  } else {
    status = keep_definition(def, problem, error);
    if (status == TAC_OK)
      status = tac_volume_problem_create(def, problem->surface->vertex_count, vertex_of, problem->area, progress,
                                         &problem->volume, error);
  }
done:
  free(vertex_of);
  if (status != TAC_OK) {
    tac_reference_problem_destroy(problem);
    problem = NULL;
  }
  *result = problem;
  return status;
}

tacStatus tac_reference_problem_columns(tacReferenceProblem *problem, int count, const int *vertices,
                                        const tacProgress *progress, double *columns, tacError *error) {
  if (count < 0 || count > INT_MAX / 3) return tac_error_set(error, TAC_ERR_ARGUMENT, "columns of %d vertices", count);
  for (int i = 0; i < count; ++i)
    if (vertices[i] < 0 || vertices[i] >= problem->surface->vertex_count)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "vertex %d does not exist; the surface has %d", vertices[i],
                           problem->surface->vertex_count);
  tacStatus status = problem->boundary != NULL
                         ? tac_boundary_problem_columns(problem->boundary, count, vertices, progress, columns, error)
                         : tac_volume_problem_columns(problem->volume, count, vertices, progress, columns, error);
  size_t total = 3 * (size_t)count * (size_t)tac_reference_problem_row_count(problem);
  for (size_t i = 0; status == TAC_OK && i < total; ++i)
    if (!isfinite(columns[i]))
      status = tac_error_set(error, TAC_ERR_SINGULAR, "the columns of vertex %d are not finite",
                             vertices[i / 3 / (size_t)tac_reference_problem_row_count(problem)]);
  if (status != TAC_OK) return status;
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
  double *numbers = tac_array_create((size_t)count, MATERIAL_NUMBERS * sizeof *numbers, "materials", to->error);
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
  free(numbers);
}

static tacMaterial *take_materials(tacChunkTransfer *from, int *count) {
  *count = -1;
  double *numbers = tac_chunk_transfer_take(from, "materials", TAC_CHUNK_F64, MATERIAL_NUMBERS, count);
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
  free(numbers);
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
  double *points = tac_array_create((size_t)def->sensor_count, 4 * sizeof *points, "sensors", to->error);
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
  free(points);
}

/* The problem is made again from its definition. */
static tacReferenceProblem *take_volume(tacChunkTransfer *from) {
  tacReferenceProblem *problem = NULL;
  tacTriMesh *surface = NULL;
  tacVolMesh mesh = {.vertex_count = -1, .tet_count = -1, .brick_count = -1};
  int fixed_count = -1, inside_count = -1, of_count = -1, sensor_count = -1;
  tacReferenceDef def = {.method = TAC_FINITE_ELEMENTS, .volume = &mesh};
  mesh.vertices = tac_chunk_transfer_take(from, "volume vertices", TAC_CHUNK_F64, 3, &mesh.vertex_count);
  mesh.tets = tac_chunk_transfer_take(from, "tets", TAC_CHUNK_I32, 4, &mesh.tet_count);
  mesh.bricks = tac_chunk_transfer_take(from, "bricks", TAC_CHUNK_I32, 8, &mesh.brick_count);
  tacMaterial *materials = take_materials(from, &def.material_count);
  int *material_of = tac_chunk_transfer_take(from, "material of", TAC_CHUNK_I32, 1, &of_count);
  unsigned char *bytes = tac_chunk_transfer_take(from, "fixed", TAC_CHUNK_U8, 1, &fixed_count);
  unsigned char *inside_bytes = tac_chunk_transfer_take(from, "fixed inside", TAC_CHUNK_U8, 1, &inside_count);
  double *points = tac_chunk_transfer_take(from, "sensors", TAC_CHUNK_F64, 4, &sensor_count);
  tacSensor *sensors = NULL;
  char(*names)[16] = NULL;
  bool *fixed = NULL, *inside = NULL;
  if (from->status != TAC_OK) goto done;
  sensors = tac_array_create((size_t)sensor_count, sizeof *sensors, "sensors", from->error);
  names = tac_array_create((size_t)sensor_count, sizeof *names, "sensors", from->error);
  fixed = tac_array_create((size_t)fixed_count, sizeof *fixed, "vertices", from->error);
  inside = tac_array_create((size_t)inside_count, sizeof *inside, "vertices", from->error);
  from->status = sensors == NULL || names == NULL || fixed == NULL || inside == NULL
                     ? TAC_ERR_MEMORY
                     : tac_volmesh_validate(&mesh, from->error);
  if (from->status == TAC_OK) from->status = tac_volmesh_surface(&mesh, &surface, NULL, NULL, from->error);
  if (from->status != TAC_OK) goto done;
  if (surface->vertex_count != fixed_count || (of_count != 0 && of_count != tac_element_count(&mesh))) {
    from->status = tac_error_set(from->error, TAC_ERR_FORMAT, "%s: its mesh has %d vertices on the surface, not %d",
                                 from->path, surface->vertex_count, fixed_count);
    goto done;
  }
  if (inside_count != 0 && inside_count != mesh.vertex_count) {
    from->status = tac_error_set(from->error, TAC_ERR_FORMAT, "%s: its mesh has %d vertices, not %d", from->path,
                                 mesh.vertex_count, inside_count);
    goto done;
  }
  for (int v = 0; v < fixed_count; ++v) fixed[v] = bytes[v] != 0;
  for (int v = 0; v < inside_count; ++v) inside[v] = inside_bytes[v] != 0;
  for (int i = 0; i < sensor_count; ++i) {
    snprintf(names[i], sizeof names[i], "%d", i);
    sensors[i] = (tacSensor){names[i],
                             points[4 * i] == TAC_SENSOR_STRESS ? TAC_SENSOR_STRESS : TAC_SENSOR_DISPLACEMENT,
                             {points[4 * i + 1], points[4 * i + 2], points[4 * i + 3]}};
  }
  def.materials = materials;
  def.material_of = of_count > 0 ? material_of : NULL;
  def.fixed = fixed;
  def.fixed_inside = inside_count > 0 ? inside : NULL;
  def.sensor_count = sensor_count;
  def.sensors = sensors;
  from->status = tac_reference_problem_create(&def, NULL, &problem, from->error);
done:
  tac_trimesh_destroy(surface);
  free(mesh.vertices);
  free(mesh.tets);
  free(mesh.bricks);
  free(materials);
  free(material_of);
  free(bytes);
  free(points);
  free(sensors);
  free(names);
  free(fixed);
  free(inside_bytes);
  free(inside);
  return problem;
}

static tacReferenceProblem *take_boundary(tacChunkTransfer *from) {
  int key_count = 1, vertex_count = -1, triangle_count = -1;
  int64_t *key = tac_chunk_transfer_take(from, "key", TAC_CHUNK_I64, 1, &key_count);
  tacVec3 *vertices = tac_chunk_transfer_take(from, "vertices", TAC_CHUNK_F64, 3, &vertex_count);
  tacTriangle *triangles = tac_chunk_transfer_take(from, "triangles", TAC_CHUNK_I32, 3, &triangle_count);
  tacReferenceProblem *problem = NULL;
  if (from->status == TAC_OK) {
    problem = tac_array_create(1, sizeof *problem, "a reference problem", from->error);
    if (problem == NULL) from->status = TAC_ERR_MEMORY;
  }
  if (from->status != TAC_OK) goto done;
  problem->method = TAC_BOUNDARY_ELEMENTS;
  problem->key = (uint64_t)key[0];
  const tacTriMesh mesh = {
      .vertex_count = vertex_count, .vertices = vertices, .triangle_count = triangle_count, .triangles = triangles};
  if (vertex_count == 0 || vertex_count > INT_MAX / 6)
    from->status = tac_error_set(from->error, TAC_ERR_FORMAT, "%s: a surface of %d vertices", from->path, vertex_count);
  if (from->status == TAC_OK) from->status = tac_trimesh_copy(&mesh, &problem->surface, from->error);
  if (from->status == TAC_OK) from->status = tac_trimesh_validate(problem->surface, from->error);
  if (from->status == TAC_OK) from->status = measure_areas(problem->surface, &problem->area, from->error);
  if (from->status == TAC_OK) problem->boundary = tac_boundary_problem_take(from, vertex_count);
  if (from->status == TAC_OK) problem->sensor_rows = problem->boundary->sensor_rows;
done:
  free(key);
  free(vertices);
  free(triangles);
  return problem;
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
  tacReferenceProblem *problem = NULL;
  int one = 1;
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  tacBakeChecks checks;
  tac_bake_checks_take(&from, &checks);
  int32_t *method = tac_chunk_transfer_take(&from, "method", TAC_CHUNK_I32, 1, &one);
  if (from.status == TAC_OK && method[0] == TAC_BOUNDARY_ELEMENTS)
    problem = take_boundary(&from);
  else if (from.status == TAC_OK && method[0] == TAC_FINITE_ELEMENTS)
    problem = take_volume(&from);
  else if (from.status == TAC_OK)
    from.status = tac_error_set(error, TAC_ERR_FORMAT, "%s: its method %d does not exist", path, method[0]);
  free(method);
  if (from.status == TAC_OK && problem->boundary != NULL) problem->boundary->checks = checks;
  tacStatus status = tac_chunk_transfer_end(&from);
  if (status != TAC_OK) {
    tac_reference_problem_destroy(problem);
    problem = NULL;
  }
  *result = problem;
  return status;
}
