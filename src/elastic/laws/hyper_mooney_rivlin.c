/* Mooney-Rivlin: Psi = c1 (J^(-2/3) I1 - 3) + c2 (J^(-4/3) I2 - 3) + k0 / 2 (ln J)^2. */
#include <math.h>
#include "elastic/laws/invariant_term.h"

enum { C1, C2, K0, COUNT };

static tacStatus check(const double *p, tacError *error) {
  if (p[C1] + p[C2] > 0.0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "mooney-rivlin: c1 + c2 is %g Pa; it is half the shear modulus and must be above 0",
                       p[C1] + p[C2]);
}

static void moduli(const double *p, double *shear, double *bulk) {
  *shear = 2.0 * (p[C1] + p[C2]);
  *bulk = p[K0];
}

TAC_HYPER_INVARIANTS_BODY {
  (void)doubles;
  *out = (tacInvariantEnergy){0};
  double c1 = p[C1], c2 = p[C2], square[TAC_HYPER_LANES];
  for (int l = 0; l < TAC_HYPER_LANES; ++l) { /* in short loops, so that steps of several lanes overlap */
    double root = tac_jacobian_root(j[l]);
    square[l] = root * root;
  }
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    tacJacobianTerm f = tac_jacobian_power_from(square[l], -2.0 / 3.0, j[l]);
    out->w[l] = c1 * (f.f * i1[l] - 3.0);
    out->w1[l] = c1 * f.f;
    out->wj[l] = c1 * f.f1 * i1[l];
    out->w1j[l] = c1 * f.f1;
    out->wjj[l] = c1 * f.f2 * i1[l];
  }
  for (int l = 0; l < TAC_HYPER_LANES; ++l) tac_invariant_add_second(c2, square[l], i2[l], j[l], l, out);
}
TAC_HYPER_INVARIANTS

const tacHyperLaw tac_hyper_mooney_rivlin = {
    .name = "mooney-rivlin",
    .of_moduli = true,
    .about = "c1 (J^(-2/3) I1 - 3) + c2 (J^(-4/3) I2 - 3) + k0/2 (ln J)^2",
    .parameter_count = COUNT,
    .parameters = {[C1] = {"c1", "Pa", "of the first invariant", 0.0, INFINITY, true, NAN},
                   [C2] = {"c2", "Pa", "of the second invariant", 0.0, INFINITY, true, NAN},
                   [K0] = {"k0", "Pa", "bulk modulus", 0.0, INFINITY, false, NAN}},
    .check = check,
    .moduli = moduli,
    .volume = tac_hyper_volume_log_square,
    .k0 = K0,
    .invariants = invariants};
