/* St. Venant-Kirchhoff (elastic/laws/st_venant_kirchhoff.h), as a hyperelastic law.
 *
 * A function of C alone: F and its reflections are the same to it, and where an element is pressed flat it hardly
 * resists. So below J = TAC_JACOBIAN_LEAST there is kappa (TAC_JACOBIAN_LEAST - J)^3 too, with kappa = lambda + 2 mu:
 * flattening costs (lambda + 2 mu) / 8, with a slope that never is above what the cubic has there, so that a reflected
 * element goes back. With lambda < 0 an inverted state can be at rest in spite of it; it is refused. */
#include <math.h>
#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"
#include "elastic/laws/st_venant_kirchhoff.h"

enum { MU, LAMBDA, COUNT };

static void moduli(const double *p, double *shear, double *bulk) {
  *shear = p[MU];
  *bulk = p[LAMBDA] + 2.0 / 3.0 * p[MU];
}

TAC_HYPER_INVARIANTS_BODY {
  (void)doubles;
  *out = (tacInvariantEnergy){0};
  tacLame law = {p[LAMBDA], p[MU]};
  double kappa = law.lambda + 2.0 * law.mu;
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    tacLameEnergy energy = tac_st_venant_kirchhoff_energy(law, i1[l], i2[l]);
    tacJacobianTerm barrier = tac_jacobian_barrier(j[l]);
    out->w[l] = energy.w + kappa * barrier.f;
    out->w1[l] = energy.w1;
    out->w2[l] = energy.w2;
    out->w11[l] = energy.w11;
    out->wj[l] = kappa * barrier.f1;
    out->wjj[l] = kappa * barrier.f2;
  }
}
TAC_HYPER_INVARIANTS

const tacHyperLaw tac_hyper_st_venant_kirchhoff = {
    .name = "st-venant-kirchhoff",
    .of_moduli = true,
    .about = "lambda/2 (tr E)^2 + mu E:E",
    .parameter_count = COUNT,
    .parameters = {[MU] = {"mu", "Pa", "shear modulus", 0.0, INFINITY, false, NAN},
                   [LAMBDA] = {"lambda", "Pa", "Lame's first modulus", 0.0, INFINITY, true, NAN}},
    .moduli = moduli,
    .invariants = invariants};
