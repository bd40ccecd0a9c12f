/* Estimates the error of linear elasticity for a body from a few trial loads. The function is for offline use.
 *
 * The body is filled with a few hundred neo-Hookean tetrahedra, and loads are applied at points spread over its
 * surface. The response is compared with the linear response of the same tetrahedra. Each load is expressed by its
 * linear displacement. So both responses depend only on the shape, the support and Poisson's ratio. An inhomogeneous
 * body is treated as homogeneous. */
#pragma once

#include <tactus/base.h>
#include <tactus/green.h>
#include "kinds/green/green.h"

/* Measures the error estimate with at most `loads` trial loads. `*error_estimate` is {0} (unknown) if the body has no
 * fixed vertices, or if it needs too many tetrahedra. Fails if memory does not suffice or if the measurement is
 * cancelled. */
tacStatus tac_green_error_estimate_measure(const tacTriMesh *surface, const bool *fixed, double poisson, int loads,
                                           const tacProgress *progress, tacGreenErrorEstimate *error_estimate,
                                           tacError *error);
