/* The point of a surface that is deepest inside another solid. Offline. */
#pragma once

#include "collide/surface_cut.h"

enum { TAC_DEEPEST_POINT_SAMPLES = 8192 };
#define TAC_DEEPEST_POINT_SHARE 0.02 /* of the depth that is found: what may be missing */

/* The largest distance to `other`'s surface of points of the cut one that are inside it, if that is more than `*depth`, and where. By
 * vertices first, then by branch and bound: triangles are halved where they may hold a point that is deeper by the share
 * above and by `least` (m), the most promising first, at most TAC_DEEPEST_POINT_SAMPLES times. Returns false in
 * `*deeper` where nothing is deeper. */
tacStatus tac_deepest_point_find(const tacSurfaceCut *cut, const tacSolidSurface *other, double least, double *depth,
                                 tacVec3 *at, bool *deeper, tacError *error);
