/* Which nodes of a grid are inside a closed surface. */
#pragma once

#include <tactus/base.h>
#include <tactus/mesh.h>
#include "base/error.h"
#include "mesh/query/box_tree.h"

/* inside[(k ny + j) nx + i] becomes 1 where the winding number of `mesh` around the node (i, j, k) is not zero, 0
 * elsewhere; the values of `layout` are ignored. The mesh must be closed (tac_trimesh_require_closed): parts may touch,
 * overlap or be nested.
 *
 * Signed crossings are counted along each row of nodes in the direction of x. Which triangles a row crosses is decided
 * exactly, so that no row slips through an edge or a vertex: nodes farther from the surface than rounding (1e-15 of the
 * coordinates) are right, those nearer may be either. The same result for any number of threads (0: one for each
 * core). */
tacStatus tac_scan_winding(const tacTriMesh *mesh, const tacGrid *layout, int thread_count, unsigned char *inside,
                           tacError *error);

/* Where the line through (y, z) along x crosses the triangle a b c: +1 where it enters a solid that the triangle faces out of,
 * -1 where it leaves it, 0 where it misses the triangle; *x is the place. Decided exactly, as for a line that passes beside
 * every edge: of the triangles at an edge or vertex that it meets, those are crossed that keep the count right. */
int tac_scan_crossing(tacVec3 a, tacVec3 b, tacVec3 c, double y, double z, double *x);

/* Crossings of a line, in any order; {0} has none. */
typedef struct tacCrossing {
  double x;
  int winding; /* after it less before it */
} tacCrossing;
typedef struct tacCrossings {
  tacCrossing *list;
  size_t count, room;
  tacStatus status; /* TAC_OK, or why one is missing */
  tacError error;
} tacCrossings;
/* Returns 1, or 0 where there is no memory: as visits of a tree do. */
int tac_crossings_add(tacCrossings *crossings, double x, int winding);
/* Frees the crossings, and returns `status` or, where that is TAC_OK, why one is missing. */
tacStatus tac_crossings_end(tacCrossings *crossings, tacStatus status, tacError *error);

/* The winding number of `mesh`, closed, around one point, by the crossings of a ray along x; `boxes` is a tree over the
 * boxes of its triangles. */
int tac_scan_winding_number(const tacTriMesh *mesh, const tacBoxTree *boxes, tacVec3 p);
/* The same of those triangles t alone for which part_of[t] is neither negative nor `part`; they must be closed. */
int tac_scan_winding_of_others(const tacTriMesh *mesh, const tacBoxTree *boxes, const int *part_of, int part,
                               tacVec3 p);
