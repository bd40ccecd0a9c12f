/* A point against one triangle. */
#pragma once

#include <tactus/base.h>

/* The point of triangle a b c closest to `p`; right for degenerate triangles too. */
tacVec3 tac_triangle_closest(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 p);

/* Solid angle of the triangle seen from `p`, in (-2 pi, 2 pi), positive where its normal points away from `p`. */
double tac_triangle_solid_angle(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 p);
