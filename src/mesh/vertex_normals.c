#include <tactus/trimesh.h>

#include <math.h>
#include "math/geometry/vec3.h"

void tac_trimesh_normals(const tacTriMesh *mesh, tacVec3 *normals) {
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
