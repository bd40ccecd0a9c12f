/* How far linear elasticity can be trusted with a body, by a few trials. Offline.
 *
 * The body is filled with some hundred tetrahedra of a neo-Hookean material, loaded at places all over it, and what it does
 * is compared with the linear answer of the same tetrahedra. Both depend on shape, support and Poisson's ratio alone when
 * loads are told by the linear displacement that they cause; the groups of an inhomogeneous body are not in it. */
#pragma once

#include <tactus/base.h>
#include <tactus/green.h>
#include "kinds/green/green.h"

/* With at most `loads` of them. `doubt` is {0}, unknown, where the body is not held, or not filled by so few. Fails where
 * memory does not suffice or it is cancelled. */
tacStatus tac_green_error_estimate_measure(const tacTriMesh *surface, const bool *fixed, double poisson, int loads,
                                           const tacProgress *progress, tacGreenErrorEstimate *error_estimate,
                                           tacError *error);
