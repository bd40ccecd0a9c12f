/* Computes modal derivatives: the changes of vibration modes when the body deforms along a mode (Barbic 2007, sections
 * 2.8.3, 2.8.7). Offline.
 *
 * Psi_i are the modes, lambda_i the eigenvalues, K and M the stiffness and mass matrices at rest, and H is the
 * derivative of the stiffness by the displacements. For anchored bodies K Phi_ij = -(H : Psi_j) Psi_i (2.47). This is
 * symmetric, so only pairs i <= j are computed. For free bodies (2.60)
 *   (K - lambda_i M) Phi_ij = (M Psi_i Psi_i^T - I) (H : Psi_j) Psi_i,
 * with Psi_i^T M Phi_ij = 0 and without rigid motion. All pairs are computed. */
#pragma once

#include "kinds/reduced/basis/vibration_modes.h"

typedef struct tacModalDerivatives {
  int size, count; /* 3 numbers per vertex; number of columns, k (k + 1) / 2 or k^2 for k modes */
  int (*pair)[2];  /* [column]: indices i, j of the modes, from 0 */
  double *vector;  /* columns Phi_ij, not normalised: u(p) = sum Psi_i p_i + sum Phi_ij p_i p_j / 2 */
  double build_seconds, solve_seconds;
} tacModalDerivatives;

tacStatus tac_modal_derivatives_compute(const tacSolid *solid, const tacVibrationModes *modes,
                                        const tacProgress *progress, tacModalDerivatives *derivatives, tacError *error);
void tac_modal_derivatives_destroy(tacModalDerivatives *derivatives); /* {0} is allowed */
