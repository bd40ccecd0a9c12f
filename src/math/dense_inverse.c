#include "math/dense_inverse.h"

#include <math.h>
#include <string.h>

/* Eliminating the columns k..k+b in place leaves there the matrix M that the same row operations do to every other column:
 *   A_other := A_other with rows k..k+b zeroed  +  M (rows k..k+b of A_other).
 * So almost all work is a product of depth b. It is done by tiles of ROWS x COLUMNS that stay in registers: 16 of NEON's 32
 * registers, 8 of AVX's 16. Blocks are two deep: NARROW columns are eliminated one by one, then applied to the WIDE ones
 * around them, and those to the whole matrix. */
enum { ROWS = 8, COLUMNS = 4, NARROW = 8, WIDE = 60 };

#if defined(__x86_64__)
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif
typedef double Lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef Lanes LanesAnywhere __attribute__((aligned(sizeof(double)), may_alias));
enum { VECTORS = ROWS / LANES };

static int round_up(int n, int multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

size_t tac_dense_inverse_work(int n) {
  return (size_t)WIDE * (size_t)(round_up(n, ROWS) + COLUMNS);
}

/* c[COLUMNS][ROWS] (columns `stride` apart) += m r, with m packed ROWS and r packed COLUMNS at a time. */
static inline __attribute__((always_inline)) void add_tile(int depth, const double *restrict m,
                                                           const double *restrict r, double *restrict c,
                                                           size_t stride) {
  Lanes sum[COLUMNS][VECTORS] = {{{0.0}}};
  for (int k = 0; k < depth; ++k, m += ROWS, r += COLUMNS) {
    Lanes factor[VECTORS], number[COLUMNS / LANES]; /* NEON multiplies by a lane, AVX by a number from memory */
    for (int i = 0; i < VECTORS; ++i) factor[i] = *(const LanesAnywhere *)(m + i * LANES);
    for (int j = 0; j < COLUMNS / LANES; ++j) number[j] = *(const LanesAnywhere *)(r + j * LANES);
    for (int j = 0; j < COLUMNS; ++j)
      for (int i = 0; i < VECTORS; ++i) sum[j][i] += factor[i] * (LANES == 2 ? number[j / LANES][j % LANES] : r[j]);
  }
  for (int j = 0; j < COLUMNS; ++j, c += stride)
    for (int i = 0; i < VECTORS; ++i) *(LanesAnywhere *)(c + i * LANES) += sum[j][i];
}

/* One tile's width of columns, all rows. */
static inline __attribute__((always_inline)) void add_strip(int rows, int columns, int depth, const double *m,
                                                            const double *r, double *c, size_t stride) {
  for (int i = 0; i < rows; i += ROWS) {
    const double *factors = m + (size_t)i * (size_t)depth;
    if (i + ROWS <= rows && columns == COLUMNS) {
      add_tile(depth, factors, r, c + i, stride);
      continue;
    }
    double edge[COLUMNS][ROWS] = {{0.0}};
    size_t bytes = (size_t)(rows - i < ROWS ? rows - i : ROWS) * sizeof(double);
    for (int j = 0; j < columns; ++j) memcpy(edge[j], c + i + (size_t)j * stride, bytes);
    add_tile(depth, factors, r, edge[0], ROWS);
    for (int j = 0; j < columns; ++j) memcpy(c + i + (size_t)j * stride, edge[j], bytes);
  }
}

typedef void AddStrip(int rows, int columns, int depth, const double *m, const double *r, double *c, size_t stride);

static void add_strip_plain(int rows, int columns, int depth, const double *m, const double *r, double *c,
                            size_t stride) {
  add_strip(rows, columns, depth, m, r, c, stride);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void add_strip_avx2(int rows, int columns, int depth, const double *m,
                                                               const double *r, double *c, size_t stride) {
  add_strip(rows, columns, depth, m, r, c, stride);
}
static AddStrip *choose_add_strip(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? add_strip_avx2 : add_strip_plain;
}
#else
static AddStrip *choose_add_strip(void) {
  return add_strip_plain;
}
#endif

/* Rows k and pivot[k] of one column, for k from begin to end. */
static void swap_rows(double *column, int begin, int end, const int *pivot) {
  for (int k = begin; k < end; ++k) {
    if (pivot[k] == k) continue;
    double swapped = column[k];
    column[k] = column[pivot[k]];
    column[pivot[k]] = swapped;
  }
}

/* Columns begin..end one by one; row operations reach these columns only. */
static bool eliminate_columns(const tacDense *a, int begin, int end, int *pivot) {
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
static void apply(const tacDense *a, int begin, int end, int low, int high, const int *pivot, double *work,
                  AddStrip *add) {
  int n = a->rows, depth = end - begin;
  double *packed = work + (size_t)COLUMNS * WIDE; /* the columns begin..end, ROWS rows at a time */
  for (int i = 0; i < n; i += ROWS) {
    int rows = n - i < ROWS ? n - i : ROWS;
    for (int k = 0; k < depth; ++k, packed += ROWS) {
      const double *column = tac_dense_column(a, begin + k) + i;
      if (rows == ROWS)
        memcpy(packed, column, ROWS * sizeof *packed);
      else
        for (int r = 0; r < ROWS; ++r) packed[r] = r < rows ? column[r] : 0.0;
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
      add(n, columns, depth, packed, work, tac_dense_column(a, j), (size_t)a->stride);
    }
  }
}

bool tac_dense_inverse(tacDense *a, int *pivot, double *work) {
  int n = a->rows;
  AddStrip *add = choose_add_strip();
  for (int low = 0; low < n; low += WIDE) {
    int high = low + WIDE < n ? low + WIDE : n;
    for (int begin = low; begin < high; begin += NARROW) {
      int end = begin + NARROW < high ? begin + NARROW : high;
      if (!eliminate_columns(a, begin, end, pivot)) return false;
      apply(a, begin, end, low, high, pivot, work, add);
    }
    apply(a, low, high, 0, n, pivot, work, add);
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
  return tac_dense_finite(a);
}
