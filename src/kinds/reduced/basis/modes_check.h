/* Checks vibration modes and modal derivatives against their defining equations, element by element. Offline.
 *
 * The symbols are explained in modal_derivatives.h. In addition, Psi(a) = sum a_i Psi_i and Phi(a, b) = sum a_i b_j
 * Phi_ij. Equation numbers refer to Barbic 2007.
 * - Modes: |K x - lambda M x| / (lambda |M x|) must be small for each mode x.
 * - Derivatives of an anchored body: for random a, Phi(a, a) contains all derivatives. It must satisfy
 *   K Phi(a, a) = -(H : Psi(a)) Psi(a) (2.47).
 * - Derivatives of a free body: the equations (2.60) are summed with random weights a_i b_j. The residual must lie in
 *   the space of M times the rigid motions and the modes. A residual in this space does not change the basis.
 *
 * Rounding changes K by about epsilon |K|. The tolerance is a thousand times the effect of this change, and at least
 * the tolerance of the iterative solvers. */
#pragma once

#include "base/files/bake_check.h"
#include "kinds/reduced/basis/modal_derivatives.h"

/* Adds two checks to `checks`. */
tacStatus tac_modes_check(const tacSolid *solid, const tacVibrationModes *modes, const tacModalDerivatives *derivatives,
                          tacBakeChecks *checks, tacError *error);
