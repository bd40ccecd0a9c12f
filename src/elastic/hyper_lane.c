#include "elastic/hyper_lane.h"

#include <string.h>

/* Rows and columns 3 a + i: F's column a, row i. */
typedef double Hessian[9][9];

static const int voigt[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};

static tacMat3 take_gradient(const tacHyperState *state, int lane) {
  tacMat3 f;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) f.m[i][j] = state->f[i][j][lane];
  return f;
}

static tacMat3 cofactor(tacMat3 f) {
  tacVec3 a = tac_mat3_column(f, 0), b = tac_mat3_column(f, 1), c = tac_mat3_column(f, 2);
  return tac_mat3_from_columns(tac_vec3_cross(b, c), tac_vec3_cross(c, a), tac_vec3_cross(a, b));
}

/* P += wj cof F, H += wjj cof F cof F^T + wj d2J/dF dF */
static void add_volume(tacMat3 f, tacMat3 cof, double wj, double wjj, double p[9], Hessian h) {
  for (int n = 0; n < 9; ++n) {
    p[n] += wj * cof.m[n % 3][n / 3];
    for (int m = 0; m < 9; ++m) h[n][m] += wjj * cof.m[n % 3][n / 3] * cof.m[m % 3][m / 3];
  }
  for (int a = 0; a < 3;
       ++a) { /* d2J / df_a df_b = -[f_c x] for (a, b, c) in the order of the circle, and its transpose */
    int b = (a + 1) % 3;
    tacMat3 skew = tac_mat3_scale(-wj, tac_mat3_skew(tac_mat3_column(f, (a + 2) % 3)));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        h[3 * a + i][3 * b + j] += skew.m[i][j];
        h[3 * b + j][3 * a + i] += skew.m[i][j];
      }
  }
}

/* With S = 2 dPsi/dC, S' = 2 d2Psi/dC dJ and T = 4 d2Psi/dC dC: P = F S + wj cof F and
 * dP_ij/dF_kl = delta_ik S_jl + F_im T_mjnl F_kn + (F S')_ij cof_kl + cof_ij (F S')_kl + those of J. */
static double evaluate_strain(const tacHyperLaw *law, const double *parameters, const tacMat3 *axes, tacMat3 f,
                              double uj, double ujj, double p[9], Hessian h) {
  tacMat3 cof = cofactor(f), right = tac_mat3_mul(tac_mat3_transpose(f), f);
  double j = tac_vec3_dot(tac_mat3_column(f, 0), tac_mat3_column(cof, 0));
  const double c[6] = {right.m[0][0], right.m[1][1], right.m[2][2], right.m[1][2], right.m[2][0], right.m[0][1]};
  tacStrainEnergy energy;
  law->strain(parameters, axes, c, j, &energy);
  tacMat3 s, by_j, ft[6]; /* ft[v]: F T_v, with T_v the components of T at (v, .) */
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      s.m[a][b] = energy.stress[voigt[a][b]];
      by_j.m[a][b] = energy.stress_by_j[voigt[a][b]];
    }
  for (int v = 0; v < 6; ++v) {
    tacMat3 t;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) t.m[a][b] = energy.tangent[v][voigt[a][b]];
    ft[v] = tac_mat3_mul(f, t);
  }
  tacMat3 fs = tac_mat3_mul(f, s), fj = tac_mat3_mul(f, by_j);
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) {
      p[3 * a + i] = fs.m[i][a];
      for (int b = 0; b < 3; ++b)
        for (int k = 0; k < 3; ++k) {
          double sum = i == k ? s.m[a][b] : 0.0;
          for (int m = 0; m < 3; ++m) sum += f.m[i][m] * ft[voigt[m][a]].m[k][b];
          h[3 * a + i][3 * b + k] = sum + (fj.m[i][a] * cof.m[k][b] + cof.m[i][a] * fj.m[k][b]);
        }
    }
  add_volume(f, cof, energy.wj + uj, energy.wjj + ujj, p, h);
  return energy.w;
}

static double evaluate_gradient(const tacHyperLaw *law, const double *parameters, tacMat3 f, double uj, double ujj,
                                double p[9], Hessian h) {
  double w, tangent[9][9];
  tacMat3 stress;
  law->gradient(parameters, &f, &w, &stress, tangent);
  for (int n = 0; n < 9; ++n) {
    p[n] = stress.m[n % 3][n / 3];
    for (int m = 0; m < 9; ++m) h[n][m] = tangent[3 * (n % 3) + n / 3][3 * (m % 3) + m / 3];
  }
  add_volume(f, cofactor(f), uj, ujj, p, h);
  return w;
}

