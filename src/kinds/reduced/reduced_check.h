/* Checks a reduced body against its source solid, element by element. Offline.
 *
 * Forces: the force of each energy part is compared with U^T f(U q), summed over all elements. Random q deform the body
 * by 1 %, 10 % and 100 %, evenly in all coordinates. The check uses q and -q, so that terms of every degree matter and
 * every coefficient contributes. Mass: for random w, U^T M U w = w. For each group, the same product is compared with
 * the group's matrix, mass and loads of a uniform acceleration. Sums of n rounded terms are accurate to n epsilon; the
 * tolerance is 1e-9, for n below 4e6. Surface: random vertices move with their element, and their normals rotate with
 * it. Plain loops on one thread. */
#pragma once

#include "base/files/bake_check.h"
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced.h"

/* `solid` has the baked materials, by group. Adds three checks. */
tacStatus tac_reduced_check(const tacReducedParts *parts, const tacSolid *solid, tacBakeChecks *checks,
                            tacError *error);
