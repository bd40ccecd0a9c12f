#include "math/dense/dense_inverse.h"

#include <math.h>
#include <string.h>
#include "base/lanes.h"

/* Eliminating the columns k..k+b in place leaves there the matrix M that the same row operations do to every other column:
 *   A_other := A_other with rows k..k+b zeroed  +  M (rows k..k+b of A_other).
 * So almost all work is a product of depth b. It is done by tiles of ROWS x COLUMNS that stay in registers: 16 of NEON's 32
 * registers, 8 of the others'. Blocks are two deep: NARROW columns are eliminated one by one, then applied to the WIDE ones
 * around them, and those to the whole matrix. */
enum { COLUMNS = 4, NARROW = 8, WIDE = 60 };

/* c[COLUMNS][ROWS] (columns `stride` apart) += m r, with m packed ROWS and r packed COLUMNS at a time. NEON multiplies by a lane,
 * x86-64 by a number from memory. */
/* clang-format off */
#define DEFINE_TILE(DOUBLES, VECTORS)                                                                                  \
  enum { ROWS_ON_##DOUBLES = (DOUBLES) * (VECTORS) };                                                                  \
  TAC_LANES_BODY void add_tile_on_##DOUBLES(int depth, const double *restrict m, const double *restrict r,             \
                                            double *restrict c, size_t stride) {                                       \
    typedef double Lanes __attribute__((vector_size((DOUBLES) * sizeof(double)), aligned(sizeof(double)), may_alias)); \
    Lanes sum[COLUMNS][VECTORS] = {{{0.0}}};                                                                           \
    for (int k = 0; k < depth; ++k, m += ROWS_ON_##DOUBLES, r += COLUMNS) {                                            \
      Lanes factor[VECTORS];                                                                                           \
      typedef double Two __attribute__((vector_size(16), aligned(sizeof(double)), may_alias));                         \
      const Two number[2] = {((const Two *)r)[0], ((const Two *)r)[1]};                                                \
      for (int i = 0; i < (VECTORS); ++i) factor[i] = ((const Lanes *)m)[i];                                           \
      for (int j = 0; j < COLUMNS; ++j)                                                                                \
        for (int i = 0; i < (VECTORS); ++i) sum[j][i] += factor[i] * ((DOUBLES) == 2 ? number[j / 2][j % 2] : r[j]);   \
    }                                                                                                                  \
    for (int j = 0; j < COLUMNS; ++j, c += stride)                                                                     \
      for (int i = 0; i < (VECTORS); ++i) ((Lanes *)c)[i] += sum[j][i];                                                \
  }
/* clang-format on */
#if defined(__x86_64__)
DEFINE_TILE(2, 2)
#else
DEFINE_TILE(2, 4)
#endif
DEFINE_TILE(4, 2)
DEFINE_TILE(8, 2)

TAC_LANES_BODY int tile_rows(const int doubles) {
  return doubles == 8 ? ROWS_ON_8 : doubles == 4 ? ROWS_ON_4 : ROWS_ON_2;
}

TAC_LANES_BODY void add_tile(const int doubles, int depth, const double *m, const double *r, double *c, size_t stride) {
  if (doubles == 8)
    add_tile_on_8(depth, m, r, c, stride);
  else if (doubles == 4)
    add_tile_on_4(depth, m, r, c, stride);
  else
    add_tile_on_2(depth, m, r, c, stride);
}

size_t tac_dense_inverse_work(int n) {
  return (size_t)WIDE * (size_t)((n + ROWS_ON_8 - 1) / ROWS_ON_8 * ROWS_ON_8 + COLUMNS);
}

/* One tile's width of columns, all rows. */
TAC_LANES_BODY void add_strip(const int doubles, int rows, int columns, int depth, const double *m, const double *r,
                              double *c, size_t stride) {
  const int high = tile_rows(doubles);
  for (int i = 0; i < rows; i += high) {
    const double *factors = m + (size_t)i * (size_t)depth;
    if (i + high <= rows && columns == COLUMNS) {
      add_tile(doubles, depth, factors, r, c + i, stride);
      continue;
    }
    double edge[COLUMNS * ROWS_ON_8] = {0.0};
    size_t bytes = (size_t)(rows - i < high ? rows - i : high) * sizeof *edge;
    for (int j = 0; j < columns; ++j) memcpy(edge + j * high, c + i + (size_t)j * stride, bytes);
    add_tile(doubles, depth, factors, r, edge, (size_t)high);
    for (int j = 0; j < columns; ++j) memcpy(c + i + (size_t)j * stride, edge + j * high, bytes);
  }
}

