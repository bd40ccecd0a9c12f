/* St. Venant-Kirchhoff: Psi = lambda / 2 (tr E)^2 + mu E : E with Green's strain E = (C - I) / 2, that is
 *     lambda / 8 (I1 - 3)^2 + mu / 4 (I1^2 - 2 I2 - 2 I1 + 3).
 *
 * A function of C alone: F and its reflections are the same to it, and where an element is pressed flat it hardly
 * resists. So below J = TAC_JACOBIAN_LEAST there is kappa (TAC_JACOBIAN_LEAST - J)^3 too, with kappa = lambda + 2 mu:
 * flattening costs (lambda + 2 mu) / 8, with a slope that never is above what the cubic has there, so that a reflected
 * element goes back. With lambda < 0 an inverted state can be at rest in spite of it; it is refused. */
#include <math.h>
#include "base/lanes.h"
#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"

enum { MU, LAMBDA, COUNT };

static void moduli(const double *p, double *shear, double *bulk) {
  *shear = p[MU];
  *bulk = p[LAMBDA] + 2.0 / 3.0 * p[MU];
}

TAC_LANES_BODY void invariants_lanes(const int doubles, const double *p, const double *restrict i1,
                                     const double *restrict i2, const double *restrict j,
                                     tacInvariantEnergy *restrict out) {
  (void)doubles;
  *out = (tacInvariantEnergy){0};
  double mu = p[MU], lambda = p[LAMBDA], kappa = lambda + 2.0 * mu;
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    double trace = i1[l] - 3.0, squares = (i1[l] - 2.0) * i1[l] - 2.0 * i2[l] + 3.0; /* 2 tr E, 4 E : E */
    tacJacobianTerm barrier = tac_jacobian_barrier(j[l]);
    out->w[l] = 0.125 * lambda * trace * trace + 0.25 * mu * squares + kappa * barrier.f;
    out->w1[l] = 0.25 * lambda * trace + 0.5 * mu * (i1[l] - 1.0);
    out->w2[l] = -0.5 * mu;
    out->w11[l] = 0.25 * lambda + 0.5 * mu;
    out->wj[l] = kappa * barrier.f1;
    out->wjj[l] = kappa * barrier.f2;
  }
}
TAC_LANES_KERNEL(static, invariants,
                 (const double *p, const double *i1, const double *i2, const double *j, tacInvariantEnergy *out), p, i1,
                 i2, j, out)

const tacHyperLaw tac_hyper_st_venant_kirchhoff = {
    .name = "st-venant-kirchhoff",
    .about = "lambda/2 (tr E)^2 + mu E:E",
    .parameter_count = COUNT,
    .parameters = {[MU] = {"mu", "Pa", "shear modulus", 0.0, INFINITY, false, NAN},
                   [LAMBDA] = {"lambda", "Pa", "Lame's first modulus", 0.0, INFINITY, true, NAN}},
    .moduli = moduli,
    .invariants = invariants};
