/* Sparse Cholesky factorisation P A P^T = L L^T of symmetric positive definite matrices: ordering and symbolic analysis
 * once, numbers often, many right-hand sides. Offline and load phases, or a separate thread. Several threads may solve
 * with a factor at the same time; anything else is for one thread at a time.
 *
 * The order is AMD's or METIS's (math/sparse/fill_order.h), everything else our own: L by supernodes (math/sparse/supernodal_plan.h,
 * math/sparse/supernodal_cholesky.h, math/sparse/supernodal_solve.h), on all threads, with the same bits for any number of them and
 * whichever BLAS there is. */
#pragma once

#include "base/memory/owned.h"
#include "math/sparse/sparse.h"
#include "math/sparse/supernodes.h"

typedef struct tacFactor tacFactor;

typedef struct tacFactorReport {
  int size;
  double nonzeros; /* of L, without the zeros that supernodes add */
  double flops;    /* of one numeric factorisation */
  size_t bytes;    /* held by the factor, and by copies with it */
  double
      rcond; /* (smallest / largest diagonal entry of L)^2, an upper bound of 1 / condition number; 0 before an update */
} tacFactorReport;

/* Reads the places of `pattern` on and below its diagonal, and copies what it needs; its values are not read. */
tacStatus tac_factor_create(const tacSparse *pattern, tacFactor **factor, tacError *error);
void tac_factor_destroy(tacFactor *factor); /* may be NULL */
TAC_OWNED_TYPE(tacFactor, tac_factor_destroy)
/* For numbers that change often, beside a simulation: takes longer to find the better order, and updates and solutions use
 * the calling thread alone. */
tacStatus tac_factor_create_live(const tacSparse *pattern, tacFactor **factor, tacError *error);
/* Another one with the same order and pattern, and no numbers yet, for another thread. */
tacStatus tac_factor_copy(tacFactor *factor, tacFactor **copy, tacError *error);
/* And with its numbers, so that it solves what `factor` solves, to the bit. */
tacStatus tac_factor_copy_whole(tacFactor *factor, tacFactor **copy, tacError *error);

/* Factors the matrix with the pattern given to tac_factor_create and these values, one for each of its entries (those
 * above the diagonal are not read). TAC_ERR_SINGULAR, with the column, where it is not positive definite: there is then
 * nothing to solve with until an update succeeds. */
tacStatus tac_factor_update(tacFactor *factor, const double *value, tacError *error);

/* X = A^-1 B for `count` vectors, one after the other, without gaps; X may be B. */
tacStatus tac_factor_solve(tacFactor *factor, const double *b, int count, double *x, tacError *error);

/* L as it lies in the factor, for as long as that exists; its numbers are of no use before the first update and after one
 * that failed. */
tacSupernodes tac_factor_supernodes(const tacFactor *factor);

tacFactorReport tac_factor_report(tacFactor *factor);
