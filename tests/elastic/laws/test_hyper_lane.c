/* Projection of tangents: a matrix Q diag(d) Q^T becomes Q diag(max(d, 0)) Q^T. */
#include "elastic/laws/hyper_lane.h"

#include "elastic/hyper/make_hyper.h"
#include "elastic/laws/every_law.h"
#include "math/dense/dense.h"
#include "math/random.h"

static void make_orthogonal(tacRandom *random, double q[9][9]) {
  TAC_DENSE r;
  for (int i = 0; i < 81; ++i) q[i / 9][i % 9] = tac_random_normal(random);
  tac_test_ok(tac_dense_qr(&(tacDense){9, 9, 9, &q[0][0]}, &r, &error), error);
}

static double product(double q[9][9], const double *d, int row, int column) {
  double sum = 0.0;
  for (int k = 0; k < 9; ++k) sum += q[row][k] * d[k] * q[column][k];
  return sum;
}

/* The place of an entry as the header describes it: corners 1 to 3 are columns of F. */
static double *find(tacHyperBlocks *blocks, int row, int column, int lane) {
  int a = row / 3 + 1, b = column / 3 + 1, i = row % 3, j = column % 3;
  static const int half[3][3] = {{0, -1, -1}, {1, 3, -1}, {2, 4, 5}};
  return &blocks->tangent[tac_hyper_block_start[a][b] + (a == b ? half[i][j] : 3 * j + i)][lane];
}

TAC_TEST(clips_negative_eigenvalues) {
  tacRandom random = tac_random_seed(9);
  for (int trial = 0; trial < 200; ++trial) {
    double q[9][9], d[9], clipped[9];
    int lane = trial % TAC_HYPER_LANES;
    tacHyperBlocks blocks = {0};
    make_orthogonal(&random, q);
    for (int k = 0; k < 9; ++k) {
      d[k] = k < trial % 10 ? tac_random_uniform(&random, -1e4, 0.0) : tac_random_uniform(&random, 0.0, 1e4);
      if (k % 4 == 3) d[k] = d[k - 1]; /* some twice */
      clipped[k] = fmax(d[k], 0.0);
    }
    for (int row = 0; row < 9; ++row)
      for (int column = 0; column <= row; ++column) *find(&blocks, row, column, lane) = product(q, d, row, column);
    tac_hyper_lane_project(&blocks, lane);
    for (int row = 0; row < 9; ++row)
      for (int column = 0; column <= row; ++column)
        ck_assert_double_eq_tol(*find(&blocks, row, column, lane), product(q, clipped, row, column), 1e-9 * 1e4);
  }
}

/* By principal stretches it is the same matrix: for every law by invariants, pressed, pulled and inside out; with
 * viscosity too where the stress that has relaxed has the axes of the strain, here G = c C. */
TAC_TEST(lifts_as_it_clips) {
  tacRandom random = tac_random_seed(31);
  tacHyperShape unit;
  tac_hyper_shape_unit(&unit);
  int changed = 0;
  for (int n = 0; n < law_count(); ++n) {
    if (law_at(n)->invariants == NULL) continue;
    tacHyperMaterial material = make_hyper(law_at(n));
    for (int trial = 0; trial < 20; ++trial) {
      tacHyperState state;
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i)
          for (int l = 0; l < TAC_HYPER_LANES; ++l)
            state.edge[a][i][l] = (a == i) + tac_random_uniform(&random, -1.0, 1.0);
      tac_hyper_batch_deform(&unit, &state);
      tacInvariantEnergy energy;
      tacHyperBlocks lifted, clipped, plain;
      law_at(n)->invariants(material.parameters, state.i1, state.i2, state.j, &energy);
      tac_hyper_batch_isotropic(&unit, &state, &energy, true, &plain);
      static const int first[6] = {0, 1, 2, 1, 2, 0}, second[6] = {0, 1, 2, 2, 0, 1};
      double g[6][TAC_HYPER_LANES], keep = trial % 2 == 0 ? 1.0 : 0.6;
      for (int k = 0; k < 6; ++k)
        for (int l = 0; l < TAC_HYPER_LANES; ++l) {
          g[k][l] = 0.0;
          for (int i = 0; i < 3; ++i)
            g[k][l] += (l % 2 == 0 ? 1e3 : -1e3) * state.f[i][first[k]][l] * state.f[i][second[k]][l];
        }
      const double(*relaxed)[TAC_HYPER_LANES] = trial % 2 == 0 ? NULL : (const double(*)[TAC_HYPER_LANES])g;
      if (relaxed != NULL) tac_hyper_batch_relax(&unit, &state, keep, relaxed, true, &plain);
      lifted = clipped = plain;
      for (int l = 0; l < TAC_HYPER_LANES; ++l) {
        tac_hyper_lane_lift(&unit, &state, &energy, keep, relaxed, l, &lifted);
        tac_hyper_lane_project(&clipped, l);
        double most = 0.0, apart = 0.0, change = 0.0;
        for (int row = 0; row < 9; ++row)
          for (int column = 0; column <= row; ++column) {
            most = fmax(most, fabs(*find(&plain, row, column, l)));
            apart = fmax(apart, fabs(*find(&lifted, row, column, l) - *find(&clipped, row, column, l)));
            change = fmax(change, fabs(*find(&lifted, row, column, l) - *find(&plain, row, column, l)));
          }
        ck_assert_msg(apart <= 1e-9 * most, "%s: %g of %g", law_at(n)->name, apart, most);
        changed += change > 0.01 * most;
      }
    }
  }
  ck_assert_int_gt(changed, 100);
}
