/* Computes the nearest point, the signed distance, and the entry along a path, for a point and a closed surface.
 *
 * Creation is for the load phase. Queries are for any phase: they do not allocate, and their time is bounded by the
 * number of triangles. */
#pragma once

#include "mesh/query/triangle_tree.h"
#include "mesh/surface_walk.h"

typedef struct tacProximity {
  const tacSurfaceWalk *surface;
  tacTriangleTree *tree;
} tacProximity;

/* Creates queries that refer to `surface`. */
tacStatus tac_proximity_create(const tacSurfaceWalk *surface, tacProximity *proximity, tacError *error);
void tac_proximity_destroy(tacProximity *proximity); /* a zeroed struct is allowed */

/* Returns the distance from `p` (m) to the surface, negative inside, and writes the nearest point. The sign is the sign
 * of the angle-weighted pseudo-normal at the nearest point (Baerentzen and Aanaes 2005). If `p` is not finite or is
 * beyond 1e150 m, the distance is infinite and the nearest point is arbitrary. */
double tac_proximity_distance(const tacProximity *proximity, tacVec3 p, tacSurfacePoint *nearest);
/* Returns the same distance as tac_proximity_distance, but faster if `guess` is a triangle close to the nearest point.
 * A negative `guess` means unknown. */
double tac_proximity_distance_from(const tacProximity *proximity, tacVec3 p, int guess, tacSurfacePoint *nearest);

/* Returns true if the straight path between two points enters the body, and writes the entry. The point `from` must be
 * outside, at least `*clearance` (m) away from the surface. Each step is as long as the known free distance
 * (conservative advancement), but at least 1/64 of the path. So walls thicker than 1/64 of the path are never skipped.
 * If the path does not enter, `*clearance` becomes a free distance around `to`. Then `*entry` is the last computed
 * nearest surface point, if any was computed. */
bool tac_proximity_enters(const tacProximity *proximity, tacVec3 from, tacVec3 to, double *clearance,
                          tacSurfacePoint *entry);
