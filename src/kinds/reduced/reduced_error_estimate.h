/* Estimates the error of the basis of a reduced body, by a few trials against the full solution. Offline. */
#pragma once

#include <tactus/base.h>
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced.h"

/* Uses at most `loads` of them (see tacReducedDef.error_estimate_loads). `error_estimate` is {0}, unknown, for a free
 * body and if no load converges. Fails if memory does not suffice or it is cancelled. */
tacStatus tac_reduced_error_estimate_measure(const tacReducedParts *parts, const tacSolid *solid, int loads,
                                             const tacProgress *progress, tacReducedErrorEstimate *error_estimate,
                                             tacError *error);
