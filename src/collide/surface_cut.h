/* A surface as the surface of another solid cuts it: which sides of its triangles are cut where, what hangs together
 * uncut, and which vertices are inside the other. Offline. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "mesh/query/triangle_tree.h"

/* A closed surface and its tree. */
typedef struct tacSolidSurface {
  const tacTriMesh *mesh;
  const tacTriangleTree *tree;
  tacBox box;
} tacSolidSurface;

/* Side s of triangle t, which runs from corner s to the next one, has the number 3 t + s. */
typedef struct tacSurfaceCut {
  const tacTriMesh *mesh;
  double *first,
      *last;          /* [sides] from its start, 0, to its end, 1: where it is cut first and last; negative: nowhere */
  unsigned char *met; /* [triangles] it has a point in common with one of the other */
  int *piece;         /* [vertices] the least vertex that uncut sides join it with */
  unsigned char *inside; /* [vertices] 1: inside the other, as is all of its piece */
} tacSurfaceCut;

/* Both cuts at once, and how many pairs of triangles meet. Decided exactly (mesh/query/triangle_pair.h), so that no piece leaks
 * through a cut. Only where each cuts is subject to rounding. */
tacStatus tac_surface_cut_create(const tacSolidSurface *a, const tacSolidSurface *b, tacSurfaceCut cuts[2],
                                 int64_t *pairs, tacError *error);
void tac_surface_cut_free(tacSurfaceCut *cut); /* a zeroed struct is allowed */

static inline bool tac_surface_cut_is_cut(const tacSurfaceCut *cut, int side) {
  return cut->first[side] >= 0.0;
}

bool tac_solid_surface_holds(const tacSolidSurface *solid, tacVec3 p); /* p is inside */
