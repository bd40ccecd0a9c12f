/* Corotational: linear elasticity in the axes that the rotation R nearest to F has turned,
 *     Psi = mu |F - R|^2 + lambda / 2 (tr(R^T F) - 3)^2.
 * With F = U diag(s) V^T, U and V rotations, and R = U V^T: P = 2 mu (F - R) + lambda (tr s - 3) R, and
 *     dP/dF = 2 mu + lambda R x R + sum_{a<b} (2 lambda (tr s - 3) - 4 mu) / (s_a + s_b) t_ab x t_ab
 * with t_ab = U (e_a e_b^T - e_b e_a^T) V^T / sqrt 2: how R turns with F is in it.
 *
 * Finite for every F, and the energy's only place at rest is s = 1. Where s_a + s_b = 0 (an element is inverted, and by
 * as much as it is thick along another axis) R jumps: the energy has a crease there, the stress a step, and s_a + s_b
 * in the tangent is held at SUM_LEAST. */
#include <math.h>
#include "elastic/hyper_law.h"
#include "math/svd3.h"

enum { YOUNG, POISSON, COUNT };

static const double SUM_LEAST = 0.05;

static void moduli(const double *p, double *shear, double *bulk) {
  *shear = p[YOUNG] / (2.0 * (1.0 + p[POISSON]));
  *bulk = p[YOUNG] / (3.0 * (1.0 - 2.0 * p[POISSON]));
}

static void gradient(const double *p, const tacMat3 *f, double *w, tacMat3 *stress, double tangent[9][9]) {
  double mu, bulk;
  moduli(p, &mu, &bulk);
  double lambda = bulk - 2.0 / 3.0 * mu;
  tacSvd3 d = tac_svd3_rotations(*f);
  tacMat3 r = tac_mat3_mul(d.u, tac_mat3_transpose(d.v));
  double trace = d.s[0] + d.s[1] + d.s[2] - 3.0, squares = 0.0;
  for (int a = 0; a < 3; ++a) squares += (d.s[a] - 1.0) * (d.s[a] - 1.0);
  *w = mu * squares + 0.5 * lambda * trace * trace;
  for (int n = 0; n < 9; ++n) {
    int i = n / 3, j = n % 3;
    stress->m[i][j] = 2.0 * mu * (f->m[i][j] - r.m[i][j]) + lambda * trace * r.m[i][j];
    for (int o = 0; o < 9; ++o) tangent[n][o] = lambda * r.m[i][j] * r.m[o / 3][o % 3] + (n == o ? 2.0 * mu : 0.0);
  }
  for (int k = 0; k < 3; ++k) {
    int a = k, b = (k + 1) % 3;
    double factor = (lambda * trace - 2.0 * mu) / fmax(d.s[a] + d.s[b], SUM_LEAST), t[9]; /* t without its 1 / sqrt 2 */
    for (int n = 0; n < 9; ++n) {
      int i = n / 3, j = n % 3;
      t[n] = d.u.m[i][a] * d.v.m[j][b] - d.u.m[i][b] * d.v.m[j][a];
    }
    for (int n = 0; n < 9; ++n)
      for (int o = 0; o < 9; ++o) tangent[n][o] += factor * t[n] * t[o];
  }
}

const tacHyperLaw tac_hyper_corotational = {
    .name = "corotational",
    .about = "mu |F - R|^2 + lambda/2 (tr R^T F - 3)^2, R the rotation nearest to F",
    .parameter_count = COUNT,
    .parameters = {[YOUNG] = {"young", "Pa", "Young's modulus", 0.0, INFINITY, false, NAN},
                   [POISSON] = {"poisson", "", "Poisson's ratio", -1.0, 0.4999, false, NAN}},
    .moduli = moduli,
    .gradient = gradient};
