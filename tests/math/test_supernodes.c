#include "math/sparse/supernodes.h"

#include "base/lanes.h"
#include "math/laplacian.h"
#include "math/random.h"
#include "math/sparse/factor.h"

typedef struct {
  tacSparse a;
  tacFactor *factor;
  tacSupernodes l;
  int n, *parent, *home;
  double *dense; /* L, row-major */
  double *work;
} Fixture;

/* Grids whose supernodes have odd and even, small and large numbers of rows and columns. */
static Fixture make(tacTestGrid grid) {
  Fixture f = {.a = tac_test_kept_laplacian(grid)};
  f.n = f.a.cols;
  size_t n = (size_t)f.n;
  tac_test_ok(tac_factor_create_live(&f.a, &f.factor, &error), error);
  tac_test_keep(f.factor, tac_factor_destroy);
  tac_test_ok(tac_factor_update(f.factor, f.a.value, &error), error);
  f.l = tac_factor_supernodes(f.factor);
  ck_assert_int_eq(f.l.size, f.n);
  f.parent = tac_test_alloc((size_t)f.l.count * sizeof *f.parent);
  f.home = tac_test_alloc(n * sizeof *f.home);
  tac_supernodes_tree(&f.l, f.parent, f.home);
  f.work = tac_test_alloc((size_t)tac_supernodes_tallest(&f.l) * sizeof *f.work);
  f.dense = tac_test_alloc(n * n * sizeof *f.dense);
  for (int s = 0; s < f.l.count; ++s) {
    int high = f.l.row_start[s + 1] - f.l.row_start[s];
    for (int k = f.l.first[s]; k < f.l.first[s + 1]; ++k)
      for (int i = k - f.l.first[s]; i < high; ++i)
        f.dense[(size_t)f.l.row[f.l.row_start[s] + i] * n + (size_t)k] =
            f.l.value[f.l.value_start[s] + (k - f.l.first[s]) * high + i];
  }
  return f;
}

static const tacTestGrid grids[] = {
    {{2, 1, 1}, false}, {{7, 1, 1}, false}, {{5, 4, 1}, false}, {{11, 9, 1}, false}, {{6, 5, 7}, false}};
enum { GRIDS = 5 };

TAC_TEST(rows_of_a_supernode_are_columns_of_its_ancestors) {
  for (int g = 0; g < GRIDS; ++g) {
    Fixture f = make(grids[g]);
    for (int s = 0; s < f.l.count; ++s) {
      for (int k = f.l.first[s]; k < f.l.first[s + 1]; ++k) ck_assert_int_eq(f.home[k], s);
      ck_assert(f.parent[s] == -1 || f.parent[s] > s);
      int ancestor = s;
      for (int p = f.l.row_start[s]; p < f.l.row_start[s + 1]; ++p) {
        while (ancestor >= 0 && ancestor != f.home[f.l.row[p]]) ancestor = f.parent[ancestor];
        ck_assert_int_ge(ancestor, 0);
      }
    }
  }
}

TAC_TEST(substitutions_undo_products_with_the_factor) {
  tacRandom random = tac_random_seed(6);
  for (int g = 0; g < GRIDS; ++g) {
    Fixture f = make(grids[g]);
    size_t n = (size_t)f.n;
    double *x = tac_test_doubles(n), *down = tac_test_doubles(n), *up = tac_test_doubles(n);
    for (size_t i = 0; i < n; ++i) x[i] = tac_random_normal(&random);
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j <= i; ++j) {
        down[i] += f.dense[i * n + j] * x[j];
        up[j] += f.dense[i * n + j] * x[i];
      }
    tac_supernodes_forward(&f.l, down, f.work);
    tac_supernodes_backward(&f.l, up, f.work);
    for (size_t i = 0; i < n; ++i) {
      ck_assert_double_eq_tol(down[i], x[i], 1e-11);
      ck_assert_double_eq_tol(up[i], x[i], 1e-11);
    }
  }
}

/* Off the path nothing is read: NaN there does no harm. */
TAC_TEST(panels_along_the_path_of_an_entry_are_what_all_of_it_gives) {
  for (int g = 0; g < GRIDS; ++g) {
    Fixture f = make(grids[g]);
    size_t n = (size_t)f.n;
    double *panel = tac_test_doubles(n * TAC_PANEL), *x = tac_test_doubles(n);
    bool *on_path = tac_test_alloc((size_t)f.l.count * sizeof *on_path);
    for (int entry = 0; entry < f.n; entry += 1 + f.n / 20) {
      for (size_t i = 0; i < n * TAC_PANEL; ++i) panel[i] = NAN;
      memset(on_path, 0, (size_t)f.l.count * sizeof *on_path);
      for (int s = f.home[entry]; s >= 0; s = f.parent[s]) {
        on_path[s] = true;
        for (int i = f.l.first[s] * TAC_PANEL; i < f.l.first[s + 1] * TAC_PANEL; ++i) panel[i] = 0.0;
      }
      for (int j = 0; j < TAC_PANEL; ++j) panel[entry * TAC_PANEL + j] = 1.0 + j;
      for (int s = 0; s < f.l.count; ++s)
        if (on_path[s]) tac_supernodes_eliminate(&f.l, s, panel);
      memset(x, 0, n * sizeof *x);
      x[entry] = 1.0;
      tac_supernodes_forward(&f.l, x, f.work);
      for (int i = 0; i < f.n; ++i)
        for (int j = 0; j < TAC_PANEL; ++j) {
          double y = panel[i * TAC_PANEL + j];
          if (on_path[f.home[i]])
            ck_assert_double_eq_tol(y, (1.0 + j) * x[i], 1e-13);
          else
            ck_assert(isnan(y) && x[i] == 0.0);
        }
    }
  }
}

TAC_TEST(products_of_panels_are_sums_over_their_rows) {
  enum { ROWS = 37 };
  tacRandom random = tac_random_seed(9);
  double a[ROWS][TAC_PANEL], b[ROWS][TAC_PANEL], sum[TAC_PANEL * TAC_PANEL];
  for (int k = 0; k < ROWS; ++k)
    for (int j = 0; j < TAC_PANEL; ++j) {
      a[k][j] = tac_random_normal(&random);
      b[k][j] = tac_random_normal(&random);
    }
  for (int i = 0; i < TAC_PANEL * TAC_PANEL; ++i) sum[i] = i;
  tac_panel_product(ROWS, &a[0][0], &b[0][0], sum);
  for (int i = 0; i < TAC_PANEL * TAC_PANEL; ++i) {
    double expected = i;
    for (int k = 0; k < ROWS; ++k) expected += a[k][i / TAC_PANEL] * b[k][i % TAC_PANEL];
    ck_assert_double_eq_tol(sum[i], expected, 1e-11);
  }
}

TAC_TEST_EVERY_WIDTH()
