/* Spacing of the points that a pointshell bake would choose. */
#pragma once

#include <tactus/pointshell.h>

/* How even a level is: of the points of the levels 0 to `level`, mean and coefficient of variation of the distance from each to
 * its nearest neighbour on the same side of the body (normals less than 127 degrees apart, so that the other side of a thin
 * sheet does not count). */
typedef struct tacPointshellSpacing {
  double mean, variation;
} tacPointshellSpacing;
tacStatus tac_pointshell_spacing(const tacPointshell *shell, int level, tacPointshellSpacing *spacing, tacError *error);
