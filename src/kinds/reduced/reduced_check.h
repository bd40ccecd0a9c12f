/* Checks a reduced body against its source solid, element by element. Offline.
 *
 * - Forces: the force of each energy part is compared with U^T f(U q), where f is the force of all elements. Random q
 *   deform the body by 1 %, 10 % and 100 %. The check uses q and -q, so that every coefficient contributes.
 * - Mass: U^T M U w must equal w for random w. The mass matrix, the mass and the loads of a uniform acceleration of
 *   each material group are compared with the sums over its elements.
 * - Surface: displacements and normal changes of random vertices are compared with values from the element that
 *   contains the vertex.
 *
 * A sum of n rounded terms is accurate to n epsilon. The tolerance is 1e-9, for n below 4e6. */
#pragma once

#include "base/files/bake_check.h"
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced.h"

/* Adds three checks, and a fourth check if the body has stress products. `solid` must have the materials of the
 * bake. */
tacStatus tac_reduced_check(const tacReducedParts *parts, const tacSolid *solid, tacBakeChecks *checks,
                            tacError *error);
