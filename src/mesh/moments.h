/* Volume, centroid and inertia of a solid of unit density, summed over its parts. */
#pragma once

#include <tactus/mesh.h>

/* Integrals of 1, x and x x^T over the solid, with x relative to a point that the caller chooses. */
typedef struct tacMoments {
  double volume;
  tacVec3 first;
  double second[3][3];
} tacMoments;

/* The tetrahedron with the given corners, negative where its orientation is. */
void tac_moments_add_tet(tacMoments *moments, tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 d);
void tac_moments_add_brick(tacMoments *moments, const tacVec3 corners[8]);
/* What a closed surface bounds, relative to `origin`: each triangle spans a signed tetrahedron with it, and they add
 * up to the solid. */
tacMoments tac_moments_of_solid(const tacTriMesh *surface, tacVec3 origin);
/* Inertia about the point: trace(S) 1 - S with S the second moment. */
void tac_moments_inertia(const tacMoments *moments, double inertia[3][3]);
