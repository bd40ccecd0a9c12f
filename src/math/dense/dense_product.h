/* Products of dense matrices by kernels of our own, for any number of threads at once. Offline.
 *
 * BLAS is not called from several threads: what Debian's alternatives choose may share its work buffers between them (serial
 * OpenBLAS does, and returns wrong numbers at random), or differ in bits from one machine to the next. Here the sum of
 * each entry runs over its depth in one fixed order, in blocks of TAC_PRODUCT_DEPTH: results do not depend on how a product
 * is cut into tiles or threads, nor on the width of a processor's vectors. Processors with fused multiply-adds (every
 * arm64, x86-64 since 2013) give the same bits as each other; x86-64 without them rounds once more a term. */
#pragma once

#include <stddef.h>

enum { TAC_PRODUCT_DEPTH = 128 };

/* Entry (i, j) is a[i * down + j * right]: a transposed matrix has the steps exchanged. */
typedef struct tacDenseView {
  const double *a;
  size_t down, right;
} tacDenseView;

/* C += alpha A B, where C is column-major (columns `stride` apart), A rows x depth, B depth x cols. C overlaps neither A nor B.
 * Takes 200 KiB of stack. */
void tac_dense_product(int rows, int cols, int depth, double alpha, tacDenseView a, tacDenseView b, double *c,
                       size_t stride);
/* The same for square C (`size` rows and columns) where only the lower triangle is wanted; some of what is above it changes
 * too. */
void tac_dense_product_lower(int size, int depth, double alpha, tacDenseView a, tacDenseView b, double *c,
                             size_t stride);
