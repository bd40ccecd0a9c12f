/* The compliance between the points of two tools on one body that answers as a compliance. Tick phase. */
#pragma once

#include "world/world_parts.h"

/* W(at, by) for the points i at `at` and j at `by` (tac_world_points), m/N, limited by `tac_point_group_limit`; that of j and i is its
 * transpose, to the last bit. False where it is not in memory. The blocks of the two triangles are kept, so that a point that moves inside
 * its triangle asks the body for nothing. */
bool tac_tool_pair_compliance(tacWorld *world, int body, int i, tacSurfacePoint at, int j, tacSurfacePoint by,
                              tacMat3 *compliance);
