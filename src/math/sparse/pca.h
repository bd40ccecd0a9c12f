/* Principal components of snapshots (proper orthogonal decomposition). Offline phase. */
#pragma once

#include "math/dense/dense.h"

typedef struct tacPca {
  tacDense vectors; /* rows x count, X^T X = I */
  double *singular; /* `count`, descending, positive */
  int count;        /* as many as asked for, or the numerical rank if that is less */
} tacPca;

/* The leading `most` components of the snapshots A, one a column, not centred: the subspace X of that dimension for which
 * the sum of |a_j - X X^T a_j|^2 is least; that sum is the sum of the squares of the singular values left out. Singular
 * values below max(rows, cols) eps times the largest are rounding errors and left out. For another product, A are
 * coordinates in a basis that is orthonormal in it.
 *
 * By the SVD of A. Its Gram matrix A^T A is never formed: it would lose all singular values below 1e-8 of the largest. */
tacStatus tac_pca(const tacDense *snapshots, int most, tacPca *pca, tacError *error);

void tac_pca_destroy(tacPca *pca); /* may be called on {0} */
