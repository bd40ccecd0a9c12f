#include <tactus/mesh.h>

#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/index_set.h"
#include "mesh/trimesh.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

tacStatus tac_trimesh_create(int vertex_count, int triangle_count, tacTriMesh **mesh, tacError *error) {
  TAC_REQUIRE(error, mesh);
  *mesh = NULL;
  if (vertex_count < 0 || triangle_count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a mesh of %d vertices and %d triangles is not valid", vertex_count,
                         triangle_count);
  TAC_OWN(tacTriMesh, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "a triangle mesh", error));
  made->vertex_count = vertex_count;
  made->triangle_count = triangle_count;
  TAC_TRY(TAC_ARRAY(made->vertices, (size_t)vertex_count, "vertices", error));
  TAC_TRY(TAC_ARRAY(made->triangles, (size_t)triangle_count, "triangles", error));
  *mesh = tac_give(&made);
  return TAC_OK;
}

void tac_trimesh_destroy(tacTriMesh *mesh) {
  if (mesh == NULL) return;
  free(mesh->vertices);
  free(mesh->triangles);
  tac_index_set_free_list(mesh->group_count, mesh->groups);
  free(mesh);
}

tacStatus tac_trimesh_copy(const tacTriMesh *mesh, tacTriMesh **copy, tacError *error) {
  TAC_OWN(tacTriMesh, made) = NULL;
  *copy = NULL;
  TAC_TRY(tac_trimesh_create(mesh->vertex_count, mesh->triangle_count, &made, error));
  TAC_TRY(tac_index_set_copy_list(mesh->group_count, mesh->groups, &made->groups, error));
  made->group_count = mesh->group_count;
  if (mesh->vertex_count > 0)
    memcpy(made->vertices, mesh->vertices, (size_t)mesh->vertex_count * sizeof *made->vertices);
  if (mesh->triangle_count > 0)
    memcpy(made->triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *made->triangles);
  *copy = tac_give(&made);
  return TAC_OK;
}

tacStatus tac_trimesh_add_group(tacTriMesh *mesh, const char *name, int count, const int *triangles, tacError *error) {
  TAC_REQUIRE(error, mesh, name);
  if (count > 0) TAC_REQUIRE(error, triangles);
  return tac_index_set_append(&mesh->groups, &mesh->group_count, name, count, triangles, mesh->triangle_count, "group",
                              error);
}

tacStatus tac_trimesh_validate(const tacTriMesh *mesh, tacError *error) {
  TAC_REQUIRE(error, mesh);
  if (mesh->vertex_count < 0 || (mesh->vertex_count > 0 && mesh->vertices == NULL))
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%d vertices are given without an array", mesh->vertex_count);
  if (mesh->triangle_count < 0 || (mesh->triangle_count > 0 && mesh->triangles == NULL))
    return tac_error_set(error, TAC_ERR_GEOMETRY, "%d triangles are given without an array", mesh->triangle_count);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    if (!tac_vec3_finite(mesh->vertices[v]))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "vertex %d has a NaN or infinite coordinate", v);
  }
  for (int t = 0; t < mesh->triangle_count; ++t) {
    for (int c = 0; c < 3; ++c) {
      int v = mesh->triangles[t].v[c];
      if (v < 0 || v >= mesh->vertex_count)
        return tac_error_set(error, TAC_ERR_GEOMETRY, "triangle %d: vertex %d is outside [0, %d)", t, v,
                             mesh->vertex_count);
    }
  }
  return tac_index_set_validate_list(mesh->group_count, mesh->groups, mesh->triangle_count, "group", error);
}

tacBox tac_trimesh_box(const tacTriMesh *mesh) {
  if (mesh == NULL) return tac_box_empty();
  tacBox box = tac_box_empty();
  for (int v = 0; v < mesh->vertex_count; ++v) box = tac_box_add(box, mesh->vertices[v]);
  return box;
}

double tac_trimesh_volume(const tacTriMesh *mesh) {
  if (mesh == NULL) return 0.0;
  if (mesh->triangle_count == 0) return 0.0;
  /* An origin amid the mesh keeps the terms of the sum small, wherever the mesh lies. */
  tacVec3 origin = tac_box_centre(tac_trimesh_box(mesh));
  double sum = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    sum += tac_vec3_triple(origin, mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]);
  }
  return sum / 6.0;
}

double tac_trimesh_area(const tacTriMesh *mesh) {
  double sum = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 a = mesh->vertices[v[0]];
    sum += tac_vec3_norm(tac_vec3_cross(tac_vec3_sub(mesh->vertices[v[1]], a), tac_vec3_sub(mesh->vertices[v[2]], a)));
  }
  return 0.5 * sum;
}

void tac_trimesh_normals(const tacTriMesh *mesh, tacVec3 *normals) {
  if (mesh == NULL || normals == NULL) return;
  for (int v = 0; v < mesh->vertex_count; ++v) normals[v] = tac_vec3(0.0, 0.0, 0.0);
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 side[3]; /* from each corner to the next */
    for (int i = 0; i < 3; ++i) side[i] = tac_vec3_sub(mesh->vertices[v[(i + 1) % 3]], mesh->vertices[v[i]]);
    tacVec3 area = tac_vec3_cross(side[0], side[1]), face = tac_vec3_unit(area);
    double size = tac_vec3_norm(area);
    for (int i = 0; i < 3 && size > 0.0; ++i) {
      double angle = atan2(size, -tac_vec3_dot(side[i], side[(i + 2) % 3]));
      normals[v[i]] = tac_vec3_mad(normals[v[i]], angle, face);
    }
  }
  for (int v = 0; v < mesh->vertex_count; ++v) normals[v] = tac_vec3_unit(normals[v]);
}
