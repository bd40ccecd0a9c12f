/* Depth of interpenetration of two solids given as surfaces with trees, for many pairs. */
#pragma once

#include <tactus/mesh.h>
#include "mesh/query/triangle_tree.h"

/* Inside means a nonzero winding number of the surface. */
typedef struct tacInterpenetration {
  /* Pairs of triangles, one of each surface, with a common point. 0: the surfaces are apart, or one lies inside the
   * other, which `depth` shows. */
  int64_t crossings;
  /* m: largest distance to the other surface over all points of either surface inside the other; 0 if there are none.
   * Not only vertices count: a wall of two triangles that halves a ball is as deep in it as its middle. It is the
   * distance of a point found, at most 2 % and 0.1 thousandths of the smaller box below the true maximum, as long as
   * 8192 places per surface suffice. */
  double depth;
  tacVec3 at; /* m: that point; zero where the depth is */
  int of;     /* 0: it is on the first surface, 1: on the second */
  /* m: how far one solid has gone through the other, at least `depth`. By the nearest surface a needle is never deeper
   * in a sheet than half its thickness, however far it sticks out behind. Where the other solid cuts a surface into
   * parts, those outside are "here" (the largest one) and "beyond" (the others, if the other solid fills the body in
   * between; a peg in a tight ring has nothing beyond it). This is the height of the parts beyond over the opening by
   * which the surface left "here", along the vector area of that opening: the distance to draw it back. A part that
   * passed through completely has no crossings and cannot be detected. */
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
