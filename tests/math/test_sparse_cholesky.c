#include "math/sparse/sparse_cholesky.h"

#include <math.h>
#include <string.h>
#include "math/laplacian.h"
#include "math/random.h"
#include "math/sparse/elimination_tree.h"
#include "test.h"

static tacError error;

typedef struct Fixture {
  int n;
  tacSparse a;
  int *order;
  tacSparseCholesky *cholesky;
} Fixture;

/* In an order at random, or one whose columns follow their children, where supernodes are large. */
static Fixture make(tacTestGrid grid, bool postordered, uint64_t seed) {
  Fixture f = {.n = tac_test_grid_size(grid), .a = tac_test_laplacian(grid)};
  tacRandom random = tac_random_seed(seed);
  size_t n = (size_t)f.n;
  f.order = calloc(n, sizeof *f.order);
  for (int k = 0; k < f.n; ++k) f.order[k] = k;
  for (int k = f.n - 1; k > 0 && !postordered; --k) {
    int other = (int)tac_random_uniform(&random, 0.0, k + 1.0), moved = f.order[k];
    f.order[k] = f.order[other];
    f.order[other] = moved;
  }
  if (postordered) {
    int *work = calloc(5 * n, sizeof *work);
    tacStrictLower lower;
    tac_test_ok(tac_strict_lower_create(&f.a, f.order, &lower, &error), error);
    tac_elimination_tree(&lower, work, work + n, work + 2 * n);
    tac_elimination_postorder(f.n, work, f.order, work + 2 * n);
    tac_strict_lower_destroy(&lower);
    free(work);
  }
  tac_test_ok(tac_sparse_cholesky_create(&f.a, f.order, &f.cholesky, &error), error);
  return f;
}

static void destroy(Fixture *f) {
  tac_sparse_cholesky_destroy(f->cholesky);
  tac_sparse_destroy(&f->a);
  free(f->order);
}

static const tacTestGrid grids[] = {
    {{2, 1, 1}, false}, {{40, 1, 1}, false}, {{13, 9, 1}, false}, {{6, 5, 7}, false}, {{7, 6, 8}, false}};
enum { GRIDS = 5 };

TAC_TEST(the_factor_times_itself_is_the_matrix) {
  for (int g = 0; g < 2 * GRIDS; ++g) {
    Fixture f = make(grids[g % GRIDS], g >= GRIDS, 11);
    ck_assert_int_eq(tac_sparse_cholesky_update(f.cholesky, f.a.value), -1);
    tacSupernodes l = tac_sparse_cholesky_supernodes(f.cholesky);
    size_t n = (size_t)f.n;
    double *dense = calloc(n * n, sizeof *dense); /* L by columns */
    for (int s = 0; s < l.count; ++s) {
      int high = l.row_start[s + 1] - l.row_start[s], width = l.first[s + 1] - l.first[s];
      const int *row = l.row + l.row_start[s];
      for (int i = 0; i < high; ++i) ck_assert(i < width ? row[i] == l.first[s] + i : row[i] > row[i - 1]);
      for (int k = 0; k < width; ++k)
        for (int i = k; i < high; ++i)
          dense[(size_t)(l.first[s] + k) * n + (size_t)row[i]] = l.value[l.value_start[s] + k * high + i];
    }
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j <= i; ++j) {
        double sum = 0.0;
        for (size_t k = 0; k <= j; ++k) sum += dense[k * n + i] * dense[k * n + j];
        int place = tac_sparse_find(&f.a, f.order[i], f.order[j]);
        ck_assert_double_eq_tol(sum, place >= 0 ? f.a.value[place] : 0.0, 1e-13);
      }
    free(dense);
    destroy(&f);
  }
}

TAC_TEST(solutions_are_what_right_hand_sides_were_made_from_also_in_place) {
  static const int counts[] = {0, 1, 3, 96, 97, 200};
  tacRandom random = tac_random_seed(12);
  for (int g = 0; g < 2 * GRIDS; ++g) {
    Fixture f = make(grids[g % GRIDS], g >= GRIDS, 13);
    ck_assert_int_eq(tac_sparse_cholesky_update(f.cholesky, f.a.value), -1);
    for (int c = 0; c < 6; ++c) {
      size_t total = (size_t)(f.n * counts[c]);
      double *x = malloc((total + 1) * sizeof *x), *b = malloc((total + 1) * sizeof *b),
             *y = malloc((total + 1) * sizeof *y);
      for (size_t i = 0; i < total; ++i) x[i] = tac_random_normal(&random);
      tac_sparse_multiply(&f.a, x, counts[c], b);
      tac_test_ok(tac_sparse_cholesky_solve(f.cholesky, b, counts[c], y, &error), error);
      tac_test_ok(tac_sparse_cholesky_solve(f.cholesky, b, counts[c], b, &error), error);
      for (size_t i = 0; i < total; ++i) {
        ck_assert_double_eq_tol(y[i], x[i], 1e-10);
        ck_assert_double_eq(y[i], b[i]);
      }
      free(x);
      free(b);
      free(y);
    }
    destroy(&f);
  }
}

