/* Corotational: linear elasticity in the axes that the rotation R nearest to F has turned,
 *     Psi = mu |F - R|^2 + lambda / 2 (tr S - 3)^2,   S = R^T F.
 * P = 2 mu (F - R) + lambda (tr S - 3) R, and with how R turns with F
 *     dP/dF = 2 mu + lambda R x R + (lambda (tr S - 3) - 2 mu) sum_mn G_mn t_m x t_n,   G = (tr S - S)^-1,
 * where t_m = R [e_m]x. G has the eigenvalues 1 / (s_a + s_b) of the signed singular values s of F.
 *
 * Finite for every F, and the energy's only place at rest is F = R. Where s_a + s_b = 0 (an element is inverted, and by
 * as much as it is thick along another axis) R jumps: the energy has a crease there, the stress a step, and s_a + s_b
 * in the tangent is held at SUM_LEAST. */
#include <math.h>
#include "elastic/laws/hyper_law.h"
#include "math/geometry/svd3.h"

enum { YOUNG, POISSON, COUNT };

static const double SUM_LEAST = 0.05;

static void moduli(const double *p, double *shear, double *bulk) {
  *shear = p[YOUNG] / (2.0 * (1.0 + p[POISSON]));
  *bulk = p[YOUNG] / (3.0 * (1.0 - 2.0 * p[POISSON]));
}

static tacMat3 cofactors(const tacMat3 *a) {
  tacMat3 k;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      k.m[i][j] = a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1];
    }
  return k;
}

/* R and G. Elements mostly are near a rotation, where Newton's R <- (R + R^-T) / 2 (Higham 1986) is there in five or six
 * steps, a fourth of the time of a singular value decomposition. Near and beyond inversion that decides. */
static void turn(const tacMat3 *f, tacMat3 *r, tacMat3 *g) {
  double size = tac_mat3_norm(*f);
  if (tac_mat3_det(*f) > 0.3 && size < 3.5) { /* s from 0.04 to 3.5, and s_a + s_b above 0.5 */
    *r = *f;
    for (int step = 0; step < 12; ++step) {
      tacMat3 k = cofactors(r);
      double by = 0.5 / (r->m[0][0] * k.m[0][0] + r->m[0][1] * k.m[0][1] + r->m[0][2] * k.m[0][2]), change = 0.0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          double d = by * k.m[i][j] - 0.5 * r->m[i][j];
          r->m[i][j] += d;
          change += d * d;
        }
      if (change > 1e-16) continue; /* the next step would be of its square's size */
      tacMat3 a;                    /* tr S - S, S made symmetric */
      double trace = 0.0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          double s = 0.0;
          for (int m = 0; m < 3; ++m) s += r->m[m][i] * f->m[m][j] + r->m[m][j] * f->m[m][i];
          a.m[i][j] = -0.5 * s;
          if (i == j) trace += 0.5 * s;
        }
      for (int i = 0; i < 3; ++i) a.m[i][i] += trace;
      k = cofactors(&a);
      *g = tac_mat3_scale(1.0 / (a.m[0][0] * k.m[0][0] + a.m[0][1] * k.m[0][1] + a.m[0][2] * k.m[0][2]), k);
      return;
    }
  }
  tacSvd3 d = tac_svd3_rotations(*f);
  double by[3];
  for (int a = 0; a < 3; ++a) by[a] = 1.0 / fmax(d.s[(a + 1) % 3] + d.s[(a + 2) % 3], SUM_LEAST);
  *r = tac_mat3_mul(d.u, tac_mat3_transpose(d.v));
  *g = tac_mat3_mul(d.v, tac_mat3_mul(tac_mat3_diagonal(by[0], by[1], by[2]), tac_mat3_transpose(d.v)));
}

static void gradient(const double *p, const tacMat3 *f, double *w, tacMat3 *stress, double tangent[9][9]) {
  double mu, bulk, trace = -3.0, squares = 0.0, t[3][9], gt[3][9];
  moduli(p, &mu, &bulk);
  double lambda = bulk - 2.0 / 3.0 * mu;
  tacMat3 r, g;
  turn(f, &r, &g);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double d = f->m[i][j] - r.m[i][j];
      squares += d * d;
      trace += r.m[i][j] * f->m[i][j];
    }
  *w = mu * squares + 0.5 * lambda * trace * trace;
  double factor = lambda * trace - 2.0 * mu;
  for (int n = 0; n < 9; ++n) {
    int i = n / 3, j = n % 3;
    stress->m[i][j] = 2.0 * mu * (f->m[i][j] - r.m[i][j]) + lambda * trace * r.m[i][j];
    t[j][n] = 0.0;
    t[(j + 1) % 3][n] = -r.m[i][(j + 2) % 3]; /* [e_m]x has -1 at (m + 1, m + 2), 1 at (m + 2, m + 1) */
    t[(j + 2) % 3][n] = r.m[i][(j + 1) % 3];
  }
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 9; ++n) gt[m][n] = factor * (g.m[m][0] * t[0][n] + g.m[m][1] * t[1][n] + g.m[m][2] * t[2][n]);
  for (int n = 0; n < 9; ++n)
    for (int o = 0; o < 9; ++o)
      tangent[n][o] = lambda * r.m[n / 3][n % 3] * r.m[o / 3][o % 3] + (n == o ? 2.0 * mu : 0.0) + t[0][n] * gt[0][o] +
                      t[1][n] * gt[1][o] + t[2][n] * gt[2][o];
}

const tacHyperLaw tac_hyper_corotational = {
    .name = "corotational",
    .of_moduli = true,
    .about = "mu |F - R|^2 + lambda/2 (tr R^T F - 3)^2, R the rotation nearest to F",
    .parameter_count = COUNT,
    .parameters = {[YOUNG] = {"young", "Pa", "Young's modulus", 0.0, INFINITY, false, NAN},
                   [POISSON] = {"poisson", "", "Poisson's ratio", -1.0, 0.4999, false, NAN}},
    .moduli = moduli,
    .gradient = gradient};
