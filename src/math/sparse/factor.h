/* Sparse Cholesky factorisation P A P^T = L L^T of symmetric positive definite matrices: ordering and symbolic analysis
 * once, numbers often, many right-hand sides. Offline and load phases, or a separate thread. Several threads may solve
 * with a factor at the same time; anything else is for one thread at a time.
 *
 * By CHOLMOD (Chen, Davis, Hager, Rajamanickam 2008) with its default choices: AMD or METIS ordering, whichever fills
 * less; supernodes with BLAS where the factor is dense enough. Numbers of all but tiny ones are computed by
 * math/sparse/supernodal_cholesky.h, on all threads. CHOLMOD's supernodal module is GPL-2+;
 * builds with TACTUS_LGPL have math/sparse/own_factor.c in its place (docs/licence.md). */
#pragma once

#include "math/sparse/sparse.h"
#include "math/sparse/supernodes.h"

typedef struct tacFactor tacFactor;

typedef struct tacFactorReport {
  int size;
  double nonzeros; /* of L */
  double flops;    /* of one numeric factorisation */
  size_t bytes;    /* held by the factor now */
  bool supernodal;
  double
      rcond; /* (smallest / largest diagonal entry of L)^2, an upper bound of 1 / condition number; 0 before an update */
} tacFactorReport;

/* Reads the places of `pattern` on and below its diagonal, and copies what it needs; its values are not read. */
tacStatus tac_factor_create(const tacSparse *pattern, tacFactor **factor, tacError *error);
void tac_factor_destroy(tacFactor *factor); /* may be NULL */
/* Always by supernodes, also where CHOLMOD would rather do without: for tac_factor_supernodes. Updates use the calling thread
 * alone: they run beside a simulation. */
tacStatus tac_factor_create_supernodal(const tacSparse *pattern, tacFactor **factor, tacError *error);
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

/* L as it lies in a factor by supernodes: where it is goes for as long as the factor, `value` until the next update; NULL before the
 * first, of no use after one that failed. */
tacSupernodes tac_factor_supernodes(const tacFactor *factor);

tacFactorReport tac_factor_report(tacFactor *factor);
