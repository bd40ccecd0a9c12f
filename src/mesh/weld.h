/* Vertices at the same place. */
#pragma once

#include <tactus/base.h>
#include "base/error.h"

/* For each point, the point that it is welded to: itself, or else the nearest of the earlier points that stay themselves
 * and lie within `distance` (>= 0; 0 welds equal points only). `target` has room for `count`; returns in `*welded` how many
 * points are not their own target. */
tacStatus tac_weld_points(int count, const tacVec3 *points, double distance, int *target, int *welded, tacError *error);
