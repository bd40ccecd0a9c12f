/* Estimates the error of linear elasticity for a body, from a few trials. Offline.
 *
 * The body is filled with some hundred neo-Hookean tetrahedra and loaded at places all over it; the result is compared
 * with the linear response of the same tetrahedra. Both depend only on shape, support and Poisson's ratio if loads are
 * expressed by their linear displacement. Groups of an inhomogeneous body are ignored. */
#pragma once

#include <tactus/base.h>
#include <tactus/green.h>
#include "kinds/green/green.h"

/* Uses at most `loads` of them. `error_estimate` is {0}, unknown, if the body is not held, or cannot be filled by so
 * few tetrahedra. Fails if memory does not suffice or it is cancelled. */
tacStatus tac_green_error_estimate_measure(const tacTriMesh *surface, const bool *fixed, double poisson, int loads,
                                           const tacProgress *progress, tacGreenErrorEstimate *error_estimate,
                                           tacError *error);
