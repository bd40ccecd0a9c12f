/* Sparse matrices by compressed columns: column j has the entries [column_start[j], column_start[j + 1]), rows ascending
 * and without duplicates. A symmetric matrix holds both triangles unless a function says otherwise.
 * Indices are 32-bit: at most 2^31 - 1 entries; more is TAC_ERR_UNSUPPORTED. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef struct tacSparse {
  int rows, cols;
  int *column_start; /* cols + 1 */
  int *row;          /* column_start[cols] */
  double *value;     /* column_start[cols] */
} tacSparse;

/* Room for `count` entries; column starts are zero. Empty on failure. */
tacStatus tac_sparse_create(int rows, int cols, size_t count, tacSparse *matrix, tacError *error);
/* Frees and makes empty; may be called on {0}. */
void tac_sparse_destroy(tacSparse *matrix);

static inline int tac_sparse_count(const tacSparse *matrix) {
  return matrix->column_start != NULL ? matrix->column_start[matrix->cols] : 0;
}

/* Checks starts, order and range of the indices, and that values are finite; `value` may be NULL, a mere pattern. */
tacStatus tac_sparse_check(const tacSparse *matrix, tacError *error);

/* Entries in any order; those of one place add up, in the order in which they were added. */
typedef struct tacTriplet {
  int row, col;
  double value;
} tacTriplet;

typedef struct tacTriplets {
  int rows, cols;
  size_t count, capacity;
  tacTriplet *item;
} tacTriplets;

/* Start with (tacTriplets){.rows = ..., .cols = ...}. */
tacStatus tac_triplets_add(tacTriplets *triplets, int row, int col, double value, tacError *error);
tacStatus tac_triplets_compress(const tacTriplets *triplets, tacSparse *matrix, tacError *error);
void tac_triplets_destroy(tacTriplets *triplets);

/* New matrices. */
tacStatus tac_sparse_identity(int size, tacSparse *identity, tacError *error);
tacStatus tac_sparse_transpose(const tacSparse *matrix, tacSparse *transposed, tacError *error);
/* alpha A + beta B, with every place that either has. */
tacStatus tac_sparse_add(double alpha, const tacSparse *a, double beta, const tacSparse *b, tacSparse *sum,
                         tacError *error);
/* Entries on and below the diagonal. */
tacStatus tac_sparse_lower(const tacSparse *matrix, tacSparse *lower, tacError *error);

/* The entry's index into `row` and `value`, or -1. */
int tac_sparse_find(const tacSparse *matrix, int row, int col);
void tac_sparse_diagonal(const tacSparse *matrix, double *diagonal);

/* Y = A X and Y = A^T X for `count` vectors, one after the other, without gaps. X and Y do not overlap. For a symmetric
 * matrix the second is faster. */
void tac_sparse_multiply(const tacSparse *matrix, const double *x, int count, double *y);
void tac_sparse_multiply_transposed(const tacSparse *matrix, const double *x, int count, double *y);
/* Y = A X for a symmetric A of which only the lower triangle is stored. */
void tac_sparse_multiply_lower(const tacSparse *lower, const double *x, int count, double *y);
/* The same for one vector and a matrix of whole blocks of 3 x 3: entries below the one on the diagonal are the same of its three
 * columns, and three rows follow each other. Less than half of the time. */
void tac_sparse_multiply_blocks(const tacSparse *lower, const double *x, double *y);