/* A node without neighbours and with a diagonal that is not positive: nothing else can be named. */
TAC_TEST(the_column_that_is_not_positive_is_named_and_does_no_lasting_harm) {
  Fixture f = make((tacTestGrid){{9, 8, 9}, false}, true, 14);
  static const double bad[] = {-1.0, 0.0, NAN};
  for (int column = 0; column < f.n; column += 71)
    for (int b = 0; b < 3; ++b) {
      double *value = malloc((size_t)tac_sparse_count(&f.a) * sizeof *value);
      for (int j = 0; j < f.n; ++j)
        for (int p = f.a.column_start[j]; p < f.a.column_start[j + 1]; ++p) {
          bool apart = f.a.row[p] != j && (f.a.row[p] == column || j == column);
          value[p] = apart ? 0.0 : f.a.row[p] == j && j == column ? bad[b] : f.a.value[p];
        }
      ck_assert_int_eq(tac_sparse_cholesky_update(f.cholesky, value), column);
      free(value);
    }
  ck_assert_int_eq(tac_sparse_cholesky_update(f.cholesky, f.a.value), -1);
  destroy(&f);
}

TAC_TEST(what_is_above_the_diagonal_is_not_read) {
  Fixture f = make((tacTestGrid){{6, 5, 7}, false}, false, 15);
  double *value = malloc((size_t)tac_sparse_count(&f.a) * sizeof *value), x[210], y[210];
  for (int j = 0; j < f.n; ++j)
    for (int p = f.a.column_start[j]; p < f.a.column_start[j + 1]; ++p) value[p] = f.a.row[p] < j ? NAN : f.a.value[p];
  for (int i = 0; i < f.n; ++i) x[i] = i;
  ck_assert_int_eq(tac_sparse_cholesky_update(f.cholesky, f.a.value), -1);
  tac_test_ok(tac_sparse_cholesky_solve(f.cholesky, x, 1, y, &error), error);
  ck_assert_int_eq(tac_sparse_cholesky_update(f.cholesky, value), -1);
  tac_test_ok(tac_sparse_cholesky_solve(f.cholesky, x, 1, x, &error), error);
  ck_assert_int_eq(memcmp(x, y, sizeof x), 0);
  free(value);
  destroy(&f);
}

TAC_TEST(a_copy_stands_alone_and_gives_the_same_bits) {
  Fixture f = make((tacTestGrid){{9, 8, 9}, false}, true, 16);
  double x[648], y[648];
  for (int i = 0; i < f.n; ++i) x[i] = y[i] = sin(i);
  ck_assert_int_eq(tac_sparse_cholesky_update(f.cholesky, f.a.value), -1);
  tac_test_ok(tac_sparse_cholesky_solve(f.cholesky, x, 1, x, &error), error);
  tacSparseCholesky *copy;
  tac_test_ok(tac_sparse_cholesky_copy(f.cholesky, &copy, &error), error);
  tacSparseCholeskyReport report = tac_sparse_cholesky_report(f.cholesky), again = tac_sparse_cholesky_report(copy);
  ck_assert_uint_gt(report.bytes, again.bytes); /* it has solved, and keeps what that took */
  ck_assert_double_eq(report.nonzeros, again.nonzeros);
  tac_sparse_cholesky_destroy(f.cholesky);
  f.cholesky = copy;
  for (int round = 0; round < 2; ++round) { /* with the numbers that it came with, and with its own */
    double z[648];
    tac_test_ok(tac_sparse_cholesky_solve(copy, y, 1, z, &error), error);
    ck_assert_int_eq(memcmp(x, z, sizeof x), 0);
    ck_assert_int_eq(tac_sparse_cholesky_update(copy, f.a.value), -1);
  }
  destroy(&f);
}

TAC_TEST(supernodes_add_few_zeros_and_the_report_counts_none) {
  Fixture chain = make((tacTestGrid){{40, 1, 1}, false}, true, 17);
  ck_assert_double_eq(tac_sparse_cholesky_report(chain.cholesky).nonzeros, 79.0);
  destroy(&chain);
  Fixture f = make((tacTestGrid){{14, 14, 14}, false}, true, 18);
  tacSupernodes l = tac_sparse_cholesky_supernodes(f.cholesky);
  double stored = 0.0, nonzeros = tac_sparse_cholesky_report(f.cholesky).nonzeros;
  for (int s = 0; s < l.count; ++s) {
    double high = l.row_start[s + 1] - l.row_start[s], width = l.first[s + 1] - l.first[s];
    stored += width * high - 0.5 * width * (width - 1.0);
  }
  ck_assert(stored >= nonzeros && stored < 1.3 * nonzeros);
  destroy(&f);
}
