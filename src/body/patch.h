/* The patch pressed by a fingertip: weights of the surface vertices, for a place on the rest surface.
 *
 *     w_i(x) = int p_R(|s - x|) N_i(s) dA,   p_R(r) ~ sqrt(1 - r^2 / R^2),
 *
 * with Hertz's pressure p_R of radius R and the hat functions N_i, integrated at 32 points of the disc. Each is placed
 * by a walk over the surface from x, so that a thin body is not pressed from both sides. Points where the surface faces
 * away from x's normal are weighted by the cosine, so that a patch does not hang over an edge. Weights are positive,
 * sum to 1 and are continuous in x.
 *
 * Any phase, no allocation, some microseconds. */
#pragma once

#include <tactus/body.h>
#include "mesh/surface_walk.h"

enum { TAC_PATCH_RINGS = 4, TAC_PATCH_SPOKES = 8 };
_Static_assert(3 * TAC_PATCH_RINGS * TAC_PATCH_SPOKES <= TAC_PATCH_VERTICES, "each point has three vertices");

/* `radius`: R, m. `gradient` [TAC_PATCH_VERTICES], 1/m: derivative of each weight by x, a vector in the surface; NULL:
 * not wanted. */
void tac_patch_find(const tacSurfaceWalk *walk, tacSurfacePoint at, double radius, tacPatch *patch, tacVec3 *gradient);
