/* Queries of a point against a closed surface: nearest point, signed distance, entry along a path. Creation is for the
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
 * pseudo-normal there (Baerentzen and Aanaes 2005). Infinite, with an arbitrary point, if `p` is not finite or beyond
 * 1e150 m. */
double tac_proximity_distance(const tacProximity *proximity, tacVec3 p, tacSurfacePoint *nearest);
/* The same, faster if `guess` is a triangle close to the nearest point; negative: unknown. */
double tac_proximity_distance_from(const tacProximity *proximity, tacVec3 p, int guess, tacSurfacePoint *nearest);

/* Tests the path from `from`, which is outside and at least `*clearance` from the surface, to `to`. Steps are as long
 * as the known free distance (conservative advancement), but at least 1/64 of the path, so that no wall thicker than
 * that is skipped. Returns whether the path enters the body, and the entry. Otherwise `*clearance` becomes a free
 * distance around `to`, and `entry` the nearest surface point on the path, if it was computed. */
bool tac_proximity_enters(const tacProximity *proximity, tacVec3 from, tacVec3 to, double *clearance,
                          tacSurfacePoint *entry);
