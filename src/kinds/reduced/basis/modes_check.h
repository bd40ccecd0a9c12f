/* Vibration modes and their derivatives against the equations that they solve, element by element. Offline.
 *
 * Modes: |K x - lambda M x| over lambda |M x|, of each. Derivatives: for random a, Phi(a) = sum a_i a_j Phi_ij, thus
 * all of them at a time, satisfies K Phi(a) = -(H : Psi(a)) Psi(a) (2.47); for a free body and random a, b the
 * residual of (2.60) lies in the space of M times the rigid motions and modes: what derivatives have of those does not
 * change a basis that has the modes. Rounding changes K by some epsilon |K|; allowed is a thousand times what that
 * makes, and at least what the iterations stop at. Plain loops on one thread. */
#pragma once

#include "base/files/bake_check.h"
#include "kinds/reduced/basis/modal_derivatives.h"

/* Adds two checks. */
tacStatus tac_modes_check(const tacSolid *solid, const tacVibrationModes *modes, const tacModalDerivatives *derivatives,
                          tacBakeChecks *checks, tacError *error);
