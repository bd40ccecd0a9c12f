/* The lowest eigenpairs of K x = lambda M x, for vibration modes. Offline phase. */
#pragma once

#include <tactus/base.h>
#include "base/memory/array.h"
#include "math/sparse/sparse.h"

typedef struct tacEigen {
  tacArrays arrays;
  int size, count;
  double *value;    /* ascending */
  double *vector;   /* `count` columns of `size`: X^T M X = I */
  double *residual; /* |K x - lambda M x| of each pair, with |x|_M = 1 */
  double shift;     /* the sigma that was used; 0 where the problem was solved densely */
} tacEigen;

/* K is symmetric and positive semidefinite (a few negative eigenvalues do no harm), M symmetric positive definite or NULL
 * for the identity; both hold both triangles. Requires 1 <= count <= size.
 *
 * Implicitly restarted Lanczos on (K - sigma M)^-1 M (ARPACK's mode 3), which converges to the eigenvalues next to the
 * shift sigma, here those just above it. sigma is 0 where K has a Cholesky factor that is not nearly singular. Otherwise, as
 * for bodies without supports, whose rigid modes have lambda = 0, it is -1e-8, -1e-6, ... -1 times trace K / trace M, the
 * mean eigenvalue, whichever first gives a factor. Small problems (size <= 64, or count > size / 3) are solved by LAPACK.
 * Eigenvalues have an absolute error of rounding times the largest eigenvalue, those of rigid modes too. Lanczos from
 * one start vector sees the copies of a multiple eigenvalue only through rounding; because it iterates to machine
 * precision it finds them in practice (the tests have up to twenty copies), but there is no proof.
 *
 * The start vector is fixed: same input, same result. One thread at a time iterates, since ARPACK keeps its state in
 * static memory; `progress` must not call this function. TAC_ERR_SINGULAR where no shift gives a factor,
 * TAC_ERR_NO_CONVERGENCE with how many pairs converged, TAC_ERR_CANCELLED. On failure `eigen` is empty. */
tacStatus tac_eigen_lowest(const tacSparse *k, const tacSparse *m, int count, const tacProgress *progress,
                           tacEigen *eigen, tacError *error);

void tac_eigen_destroy(tacEigen *eigen); /* may be called on {0} */
