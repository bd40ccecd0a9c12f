/* Checks vibration modes and modal derivatives against their defining equations, element by element. Offline.
 *
 * Modes: |K x - lambda M x| / (lambda |M x|) must be small for each mode. Derivatives: for random a, the sum Phi(a) =
 * sum a_i a_j Phi_ij contains all derivatives and must satisfy K Phi(a) = -(H : Psi(a)) Psi(a) (2.47). For a free body,
 * the equation (2.60) is summed with random weights a, b. Its residual must lie in the space of M times the rigid
 * motions and the modes. Components in this space do not change a basis that contains the modes.
 *
 * Rounding changes K by about epsilon |K|. The tolerance is a thousand times the effect of this change, and at least
 * the tolerance of the iterative solvers. Equation numbers are those of Barbic 2007. The symbols are explained in
 * modal_derivatives.h. */
#pragma once

#include "base/files/bake_check.h"
#include "kinds/reduced/basis/modal_derivatives.h"

/* Adds two checks to `checks`. */
tacStatus tac_modes_check(const tacSolid *solid, const tacVibrationModes *modes, const tacModalDerivatives *derivatives,
                          tacBakeChecks *checks, tacError *error);
