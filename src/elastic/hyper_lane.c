#include "elastic/hyper_lane.h"

#include <string.h>
#include "math/svd3.h"

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

/* Jacobi's method for the first n rows and columns: H becomes diagonal, the columns of `vectors` its eigenvectors. */
static void diagonalise(int n, Hessian h, Hessian vectors) {
  enum { MOST_SWEEPS = 12 };
  memset(vectors, 0, sizeof(Hessian));
  for (int i = 0; i < n; ++i) vectors[i][i] = 1.0;
  for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
    double off = 0.0, all = 0.0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        all += h[i][j] * h[i][j];
        if (i != j) off += h[i][j] * h[i][j];
      }
    if (!(off > 1e-28 * all)) return;
    for (int p = 0; p < n - 1; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (h[p][q] == 0.0) continue;
        double theta = (h[q][q] - h[p][p]) / (2.0 * h[p][q]);
        double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
        double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < n; ++k) {
          double hp = h[k][p], hq = h[k][q];
          h[k][p] = c * hp - s * hq;
          h[k][q] = s * hp + c * hq;
        }
        for (int k = 0; k < n; ++k) {
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
  diagonalise(9, h, vectors);
  for (int n = 0; n < 9; ++n)
    for (int m = 0; m <= n; ++m) {
      double sum = 0.0;
      for (int k = 0; k < 9; ++k) sum += fmax(h[k][k], 0.0) * vectors[n][k] * vectors[m][k];
      by_gradient->tangent[place(n, m)][lane] = sum;
    }
}

/* ---- projection in the axes of principal stretches ---- */

/* tangent += scale g g^T with g_a = U E V^T D_a, the change of F along E seen by the corners. */
static void add_mode(const tacHyperShape *shape, const tacSvd3 *svd, tacMat3 e, double scale, int lane,
                     tacHyperBlocks *blocks) {
  tacMat3 q = tac_mat3_mul(svd->u, tac_mat3_mul(e, tac_mat3_transpose(svd->v)));
  double g[9];
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i)
      g[3 * a + i] = q.m[i][0] * shape->gradient[a][0][lane] + q.m[i][1] * shape->gradient[a][1][lane] +
                     q.m[i][2] * shape->gradient[a][2][lane];
  for (int n = 0; n < 9; ++n)
    for (int m = 0; m <= n; ++m) blocks->tangent[place(n, m)][lane] += scale * g[n] * g[m];
}

void tac_hyper_lane_lift(const tacHyperShape *shape, const tacHyperState *state, const tacInvariantEnergy *energy,
                         int lane, tacHyperBlocks *blocks) {
  tacSvd3 svd = tac_svd3_rotations(take_gradient(state, lane));
  const double *s = svd.s, i1 = state->i1[lane], weight = shape->weight[lane];
  double w1 = energy->w1[lane], w2 = energy->w2[lane], wj = energy->wj[lane];
  double w11 = energy->w11[lane], w12 = energy->w12[lane], w22 = energy->w22[lane];
  double w1j = energy->w1j[lane], w2j = energy->w2j[lane], wjj = energy->wjj[lane];
  /* At rest rotations have eigenvalues of zero, but for rounding. */
  double least = -1e-12 * (fabs(w1) + i1 * fabs(w2) + s[0] * fabs(wj));
  Hessian stretch, vectors; /* d2 Psi / ds ds */
  for (int k = 0; k < 3; ++k) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    /* (Psi_i -+ Psi_j) / (s_i -+ s_j) with Psi_i = dPsi/ds_i: of E = e_i e_j^T +- e_j e_i^T */
    double base = 2.0 * (w1 + w2 * (i1 - s[i] * s[i] - s[j] * s[j])), apart = 2.0 * w2 * s[i] * s[j] + s[k] * wj;
    for (int sign = -1; sign <= 1; sign += 2) {
      double value = base + sign * apart;
      if (!(value < least)) continue;
      tacMat3 e = tac_mat3_zero();
      e.m[i][j] = 1.0;
      e.m[j][i] = -sign;
      add_mode(shape, &svd, e, -0.5 * weight * value, lane, blocks);
    }
    for (int l = 0; l <= k; ++l) {
      double p1 = 2.0 * s[k], p2 = p1 * (i1 - s[k] * s[k]), pj = s[i] * s[j];
      double q1 = 2.0 * s[l], q2 = q1 * (i1 - s[l] * s[l]), qj = s[(l + 1) % 3] * s[(l + 2) % 3];
      double sum = w11 * p1 * q1 + w12 * (p1 * q2 + p2 * q1) + w22 * p2 * q2 + w1j * (p1 * qj + pj * q1) +
                   w2j * (p2 * qj + pj * q2) + wjj * pj * qj;
      sum += k == l ? 2.0 * (w1 + w2 * (i1 - s[k] * s[k])) : 4.0 * w2 * s[k] * s[l] + wj * s[3 - k - l];
      stretch[k][l] = stretch[l][k] = sum;
    }
  }
  diagonalise(3, stretch, vectors);
  for (int k = 0; k < 3; ++k)
    if (stretch[k][k] < least)
      add_mode(shape, &svd, tac_mat3_diagonal(vectors[0][k], vectors[1][k], vectors[2][k]), -weight * stretch[k][k],
               lane, blocks);
}
