#include "math/dense/dense_product.h"

#include <string.h>
#include "base/lanes.h"

/* Blocks of A and B are packed, and tiles of C stay in registers while a block's depth runs (Goto and van de Geijn 2008). A
 * tile is VECTORS x DOUBLES rows by COLUMNS columns: 24 of the 32 registers of AVX-512, 16 of those of NEON, 12 of the 16 of
 * AVX2, 8 of those of SSE2. Rows and columns divide the blocks. */
enum { BLOCK_ROWS = 96, BLOCK_COLUMNS = 96 };

/* Each sum is a variable with a name: gcc keeps arrays of this size in memory. */
#define VECTORS_2(M, J) M(J, 0) M(J, 1)
#define VECTORS_3(M, J) VECTORS_2(M, J) M(J, 2)
#define VECTORS_4(M, J) VECTORS_3(M, J) M(J, 3)
#define COLUMNS_4(VECTORS, M) VECTORS(M, 0) VECTORS(M, 1) VECTORS(M, 2) VECTORS(M, 3)
#define COLUMNS_6(VECTORS, M) COLUMNS_4(VECTORS, M) VECTORS(M, 4) VECTORS(M, 5)
#define COLUMNS_8(VECTORS, M) COLUMNS_6(VECTORS, M) VECTORS(M, 6) VECTORS(M, 7)
#define START(J, I) Lanes sum_##J##_##I = {0.0};
#define LOAD(J, I) const Lanes factor_##I = ((const Lanes *)a)[I];
#define ADD(J, I) sum_##J##_##I += factor_##I * FACTOR(J);
#define FINISH(J, I) ((Lanes *)(c + (J)*stride))[I] += alpha * sum_##J##_##I;

/* FACTOR(J) is b[J]. NEON multiplies by one number of a vector that two columns share: a fifth faster than a load for each. */
#if defined(__aarch64__)
typedef double Pair __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
#define PAIRS(M, J) const Pair pair_##J = ((const Pair *)b)[(J) / 2];
#define FACTOR(J) pair_##J[(J) % 2]
#else
#define PAIRS(M, J)
#define FACTOR(J) b[J]
#endif

/* C += alpha a b of one tile, a and b packed. */
/* clang-format off */
#define DEFINE_TILE(DOUBLES, VECTORS, COLUMNS)                                                                         \
  enum { ROWS_ON_##DOUBLES = (DOUBLES) * (VECTORS), COLUMNS_ON_##DOUBLES = (COLUMNS) };                                \
  TAC_LANES_BODY void add_tile_on_##DOUBLES(int depth, const double *restrict a, const double *restrict b,             \
                                            double alpha, double *restrict c, size_t stride) {                         \
    typedef double Lanes __attribute__((vector_size((DOUBLES) * sizeof(double)), aligned(sizeof(double)), may_alias)); \
    COLUMNS_##COLUMNS(VECTORS_##VECTORS, START)                                                                        \
    for (int k = 0; k < depth; ++k, a += ROWS_ON_##DOUBLES, b += (COLUMNS)) {                                          \
      VECTORS_##VECTORS(LOAD, 0)                                                                                       \
      COLUMNS_##COLUMNS(PAIRS, 0)                                                                                      \
      COLUMNS_##COLUMNS(VECTORS_##VECTORS, ADD)                                                                        \
    }                                                                                                                  \
    COLUMNS_##COLUMNS(VECTORS_##VECTORS, FINISH)                                                                       \
  }
/* clang-format on */

#if defined(__x86_64__)
DEFINE_TILE(2, 2, 4)
#else
DEFINE_TILE(2, 4, 4)
#endif
DEFINE_TILE(4, 2, 6)
DEFINE_TILE(8, 3, 8)

TAC_LANES_BODY int tile_rows(const int doubles) {
  return doubles == 8 ? ROWS_ON_8 : doubles == 4 ? ROWS_ON_4 : ROWS_ON_2;
}

TAC_LANES_BODY int tile_columns(const int doubles) {
  return doubles == 8 ? COLUMNS_ON_8 : doubles == 4 ? COLUMNS_ON_4 : COLUMNS_ON_2;
}

TAC_LANES_BODY void add_tile(const int doubles, int depth, const double *a, const double *b, double alpha, double *c,
                             size_t stride) {
  if (doubles == 8)
    add_tile_on_8(depth, a, b, alpha, c, stride);
  else if (doubles == 4)
    add_tile_on_4(depth, a, b, alpha, c, stride);
  else
    add_tile_on_2(depth, a, b, alpha, c, stride);
}

