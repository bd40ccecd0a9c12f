/* Lemke's method for linear complementarity problems 0 <= q + M z _|_ z >= 0 (Cottle, Pang and Stone 1992, section
 * 4.4). Finds a solution if M is positive semidefinite and a solution exists, or if M is copositive as in (24) of
 * Duriez et al. 2006. For sizes up to some hundreds: each pivot takes n^2 multiplications.
 *
 * The epsilon method of the same book prevents cycling. It breaks ties between rows by a perturbation of the constant
 * column. The perturbation differs between rows and does not change results. */
#pragma once

#include <stdbool.h>
#include "base/memory/arena.h"

/* Tableau: each basic variable is a constant plus a linear combination of the nonbasic variables. Indices of variables:
 * 0 ... n - 1 are w, n ... 2 n - 1 are z, and 2 n is z_0. */
typedef struct tacLemke {
  size_t n, width; /* rows; columns: nonbasic variables, constant, perturbed constant */
  /* [n][width]: the caller sets M in columns 0 ... n - 1 and q in column n + 1, scaled to about 1. Column n belongs to
   * z_0. */
  double *a;
  int *basic; /* [n]: basic variable of each row */
  int *other; /* [n + 1]: nonbasic variable of each column */
} tacLemke;

size_t tac_lemke_room(size_t n);
/* Takes a tableau from the arena and sets it to zero. Returns false if the arena is too small. */
bool tac_lemke_take(size_t n, tacArena *arena, tacLemke *lemke);
/* Returns true if a solution was found, false if the method ends on a ray or at the pivot limit. Adds the number of
 * pivots to `pivots`. */
bool tac_lemke_solve(tacLemke *lemke, int most_pivots, int *pivots);
/* Call after tac_lemke_solve. Returns the index of the component of z that is basic in a row, or -1. Sets `value` to
 * the value of the row's basic variable. */
static inline int tac_lemke_solution(const tacLemke *lemke, size_t row, double *value) {
  int n = (int)lemke->n, z = lemke->basic[row] - n;
  *value = lemke->a[row * lemke->width + lemke->n + 1];
  return z >= 0 && z < n ? z : -1;
}
