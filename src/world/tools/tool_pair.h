/* Compliance between the contact points of two tools on one compliance body. Tick phase. */
#pragma once

#include "world/world_parts.h"

/* Computes the compliance W between the point i at `at` and the point j at `by`, m/N, limited by tac_point_group_limit.
 * Points are numbered as in tac_world_points. The result for exchanged points is the exact transpose. Returns false if
 * the compliance is unknown. The function stores the compliance between the corners of the two triangles. So a point
 * that moves inside a triangle needs no query of the body. */
bool tac_tool_pair_compliance(tacWorld *world, int body, int i, tacSurfacePoint at, int j, tacSurfacePoint by,
                              tacMat3 *compliance);
