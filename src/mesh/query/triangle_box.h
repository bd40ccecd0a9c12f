/* A triangle against a box. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>

/* Whether the triangle and the axis-aligned box with the given centre and half sides have a point in common, touching
 * included; by separating axes. Degenerate triangles are allowed. */
bool tac_triangle_intersects_box(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 centre, tacVec3 half);
