/* How far two solids are inside each other, of surfaces whose trees are at hand: for all pairs of many. */
#pragma once

#include <tactus/interpenetration.h>
#include "mesh/query/triangle_tree.h"

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
