/* Principal components of snapshots (proper orthogonal decomposition). Offline phase. */
#pragma once

#include "math/dense/dense.h"
#include "math/sparse/sparse.h"

typedef struct tacPca {
  tacDense vectors; /* rows x count, X^T M X = I */
  double *singular; /* `count`, descending, positive */
  int count;        /* as many as asked for, or the numerical rank if that is less */
} tacPca;

/* The leading `most` components of the snapshots A, one a column, not centred: the subspace X of that dimension for which
 * the sum of |a_j - X X^T M a_j|_M^2 is least; that sum is the sum of the squares of the singular values left out. M is
 * symmetric positive definite with both triangles, or NULL for the identity. Singular values below
 * max(rows, cols) eps times the largest are rounding errors and left out.
 *
 * A's Gram matrix A^T M A is never formed: it would lose all singular values below 1e-8 of the largest. For diagonal M the
 * SVD of M^1/2 A; otherwise A = Q R by Gram and Schmidt in the product of M, each column orthogonalised twice, and the
 * SVD of R. Either has errors of rounding times the largest singular value (in the second case times a root of M's
 * condition number for directions in which M is small). */
tacStatus tac_pca(const tacDense *snapshots, const tacSparse *m, int most, tacPca *pca, tacError *error);

void tac_pca_destroy(tacPca *pca); /* may be called on {0} */
