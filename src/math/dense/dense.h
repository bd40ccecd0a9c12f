/* Dense matrices, column-major: entry (i, j) is a[i + (size_t)j * stride].
 *
 * Two kinds of functions. Those that use BLAS and LAPACK are for the offline and load phases. Those called tac_dense_loop_*
 * are plain loops for ticks: no allocation, no lock, bounded time; for small sizes they are as fast.
 * Shapes are the caller's duty where a function cannot fail; functions that return tacStatus check them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef struct tacDense {
  int rows, cols;
  int stride; /* from one column to the next; at least 1 and at least `rows` */
  double *a;
} tacDense;

/* A zero matrix; either size may be 0. tac_dense_destroy frees it and makes it empty; it may be called on {0}. */
tacStatus tac_dense_create(int rows, int cols, tacDense *matrix, tacError *error);
void tac_dense_destroy(tacDense *matrix);
tacStatus tac_dense_copy(const tacDense *matrix, tacDense *copy, tacError *error);
bool tac_dense_finite(const tacDense *matrix);

static inline double *tac_dense_column(const tacDense *matrix, int column) {
  return matrix->a + (size_t)column * (size_t)matrix->stride;
}

/* y = alpha op(A) x + beta y, where op transposes if told so. */
void tac_dense_gemv(double alpha, const tacDense *a, bool transpose, const double *x, double beta, double *y);
/* C = alpha op(A) op(B) + beta C */
void tac_dense_gemm(double alpha, const tacDense *a, bool transpose_a, const tacDense *b, bool transpose_b, double beta,
                    tacDense *c);
/* C = alpha A^T A + beta C where `transpose`, else alpha A A^T + beta C; both triangles of C are set. */
void tac_dense_syrk(double alpha, const tacDense *a, bool transpose, double beta, tacDense *c);

/* A = L L^T, in place; reads and writes the lower triangle only. TAC_ERR_SINGULAR names the column. */
tacStatus tac_dense_cholesky(tacDense *a, tacError *error);
/* B := (L L^T)^-1 B */
void tac_dense_cholesky_solve(const tacDense *factor, tacDense *b);

/* Symmetric A x = lambda x: reads the lower triangle; A becomes the orthonormal vectors, values[cols] ascend. */
tacStatus tac_dense_eigen(tacDense *a, double *values, tacError *error);
/* Symmetric A x = lambda B x, B positive definite: A becomes the vectors with X^T B X = I; B is destroyed. */
tacStatus tac_dense_eigen_pencil(tacDense *a, tacDense *b, double *values, tacError *error);

/* A = U diag(s) V^T with k = min(rows, cols) columns in U (rows x k) and rows in vt (k x cols), s[k] descending. U and vt
 * are created here; A is destroyed. */
tacStatus tac_dense_svd(tacDense *a, tacDense *u, double *s, tacDense *vt, tacError *error);

/* The X (A.cols x B.cols, created here) of least norm among those that make |A X - B| least. Singular values below
 * max(rows, cols) eps s_max count as zero; `rank` (may be NULL) is the number of the others. A and B are kept. */
tacStatus tac_dense_least_squares(const tacDense *a, const tacDense *b, tacDense *x, int *rank, tacError *error);

/* A = Q R for rows >= cols, in place: A becomes Q (orthonormal columns), R (cols x cols, upper) is created here. */
tacStatus tac_dense_qr(tacDense *a, tacDense *r, tacError *error);

/* y = A x */
void tac_dense_loop_gemv(const tacDense *a, const double *restrict x, double *restrict y);
/* A = L L^T in place, lower triangle only. False where A is not positive definite or not finite. */
bool tac_dense_loop_cholesky(tacDense *a);
/* x := (L L^T)^-1 x */
void tac_dense_loop_cholesky_solve(const tacDense *factor, double *x);
/* Its halves. Three right-hand sides at once, [3][n], whose numbers before `first` are zero: x := L^-1 x. And x := L^-T x. */
void tac_dense_loop_cholesky_forward3(const tacDense *factor, int first, double *x);
void tac_dense_loop_cholesky_backward(const tacDense *factor, double *x);
/* P A = L U in place with partial pivoting: row i was swapped with row pivot[i] >= i, in that order. False where A is
 * singular or not finite. */
bool tac_dense_loop_lu(tacDense *a, int *pivot);
/* x := A^-1 x */
void tac_dense_loop_lu_solve(const tacDense *factor, const int *pivot, double *x);
