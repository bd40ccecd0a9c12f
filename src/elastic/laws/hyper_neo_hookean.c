/* Neo-Hooke: Psi = mu / 2 (J^(-2/3) I1 - 3) + k0 / 2 (ln J)^2. */
#include <math.h>
#include "elastic/invariant_term.h"

enum { MU, K0, COUNT };

static void moduli(const double *p, double *shear, double *bulk) {
  *shear = p[MU];
  *bulk = p[K0];
}

TAC_HYPER_INVARIANTS_BODY {
  (void)doubles;
  (void)i2;
  *out = (tacInvariantEnergy){0};
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    double root = tac_jacobian_root(j[l]);
    tac_invariant_add_first(0.5 * p[MU], root * root, i1[l], j[l], l, out);
  }
}
TAC_HYPER_INVARIANTS

const tacHyperLaw tac_hyper_neo_hookean = {
    .name = "neo-hookean",
    .about = "mu/2 (J^(-2/3) I1 - 3) + k0/2 (ln J)^2",
    .parameter_count = COUNT,
    .parameters = {[MU] = {"mu", "Pa", "shear modulus", 0.0, INFINITY, false, NAN},
                   [K0] = {"k0", "Pa", "bulk modulus", 0.0, INFINITY, false, NAN}},
    .moduli = moduli,
    .volume = tac_hyper_volume_log_square,
    .k0 = K0,
    .invariants = invariants};
