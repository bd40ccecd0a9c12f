#include "elastic/laws/hyper_point.h"

#include <string.h>

static const int row[6] = {0, 1, 2, 1, 2, 0}, col[6] = {0, 1, 2, 2, 0, 1};
static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}}; /* of a component ij among six */

/* As tacStrainEnergy, of one. */
typedef struct StrainEnergy {
  double w, wj, wjj, stress[6], stress_by_j[6], tangent[6][6];
} StrainEnergy;

/* dI1/dC = I, dI2/dC = A = I1 I - C, d2I2/dC dC = I x I - (identity of symmetric tensors). */
static void by_invariants(const tacHyperLaw *law, const double *p, const double c[6], double j, StrainEnergy *out) {
  double trace = c[0] + c[1] + c[2];
  double i1[TAC_HYPER_LANES], i2[TAC_HYPER_LANES], js[TAC_HYPER_LANES];
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    i1[l] = trace;
    i2[l] = c[0] * c[1] - c[5] * c[5] + c[1] * c[2] - c[3] * c[3] + c[2] * c[0] - c[4] * c[4];
    js[l] = j;
  }
  tacInvariantEnergy e;
  law->invariants(p, i1, i2, js, &e);
  *out = (StrainEnergy){.w = e.w[0], .wj = e.wj[0], .wjj = e.wjj[0]};
  double one[6] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}, a[6];
  for (int m = 0; m < 6; ++m) a[m] = trace * one[m] - c[m];
  for (int m = 0; m < 6; ++m) {
    out->stress[m] = 2.0 * (e.w1[0] * one[m] + e.w2[0] * a[m]);
    out->stress_by_j[m] = 2.0 * (e.w1j[0] * one[m] + e.w2j[0] * a[m]);
    for (int n = 0; n < 6; ++n) {
      double identity = m != n ? 0.0 : m < 3 ? 1.0 : 0.5;
      out->tangent[m][n] = 4.0 * (e.w11[0] * one[m] * one[n] + e.w12[0] * (one[m] * a[n] + a[m] * one[n]) +
                                  e.w22[0] * a[m] * a[n] + e.w2[0] * (one[m] * one[n] - identity));
    }
  }
}

static void by_strain(const tacHyperLaw *law, const double *p, const double c[6], double j, StrainEnergy *out) {
  double all[6][TAC_HYPER_LANES], js[TAC_HYPER_LANES];
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    for (int m = 0; m < 6; ++m) all[m][l] = c[m];
    js[l] = j;
  }
  tacStrainEnergy e;
  law->strain(p, (const double(*)[TAC_HYPER_LANES])all, js, &e);
  *out = (StrainEnergy){.w = e.w[0], .wj = e.wj[0], .wjj = e.wjj[0]};
  for (int m = 0; m < 6; ++m) {
    out->stress[m] = e.stress[m][0];
    out->stress_by_j[m] = e.stress_by_j[m][0];
    for (int n = 0; n < 6; ++n) out->tangent[m][n] = e.tangent[m][n][0];
  }
}

/* cof F = dJ/dF, and d2J/dF dF at [3 i + j][3 k + l] = e_ikn e_jlq F_nq. */
static void cofactors(const tacMat3 *f, double k[9], double dk[9][9]) {
  memset(dk, 0, 81 * sizeof **dk);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      k[3 * i + j] = f->m[i1][j1] * f->m[i2][j2] - f->m[i1][j2] * f->m[i2][j1];
      dk[3 * i + j][3 * i1 + j1] = f->m[i2][j2];
      dk[3 * i + j][3 * i2 + j2] = f->m[i1][j1];
      dk[3 * i + j][3 * i1 + j2] = -f->m[i2][j1];
      dk[3 * i + j][3 * i2 + j1] = -f->m[i1][j2];
    }
}

