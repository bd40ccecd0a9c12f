/* Whether LU factors are those of a matrix: z^T A, from before it was factored, against z^T P^T L U for random z
 * (Freivalds 1977). A column of the factors that is wrong is seen in the product with probability 1, up to rounding.
 * Plain loops on one thread: whatever made the factors has no part in it. Offline. */
#pragma once

#include "base/files/bake_check.h"
#include "base/memory/array.h"
#include "math/dense/dense.h"

enum { TAC_DENSE_PROBES = 2 }; /* different z */

typedef struct tacDenseProbe {
  tacArrays arrays;
  int size;
  double *z;       /* [probe][row]: of size 1/2 to 1 */
  double *product; /* [probe][column]: z^T A */
  double *norm;    /* [column] */
  double *work;    /* [2][size] */
} tacDenseProbe;

/* Before a square matrix is factored. To be destroyed on failure too. */
tacStatus tac_dense_probe_create(const tacDense *a, tacDenseProbe *probe, tacError *error);
void tac_dense_probe_destroy(tacDenseProbe *probe); /* may be called on {0} */
/* After: adds the error of each column, over its norm. Factors as tac_dense_lu leaves them. */
void tac_dense_probe_compare(const tacDenseProbe *probe, const tacDense *factor, const int *pivot, tacWorst *worst);

/* x := A^-T x, by the factors. */
void tac_dense_probe_solve_transposed(const tacDense *factor, const int *pivot, double *x);
