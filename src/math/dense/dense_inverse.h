/* The inverse of a dense square matrix in plain loops, for ticks: no allocation, no lock, n^3 multiply-adds whatever the
 * numbers are. */
#pragma once

#include "math/dense/dense.h"

/* Doubles of workspace for size n. */
size_t tac_dense_inverse_work(int n);
/* A := A^-1 by Gauss-Jordan elimination with partial pivoting. `pivot` has room for n. False where A is singular or not
 * finite; A is then destroyed. */
bool tac_dense_inverse(tacDense *a, int *pivot, double *work);
