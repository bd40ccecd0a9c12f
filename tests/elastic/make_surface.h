/* Surfaces and what is computed on them, for tests. */
#pragma once

#include "elastic/make_body.h"
#include "elastic/surface_stress.h"

typedef struct {
  tacTriMesh *mesh;
  tacVec3 *displacement, *traction;
  tacStressSum *scratch;
  double *von_mises;
} Surface;

static inline Surface make_surface(tacTriMesh *mesh) {
  size_t count = (size_t)mesh->vertex_count;
  return (Surface){tac_test_keep(mesh, tac_trimesh_destroy), tac_test_alloc(count * sizeof(tacVec3)),
                   tac_test_alloc(count * sizeof(tacVec3)), tac_test_alloc(count * sizeof(tacStressSum)),
                   tac_test_alloc(count * sizeof(double))};
}

/* Which face of the box, 0 to 5, a point lies inside; -1 on edges and corners. */
static inline int face_of(tacBox box, tacVec3 p) {
  double x[3] = {p.x, p.y, p.z}, lower[3] = {box.lower.x, box.lower.y, box.lower.z},
         upper[3] = {box.upper.x, box.upper.y, box.upper.z};
  int face = -1, count = 0;
  for (int i = 0; i < 3; ++i) {
    if (x[i] <= lower[i]) face = 2 * i, ++count;
    if (x[i] >= upper[i]) face = 2 * i + 1, ++count;
  }
  return count == 1 ? face : -1;
}
