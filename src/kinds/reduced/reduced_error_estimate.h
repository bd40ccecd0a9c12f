/* Estimates the error of a reduced body's basis: compares the responses to a few loads with full solutions. Offline. */
#pragma once

#include <tactus/base.h>
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced.h"

/* Tries at most `loads` loads (see tacReducedDef.error_estimate_loads). `error_estimate` is {0} (unknown) for a free
 * body and if no load converges. Fails if memory does not suffice or the measurement is cancelled. */
tacStatus tac_reduced_error_estimate_measure(const tacReducedParts *parts, const tacSolid *solid, int loads,
                                             const tacProgress *progress, tacReducedErrorEstimate *error_estimate,
                                             tacError *error);
