/* Costa (2001, heart muscle): Psi = a / 2 (e^Q - 1) + k0 (J ln J - J + 1), with Green's strain E in the axes fibre,
 * sheet and normal and
 *     Q = b_ff E_ff^2 + b_ss E_ss^2 + b_nn E_nn^2 + 2 (b_sn E_sn^2 + b_fn E_fn^2 + b_fs E_fs^2).
 * The exponential goes on beyond TAC_EXPONENT_MOST as its parabola.
 *
 * e^Q is a function of C alone, as St. Venant-Kirchhoff's energy is: below J = TAC_JACOBIAN_LEAST there is
 * kappa (TAC_JACOBIAN_LEAST - J)^3 too. An element that is flattened along one axis has Q = b / 4, and on the way there
 * the energy has slopes of the size of a b e^(b / 4): that is kappa, with the largest b. */
#include <math.h>
#include "elastic/exponential_term.h"
#include "elastic/hyper_volume.h"

enum { A, B_FF, B_SS, B_NN, B_SN, B_FN, B_FS, K0, COUNT }; /* b as components of C are: xx, yy, zz, yz, zx, xy */

static double largest_b(const double *p) {
  double most = 0.0;
  for (int n = B_FF; n <= B_FS; ++n) most = fmax(most, p[n]);
  return most;
}

/* Of any small strain e: e : T : e <= 2 shear |dev e|^2 + bulk (tr e)^2. */
static void moduli(const double *p, double *shear, double *bulk) {
  double most = p[A] * largest_b(p);
  *shear = 0.5 * most;
  *bulk = p[K0] + most / 3.0;
}

static void volume(const double *p, const double *j, double *u, double *uj, double *ujj) {
  tac_hyper_volume_log_product(p[K0], j, u, uj, ujj);
}

static void strain(const double *p, const tacMat3 *axes, const double c[6], double j, tacStrainEnergy *out) {
  static const int row[6] = {0, 1, 2, 1, 2, 0}, col[6] = {0, 1, 2, 2, 0, 1};
  *out = (tacStrainEnergy){0};
  double turn[6][6]; /* components in the axes to those in space: both orders of an off-diagonal one */
  for (int m = 0; m < 6; ++m)
    for (int n = 0; n < 6; ++n) {
      int i = row[m], k = col[m], q = row[n], r = col[n];
      turn[m][n] = axes->m[i][q] * axes->m[k][r] + (n < 3 ? 0.0 : axes->m[i][r] * axes->m[k][q]);
    }
  double be[6], q = 0.0;
  for (int n = 0; n < 6; ++n) {
    double sum = 0.0; /* n_q . C n_r */
    for (int m = 0; m < 6; ++m) {
      double swapped = m < 3 ? 0.0 : axes->m[col[m]][row[n]] * axes->m[row[m]][col[n]];
      sum += c[m] * (axes->m[row[m]][row[n]] * axes->m[col[m]][col[n]] + swapped);
    }
    double e = n < 3 ? 0.5 * (sum - 1.0) : 0.5 * sum;
    be[n] = p[B_FF + n] * e;
    q += (n < 3 ? 1.0 : 2.0) * be[n] * e;
  }
  tacExponentialTerm e = tac_exponential_term(q);
  double b = largest_b(p), kappa = p[A] * b * tac_exponential_term(0.25 * b).f;
  tacJacobianTerm barrier = tac_jacobian_barrier(j);
  out->w = 0.5 * p[A] * (e.f - 1.0) + kappa * barrier.f;
  out->wj = kappa * barrier.f1;
  out->wjj = kappa * barrier.f2;
  /* dQ/dE = 2 b E: S = a e' b E, dS/dE = a (2 e'' bE x bE + e' b) */
  double stress[6] = {0};
  for (int m = 0; m < 6; ++m)
    for (int n = 0; n < 6; ++n) stress[m] += turn[m][n] * be[n];
  for (int m = 0; m < 6; ++m) {
    out->stress[m] = p[A] * e.f1 * stress[m];
    for (int n = 0; n < 6; ++n) {
      double sum = 0.0;
      for (int k = 0; k < 6; ++k) sum += (k < 3 ? 1.0 : 0.5) * p[B_FF + k] * turn[m][k] * turn[n][k];
      out->tangent[m][n] = p[A] * (2.0 * e.f2 * stress[m] * stress[n] + e.f1 * sum);
    }
  }
}

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
    .volume = volume,
    .strain = strain};
