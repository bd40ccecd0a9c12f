/* Which entries a sparse Cholesky factor L of P A P^T has, before there are numbers: the elimination tree (Liu
 * 1990), where the parent of a column is its first row below the diagonal. Load phase. */
#pragma once

#include "base/memory/array.h"
#include "math/sparse/sparse.h"

/* What P A P^T has below its diagonal, both ways. */
typedef struct tacStrictLower {
  tacArrays arrays;
  int size;
  int *row_start, *column; /* [size + 1]; of row i: its columns, all below i */
  int *column_start, *row; /* [size + 1]; of column k: its rows, all above k */
} tacStrictLower;

/* Reads `pattern` below its diagonal. Row k of P A P^T is row order[k] of A; NULL: as it is. */
tacStatus tac_strict_lower_create(const tacSparse *pattern, const int *order, tacStrictLower *lower, tacError *error);
void tac_strict_lower_destroy(tacStrictLower *lower); /* may be called on {0} */

/* parent[column], -1 for roots; count[column]: entries of L in it, the diagonal too (Gilbert, Ng and Peyton 1994: takes
 * about as long as reading A). work: [5 size]. */
void tac_elimination_tree(const tacStrictLower *lower, int *parent, int *count, int *work);

/* Turns `order` into one with the same fill whose columns follow their children at once, so that columns with the
 * same rows are neighbours. `parent` is of `order`; work: [3 size]. */
void tac_elimination_postorder(int size, const int *parent, int *order, int *work);
