/* On which side is a point? Exact for any finite input whose products neither overflow nor underflow. */
#pragma once

#include <tactus/base.h>

/* Sign (-1, 0, 1) of (b - a) x (c - a) . (d - a): 1 where d lies on the side from which a, b, c run counter-clockwise. */
int tac_orientation_of_tet(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 d);

/* Sign of the area of the triangle a b c of the plane: 1 where counter-clockwise. */
int tac_orientation_of_triangle(const double a[2], const double b[2], const double c[2]);
