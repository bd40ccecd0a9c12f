/* Checks load fields by brute force: compares random samples of random loads with the distance to all triangles of the
 * deformed surface, and their signs with the sum of solid angles. Plain loops on one thread. Offline. Errors are in
 * voxels; beyond the band samples may be 4.5 voxels too large. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "base/files/bake_check.h"

tacStatus tac_load_field_check(const tacLoadField *field, const tacReduced *shape, double band, tacBakeChecks *checks,
                               tacError *error);
