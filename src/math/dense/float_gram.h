/* Sums of products of single-precision columns, S += A^T A, in ticks: no allocation, bounded time.
 *
 * A has `depth` rows and is kept in panels of TAC_GRAM_WIDTH columns, [panel][row][column]; what is beyond its last column is zero.
 * Products of one call are summed in floats, in the order of rows, and their sum is added to S in doubles: with |a_i|^2 = sum a_ki^2 the
 * error of an entry is at most depth x 2^-24 |a_i| |a_j|, however many calls follow. */
#pragma once

#include <stddef.h>

enum { TAC_GRAM_WIDTH = 8 };

/* Panels of n columns. */
static inline int tac_float_gram_panels(int n) {
  return (n + TAC_GRAM_WIDTH - 1) / TAC_GRAM_WIDTH;
}

/* `to` [panels x width][panels x width]: entries in and above the blocks on the diagonal. */
void tac_float_gram_add(int panels, int depth, const float *columns, double *to);
/* S to `full` [n][n], both triangles, symmetric to the bit. */
void tac_float_gram_copy(int n, const double *sum, double *full);
