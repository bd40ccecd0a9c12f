/* Boyce-Arruda, the model of eight chains (Arruda, Boyce 1993): the first five terms of the inverse Langevin function's
 * series,
 *     Psi = mu sum_i a_i / lambda_m^(2 i - 2) (J^(-2 i / 3) I1^i - 3^i) + k0 / 2 (ln J)^2,
 * with lambda_m the stretch at which chains are straight. The series itself is finite there. */
#include <math.h>
#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"

enum { MU, LAMBDA_M, K0, COUNT };
enum { TERMS = 5 };

static const double series[TERMS] = {1.0 / 2.0, 1.0 / 20.0, 11.0 / 1050.0, 19.0 / 7000.0, 519.0 / 673750.0};

static void moduli(const double *p, double *shear, double *bulk) {
  double by = 3.0 / (p[LAMBDA_M] * p[LAMBDA_M]), power = 1.0, sum = 0.0;
  for (int i = 0; i < TERMS; ++i, power *= by) sum += (i + 1) * series[i] * power;
  *shear = 2.0 * p[MU] * sum;
  *bulk = p[K0];
}

TAC_HYPER_INVARIANTS_BODY {
  (void)doubles;
  (void)i2;
  *out = (tacInvariantEnergy){0};
  double by = 1.0 / (p[LAMBDA_M] * p[LAMBDA_M]);
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    double root = tac_jacobian_root(j[l]), square = root * root;
    double power = 1.0, coefficient = p[MU], rest = 1.0; /* J^(-2 i / 3), mu / lambda_m^(2 i - 2), 3^i */
    double less2 = 0.0, less = 0.0, one = 1.0,
           at = i1[l]; /* I1^(i - 2) and I1^(i - 1), as far as a derivative has them; I1^i */
    for (int i = 1; i <= TERMS; ++i) {
      power *= square;
      rest *= 3.0;
      less2 = less;
      less = one;
      double a = coefficient * series[i - 1], n = i;
      tacJacobianTerm f = tac_jacobian_power_from(power, -2.0 / 3.0 * n, j[l]);
      out->w[l] += a * (f.f * at - rest);
      out->w1[l] += a * f.f * n * less;
      out->w11[l] += a * f.f * n * (n - 1.0) * less2;
      out->wj[l] += a * f.f1 * at;
      out->w1j[l] += a * f.f1 * n * less;
      out->wjj[l] += a * f.f2 * at;
      one = at;
      at *= i1[l];
      coefficient *= by;
    }
  }
}
TAC_HYPER_INVARIANTS

const tacHyperLaw tac_hyper_boyce_arruda = {
    .name = "boyce-arruda",
    .about = "mu sum a_i / lambda_m^(2i-2) (J^(-2i/3) I1^i - 3^i) + k0/2 (ln J)^2, five terms",
    .parameter_count = COUNT,
    .parameters = {[MU] = {"mu", "Pa", "shear modulus but for a factor that goes to 1 with lambda_m", 0.0, INFINITY,
                           false, NAN},
                   [LAMBDA_M] = {"lambda_m", "", "stretch at which chains lock", 1.0, INFINITY, false,
                                 2.8284271247461903},
                   [K0] = {"k0", "Pa", "bulk modulus", 0.0, INFINITY, false, NAN}},
    .moduli = moduli,
    .volume = tac_hyper_volume_log_square,
    .k0 = K0,
    .invariants = invariants};
