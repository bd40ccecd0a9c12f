/* Costa (2001, heart muscle): Psi = a / 2 (e^Q - 1) + k0 (J ln J - J + 1), with Green's strain E in the axes fibre,
 * sheet and normal and
 *     Q = b_ff E_ff^2 + b_ss E_ss^2 + b_nn E_nn^2 + 2 (b_sn E_sn^2 + b_fn E_fn^2 + b_fs E_fs^2).
 * The exponential goes on beyond TAC_EXPONENT_MOST as its parabola.
 *
 * e^Q is a function of C alone, as St. Venant-Kirchhoff's energy is: below J = TAC_JACOBIAN_LEAST there is
 * kappa (TAC_JACOBIAN_LEAST - J)^3 too. An element that is flattened along one axis has Q = b / 4, and on the way there
 * the energy has slopes of the size of a b e^(b / 4): that is kappa, with the largest b. */
#include <math.h>
#include <string.h>
#include "base/lanes.h"
#include "elastic/laws/exponential_term.h"
#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"

enum { A, B_FF, B_SS, B_NN, B_SN, B_FN, B_FS, K0, COUNT }; /* b as components of C are: xx, yy, zz, yz, zx, xy */

static double largest_b(const double *p) {
  double most = 0.0;
  for (int n = B_FF; n <= B_FS; ++n) most = p[n] > most ? p[n] : most;
  return most;
}

/* Of any small strain e: e : T : e <= 2 shear |dev e|^2 + bulk (tr e)^2. */
static void moduli(const double *p, double *shear, double *bulk) {
  double most = p[A] * largest_b(p);
  *shear = 0.5 * most;
  *bulk = p[K0] + most / 3.0;
}

/* dQ/dE = 2 b E: S = a e' b E, dS/dE = a (2 e'' bE x bE + e' b) */
TAC_LANES_BODY void strain_lanes(const int doubles, const double *p, const double c[6][TAC_HYPER_LANES],
                                 const double *restrict j, tacStrainEnergy *restrict out) {
  (void)doubles;
  const double a = p[A], most = largest_b(p), kappa = a * most * tac_exponential_term(0.25 * most).f;
  double be[6][TAC_HYPER_LANES], q[TAC_HYPER_LANES] = {0.0}, first[TAC_HYPER_LANES], second[TAC_HYPER_LANES];
  memset(out->stress_by_j, 0, sizeof out->stress_by_j);
  for (int n = 0; n < 6; ++n)
    TAC_EACH_LANE (l) {
      double e = n < 3 ? 0.5 * (c[n][l] - 1.0) : 0.5 * c[n][l];
      be[n][l] = p[B_FF + n] * e;
      q[l] += (n < 3 ? 1.0 : 2.0) * be[n][l] * e;
    }
  TAC_EACH_LANE (l) {
    tacExponentialTerm e = tac_exponential_term(q[l]);
    tacJacobianTerm barrier = tac_jacobian_barrier(j[l]);
    out->w[l] = 0.5 * a * (e.f - 1.0) + kappa * barrier.f;
    out->wj[l] = kappa * barrier.f1;
    out->wjj[l] = kappa * barrier.f2;
    first[l] = a * e.f1;
    second[l] = 2.0 * a * e.f2;
  }
  for (int m = 0; m < 6; ++m) {
    double b = (m < 3 ? 1.0 : 0.5) * p[B_FF + m];
    TAC_EACH_LANE (l) out->stress[m][l] = first[l] * be[m][l];
    for (int n = 0; n <= m; ++n)
      TAC_EACH_LANE (l) out->tangent[m][n][l] = out->tangent[n][m][l] = second[l] * (be[m][l] * be[n][l]);
    TAC_EACH_LANE (l) out->tangent[m][m][l] += first[l] * b;
  }
}
TAC_LANES_KERNEL(static, strain,
                 (const double *p, const double c[6][TAC_HYPER_LANES], const double *j, tacStrainEnergy *out), p, c, j,
                 out)

const tacHyperLaw tac_hyper_costa = {
    .name = "costa",
    .about = "a/2 (exp(Q) - 1) + k0 (J ln J - J + 1), Q quadratic in Green's strain along fibres",
    .parameter_count = COUNT,
    .parameters = {[A] = {"a", "Pa", "of the exponential", 0.0, INFINITY, false, NAN},
                   [B_FF] = {"b_ff", "", "along fibres", 0.0, 1e3, false, NAN},
                   [B_SS] = {"b_ss", "", "along sheets", 0.0, 1e3, false, NAN},
                   [B_NN] = {"b_nn", "", "along normals of sheets", 0.0, 1e3, false, NAN},
                   [B_SN] = {"b_sn", "", "shear of sheets and normals", 0.0, 1e3, false, NAN},
                   [B_FN] = {"b_fn", "", "shear of fibres and normals", 0.0, 1e3, false, NAN},
                   [B_FS] = {"b_fs", "", "shear of fibres and sheets", 0.0, 1e3, false, NAN},
                   [K0] = {"k0", "Pa", "bulk modulus, without the exponential's part", 0.0, INFINITY, false, NAN}},
    .fibres = true,
    .moduli = moduli,
    .volume = tac_hyper_volume_log_product,
    .k0 = K0,
    .strain = strain};
