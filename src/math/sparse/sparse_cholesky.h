/* Sparse Cholesky factorisation P A P^T = L L^T by supernodes, in a given order, of our own: left-looking (Ng and
 * Peyton 1993), with dense products of our own, so that it calls no library and gives the same bits whichever BLAS
 * there is. math/sparse/factor.h has what most need: an order, and errors in words. Offline and load phases, or a thread
 * of its own; one thread at a time. */
#pragma once

#include "math/sparse/sparse.h"
#include "math/sparse/supernodes.h"

typedef struct tacSparseCholesky tacSparseCholesky;

/* Reads the places of `pattern` on and below its diagonal; its values are not read. Row k of P A P^T is row
 * order[k] of A. Supernodes are largest where the order is one of tac_elimination_postorder. */
tacStatus tac_sparse_cholesky_create(const tacSparse *pattern, const int *order, tacSparseCholesky **cholesky,
                                     tacError *error);
void tac_sparse_cholesky_destroy(tacSparseCholesky *cholesky); /* may be NULL */
/* With its numbers. */
tacStatus tac_sparse_cholesky_copy(const tacSparseCholesky *cholesky, tacSparseCholesky **copy, tacError *error);

/* One value for each entry of the pattern; those above the diagonal are not read. -1 where it is done; else the
 * column of A at which it is not positive definite, and the numbers are of no use. */
int tac_sparse_cholesky_update(tacSparseCholesky *cholesky, const double *value);

/* X = A^-1 B for `count` vectors, one after the other, without gaps; X may be B. Allocates where
 * there were fewer before. */
tacStatus tac_sparse_cholesky_solve(tacSparseCholesky *cholesky, const double *b, int count, double *x,
                                    tacError *error);

/* Goes for as long as the factor. */
tacSupernodes tac_sparse_cholesky_supernodes(const tacSparseCholesky *cholesky);

typedef struct tacSparseCholeskyReport {
  double nonzeros; /* of L, without those that supernodes add */
  double flops;
  size_t bytes; /* held now */
} tacSparseCholeskyReport;
tacSparseCholeskyReport tac_sparse_cholesky_report(const tacSparseCholesky *cholesky);
