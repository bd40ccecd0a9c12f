/* Shells and surfaces of boxes, made by hand, for tests of pairs. */
#pragma once

#include <tactus/mesh.h>
#include "asset/pointshell.h"
#include "math/geometry/vec3.h"
#include "test.h"

/* Cell-centred points on the faces of a box, n along each edge (n a power of 2): levels of n / 4, n / 2 and n, each the corners of
 * the one before... every point of a coarser level is one of the finer: those with the least odd coordinates. Normals of level 0
 * lean along y by `slope`, on sides that do not face that way. */
static inline tacPointshell *make_leaning_box_shell(tacBox box, int n, double slope) {
  int count = 6 * n * n, next = 0;
  TAC_MEMORY(tacVec3, positions) = calloc((size_t)count, sizeof *positions);
  TAC_MEMORY(tacVec3, normals) = calloc((size_t)count, sizeof *normals);
  TAC_MEMORY(int, level_of) = calloc((size_t)count, sizeof *level_of);
  TAC_MEMORY(double, areas) = calloc(3 * (size_t)count, sizeof *areas);
  const double lower[3] = {box.lower.x, box.lower.y, box.lower.z}, upper[3] = {box.upper.x, box.upper.y, box.upper.z};
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j, ++next) {
          int u = (axis + 1) % 3, v = (axis + 2) % 3;
          double p[3], normal[3] = {0.0, 0.0, 0.0};
          p[axis] = side == 0 ? lower[axis] : upper[axis];
          p[u] = lower[u] + (upper[u] - lower[u]) * (i + 0.5) / n;
          p[v] = lower[v] + (upper[v] - lower[v]) * (j + 0.5) / n;
          normal[axis] = side == 0 ? -1.0 : 1.0;
          level_of[next] = i % 2 == 0 && j % 2 == 0 ? (i % 4 == 0 && j % 4 == 0 ? 0 : 1) : 2;
          if (level_of[next] == 0 && axis != 1) normal[1] = slope;
          positions[next] = tac_vec3(p[0], p[1], p[2]);
          normals[next] = tac_vec3_unit(tac_vec3(normal[0], normal[1], normal[2]));
          double face = (upper[u] - lower[u]) * (upper[v] - lower[v]);
          for (int l = 0; l < 3; ++l) areas[l * count + next] = face / (n * n) * (l == 0 ? 16.0 : l == 1 ? 4.0 : 1.0);
        }
  tacPointshellParts parts = {count, 3, positions, normals, level_of, areas};
  return tac_test_made(tacPointshell *, tac_pointshell_create(&parts, NULL, &made, &error));
}

static inline tacPointshell *make_box_shell(tacBox box, int n) {
  return make_leaning_box_shell(box, n, 0.0);
}

/* Its 12 triangles, to be shown. */
static inline tacTriMesh *make_box_surface(tacBox box) {
  static const int sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  tacTriMesh *mesh = tac_test_made(tacTriMesh *, tac_trimesh_create(8, 12, &made, &error));
  for (int v = 0; v < 8; ++v)
    mesh->vertices[v] = tac_vec3(v & 1 ? box.upper.x : box.lower.x, v & 2 ? box.upper.y : box.lower.y,
                                 v & 4 ? box.upper.z : box.lower.z);
  for (int t = 0; t < 12; ++t) memcpy(mesh->triangles[t].v, sides[t], sizeof sides[t]);
  return mesh;
}
