#include "elastic/reference/reference_def.h"

#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/files/checksum.h"
#include "elastic/elements/element.h"
#include "elastic/elements/material.h"
#include "elastic/reference/thin_parts.h"
#include "math/geometry/vec3.h"

int tac_reference_def_sensor_rows(tacSensorKind kind) {
  return kind == TAC_SENSOR_STRESS ? 6 : 3;
}

static tacStatus check_sensors(int count, const tacSensor *sensors, tacError *error) {
  if (count < 0 || (count > 0 && sensors == NULL))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%d sensors are given without a list", count);
  for (int i = 0; i < count; ++i) {
    const tacSensor *sensor = &sensors[i];
    if (sensor->name == NULL || sensor->name[0] == '\0')
      return tac_error_set(error, TAC_ERR_ARGUMENT, "sensor %d has no name", i);
    for (int k = 0; k < i; ++k)
      if (strcmp(sensors[k].name, sensor->name) == 0)
        return tac_error_set(error, TAC_ERR_ARGUMENT, "two sensors have the name \"%.100s\"", sensor->name);
    if (sensor->kind != TAC_SENSOR_DISPLACEMENT && sensor->kind != TAC_SENSOR_STRESS)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "sensor \"%.100s\" has an unknown kind", sensor->name);
    if (!tac_vec3_finite(sensor->point))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the point of sensor \"%.100s\" is NaN or infinite", sensor->name);
  }
  return TAC_OK;
}

static tacStatus check_materials(const tacReferenceDef *def, tacError *error) {
  if (def->material_count < 1 || def->materials == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "Green's functions need a material");
  for (int i = 0; i < def->material_count; ++i) {
    tacError inner;
    tacStatus status = tac_material_check(&def->materials[i], &inner);
    if (status != TAC_OK) return tac_error_set(error, status, "material %d: %.400s", i, inner.text);
  }
  if (def->method == TAC_BOUNDARY_ELEMENTS) {
    if (def->material_count > 1)
      return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                           "boundary elements support only one material, but %d are given; use finite elements",
                           def->material_count);
    if (!def->materials[0].isotropic)
      return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                           "boundary elements support only isotropic materials; use finite elements for an "
                           "anisotropic one");
    return TAC_OK;
  }
  for (int e = 0; def->material_of != NULL && e < tac_element_count(def->volume); ++e)
    if (def->material_of[e] < 0 || def->material_of[e] >= def->material_count)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "element %d has material %d, but there are only %d materials", e,
                           def->material_of[e], def->material_count);
  return TAC_OK;
}

tacStatus tac_reference_def_check(const tacReferenceDef *def, tacError *error) {
  if (def->method == TAC_BOUNDARY_ELEMENTS) {
    if (def->surface == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "boundary elements need a closed surface");
    TAC_TRY(tac_trimesh_validate(def->surface, error));
    TAC_TRY(tac_trimesh_require_closed(def->surface, error));
    TAC_TRY(tac_thin_parts_check(def->surface, def->accept_thin, error));
  } else if (def->method == TAC_FINITE_ELEMENTS) {
    if (def->volume == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "finite elements need a volume mesh");
    TAC_TRY(tac_volmesh_validate(def->volume, error));
  } else {
    return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown method %d of Green's functions", (int)def->method);
  }
  if (def->fixed == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "Green's functions need the list of fixed vertices");
  TAC_TRY(check_materials(def, error));
  return check_sensors(def->sensor_count, def->sensors, error);
}

bool tac_reference_def_is_free(const bool *fixed, int vertex_count) {
  for (int v = 0; v < vertex_count; ++v)
    if (fixed[v]) return false;
  return true;
}

/* A vertex of `fixed_inside`, or -1. */
static int find_inside(const tacReferenceDef *def) {
  bool any = def->method == TAC_FINITE_ELEMENTS && def->fixed_inside != NULL;
  for (int v = 0; any && v < def->volume->vertex_count; ++v)
    if (def->fixed_inside[v]) return v;
  return -1;
}

