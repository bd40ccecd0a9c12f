#include "math/sparse/supernodal_cholesky.h"

#include "math/laplacian.h"
#include "math/random.h"
#include "math/sparse/fill_order.h"
#include "math/sparse/supernodal_solve.h"

typedef struct Fixture {
  int n;
  tacSparse a;
  int *order;
  tacSupernodalPlan *plan;
  double *value; /* of L */
} Fixture;

/* In an order at random, or one whose columns follow their children, where supernodes are large. `whole`: undivided. */
static Fixture make(tacTestGrid grid, bool postordered, bool whole, uint64_t seed) {
  Fixture f = {.n = tac_test_grid_size(grid), .a = tac_test_kept_laplacian(grid)};
  tacRandom random = tac_random_seed(seed);
  size_t n = (size_t)f.n;
  f.order = tac_test_alloc(n * sizeof *f.order);
  for (int k = 0; k < f.n; ++k) f.order[k] = k;
  for (int k = f.n - 1; k > 0 && !postordered; --k) {
    int other = (int)tac_random_uniform(&random, 0.0, k + 1.0), moved = f.order[k];
    f.order[k] = f.order[other];
    f.order[other] = moved;
  }
  if (postordered) tac_test_ok(tac_fill_order(&f.a, true, f.order, &error), error);
  tac_test_ok(tac_supernodal_plan_create(&f.a, f.order, whole, &f.plan, &error), error);
  tac_test_keep(f.plan, tac_supernodal_plan_release);
  f.value = tac_test_alloc((size_t)f.plan->value_start[f.plan->count] * sizeof *f.value);
  return f;
}

/* -1, or the column of A that is not positive; the calling thread does it alone, or all do. */
static int update(Fixture *f, const double *value, bool alone) {
  int column;
  tac_test_ok(tac_supernodal_cholesky(f->plan, alone, value, f->value, &column, &error), error);
  return column < 0 ? -1 : f->order[column];
}

static void solve(const Fixture *f, const double *b, int count, double *x, bool alone) {
  tac_test_ok(tac_supernodal_solve(f->plan, alone, f->value, b, count, x, &error), error);
}

static const tacTestGrid grids[] = {
    {{2, 1, 1}, false}, {{40, 1, 1}, false}, {{13, 9, 1}, false}, {{6, 5, 7}, false}, {{7, 6, 8}, false}};
enum { GRIDS = 5 };

TAC_TEST(the_factor_times_itself_is_the_matrix) {
  for (int g = 0; g < 4 * GRIDS; ++g) {
    Fixture f = make(grids[g % GRIDS], g / GRIDS % 2, g >= 2 * GRIDS, 11);
    ck_assert_int_eq(update(&f, f.a.value, g >= 2 * GRIDS), -1);
    tacSupernodes l = tac_supernodal_plan_view(f.plan, f.value);
    size_t n = (size_t)f.n;
    double *dense = tac_test_doubles(n * n); /* L by columns */
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
  }
}

TAC_TEST(solutions_are_what_right_hand_sides_were_made_from_also_in_place) {
  static const int counts[] = {0, 1, 3, 8, 97, 200};
  tacRandom random = tac_random_seed(12);
  for (int g = 0; g < 4 * GRIDS; ++g) {
    bool alone = g >= 2 * GRIDS;
    Fixture f = make(grids[g % GRIDS], g / GRIDS % 2, alone, 13);
    ck_assert_int_eq(update(&f, f.a.value, alone), -1);
    for (int c = 0; c < 6; ++c) {
      size_t total = (size_t)(f.n * counts[c]);
      double *x = tac_test_doubles(total + 1), *b = tac_test_doubles(total + 1), *y = tac_test_doubles(total + 1);
      for (size_t i = 0; i < total; ++i) x[i] = tac_random_normal(&random);
      tac_sparse_multiply(&f.a, x, counts[c], b);
      solve(&f, b, counts[c], y, alone);
      solve(&f, b, counts[c], b, alone);
      for (size_t i = 0; i < total; ++i) {
        ck_assert_double_eq_tol(y[i], x[i], 1e-10);
        ck_assert_double_eq(y[i], b[i]);
      }
    }
  }
}

/* A node without neighbours and with a diagonal that is not positive: nothing else can be named. */
TAC_TEST(the_non_positive_column_is_named_and_factor_stays_usable) {
  Fixture f = make((tacTestGrid){{9, 8, 9}, false}, true, false, 14);
  static const double bad[] = {-1.0, 0.0, NAN};
  for (int column = 0; column < f.n; column += 71)
    for (int b = 0; b < 3; ++b) {
      double *value = tac_test_doubles((size_t)tac_sparse_count(&f.a));
      for (int j = 0; j < f.n; ++j)
        for (int p = f.a.column_start[j]; p < f.a.column_start[j + 1]; ++p) {
          bool apart = f.a.row[p] != j && (f.a.row[p] == column || j == column);
          value[p] = apart ? 0.0 : f.a.row[p] == j && j == column ? bad[b] : f.a.value[p];
        }
      ck_assert_int_eq(update(&f, value, b == 1), column);
    }
  ck_assert_int_eq(update(&f, f.a.value, false), -1);
}

/* Each entry's sum has one order, and each vector of a panel is computed by itself. */
TAC_TEST(numbers_and_solutions_have_the_same_bits_alone_and_divided) {
  Fixture whole = make((tacTestGrid){{14, 14, 14}, false}, true, true, 16);
  Fixture divided = make((tacTestGrid){{14, 14, 14}, false}, true, false, 16);
  ck_assert_int_eq(update(&whole, whole.a.value, true), -1);
  ck_assert_int_eq(update(&divided, whole.a.value, false), -1);
  ck_assert_int_gt(divided.plan->subtree_count, 1);
  ck_assert_int_gt(divided.plan->top_count, 1);
  ck_assert_int_eq(whole.plan->top_count, 0);
  ck_assert_mem_eq(whole.value, divided.value,
                   (size_t)whole.plan->value_start[whole.plan->count] * sizeof *whole.value);
  enum { COUNT = 41 };
  size_t n = (size_t)whole.n;
  double *b = tac_test_doubles(COUNT * n), *x = tac_test_doubles(COUNT * n), *y = tac_test_doubles(2 * n);
  for (size_t i = 0; i < COUNT * n; ++i) b[i] = sin((double)i);
  solve(&divided, b, COUNT, x, false);
  for (size_t v = 0; v + 1 < COUNT; v += 13) { /* two of them, at other places of their panel */
    solve(&whole, b + v * n, 2, y, true);
    ck_assert_mem_eq(x + v * n, y, 2 * n * sizeof *y);
  }
}

TAC_TEST(supernodes_add_few_zeros_and_the_report_counts_none) {
  Fixture chain = make((tacTestGrid){{40, 1, 1}, false}, true, false, 17);
  ck_assert_double_eq(chain.plan->nonzeros, 79.0);
  Fixture f = make((tacTestGrid){{14, 14, 14}, false}, true, false, 18);
  tacSupernodes l = tac_supernodal_plan_view(f.plan, NULL);
  double stored = 0.0, nonzeros = f.plan->nonzeros;
  for (int s = 0; s < l.count; ++s) {
    double high = l.row_start[s + 1] - l.row_start[s], width = l.first[s + 1] - l.first[s];
    stored += width * high - 0.5 * width * (width - 1.0);
  }
  ck_assert(stored >= nonzeros && stored < 1.3 * nonzeros);
}
