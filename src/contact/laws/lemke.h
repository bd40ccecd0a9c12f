/* Lemke's method for linear complementarity problems 0 <= q + M z _|_ z >= 0 (Cottle, Pang and Stone 1992, section
 * 4.4). Finds a solution if M is positive semidefinite and one exists, and if M is copositive as in (24) of Duriez et
 * al. 2006. For sizes up to some hundreds: each pivot takes n^2 multiplications.
 *
 * Ties between rows are broken by a perturbation of the constant column, which differs between rows and does not change
 * results. This epsilon method of the same book prevents cycling. */
#pragma once

#include <stdbool.h>
#include "base/memory/arena.h"

/* Tableau: basic = constant + sum over nonbasic. Variables: 0 ... n - 1 are w, n ... 2 n - 1 z, 2 n z_0. */
typedef struct tacLemke {
  size_t n, width; /* rows; columns: nonbasic, the constant, the perturbed constant */
  double *a;       /* [n][width]: the caller sets M in its [n][n] and q at [n][n + 1], scaled to about 1 */
  int *basic;      /* [n] */
  int *other;      /* [n + 1] */
} tacLemke;

size_t tac_lemke_room(size_t n);
/* Initializes to zero. False: the arena is too small. */
bool tac_lemke_take(size_t n, tacArena *arena, tacLemke *lemke);
/* Returns whether a solution was found; false on a ray or at the pivot limit. Adds to `pivots`. */
bool tac_lemke_solve(tacLemke *lemke, int most_pivots, int *pivots);
/* After a solve: returns the index of the z that is basic in a row, or -1, and sets its value. */
static inline int tac_lemke_solution(const tacLemke *lemke, size_t row, double *value) {
  int n = (int)lemke->n, z = lemke->basic[row] - n;
  *value = lemke->a[row * lemke->width + lemke->n + 1];
  return z >= 0 && z < n ? z : -1;
}
