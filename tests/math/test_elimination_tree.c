#include "math/sparse/elimination_tree.h"

#include "math/laplacian.h"
#include "math/random.h"

typedef struct Fixture {
  int n;
  tacSparse a;
  int *order;
  bool *filled; /* [row][column] of L, by eliminating in a dense matrix */
  int *parent, *count, *work;
} Fixture;

static void shuffle(tacRandom *random, int n, int *order) {
  for (int k = 0; k < n; ++k) order[k] = k;
  for (int k = n - 1; k > 0; --k) {
    int other = (int)tac_random_uniform(random, 0.0, k + 1.0), moved = order[k];
    order[k] = order[other];
    order[other] = moved;
  }
}

static void fill(Fixture *f) {
  int n = f->n;
  memset(f->filled, 0, (size_t)(n * n) * sizeof *f->filled);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k) f->filled[i * n + k] = tac_sparse_find(&f->a, f->order[i], f->order[k]) >= 0;
  for (int k = 0; k < n; ++k)
    for (int j = k + 1; j < n; ++j)
      for (int i = j; i < n; ++i) f->filled[i * n + j] |= f->filled[i * n + k] && f->filled[j * n + k];
}

static void analyse(Fixture *f) {
  TAC_FREED(tac_strict_lower_destroy, tacStrictLower, lower);
  tac_test_ok(tac_strict_lower_create(&f->a, f->order, &lower, &error), error);
  tac_elimination_tree(&lower, f->parent, f->count, f->work);
}

static Fixture make(tacTestGrid grid, tacRandom *random) {
  Fixture f = {.n = tac_test_grid_size(grid), .a = tac_test_kept_laplacian(grid)};
  size_t n = (size_t)f.n;
  f.order = tac_test_alloc(n * sizeof *f.order);
  f.filled = tac_test_alloc(n * n * sizeof *f.filled);
  f.parent = tac_test_alloc(n * sizeof *f.parent);
  f.count = tac_test_alloc(n * sizeof *f.count);
  f.work = tac_test_alloc(5 * n * sizeof *f.work);
  shuffle(random, f.n, f.order);
  fill(&f);
  analyse(&f);
  return f;
}

static const tacTestGrid grids[] = {{{2, 1, 1}, false}, {{17, 1, 1}, false}, {{9, 8, 1}, false}, {{5, 4, 6}, false}};
enum { GRIDS = 4, ROUNDS = 5 };

TAC_TEST(parents_and_counts_are_those_of_a_dense_elimination) {
  tacRandom random = tac_random_seed(3);
  for (int g = 0; g < GRIDS * ROUNDS; ++g) {
    Fixture f = make(grids[g % GRIDS], &random);
    for (int k = 0; k < f.n; ++k) {
      int parent = -1, count = 0;
      for (int i = f.n - 1; i >= k; --i)
        if (f.filled[i * f.n + k]) {
          ++count;
          if (i > k) parent = i;
        }
      ck_assert_int_eq(f.parent[k], parent);
      ck_assert_int_eq(f.count[k], count);
    }
  }
}

TAC_TEST(a_postorder_has_the_same_fill_and_descendants_beside_each_other) {
  tacRandom random = tac_random_seed(4);
  for (int g = 0; g < GRIDS * ROUNDS; ++g) {
    Fixture f = make(grids[g % GRIDS], &random);
    int before = 0, after = 0;
    for (int k = 0; k < f.n; ++k) before += f.count[k];
    tac_elimination_postorder(f.n, f.parent, f.order, f.work);
    int *seen = tac_test_alloc((size_t)f.n * sizeof *seen);
    int *descendants = tac_test_alloc((size_t)f.n * sizeof *descendants);
    for (int k = 0; k < f.n; ++k) ck_assert_int_eq(seen[f.order[k]]++, 0);
    analyse(&f);
    for (int k = 0; k < f.n; ++k) {
      after += f.count[k];
      if (f.parent[k] < 0) continue;
      ck_assert_int_gt(f.parent[k], k);
      descendants[f.parent[k]] += descendants[k] + 1;
    }
    ck_assert_int_eq(after, before);
    for (int k = 0; k < f.n; ++k) /* those of k are the ones just before it */
      for (int j = k - descendants[k]; j < k; ++j) ck_assert(f.parent[j] > j && f.parent[j] <= k);
  }
}
