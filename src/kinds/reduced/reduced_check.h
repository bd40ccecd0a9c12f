/* Checks a reduced body against its source solid, element by element. Offline.
 *
 * Forces: each part of the energy, at random q that deform the body by 1 %, 10 % and 100 % evenly in all coordinates,
 * and at -q, so that terms of every degree matter and every coefficient contributes: against U^T f(U q), summed over
 * all elements. Mass: for random w, U^T M U w = w, and the same of each group against its matrix, mass and loads of a
 * uniform acceleration. Sums of n rounded terms are accurate to n epsilon; the tolerance is 1e-9, for n below 4e6.
 * Plain loops on one thread. Surface: random vertices move, and their normals rotate, with their element. */
#pragma once

#include "base/files/bake_check.h"
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced.h"

/* `solid` has the baked materials, by group. Adds three checks. */
tacStatus tac_reduced_check(const tacReducedParts *parts, const tacSolid *solid, tacBakeChecks *checks,
                            tacError *error);
