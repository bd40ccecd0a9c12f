/* Pointshells against the field and the body that they were made from. Offline.
 *
 * Every point lies on the zero level set: |d| in voxels, by a trilinear interpolation made anew; its normal has unit
 * length and looks outward
 * where the field does so within half a voxel; the areas of each level add up to that of the level set. Numbers are floats: allowed is
 * about a hundred of their roundings. Plain loops on one thread. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include "asset/pointshell.h"
#include "base/files/bake_check.h"

/* The grid's value and gradient at a point of its box. */
double tac_pointshell_check_value(const tacGrid *grid, tacVec3 p, tacVec3 *gradient);
/* How far off the level set a point in floats may be, in voxels: 1e-3, and 64 roundings of its coordinates. */
double tac_pointshell_check_allowed(const tacGrid *grid, double largest_coordinate);

/* Adds three checks. */
tacStatus tac_pointshell_check(const tacPointshell *shell, const tacGrid *grid, const tacTriMesh *level_set,
                               tacBakeChecks *checks, tacError *error);
/* Adds one: random points move and turn as the body does. */
tacStatus tac_pointshell_check_embedded(const tacPointshell *shell, const tacVolMesh *volume, const double *basis,
                                        tacBakeChecks *checks, tacError *error);
