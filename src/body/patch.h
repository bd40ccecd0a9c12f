/* Contact patch of a fingertip that is centred at a point x of the rest surface: a weight w_i for each vertex i.
 *
 *     w_i(x) = int p_R(|s - x|) N_i(s) dA,   p_R(r) ~ sqrt(1 - r^2 / R^2).
 *
 * p_R is Hertz's pressure on a disc of radius R, N_i the hat function of the vertex i, and s a surface point.
 *
 * The integral is a sum over 32 points of the disc. A walk over the surface from x finds the position of each point, so
 * that a thin body is not pressed from both sides. The weight of a point is multiplied by the cosine of the angle
 * between the surface normals at the point and at x; a negative cosine counts as zero. So a patch does not extend over
 * a sharp edge. The weights w_i are positive, have the sum 1, and are continuous in x.
 *
 * Any phase, no allocation, some microseconds. */
#pragma once

#include <tactus/body.h>
#include "mesh/surface_walk.h"

enum { TAC_PATCH_RINGS = 4, TAC_PATCH_SPOKES = 8 };
_Static_assert(3 * TAC_PATCH_RINGS * TAC_PATCH_SPOKES <= TAC_PATCH_VERTICES, "each point has three vertices");

/* Computes the patch at the surface point `at`. `radius`: R, m. `gradient` [TAC_PATCH_VERTICES]: derivative of each
 * weight by x, a vector in the surface, 1/m; may be NULL. */
void tac_patch_find(const tacSurfaceWalk *walk, tacSurfacePoint at, double radius, tacPatch *patch, tacVec3 *gradient);
