/* How far two solids are inside each other, of surfaces whose trees are at hand: for all pairs of many. */
#pragma once

#include <tactus/mesh.h>
#include "mesh/query/triangle_tree.h"

/* Inside is where the winding number of a surface is not zero. */
typedef struct tacInterpenetration {
  /* Pairs of triangles, one of each surface, that have a point in common. 0: the surfaces are apart, or one lies
   * inside the other, which `depth` tells. */
  int64_t crossings;
  /* m: over all points of either surface that are inside the other, the largest distance to the other's surface; 0
   * where there is none. Not only of vertices: a wall of two triangles that cuts a ball in halves is as deep in it as its
   * middle. It is the distance of a point that was found, and at most 2 % and 0.1 thousandths of the smaller box less than
   * the largest one, as long as 8192 places of each surface are enough for that. */
  double depth;
  tacVec3 at; /* m: that point; zero where the depth is */
  int of;     /* 0: it is on the first surface, 1: on the second */
  /* m: how far one has gone through the other, never less than `depth`. By the nearest surface a needle is never
   * deeper in a sheet than half its thickness, however far it comes out behind. Where the other's solid cuts a surface into
   * parts, those that are outside are "here" (the largest one) and "beyond" (the others, as long as the other's solid fills the body
   * in between; a peg in a tight ring has nothing beyond it). This is the height of what is beyond over the
   * opening by which it left what is here, along the vector area of that opening: what it would have to be drawn
   * back. What has come through as a whole has no crossings, and nobody can tell. */
  double through;
} tacInterpenetration;

/* Of two closed surfaces in one frame (m); TAC_ERR_GEOMETRY where one is not closed (tac_trimesh_require_closed). They may
 * intersect themselves, as deformed ones do. */
tacStatus tac_interpenetration_measure(const tacTriMesh *a, const tacTriMesh *b, tacInterpenetration *result,
                                       tacError *error);

/* A closed surface and its tree. */
typedef struct tacSolidSurface {
  const tacTriMesh *mesh;
  const tacTriangleTree *tree;
  tacBox box;
} tacSolidSurface;

/* As tac_interpenetration_measure; both are closed, which nobody checks. */
tacStatus tac_interpenetration_of_solids(const tacSolidSurface *a, const tacSolidSurface *b,
                                         tacInterpenetration *result, tacError *error);

/* How deep a point is inside: its distance to the surface, m; 0 where it is outside. */
double tac_interpenetration_of_point(const tacSolidSurface *solid, tacVec3 p);