/* The place of H's entry among blocks, row >= column. */
static int place(int row, int column) {
  static const int half[3][3] = {{0}, {1, 3}, {2, 4, 5}};
  int a = row / 3, b = column / 3, i = row % 3, j = column % 3;
  return tac_hyper_block_start[a + 1][b + 1] + (a == b ? half[i][j] : 3 * j + i);
}

double tac_hyper_lane_evaluate(const tacHyperLaw *law, const double *p, const tacMat3 *axes, const tacHyperState *state,
                               int lane, double uj, double ujj, tacHyperBlocks *by_gradient) {
  Hessian h;
  double stress[9];
  tacMat3 f = take_gradient(state, lane);
  double w = law->strain != NULL ? evaluate_strain(law, p, axes, f, uj, ujj, stress, h)
                                 : evaluate_gradient(law, p, f, uj, ujj, stress, h);
  for (int n = 0; n < 9; ++n) {
    by_gradient->force[n / 3 + 1][n % 3][lane] = stress[n];
    for (int m = 0; m <= n; ++m) by_gradient->tangent[place(n, m)][lane] = h[n][m];
  }
  return w;
}

/* ---- projection ---- */

/* Whether H + shift 1 has a Cholesky factor. */
static bool is_definite(const Hessian h, double shift) {
  Hessian l;
  for (int j = 0; j < 9; ++j) {
    double pivot = h[j][j] + shift;
    for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
    if (!(pivot > 0.0)) return false;
    l[j][j] = sqrt(pivot);
    for (int i = j + 1; i < 9; ++i) {
      double sum = h[i][j];
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = sum / l[j][j];
    }
  }
  return true;
}

/* Jacobi's method: H becomes diagonal, the columns of `vectors` its eigenvectors. */
static void diagonalise(Hessian h, Hessian vectors) {
  enum { MOST_SWEEPS = 12 };
  memset(vectors, 0, sizeof(Hessian));
  for (int n = 0; n < 9; ++n) vectors[n][n] = 1.0;
  for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
    double off = 0.0, all = 0.0;
    for (int n = 0; n < 9; ++n)
      for (int m = 0; m < 9; ++m) {
        all += h[n][m] * h[n][m];
        if (n != m) off += h[n][m] * h[n][m];
      }
    if (!(off > 1e-28 * all)) return;
    for (int p = 0; p < 8; ++p)
      for (int q = p + 1; q < 9; ++q) {
        if (h[p][q] == 0.0) continue;
        double theta = (h[q][q] - h[p][p]) / (2.0 * h[p][q]);
        double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
        double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < 9; ++k) {
          double hp = h[k][p], hq = h[k][q];
          h[k][p] = c * hp - s * hq;
          h[k][q] = s * hp + c * hq;
        }
        for (int k = 0; k < 9; ++k) {
          double hp = h[p][k], hq = h[q][k], vp = vectors[k][p], vq = vectors[k][q];
          h[p][k] = c * hp - s * hq;
          h[q][k] = s * hp + c * hq;
          vectors[k][p] = c * vp - s * vq;
          vectors[k][q] = s * vp + c * vq;
        }
      }
  }
}

void tac_hyper_lane_project(tacHyperBlocks *by_gradient, int lane) {
  Hessian h, vectors;
  double trace = 0.0;
  for (int n = 0; n < 9; ++n) {
    for (int m = 0; m <= n; ++m) h[n][m] = h[m][n] = by_gradient->tangent[place(n, m)][lane];
    trace += fabs(h[n][n]);
  }
  /* At rest rotations have eigenvalues of zero: what rounding makes of them is no reason to change H. */
  if (is_definite((const double(*)[9])h, 1e-12 * trace)) return;
  diagonalise(h, vectors);
  for (int n = 0; n < 9; ++n)
    for (int m = 0; m <= n; ++m) {
      double sum = 0.0;
      for (int k = 0; k < 9; ++k) sum += fmax(h[k][k], 0.0) * vectors[n][k] * vectors[m][k];
      by_gradient->tangent[place(n, m)][lane] = sum;
    }
}
