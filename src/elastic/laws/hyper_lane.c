#include "elastic/laws/hyper_lane.h"

#include <string.h>
#include "math/geometry/svd3.h"

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

/* The place of H's entry among blocks, row >= column. */
static const int place[9][9] = {{15},
                                {16, 18},
                                {17, 19, 20},
                                {30, 33, 36, 39},
                                {31, 34, 37, 40, 42},
                                {32, 35, 38, 41, 43, 44},
                                {54, 57, 60, 63, 66, 69, 72},
                                {55, 58, 61, 64, 67, 70, 73, 75},
                                {56, 59, 62, 65, 68, 71, 74, 76, 77}};

/* P += wj cof F, and of H the lower triangle, += wjj cof F cof F^T + wj d2J/dF dF; cof: column by column. */
static void add_volume(tacMat3 f, const double cof[9], double wj, double wjj, bool with_tangent, double p[9],
                       Hessian h) {
  for (int n = 0; n < 9; ++n) p[n] += wj * cof[n];
  if (!with_tangent) return;
  for (int n = 0; n < 9; ++n)
    for (int m = 0; m <= n; ++m) h[n][m] += wjj * cof[n] * cof[m];
  for (int c = 0; c < 3; ++c) { /* d2J / df_b df_a = [f_c x] for (a, b, c) in the order of the circle */
    int a = (c + 1) % 3, b = (c + 2) % 3;
    tacMat3 skew = tac_mat3_scale(b > a ? wj : -wj, tac_mat3_skew(tac_mat3_column(f, c)));
    int row = b > a ? b : a, column = b > a ? a : b;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) h[3 * row + i][3 * column + j] += skew.m[i][j];
  }
}

static void evaluate_gradient(const tacHyperLaw *law, const double *parameters, tacMat3 f, double uj, double ujj,
                              bool with_tangent, double p[9], Hessian h) {
  static const int turned[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8}; /* column by column instead of row by row */
  double w, tangent[9][9], cof[9];
  tacMat3 stress, cofactors = cofactor(f);
  law->gradient(parameters, &f, &w, &stress, tangent);
  for (int n = 0; n < 9; ++n) {
    p[n] = stress.m[n % 3][n / 3];
    cof[n] = cofactors.m[n % 3][n / 3];
    for (int m = 0; m <= n; ++m) h[n][m] = tangent[turned[n]][turned[m]];
  }
  add_volume(f, cof, uj, ujj, with_tangent, p, h);
}

void tac_hyper_lane_evaluate(const tacHyperLaw *law, const double *p, const tacHyperState *unit, const double *uj,
                             const double *ujj, bool with_tangent, tacHyperBlocks *by_gradient) {
  if (law->strain != NULL) {
    _Alignas(64) double c[6][TAC_HYPER_LANES];
    _Alignas(64) tacStrainEnergy energy;
    tac_hyper_batch_right(unit, c);
    law->strain(p, (const double(*)[TAC_HYPER_LANES])c, unit->j, &energy);
    for (int l = 0; l < TAC_HYPER_LANES; ++l) {
      energy.wj[l] += uj[l];
      energy.wjj[l] += ujj[l];
    }
    tac_hyper_batch_strain(unit, &energy, with_tangent, by_gradient);
    return;
  }
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    Hessian h;
    double stress[9];
    evaluate_gradient(law, p, take_gradient(unit, l), uj[l], ujj[l], with_tangent, stress, h);
    for (int n = 0; n < 9; ++n) {
      by_gradient->force[n / 3 + 1][n % 3][l] = stress[n];
      for (int m = 0; with_tangent && m <= n; ++m) by_gradient->tangent[place[n][m]][l] = h[n][m];
    }
  }
}

void tac_hyper_lane_energy(const tacHyperLaw *law, const double *p, const tacHyperState *state, double *w) {
  if (law->strain != NULL) {
    _Alignas(64) double c[6][TAC_HYPER_LANES];
    _Alignas(64) tacStrainEnergy energy;
    tac_hyper_batch_right(state, c);
    law->strain(p, (const double(*)[TAC_HYPER_LANES])c, state->j, &energy);
    memcpy(w, energy.w, sizeof energy.w);
    return;
  }
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    tacMat3 f = take_gradient(state, l), stress;
    double tangent[9][9];
    law->gradient(p, &f, &w[l], &stress, tangent);
  }
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
    for (int m = 0; m <= n; ++m) h[n][m] = h[m][n] = by_gradient->tangent[place[n][m]][lane];
    trace += fabs(h[n][n]);
  }
  /* At rest rotations have eigenvalues of zero: what rounding makes of them is no reason to change H. */
  if (is_definite((const double(*)[9])h, 1e-12 * trace)) return;
  diagonalise(9, h, vectors);
  for (int n = 0; n < 9; ++n)
    for (int m = 0; m <= n; ++m) {
      double sum = 0.0;
      for (int k = 0; k < 9; ++k) sum += fmax(h[k][k], 0.0) * vectors[n][k] * vectors[m][k];
      by_gradient->tangent[place[n][m]][lane] = sum;
    }
}

