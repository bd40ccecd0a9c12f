/* Neo-Hooke: Psi = mu / 2 (J^(-2/3) I1 - 3) + k0 / 2 (ln J)^2. */
#include <math.h>
#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"

enum { MU, K0, COUNT };

static void moduli(const double *p, double *shear, double *bulk) {
  *shear = p[MU];
  *bulk = p[K0];
}

TAC_HYPER_INVARIANTS_BODY {
  (void)doubles;
  (void)i2;
  *out = (tacInvariantEnergy){0};
  const double half = 0.5 * p[MU];
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    double root = tac_jacobian_root(j[l]);
    tacJacobianTerm f = tac_jacobian_power_from(root * root, -2.0 / 3.0, j[l]);
    out->w[l] = half * (f.f * i1[l] - 3.0);
    out->w1[l] = half * f.f;
    out->wj[l] = half * f.f1 * i1[l];
    out->w1j[l] = half * f.f1;
    out->wjj[l] = half * f.f2 * i1[l];
  }
}
TAC_HYPER_INVARIANTS

const tacHyperLaw tac_hyper_neo_hookean = {
    .name = "neo-hookean",
    .of_moduli = true,
    .about = "mu/2 (J^(-2/3) I1 - 3) + k0/2 (ln J)^2",
    .parameter_count = COUNT,
    .parameters = {[MU] = {"mu", "Pa", "shear modulus", 0.0, INFINITY, false, NAN},
                   [K0] = {"k0", "Pa", "bulk modulus", 0.0, INFINITY, false, NAN}},
    .moduli = moduli,
    .volume = tac_hyper_volume_log_square,
    .k0 = K0,
    .invariants = invariants};