/* P = F S + w_J cof F, with S = 2 dPsi/dC at constant J. */
static void from_strain(const StrainEnergy *e, const tacMat3 *f, const double k[9], tacHyperPoint *point) {
  double fsj[9]; /* F dS/dJ */
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double fs = 0.0, by_j = 0.0;
      for (int m = 0; m < 3; ++m) {
        fs += f->m[i][m] * e->stress[place[m][j]];
        by_j += f->m[i][m] * e->stress_by_j[place[m][j]];
      }
      point->stress.m[i][j] += fs;
      fsj[3 * i + j] = by_j;
    }
  for (int n = 0; n < 9; ++n)
    for (int o = 0; o < 9; ++o) {
      int i = n / 3, j = n % 3, a = o / 3, b = o % 3;
      double sum = fsj[n] * k[o] + k[n] * fsj[o];
      if (i == a) sum += e->stress[place[b][j]];
      for (int m = 0; m < 3; ++m)
        for (int q = 0; q < 3; ++q) sum += f->m[i][m] * f->m[a][q] * e->tangent[place[m][j]][place[q][b]];
      point->tangent[n][o] += sum;
    }
}

/* From derivatives by F A to those by F. */
static void turn_back(const tacMat3 *a, tacHyperPoint *point) {
  double half[9][9];
  point->stress = tac_mat3_mul(point->stress, tac_mat3_transpose(*a));
  for (int pass = 0; pass < 2; ++pass) /* the columns' axis, then that of rows */
    for (int n = 0; n < 9; ++n)
      for (int o = 0; o < 9; ++o) {
        double sum = 0.0;
        for (int m = 0; m < 3; ++m)
          sum +=
              pass == 0 ? point->tangent[n][o / 3 * 3 + m] * a->m[o % 3][m] : half[n / 3 * 3 + m][o] * a->m[n % 3][m];
        *(pass == 0 ? &half[n][o] : &point->tangent[n][o]) = sum;
      }
}

void tac_hyper_point_evaluate(const tacHyperLaw *law, const double *parameters, const tacMat3 *axes,
                              const tacMat3 *given, tacHyperPoint *point) {
  memset(point, 0, sizeof *point);
  tacMat3 turn = tac_hyper_axes_right_handed(law->fibres ? axes : NULL), along = tac_mat3_mul(*given, turn),
          *f = &along;
  double j = tac_mat3_det(*f), k[9], dk[9][9], wj = 0.0, wjj = 0.0;
  cofactors(f, k, dk);
  if (law->gradient != NULL && law->invariants == NULL && law->strain == NULL) {
    law->gradient(parameters, f, &point->energy, &point->stress, point->tangent);
  } else {
    double c[6];
    for (int m = 0; m < 6; ++m) c[m] = tac_vec3_dot(tac_mat3_column(*f, row[m]), tac_mat3_column(*f, col[m]));
    StrainEnergy e;
    if (law->invariants != NULL)
      by_invariants(law, parameters, c, j, &e);
    else
      by_strain(law, parameters, c, j, &e);
    from_strain(&e, f, k, point);
    point->energy = e.w;
    wj = e.wj;
    wjj = e.wjj;
  }
  double js[TAC_HYPER_LANES];
  tacVolumeEnergy volume;
  for (int l = 0; l < TAC_HYPER_LANES; ++l) js[l] = j;
  tac_hyper_law_volume(law, parameters, js, &volume);
  point->energy += volume.u[0];
  wj += volume.uj[0];
  wjj += volume.ujj[0];
  for (int n = 0; n < 9; ++n) {
    point->stress.m[n / 3][n % 3] += wj * k[n];
    for (int o = 0; o < 9; ++o) point->tangent[n][o] += wjj * k[n] * k[o] + wj * dk[n][o];
  }
  if (law->fibres) turn_back(&turn, point);
  for (int n = 0; n < 9; ++n) /* rounding depends on the order of factors */
    for (int o = 0; o < n; ++o) point->tangent[n][o] = point->tangent[o][n];
}
