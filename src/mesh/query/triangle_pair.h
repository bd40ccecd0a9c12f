/* Do two triangles intersect? */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>

/* Whether two triangles, neither without area, meet anywhere but at corners and edges that they share. Corners are shared
 * where their coordinates are equal. Decided exactly, except that two triangles with a common edge overlap where the angle
 * between them is below 1e-9. */
bool tac_triangle_pair_intersects(const tacVec3 a[3], const tacVec3 b[3]);

/* Whether the closed segment p q and the closed triangle `t`, which has an area, have a point in common. Exact. */
bool tac_triangle_intersects_segment(const tacVec3 t[3], tacVec3 p, tacVec3 q);