void tac_hyper_lane_take(const tacHyperBlocks *by_gradient, int lane, Hessian h) {
  for (int n = 0; n < 9; ++n)
    for (int m = 0; m <= n; ++m) h[n][m] = by_gradient->tangent[place[n][m]][lane];
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
    for (int m = 0; m <= n; ++m) blocks->tangent[place[n][m]][lane] += scale * g[n] * g[m];
}

/* tangent += weight (D_a . R D_b) 1 with the positive part of R, which is given in the axes of the columns of V. */
static void add_positive(const tacHyperShape *shape, tacMat3 v, Hessian r, int lane, tacHyperBlocks *blocks) {
  Hessian vectors;
  diagonalise(3, r, vectors);
  for (int k = 0; k < 3; ++k) {
    if (!(r[k][k] > 0.0)) continue;
    tacVec3 axis = tac_mat3_mul_vec(v, tac_vec3(vectors[0][k], vectors[1][k], vectors[2][k]));
    double along[3], scale = shape->weight[lane] * r[k][k];
    for (int a = 0; a < 3; ++a)
      along[a] = axis.x * shape->gradient[a][0][lane] + axis.y * shape->gradient[a][1][lane] +
                 axis.z * shape->gradient[a][2][lane];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b <= a; ++b)
        for (int i = 0; i < 3; ++i) blocks->tangent[place[3 * a + i][3 * b + i]][lane] += scale * along[a] * along[b];
  }
}

void tac_hyper_lane_lift(const tacHyperShape *shape, const tacHyperState *state, const tacInvariantEnergy *energy,
                         double keep, const double g[6][TAC_HYPER_LANES], int lane, tacHyperBlocks *blocks) {
  tacSvd3 svd = tac_svd3_rotations(take_gradient(state, lane));
  const double *s = svd.s, i1 = state->i1[lane], weight = shape->weight[lane];
  double w1 = keep * energy->w1[lane], w2 = keep * energy->w2[lane], wj = keep * energy->wj[lane];
  double w11 = keep * energy->w11[lane], w12 = keep * energy->w12[lane], w22 = keep * energy->w22[lane];
  double w1j = keep * energy->w1j[lane], w2j = keep * energy->w2j[lane], wjj = keep * energy->wjj[lane];
  Hessian r = {{0}}, stretch, vectors; /* G off the axes; d2 Psi / ds ds */
  double along[3] = {0.0};             /* G along the axes */
  if (g != NULL) {
    tacMat3 full;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) full.m[i][j] = g[voigt[i][j]][lane];
    full = tac_mat3_mul(tac_mat3_transpose(svd.v), tac_mat3_mul(full, svd.v));
    for (int i = 0; i < 3; ++i) {
      along[i] = full.m[i][i];
      for (int j = 0; j < 3; ++j)
        if (i != j) r[i][j] = 0.5 * (full.m[i][j] + full.m[j][i]);
    }
    add_positive(shape, svd.v, r, lane, blocks);
  }
  /* At rest rotations have eigenvalues of zero, but for rounding. */
  double least = -1e-12 * (fabs(w1) + i1 * fabs(w2) + s[0] * fabs(wj));
  for (int k = 0; k < 3; ++k) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    /* (Psi_i -+ Psi_j) / (s_i -+ s_j) = base -+ apart, with Psi_i = dPsi/ds_i, are those of e_i e_j^T +- e_j e_i^T. */
    double base = 2.0 * (w1 + w2 * (i1 - s[i] * s[i] - s[j] * s[j])), apart = 2.0 * w2 * s[i] * s[j] + s[k] * wj;
    Hessian pair = {{base - along[j], -apart}, {-apart, base - along[i]}};
    diagonalise(2, pair, vectors);
    for (int n = 0; n < 2; ++n) {
      if (!(pair[n][n] < least)) continue;
      tacMat3 e = tac_mat3_zero();
      e.m[i][j] = vectors[0][n];
      e.m[j][i] = vectors[1][n];
      add_mode(shape, &svd, e, -weight * pair[n][n], lane, blocks);
    }
    for (int l = 0; l <= k; ++l) {
      double p1 = 2.0 * s[k], p2 = p1 * (i1 - s[k] * s[k]), pj = s[i] * s[j];
      double q1 = 2.0 * s[l], q2 = q1 * (i1 - s[l] * s[l]), qj = s[(l + 1) % 3] * s[(l + 2) % 3];
      double sum = w11 * p1 * q1 + w12 * (p1 * q2 + p2 * q1) + w22 * p2 * q2 + w1j * (p1 * qj + pj * q1) +
                   w2j * (p2 * qj + pj * q2) + wjj * pj * qj;
      sum += k == l ? 2.0 * (w1 + w2 * (i1 - s[k] * s[k])) - along[k] : 4.0 * w2 * s[k] * s[l] + wj * s[3 - k - l];
      stretch[k][l] = stretch[l][k] = sum;
    }
  }
  diagonalise(3, stretch, vectors);
  for (int k = 0; k < 3; ++k)
    if (stretch[k][k] < least)
      add_mode(shape, &svd, tac_mat3_diagonal(vectors[0][k], vectors[1][k], vectors[2][k]), -weight * stretch[k][k],
               lane, blocks);
}
