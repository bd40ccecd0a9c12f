/* Depth of interpenetration of two solids given as surfaces with trees, for many pairs. */
#pragma once

#include <tactus/mesh.h>
#include "mesh/query/triangle_tree.h"

/* Inside means a nonzero winding number of the surface. */
typedef struct tacInterpenetration {
  /* Number of pairs of triangles, one of each surface, with a common point. 0: the surfaces are apart, or one lies
   * inside the other; in the latter case `depth` is positive. */
  int64_t crossings;
  /* m: largest distance to the other surface over all points of either surface inside the other; 0 if there are none.
   * All points count, not only vertices: for a wall of two triangles through a ball it is the depth of the wall's
   * middle. The value is at most 2 % plus 1e-4 of the size of the smaller box below the true maximum, as long as 8192
   * places per surface suffice. */
  double depth;
  tacVec3 at; /* m: the deepest point; zero if `depth` is zero */
  int of;     /* 0: the deepest point is on the first surface, 1: on the second */
  /* m: how far one solid has gone through the other, at least `depth`. `depth` measures the distance to the nearest
   * surface, so for a needle through a sheet it never exceeds half the sheet's thickness. If the other solid cuts a
   * surface into parts, the largest outside part is "here". The other outside parts are "beyond" if the other solid
   * fills the body in between; a peg in a tight ring has no part beyond it. The opening is the cut by which the surface
   * leaves "here". `through` is the height of the parts beyond over the opening, along its vector area: the distance to
   * pull the solid back. A solid that passed through completely has no crossings and cannot be detected. */
  double through;
} tacInterpenetration;

/* For two closed surfaces in one frame (m), which may intersect themselves, as deformed ones do; TAC_ERR_GEOMETRY: one
 * is not closed (tac_trimesh_require_closed). */
tacStatus tac_interpenetration_measure(const tacTriMesh *a, const tacTriMesh *b, tacInterpenetration *result,
                                       tacError *error);

/* A closed surface and its tree. */
typedef struct tacSolidSurface {
  const tacTriMesh *mesh;
  const tacTriangleTree *tree;
  tacBox box;
} tacSolidSurface;

/* As tac_interpenetration_measure; both must be closed, which is not checked. */
tacStatus tac_interpenetration_of_solids(const tacSolidSurface *a, const tacSolidSurface *b,
                                         tacInterpenetration *result, tacError *error);

/* Depth of a point inside: its distance to the surface, m; 0 outside. */
double tac_interpenetration_of_point(const tacSolidSurface *solid, tacVec3 p);
