/* Compliance between the points of two tools on one compliance body. Tick phase. */
#pragma once

#include "world/world_parts.h"

/* W(at, by) for the points i at `at` and j at `by` (tac_world_points), m/N, limited by `tac_point_group_limit`. W of j
 * and i is its exact transpose. False: not in memory. The blocks of the two triangles are kept, so that a point that
 * moves inside its triangle needs no query of the body. */
bool tac_tool_pair_compliance(tacWorld *world, int body, int i, tacSurfacePoint at, int j, tacSurfacePoint by,
                              tacMat3 *compliance);