/* Rows k and pivot[k] of one column, for k from begin to end. */
TAC_LANES_BODY void swap_rows(double *column, int begin, int end, const int *pivot) {
  for (int k = begin; k < end; ++k) {
    if (pivot[k] == k) continue;
    double swapped = column[k];
    column[k] = column[pivot[k]];
    column[pivot[k]] = swapped;
  }
}

/* Columns begin..end one by one; row operations reach these columns only. */
TAC_LANES_BODY bool eliminate_columns(const tacDense *a, int begin, int end, int *pivot) {
  int n = a->rows;
  for (int j = begin; j < end; ++j) {
    double *restrict column = tac_dense_column(a, j);
    int best = j;
    for (int i = j + 1; i < n; ++i)
      if (fabs(column[i]) > fabs(column[best])) best = i;
    pivot[j] = best;
    if (!(fabs(column[best]) > 0.0) || !isfinite(column[best])) return false;
    for (int k = begin; k < end; ++k) swap_rows(tac_dense_column(a, k), j, j + 1, pivot);
    double inverse = 1.0 / column[j];
    column[j] = 0.0;
    for (int k = begin; k < end; ++k) {
      if (k == j) continue;
      double *restrict other = tac_dense_column(a, k);
      double factor = other[j] * inverse;
      for (int i = 0; i < n; ++i) other[i] -= factor * column[i];
      other[j] = factor;
    }
    for (int i = 0; i < n; ++i) column[i] *= -inverse;
    column[j] = inverse;
  }
  return true;
}

/* Applies what was done to columns begin..end to the other columns of low..high. */
TAC_LANES_BODY void apply(const int doubles, const tacDense *a, int begin, int end, int low, int high, const int *pivot,
                          double *work) {
  const int n = a->rows, depth = end - begin, step = tile_rows(doubles);
  double *packed = work + (size_t)COLUMNS * WIDE; /* the columns begin..end, `step` rows at a time */
  for (int i = 0; i < n; i += step) {
    int rows = n - i < step ? n - i : step;
    for (int k = 0; k < depth; ++k, packed += step) {
      const double *column = tac_dense_column(a, begin + k) + i;
      if (rows == step)
        memcpy(packed, column, (size_t)step * sizeof *packed);
      else
        for (int r = 0; r < step; ++r) packed[r] = r < rows ? column[r] : 0.0;
    }
  }
  packed = work + (size_t)COLUMNS * WIDE;
  for (int side = 0; side < 2; ++side) {
    int first = side == 0 ? low : end, last = side == 0 ? begin : high;
    for (int j = first; j < last; j += COLUMNS) {
      int columns = last - j < COLUMNS ? last - j : COLUMNS;
      if (columns < COLUMNS) memset(work, 0, (size_t)COLUMNS * WIDE * sizeof *work);
      for (int c = 0; c < columns; ++c) {
        double *column = tac_dense_column(a, j + c);
        swap_rows(column, begin, end, pivot);
        for (int k = 0; k < depth; ++k) {
          work[k * COLUMNS + c] = column[begin + k];
          column[begin + k] = 0.0;
        }
      }
      add_strip(doubles, n, columns, depth, packed, work, tac_dense_column(a, j), (size_t)a->stride);
    }
  }
}

TAC_LANES_BODY void invert_lanes(const int doubles, tacDense *a, int *pivot, double *work, bool *done) {
  int n = a->rows;
  *done = false;
  for (int low = 0; low < n; low += WIDE) {
    int high = low + WIDE < n ? low + WIDE : n;
    for (int begin = low; begin < high; begin += NARROW) {
      int end = begin + NARROW < high ? begin + NARROW : high;
      if (!eliminate_columns(a, begin, end, pivot)) return;
      apply(doubles, a, begin, end, low, high, pivot, work);
    }
    apply(doubles, a, low, high, 0, n, pivot, work);
  }
  for (int j = n - 1; j >= 0; --j) { /* (P A)^-1 P */
    if (pivot[j] == j) continue;
    double *x = tac_dense_column(a, j), *y = tac_dense_column(a, pivot[j]);
    for (int i = 0; i < n; ++i) {
      double swapped = x[i];
      x[i] = y[i];
      y[i] = swapped;
    }
  }
  *done = true;
}
TAC_LANES_KERNEL(static, invert, (tacDense * a, int *pivot, double *work, bool *done), a, pivot, work, done)

bool tac_dense_inverse(tacDense *a, int *pivot, double *work) {
  bool done;
  invert(a, pivot, work, &done);
  return done && tac_dense_finite(a);
}
