/* Discrete Laplacians on a grid of nx x ny x nz points: second differences with unit spacing. Their eigenvalues are known in
 * closed form: sums over the axes of 4 sin^2(pi k / (2 (n + 1))), k = 1..n, with fixed (Dirichlet) ends, and of
 * 4 sin^2(pi k / (2 n)), k = 0..n-1, with free (Neumann) ends. */
#pragma once

#include "math/sparse/sparse.h"
#include "test.h"

typedef struct tacTestGrid {
  int n[3];
  bool is_free;
} tacTestGrid;

static inline int tac_test_grid_size(tacTestGrid grid) {
  return grid.n[0] * grid.n[1] * grid.n[2];
}

static inline tacSparse tac_test_laplacian(tacTestGrid grid) {
  tacError why;
  int size = tac_test_grid_size(grid);
  TAC_FREED(tac_triplets_destroy, tacTriplets, triplets) = {.rows = size, .cols = size};
  for (int p = 0; p < size; ++p) {
    int place[3] = {p % grid.n[0], p / grid.n[0] % grid.n[1], p / (grid.n[0] * grid.n[1])};
    for (int axis = 0, step = 1; axis < 3; step *= grid.n[axis++]) {
      if (grid.n[axis] == 1) continue; /* no such dimension */
      for (int side = -1; side <= 1; side += 2) {
        bool outside = place[axis] + side < 0 || place[axis] + side >= grid.n[axis];
        if (!outside || !grid.is_free) tac_test_ok(tac_triplets_add(&triplets, p, p, 1.0, &why), why);
        if (!outside) tac_test_ok(tac_triplets_add(&triplets, p, p + side * step, -1.0, &why), why);
      }
    }
  }
  tacSparse matrix;
  tac_test_ok(tac_triplets_compress(&triplets, &matrix, &why), why);
  return matrix;
}

/* The same until the end of the test. */
static inline tacSparse tac_test_kept_laplacian(tacTestGrid grid) {
  tacSparse *kept = tac_test_keep(tac_test_alloc(sizeof *kept), tac_sparse_destroy);
  return *kept = tac_test_laplacian(grid);
}

static inline int tac_test_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* All eigenvalues, ascending; the caller frees them. */
static inline double *tac_test_laplacian_eigenvalues(tacTestGrid grid) {
  const double pi = 3.14159265358979323846;
  int size = tac_test_grid_size(grid);
  double *value = tac_test_doubles((size_t)size);
  for (int p = 0; p < size; ++p) {
    int place[3] = {p % grid.n[0], p / grid.n[0] % grid.n[1], p / (grid.n[0] * grid.n[1])};
    value[p] = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      if (grid.n[axis] == 1) continue;
      double angle =
          grid.is_free ? 0.5 * pi * place[axis] / grid.n[axis] : 0.5 * pi * (place[axis] + 1) / (grid.n[axis] + 1);
      value[p] += 4.0 * sin(angle) * sin(angle);
    }
  }
  qsort(value, (size_t)size, sizeof *value, tac_test_compare);
  return value;
}