static int least(int a, int b) {
  return a < b ? a : b;
}

/* [slice of `width` rows][depth][row], zeros beyond the end. */
TAC_LANES_BODY void pack(const int width, int rows, int depth, const double *a, size_t down, size_t right,
                         double *restrict to) {
  for (int first = 0; first < rows; first += width, a += (size_t)width * down) {
    int count = least(width, rows - first);
    for (int k = 0; k < depth; ++k, to += width) {
      const double *from = a + (size_t)k * right;
      if (count < width)
        for (int i = 0; i < width; ++i) to[i] = i < count ? from[(size_t)i * down] : 0.0;
      else if (down == 1)
        memcpy(to, from, (size_t)width * sizeof *to);
      else
        for (int i = 0; i < width; ++i) to[i] = from[(size_t)i * down];
    }
  }
}

/* C += alpha (packed A)(packed B). A tile that reaches beyond C is added to a copy of what is there: the same operations. */
TAC_LANES_BODY void multiply_block(const int doubles, int rows, int columns, int depth, double alpha, const double *a,
                                   const double *b, double *c, size_t stride) {
  const int high = tile_rows(doubles), wide = tile_columns(doubles);
  double edge[ROWS_ON_8 * COLUMNS_ON_8] = {0.0};
  for (int j = 0; j < columns; j += wide)
    for (int i = 0; i < rows; i += high) {
      const double *left = a + (size_t)i * (size_t)depth, *right = b + (size_t)j * (size_t)depth;
      double *to = c + i + (size_t)j * stride;
      if (i + high <= rows && j + wide <= columns) {
        add_tile(doubles, depth, left, right, alpha, to, stride);
        continue;
      }
      const size_t bytes = (size_t)least(high, rows - i) * sizeof *to;
      const int count = least(wide, columns - j);
      for (int q = 0; q < count; ++q) memcpy(edge + q * high, to + (size_t)q * stride, bytes);
      add_tile(doubles, depth, left, right, alpha, edge, (size_t)high);
      for (int q = 0; q < count; ++q) memcpy(to + (size_t)q * stride, edge + q * high, bytes);
    }
}

TAC_LANES_BODY void tac_dense_product_lanes(const int doubles, int rows, int cols, int depth, double alpha,
                                            tacDenseView a, tacDenseView b, double *c, size_t stride) {
  double packed_a[BLOCK_ROWS * TAC_PRODUCT_DEPTH] __attribute__((aligned(64)));
  double packed_b[BLOCK_COLUMNS * TAC_PRODUCT_DEPTH] __attribute__((aligned(64)));
  for (int k = 0; k < depth; k += TAC_PRODUCT_DEPTH) {
    int deep = least(TAC_PRODUCT_DEPTH, depth - k);
    for (int j = 0; j < cols; j += BLOCK_COLUMNS) {
      int wide = least(BLOCK_COLUMNS, cols - j);
      pack(tile_columns(doubles), wide, deep, b.a + (size_t)k * b.down + (size_t)j * b.right, b.right, b.down,
           packed_b);
      for (int i = 0; i < rows; i += BLOCK_ROWS) {
        int high = least(BLOCK_ROWS, rows - i);
        pack(tile_rows(doubles), high, deep, a.a + (size_t)i * a.down + (size_t)k * a.right, a.down, a.right, packed_a);
        multiply_block(doubles, high, wide, deep, alpha, packed_a, packed_b, c + i + (size_t)j * stride, stride);
      }
    }
  }
}
TAC_LANES_KERNEL(, tac_dense_product,
                 (int rows, int cols, int depth, double alpha, tacDenseView a, tacDenseView b, double *c,
                  size_t stride),
                 rows, cols, depth, alpha, a, b, c, stride)

void tac_dense_product_lower(int size, int depth, double alpha, tacDenseView a, tacDenseView b, double *c,
                             size_t stride) {
  enum { STRIP = 48 };
  for (int j = 0; j < size; j += STRIP) {
    tacDenseView rows = {a.a + (size_t)j * a.down, a.down, a.right};
    tacDenseView columns = {b.a + (size_t)j * b.right, b.down, b.right};
    tac_dense_product(size - j, least(STRIP, size - j), depth, alpha, rows, columns, c + (size_t)j * stride + j,
                      stride);
  }
}
