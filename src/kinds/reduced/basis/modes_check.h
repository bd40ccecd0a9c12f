/* Checks vibration modes and their derivatives against their defining equations, element by element. Offline.
 *
 * Modes: |K x - lambda M x| / (lambda |M x|) is small for each mode. Derivatives: for random a, the sum Phi(a) = sum
 * a_i a_j Phi_ij contains all derivatives and satisfies K Phi(a) = -(H : Psi(a)) Psi(a) (2.47). For a free body and
 * random a, b, the residual of (2.60) lies in the space of M times rigid motions and modes. Components in this space do
 * not change a basis that contains the modes. Rounding changes K by about epsilon |K|. The tolerance is a thousand
 * times the effect of this change, and at least the tolerance of the iterations. Plain loops on one thread. */
#pragma once

#include "base/files/bake_check.h"
#include "kinds/reduced/basis/modal_derivatives.h"

/* Adds two checks. */
tacStatus tac_modes_check(const tacSolid *solid, const tacVibrationModes *modes, const tacModalDerivatives *derivatives,
                          tacBakeChecks *checks, tacError *error);
