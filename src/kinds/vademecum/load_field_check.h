/* Checks a load field by brute force at random samples of random loads. The magnitude is compared with the distance
 * to all triangles of the deformed surface. The sign is compared with the sum of the solid angles of the triangles.
 * Errors are in voxels. Farther from the surface than `band` voxels, a sample may be 4.5 voxels too large. Runs
 * offline on a single thread. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "base/files/bake_check.h"

tacStatus tac_load_field_check(const tacLoadField *field, const tacReduced *shape, double band, tacBakeChecks *checks,
                               tacError *error);
