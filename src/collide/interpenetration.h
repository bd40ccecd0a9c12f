/* Measures the depth of interpenetration of two solids, given as surfaces with trees. */
#pragma once

#include <tactus/mesh.h>
#include "mesh/query/triangle_tree.h"

/* A point is inside a solid if the winding number of the solid's surface is not zero. */
typedef struct tacInterpenetration {
  /* Number of pairs of triangles, one of each surface, with a common point. If the number is 0 and `depth` is positive,
   * one solid lies inside the other. If both are 0, the solids are apart. */
  int64_t crossings;
  /* Largest depth of a point of one surface inside the other solid, m; 0 if no point is inside. The depth of a point is
   * its distance to the other surface. All points count, not only vertices. For example, if a wall of two triangles
   * cuts a ball, `depth` is the depth of the wall's middle. The value is below the true maximum by at most 2 % plus
   * 1e-4 of the size of the smaller box. This error bound holds if 8192 evaluated points per surface suffice. */
  double depth;
  tacVec3 at; /* deepest point, m; zero if `depth` is zero */
  int of;     /* surface of the deepest point: 0 is the first, 1 is the second */
  /* Distance by which one solid has passed through the other, m; at least `depth`. `depth` is the distance to the
   * nearest surface, so for a needle through a sheet `depth` is at most half of the sheet's thickness.
   *
   * If the other solid cuts a surface into parts, the largest outside part is the near part. The other outside parts
   * are far parts if the other solid fills the space between. (A peg in a tight ring has no far part.) The opening is
   * the cut at which the surface leaves the near part. `through` is the height of the far parts above the opening,
   * along the vector area of the opening. The solid must be pulled back by this distance. If a solid has passed through
   * completely, there are no crossings and `through` cannot detect the passage. */
  double through;
} tacInterpenetration;

/* Measures two closed surfaces in one frame, m. A surface may intersect itself. Fails with TAC_ERR_GEOMETRY if a
 * surface is not closed (tac_trimesh_require_closed). */
tacStatus tac_interpenetration_measure(const tacTriMesh *a, const tacTriMesh *b, tacInterpenetration *result,
                                       tacError *error);

/* A closed surface with its tree and its bounding box. */
typedef struct tacSolidSurface {
  const tacTriMesh *mesh;
  const tacTriangleTree *tree;
  tacBox box;
} tacSolidSurface;

/* Does the same as tac_interpenetration_measure for given trees. Both surfaces must be closed, which is not checked. */
tacStatus tac_interpenetration_of_solids(const tacSolidSurface *a, const tacSolidSurface *b,
                                         tacInterpenetration *result, tacError *error);

/* Returns the depth of a point: the distance to the surface if the point is inside, m; else 0. */
double tac_interpenetration_of_point(const tacSolidSurface *solid, tacVec3 p);
