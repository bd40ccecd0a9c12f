#include <tactus/mesh.h>

#include <limits.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/element_volume.h"
#include "mesh/index_set.h"

TAC_OWNED_TYPE(tacVolMesh, tac_volmesh_destroy)

tacStatus tac_volmesh_create(int vertex_count, int tet_count, int brick_count, tacVolMesh **mesh, tacError *error) {
  TAC_REQUIRE(error, mesh);
  *mesh = NULL;
  if (vertex_count < 0 || tet_count < 0 || brick_count < 0 || tet_count > INT_MAX - brick_count)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a mesh of %d vertices, %d tetrahedra and %d bricks is not valid",
                         vertex_count, tet_count, brick_count);
  TAC_OWN(tacVolMesh, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "a volume mesh", error));
  made->vertex_count = vertex_count;
  made->tet_count = tet_count;
  made->brick_count = brick_count;
  TAC_TRY(TAC_ARRAY(made->vertices, (size_t)vertex_count, "vertices", error));
  TAC_TRY(TAC_ARRAY(made->tets, (size_t)tet_count, "tetrahedra", error));
  TAC_TRY(TAC_ARRAY(made->bricks, (size_t)brick_count, "bricks", error));
  *mesh = tac_give(&made);
  return TAC_OK;
}

void tac_volmesh_destroy(tacVolMesh *mesh) {
  if (mesh == NULL) return;
  free(mesh->vertices);
  free(mesh->tets);
  free(mesh->bricks);
  tac_index_set_free_list(mesh->group_count, mesh->groups);
  tac_index_set_free_list(mesh->vertex_set_count, mesh->vertex_sets);
  for (int m = 0; m < mesh->material_count; ++m) {
    free(mesh->materials[m].name);
    free(mesh->materials[m].kind);
  }
  free(mesh->materials);
  free(mesh->regions);
  free(mesh);
}

tacStatus tac_volmesh_add_group(tacVolMesh *mesh, const char *name, int count, const int *elements, tacError *error) {
  TAC_REQUIRE(error, mesh, name);
  if (count > 0) TAC_REQUIRE(error, elements);
  return tac_index_set_append(&mesh->groups, &mesh->group_count, name, count, elements,
                              mesh->tet_count + mesh->brick_count, "group", error);
}

tacStatus tac_volmesh_add_vertex_set(tacVolMesh *mesh, const char *name, int count, const int *vertices,
                                     tacError *error) {
  TAC_REQUIRE(error, mesh, name);
  if (count > 0) TAC_REQUIRE(error, vertices);
  return tac_index_set_append(&mesh->vertex_sets, &mesh->vertex_set_count, name, count, vertices, mesh->vertex_count,
                              "vertex set", error);
}

static tacStatus check_corners(const char *what, int element, int corner_count, const int *corners, int vertex_count,
                               tacError *error) {
  for (int c = 0; c < corner_count; ++c) {
    if (corners[c] < 0 || corners[c] >= vertex_count)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "%s %d: vertex %d is outside [0, %d)", what, element, corners[c],
                           vertex_count);
  }
  return TAC_OK;
}

static tacStatus check_materials(const tacVolMesh *mesh, tacError *error) {
  if (mesh->material_count < 0 || (mesh->material_count > 0 && mesh->materials == NULL))
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%d materials are given without an array", mesh->material_count);
  if (mesh->region_count < 0 || (mesh->region_count > 0 && mesh->regions == NULL))
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%d regions are given without an array", mesh->region_count);
  for (int m = 0; m < mesh->material_count; ++m) {
    const tacMeshMaterial *material = &mesh->materials[m];
    if (material->name == NULL || material->kind == NULL)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "material %d has no name or no kind", m);
    if (material->parameter_count < 0 || material->parameter_count > TAC_MESH_MATERIAL_PARAMETERS)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "material \"%s\" has %d parameters; at most %d are allowed",
                           material->name, material->parameter_count, TAC_MESH_MATERIAL_PARAMETERS);
    for (int p = 0; p < material->parameter_count; ++p) {
      if (!isfinite(material->parameters[p]))
        return tac_error_set(error, TAC_ERR_GEOMETRY, "material \"%s\": parameter %d is NaN or infinite",
                             material->name, p);
    }
  }
  for (int r = 0; r < mesh->region_count; ++r) {
    tacMeshRegion region = mesh->regions[r];
    if (region.group < 0 || region.group >= mesh->group_count || region.material < 0 ||
        region.material >= mesh->material_count)
      return tac_error_set(error, TAC_ERR_GEOMETRY,
                           "region %d refers to group %d or material %d, which does not "
                           "exist",
                           r, region.group, region.material);
  }
  return TAC_OK;
}

tacStatus tac_volmesh_validate(const tacVolMesh *mesh, tacError *error) {
  TAC_REQUIRE(error, mesh);
  if (mesh->vertex_count < 0 || (mesh->vertex_count > 0 && mesh->vertices == NULL))
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%d vertices are given without an array", mesh->vertex_count);
  if (mesh->tet_count < 0 || (mesh->tet_count > 0 && mesh->tets == NULL))
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%d tetrahedra are given without an array", mesh->tet_count);
  if (mesh->brick_count < 0 || (mesh->brick_count > 0 && mesh->bricks == NULL))
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%d bricks are given without an array", mesh->brick_count);
  if (mesh->tet_count > INT_MAX - mesh->brick_count)
    return tac_error_set(error, TAC_ERR_GEOMETRY, "the mesh has too many elements (%d tetrahedra and %d bricks)",
                         mesh->tet_count, mesh->brick_count);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    if (!tac_vec3_finite(mesh->vertices[v]))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "vertex %d has a NaN or infinite coordinate", v);
  }
  for (int t = 0; t < mesh->tet_count; ++t)
    TAC_TRY(check_corners("tetrahedron", t, 4, mesh->tets[t].v, mesh->vertex_count, error));
  for (int b = 0; b < mesh->brick_count; ++b)
    TAC_TRY(check_corners("brick", b, 8, mesh->bricks[b].v, mesh->vertex_count, error));
  TAC_TRY(tac_index_set_validate_list(mesh->group_count, mesh->groups, mesh->tet_count + mesh->brick_count, "group",
                                      error));
  TAC_TRY(
      tac_index_set_validate_list(mesh->vertex_set_count, mesh->vertex_sets, mesh->vertex_count, "vertex set", error));
  return check_materials(mesh, error);
}

tacBox tac_volmesh_box(const tacVolMesh *mesh) {
  if (mesh == NULL) return tac_box_empty();
  tacBox box = tac_box_empty();
  for (int v = 0; v < mesh->vertex_count; ++v) box = tac_box_add(box, mesh->vertices[v]);
  return box;
}

double tac_volmesh_volume(const tacVolMesh *mesh) {
  if (mesh == NULL) return 0.0;
  double sum = 0.0;
  for (int e = 0; e < mesh->tet_count + mesh->brick_count; ++e) sum += tac_element_volume(mesh, e);
  return sum;
}
