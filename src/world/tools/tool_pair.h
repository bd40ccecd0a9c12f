/* Compliance between the points of two tools on one compliance body. Tick phase. */
#pragma once

#include "world/world_parts.h"

/* Compliance W(at, by), m/N, between point i at `at` and point j at `by`, limited by `tac_point_group_limit`. Indices
 * are those of tac_world_points. W(by, at) is its exact transpose. False: not in memory. The blocks of the two
 * triangles are stored, so a point that moves inside its triangle needs no query of the body. */
bool tac_tool_pair_compliance(tacWorld *world, int body, int i, tacSurfacePoint at, int j, tacSurfacePoint by,
                              tacMat3 *compliance);