tacStatus tac_reference_def_check_fixed(const tacReferenceDef *def, const tacTriMesh *surface, tacError *error) {
  const bool *fixed = def->fixed;
  int count = 0, first = -1, far = -1;
  double length = 0.0, width = 0.0;
  for (int v = 0; v < surface->vertex_count; ++v) {
    if (!fixed[v]) continue;
    ++count;
    if (first < 0) first = v;
    double distance = tac_vec3_distance(surface->vertices[v], surface->vertices[first]);
    if (distance > length) {
      length = distance;
      far = v;
    }
  }
  int inside = count == 0 ? find_inside(def) : -1;
  if (inside >= 0)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "vertex %d inside is fixed, but no vertex of the surface; fix surface vertices too, or none "
                         "for a free body",
                         inside);
  if (count == 0 && def->method == TAC_FINITE_ELEMENTS) return TAC_OK;
  if (count == 0)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "no vertex of the surface is fixed; fix at least three that are not on a line, or use "
                         "finite elements");
  if (far >= 0) {
    tacVec3 a = surface->vertices[first], axis = tac_vec3_unit(tac_vec3_sub(surface->vertices[far], a));
    for (int v = 0; v < surface->vertex_count; ++v)
      if (fixed[v]) width = fmax(width, tac_vec3_norm(tac_vec3_cross(axis, tac_vec3_sub(surface->vertices[v], a))));
  }
  if (!(width > 1e-6 * length))
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "the %d fixed vertices lie on one line, so the body can rotate about it; fix one more "
                         "beside the line",
                         count);
  return TAC_OK;
}

tacStatus tac_reference_def_sensor_error(const tacSensor *sensor, tacStatus status, tacError *error) {
  if (status != TAC_ERR_GEOMETRY) return status;
  return tac_error_set(error, status, "sensor \"%.100s\" at (%g, %g, %g) is not inside the body", sensor->name,
                       sensor->point.x, sensor->point.y, sensor->point.z);
}

uint64_t tac_reference_def_add_to_key(uint64_t key, const void *bytes, size_t size) {
  const uint64_t both[2] = {key, size > 0 ? tac_checksum(bytes, size) : 0};
  return tac_checksum(both, sizeof both);
}

static uint64_t add_number(uint64_t key, double number) {
  return tac_reference_def_add_to_key(key, &number, sizeof number);
}

uint64_t tac_reference_def_key(const tacReferenceDef *def, int vertex_count) {
  uint64_t key = add_number(1, def->method);
  if (def->method == TAC_BOUNDARY_ELEMENTS) {
    const tacTriMesh *mesh = def->surface;
    key = tac_reference_def_add_to_key(key, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
    key = tac_reference_def_add_to_key(key, mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles);
  } else {
    const tacVolMesh *mesh = def->volume;
    key = tac_reference_def_add_to_key(key, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
    key = tac_reference_def_add_to_key(key, mesh->tets, (size_t)mesh->tet_count * sizeof *mesh->tets);
    key = tac_reference_def_add_to_key(key, mesh->bricks, (size_t)mesh->brick_count * sizeof *mesh->bricks);
    for (int e = 0; def->material_of != NULL && e < tac_element_count(mesh); ++e)
      key = add_number(key, def->material_of[e]);
  }
  for (int i = 0; i < def->material_count; ++i) { /* member by member: padding is not defined */
    const tacMaterial *material = &def->materials[i];
    key = tac_reference_def_add_to_key(key, material->stiffness, sizeof material->stiffness);
    if (material->isotropic) key = add_number(add_number(key, material->young), material->poisson);
    if (tac_reference_def_is_free(def->fixed, vertex_count)) key = add_number(key, material->density);
  }
  key = tac_reference_def_add_to_key(key, def->fixed, (size_t)vertex_count * sizeof *def->fixed);
  if (def->method == TAC_FINITE_ELEMENTS && def->fixed_inside != NULL)
    key = tac_reference_def_add_to_key(key, def->fixed_inside,
                                       (size_t)def->volume->vertex_count * sizeof *def->fixed_inside);
  for (int i = 0; i < def->sensor_count; ++i) {
    const tacSensor *sensor = &def->sensors[i];
    key = add_number(key, sensor->kind);
    key = tac_reference_def_add_to_key(key, &sensor->point, sizeof sensor->point);
  }
  return key;
}
