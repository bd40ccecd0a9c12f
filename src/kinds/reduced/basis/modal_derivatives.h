/* Modal derivatives: how vibration modes change when the body deforms along a mode (Barbic 2007, sections 2.8.3,
 * 2.8.7).
 *
 * Anchored bodies: K Phi_ij = -(H : Psi_j) Psi_i (2.47), symmetric: pairs i <= j. Free bodies (2.60): (K - lambda_i M)
 * Phi_ij = (M Psi_i Psi_i^T - I) (H : Psi_j) Psi_i, with Psi_i^T M Phi_ij = 0 and no rigid part: all pairs. Offline. */
#pragma once

#include "kinds/reduced/basis/vibration_modes.h"

typedef struct tacModalDerivatives {
  int size, count; /* 3 numbers per vertex; k (k + 1) / 2 or k^2 columns */
  int (*pair)[2];  /* [column]: i, j, from 0 */
  double *vector;  /* columns, not normalised: u(p) = sum Psi_i p_i + sum Phi_ij p_i p_j / 2 */
  double build_seconds, solve_seconds;
} tacModalDerivatives;

tacStatus tac_modal_derivatives_compute(const tacSolid *solid, const tacVibrationModes *modes,
                                        const tacProgress *progress, tacModalDerivatives *derivatives, tacError *error);
void tac_modal_derivatives_destroy(tacModalDerivatives *derivatives); /* {0} is allowed */
