/* A reduced body against the solid that it was made from, element by element. Offline.
 *
 * Forces: each part of the energy, at random q that deform the body by 1 %, 10 % and 100 % in all coordinates alike
 * and at -q, so that terms of every degree matter and every coefficient has a share: against U^T f(U q), summed over
 * all elements. Mass: for random w, U^T M U w = w, and the same of each group against its matrix, its mass and its
 * loads of a uniform acceleration. Sums of n rounded terms are good to n epsilon; allowed is 1e-9, with n below 4e6.
 * Plain loops on one thread. Surface: random vertices move, and their normals turn, as their element does. */
#pragma once

#include "base/files/bake_check.h"
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced.h"

/* `solid` has the materials that were baked, by group. Adds three checks. */
tacStatus tac_reduced_check(const tacReducedParts *parts, const tacSolid *solid, tacBakeChecks *checks,
                            tacError *error);
