/* A matrix of 3 x 3 blocks of which most are zero: the Delassus operator W of many contacts as files have it. Rows are
 * whole (both triangles); of a row, columns ascend, and the block on the diagonal is always there. W is symmetric in
 * mechanics; what files have need not be, to 1e-3, and rows are what counts then. */
#pragma once

#include <stddef.h>

typedef struct tacBlockMatrix {
  int count;             /* of rows of blocks */
  const int *first;      /* [count + 1]: where the blocks of a row begin */
  const int *column;     /* [first[count]] */
  const double *entries; /* [first[count]][3][3], row by row in each block */
  const int *diagonal;   /* [count]: the block W_ii of a row */
} tacBlockMatrix;

/* to += (A x)_i of three numbers; x [3 count]. */
static inline void tac_block_matrix_add_row(const tacBlockMatrix *matrix, int i, const double *x, double to[3]) {
  double a = 0.0, b = 0.0, c = 0.0;
  for (int k = matrix->first[i]; k < matrix->first[i + 1]; ++k) {
    const double *e = matrix->entries + 9 * (size_t)k, *y = x + 3 * (size_t)matrix->column[k];
    a += e[0] * y[0] + e[1] * y[1] + e[2] * y[2];
    b += e[3] * y[0] + e[4] * y[1] + e[5] * y[2];
    c += e[6] * y[0] + e[7] * y[1] + e[8] * y[2];
  }
  to[0] += a;
  to[1] += b;
  to[2] += c;
}
