/* Lemke's method for linear complementarity problems 0 <= q + M z _|_ z >= 0 (Cottle, Pang and Stone 1992, section 4.4):
 * finds a solution where M is positive semidefinite and there is one, and where it is copositive in the way that (24) of
 * Duriez et al. 2006 is. For sizes of some hundreds: each pivot takes n^2 multiplications.
 *
 * Where two rows are equally near, a disturbance of the constant column, different for each row, decides; it takes part in
 * no result. That is the epsilon method of the same book, and keeps pivots from going round. */
#pragma once

#include <stdbool.h>
#include "base/memory/arena.h"

/* A tableau: basic = constant + sum over the others. Variables: 0 ... n - 1 are w, n ... 2 n - 1 z, 2 n z_0. */
typedef struct tacLemke {
  size_t n, width; /* rows; others, then the constant, then the constant disturbed */
  double *a;       /* [n][width]: the caller sets M in [n][n] of it, and q at [n][n + 1]; about 1 in size */
  int *basic;      /* [n] */
  int *other;      /* [n + 1] */
} tacLemke;

size_t tac_lemke_room(size_t n);
/* All zero. False where the arena is too small. */
bool tac_lemke_take(size_t n, tacArena *arena, tacLemke *lemke);
/* Returns whether a solution was found: not on a ray, nor at the bound. `pivots` grows. */
bool tac_lemke_solve(tacLemke *lemke, int most_pivots, int *pivots);
/* What stands in a row after that: the number of a z, or -1, and its value. */
static inline int tac_lemke_solution(const tacLemke *lemke, size_t row, double *value) {
  int n = (int)lemke->n, z = lemke->basic[row] - n;
  *value = lemke->a[row * lemke->width + lemke->n + 1];
  return z >= 0 && z < n ? z : -1;
}
