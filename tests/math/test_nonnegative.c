#include "math/dense/nonnegative.h"

#include "math/dense/dense.h"
#include "math/dense/vector.h"
#include "math/random.h"
#include "test.h"

enum { ROWS = 12, COLUMNS = 8 };

static double dot(const double *x, const double *y) {
  return tac_vector_dot(ROWS, x, y);
}

/* |A w - b| of the best non-negative w, by trying all sets of columns. */
static double best_of_all_sets(double a[COLUMNS][ROWS], const double *b) {
  double best = dot(b, b);
  for (int set = 1; set < 1 << COLUMNS; ++set) {
    int n = 0, in[COLUMNS];
    for (int c = 0; c < COLUMNS; ++c)
      if (set >> c & 1) in[n++] = c;
    double gram[COLUMNS * COLUMNS], x[COLUMNS], away[ROWS];
    for (int i = 0; i < n; ++i) {
      x[i] = dot(a[in[i]], b);
      for (int j = 0; j < n; ++j) gram[i * n + j] = dot(a[in[i]], a[in[j]]);
    }
    tacDense factor = {n, n, n, gram};
    ck_assert(tac_dense_loop_cholesky(&factor));
    tac_dense_loop_cholesky_solve(&factor, x);
    bool positive = true;
    memcpy(away, b, sizeof away);
    for (int i = 0; i < n; ++i) {
      positive = positive && x[i] >= 0.0;
      for (int r = 0; r < ROWS; ++r) away[r] -= x[i] * a[in[i]][r];
    }
    if (positive) best = fmin(best, dot(away, away));
  }
  return sqrt(best);
}

/* Columns that promise most come first, and those that left may come again: then nothing is better. */
TAC_TEST(fit_matches_the_best_of_all_subsets) {
  tacRandom random = tac_random_seed(5);
  for (int trial = 0; trial < 50; ++trial) {
    double a[COLUMNS][ROWS], b[ROWS], away[ROWS];
    for (int c = 0; c < COLUMNS; ++c)
      for (int r = 0; r < ROWS; ++r) a[c][r] = tac_random_normal(&random);
    for (int r = 0; r < ROWS; ++r) b[r] = tac_random_normal(&random);
    TAC_FREED(tac_nonnegative_destroy, tacNonnegative, fit);
    tac_test_ok(tac_nonnegative_create(COLUMNS, dot(b, b), &fit, &error), error);
    for (int round = 0; round < 100; ++round) {
      bool in[COLUMNS] = {false};
      memcpy(away, b, sizeof away);
      for (int i = 0; i < fit.count; ++i) {
        in[fit.column[i]] = true;
        ck_assert_double_gt(fit.weight[i], 0.0);
        for (int r = 0; r < ROWS; ++r) away[r] -= fit.weight[i] * a[fit.column[i]][r];
      }
      ck_assert_double_eq_tol(tac_nonnegative_error(&fit), sqrt(dot(away, away) / dot(b, b)), 1e-9);
      int best = -1;
      for (int c = 0; c < COLUMNS; ++c)
        if (!in[c] && dot(a[c], away) > (best < 0 ? 1e-9 : dot(a[best], away))) best = c;
      if (best < 0) break;
      double gram[COLUMNS];
      for (int i = 0; i < fit.count; ++i) gram[i] = dot(a[fit.column[i]], a[best]);
      gram[fit.count] = dot(a[best], a[best]);
      tac_nonnegative_add(&fit, best, gram, dot(a[best], b));
      tac_test_ok(tac_nonnegative_solve(&fit, &error), error);
    }
    ck_assert_double_eq_tol(sqrt(dot(away, away)), best_of_all_sets(a, b), 1e-9);
  }
}

/* Two columns that are the same share what one would have. */
TAC_TEST(equal_columns_are_handled) {
  const double gram[2] = {4.0, 4.0};
  TAC_FREED(tac_nonnegative_destroy, tacNonnegative, fit);
  tac_test_ok(tac_nonnegative_create(2, 9.0, &fit, &error), error);
  tac_nonnegative_add(&fit, 7, gram, 6.0);
  tac_nonnegative_add(&fit, 9, gram, 6.0);
  tac_test_ok(tac_nonnegative_solve(&fit, &error), error);
  double sum = 0.0;
  for (int i = 0; i < fit.count; ++i) sum += fit.weight[i];
  ck_assert_double_eq_tol(sum, 1.5, 1e-9);
  ck_assert_double_le(tac_nonnegative_error(&fit), 1e-6);
}
