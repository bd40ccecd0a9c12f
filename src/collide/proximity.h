/* Where a point is with respect to a closed surface: nearest point, signed distance, entry along a path. Creation is for the
 * load phase; queries are for any phase, without allocation, in time bounded by the number of triangles. */
#pragma once

#include "mesh/query/triangle_tree.h"
#include "mesh/surface_walk.h"

typedef struct tacProximity {
  const tacSurfaceWalk *surface;
  tacTriangleTree *tree;
} tacProximity;

/* Refers to `surface`. */
tacStatus tac_proximity_create(const tacSurfaceWalk *surface, tacProximity *proximity, tacError *error);
void tac_proximity_destroy(tacProximity *proximity); /* a zeroed struct is allowed */

/* Distance from `p` (m) to the surface, negative inside, and the nearest point. The sign is that of the angle-weighted
 * pseudo-normal there (Baerentzen and Aanaes 2005). Infinite, with any point, where `p` is not finite or beyond 1e150 m. */
double tac_proximity_distance(const tacProximity *proximity, tacVec3 p, tacSurfacePoint *nearest);
/* The same, faster where `guess` is a triangle near to the nearest point; below zero: none is known. */
double tac_proximity_distance_from(const tacProximity *proximity, tacVec3 p, int guess, tacSurfacePoint *nearest);

/* The way from `from`, which is outside at `*clearance` from the surface or farther, to `to`: by steps as long as the distance
 * that is known to be free (conservative advancement), but not shorter than 1/64 of the way, so that no wall thicker than that
 * is jumped over. Returns whether the way enters the body, and then where; else `*clearance` becomes a free distance around
 * `to`, and `entry` some point of the surface that was nearest on the way, where that had to be found. */
bool tac_proximity_enters(const tacProximity *proximity, tacVec3 from, tacVec3 to, double *clearance,
                          tacSurfacePoint *entry);
