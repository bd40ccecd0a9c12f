/* Measures the error of a reduced body's basis: compares the responses of the body to a few loads with the solutions of
 * the full mesh. Offline. */
#pragma once

#include <tactus/base.h>
#include "elastic/solids/solid.h"
#include "kinds/reduced/reduced.h"

/* Measures the coefficients of the error estimate with at most `loads` loads (see tacReducedDef.error_estimate_loads).
 * `error_estimate` is {0} (unknown) for a free body, for a mesh that is too large, and if no solution converges. Fails
 * only if memory is insufficient or the measurement is cancelled. */
tacStatus tac_reduced_error_estimate_measure(const tacReducedParts *parts, const tacSolid *solid, int loads,
                                             const tacProgress *progress, tacReducedErrorEstimate *error_estimate,
                                             tacError *error);
