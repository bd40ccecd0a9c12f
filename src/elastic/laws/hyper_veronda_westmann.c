/* Veronda-Westmann (1970, skin): Psi = c1 (e^x - 1) - c1 c2 / 2 (J^(-4/3) I2 - 3) + k0 / 2 (ln J)^2 with
 * x = c2 (J^(-2/3) I1 - 3). The exponential goes on beyond TAC_EXPONENT_MOST as its parabola.
 *
 * The second term is negative. A larger stretch has the larger stress (Baker, Ericksen 1954) where e^x > c / 2 with c
 * the square of any isochoric stretch; since J^(-2/3) I1 >= c + 2 / sqrt(c), that holds everywhere if c2 >= 0.36. With
 * less, the energy has no least value short of huge stretches; such c2 are refused. */
#include <math.h>
#include "elastic/laws/exponential_term.h"
#include "elastic/laws/invariant_term.h"

enum { C1, C2, K0, COUNT };

static void moduli(const double *p, double *shear, double *bulk) {
  *shear = p[C1] * p[C2];
  *bulk = p[K0];
}

TAC_HYPER_INVARIANTS_BODY {
  (void)doubles;
  *out = (tacInvariantEnergy){0};
  double c1 = p[C1], c2 = p[C2], c = c1 * c2, half = 0.5 * c;
  double square[TAC_HYPER_LANES], x[TAC_HYPER_LANES], first[TAC_HYPER_LANES], second[TAC_HYPER_LANES];
  for (int l = 0; l < TAC_HYPER_LANES; ++l) { /* in short loops, so that steps of several lanes overlap */
    double root = tac_jacobian_root(j[l]);
    square[l] = root * root;
    x[l] = c2 * (tac_jacobian_power_from(square[l], -2.0 / 3.0, j[l]).f * i1[l] - 3.0);
  }
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    tacExponentialTerm e = tac_exponential_term(x[l]);
    out->w[l] = c1 * (e.f - 1.0);
    first[l] = c * e.f1;
    second[l] = c * c2 * e.f2;
  }
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    tacJacobianTerm f = tac_jacobian_power_from(square[l], -2.0 / 3.0, j[l]);
    double by_j = f.f1 * i1[l]; /* d(f I1)/dJ */
    out->w1[l] = first[l] * f.f;
    out->wj[l] = first[l] * by_j;
    out->w11[l] = second[l] * f.f * f.f;
    out->w1j[l] = first[l] * f.f1 + second[l] * f.f * by_j;
    out->wjj[l] = first[l] * f.f2 * i1[l] + second[l] * by_j * by_j;
  }
  for (int l = 0; l < TAC_HYPER_LANES; ++l) tac_invariant_add_second(-half, square[l], i2[l], j[l], l, out);
}
TAC_HYPER_INVARIANTS

const tacHyperLaw tac_hyper_veronda_westmann = {
    .name = "veronda-westmann",
    .about = "c1 (exp(c2 (J^(-2/3) I1 - 3)) - 1) - c1 c2/2 (J^(-4/3) I2 - 3) + k0/2 (ln J)^2",
    .parameter_count = COUNT,
    .parameters = {[C1] = {"c1", "Pa", "of the exponential; c1 c2 is the shear modulus", 0.0, INFINITY, false, NAN},
                   [C2] = {"c2", "", "how fast it hardens", 0.36, 1e3, true, NAN},
                   [K0] = {"k0", "Pa", "bulk modulus", 0.0, INFINITY, false, NAN}},
    .moduli = moduli,
    .volume = tac_hyper_volume_log_square,
    .k0 = K0,
    .invariants = invariants};
