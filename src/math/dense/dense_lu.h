/* LU factors of large dense matrices on several threads: our BLAS has one. Offline.
 *
 * P A = L U with partial pivoting, right-looking in panels (Golub and Van Loan 2013, section 3.2.11). The columns are cut
 * into the same strips for any number of threads, so that results do not depend on it. Factors are laid out as those of
 * tac_dense_loop_lu. */
#pragma once

#include <tactus/base.h>
#include "math/dense/dense.h"

/* Columns of right-hand sides that are solved together: groups of them are independent to the last bit. */
#define TAC_DENSE_LU_STRIP 64

/* In place: row i was swapped with row pivot[i] >= i, in that order. `rcond` (may be NULL) receives an estimate of
 * 1 / condition number in the 1-norm. `thread_count` 0: one for each core. TAC_ERR_SINGULAR names the column; A is
 * destroyed on failure and on TAC_ERR_CANCELLED. */
tacStatus tac_dense_lu(tacDense *a, int *pivot, double *rcond, int thread_count, const tacProgress *progress,
                       tacError *error);
/* B := A^-1 B */
tacStatus tac_dense_lu_solve(const tacDense *factor, const int *pivot, tacDense *b, int thread_count,
                             const tacProgress *progress, tacError *error);
