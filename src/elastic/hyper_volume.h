/* Volumetric terms U(J) that hyperelastic laws share, for all lanes; k0 is the bulk modulus (Pa). */
#ifndef TAC_ELASTIC_HYPER_VOLUME_H
#define TAC_ELASTIC_HYPER_VOLUME_H

#include "elastic/hyper_law.h"
#include "elastic/jacobian_term.h"

/* U = k0 / 2 (ln J)^2 */
static inline void tac_hyper_volume_log_square(double k0, const double *j, double *u, double *uj, double *ujj) {
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    tacJacobianTerm term = tac_jacobian_log_square(j[l]);
    u[l] = k0 * term.f;
    uj[l] = k0 * term.f1;
    ujj[l] = k0 * term.f2;
  }
}

/* U = k0 (J ln J - J + 1) */
static inline void tac_hyper_volume_log_product(double k0, const double *j, double *u, double *uj, double *ujj) {
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    tacJacobianTerm term = tac_jacobian_log_product(j[l]);
    u[l] = k0 * term.f;
    uj[l] = k0 * term.f1;
    ujj[l] = k0 * term.f2;
  }
}

#endif
