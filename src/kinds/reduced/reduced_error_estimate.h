/* How far the basis of a reduced body can be trusted, by a few trials beside the full solution. Offline. */
#pragma once

#include <tactus/base.h>
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced.h"

/* With at most `loads` of them (see tacReducedDef.error_estimate_loads). `doubt` is {0}, unknown, of a free body and where no load is carried.
 * Fails where memory does not suffice or it is cancelled. */
tacStatus tac_reduced_error_estimate_measure(const tacReducedParts *parts, const tacSolid *solid, int loads,
                                             const tacProgress *progress, tacReducedErrorEstimate *error_estimate,
                                             tacError *error);
