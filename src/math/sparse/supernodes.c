#include "math/sparse/supernodes.h"

#include <string.h>
#include "base/lanes.h"

void tac_supernodes_tree(const tacSupernodes *l, int *parent, int *home) {
  for (int s = 0; s < l->count; ++s)
    for (int k = l->first[s]; k < l->first[s + 1]; ++k) home[k] = s;
  for (int s = 0; s < l->count; ++s) {
    int below = l->row_start[s] + l->first[s + 1] - l->first[s];
    parent[s] = below < l->row_start[s + 1] ? home[l->row[below]] : -1;
  }
}

int tac_supernodes_tallest(const tacSupernodes *l) {
  int tallest = 0;
  for (int s = 0; s < l->count; ++s) {
    int high = tac_supernodes_high(l, s);
    if (high > tallest) tallest = high;
  }
  return tallest;
}

/* ---- one vector ---- */

/* One supernode as a dense matrix, and its rows of x beside each other. */
typedef struct Block {
  int high, width;
  size_t stride; /* from one column to the next */
  const double *value;
  const int *row;
} Block;

TAC_LANES_BODY Block block_of(const tacSupernodes *l, int s) {
  return (Block){.high = tac_supernodes_high(l, s),
                 .width = tac_supernodes_width(l, s),
                 .stride = (size_t)tac_supernodes_high(l, s),
                 .value = l->value + l->value_start[s],
                 .row = l->row + l->row_start[s]};
}

enum { COLUMNS = 4 }; /* at a time: x is loaded once for all of them */

/* y -= sum of four columns, `down` apart, times p. Later columns begin four rows below: vectors of eight would read what two of the
 * stores before them wrote, and wait for both. */
/* clang-format off */
#define DEFINE_SUBTRACT(PARTS)                                                                                         \
  TAC_LANES_BODY void subtract_of_##PARTS(int begin, int end, const double *restrict c, int down,                      \
                                          const double p[COLUMNS], double *restrict y) {                               \
    typedef double Part __attribute__((vector_size((PARTS) * sizeof(double)), aligned(sizeof(double)), may_alias));    \
    const double *d = c + down, *e = d + down, *f = e + down;                                                          \
    int i = begin;                                                                                                     \
    for (; i + (PARTS) <= end; i += (PARTS))                                                                           \
      *(Part *)(y + i) -= *(const Part *)(c + i) * p[0] + *(const Part *)(d + i) * p[1] +                              \
                          *(const Part *)(e + i) * p[2] + *(const Part *)(f + i) * p[3];                               \
    for (; i < end; ++i) y[i] -= c[i] * p[0] + d[i] * p[1] + e[i] * p[2] + f[i] * p[3];                                \
  }
/* clang-format on */
DEFINE_SUBTRACT(2)
DEFINE_SUBTRACT(4)

TAC_LANES_BODY void tac_supernodes_forward_some_lanes(const int doubles, const tacSupernodes *l, int begin, int end,
                                                      const int *to, double *x, double *work) {
  for (int s = begin; s < end; ++s) {
    Block b = block_of(l, s);
    const int *place = to + l->row_start[s];
    double *restrict y = work;
    memcpy(y, x + l->first[s], (size_t)b.width * sizeof *y);
    memset(y + b.width, 0, (size_t)(b.high - b.width) * sizeof *y);
    int k = 0;
    for (; k + COLUMNS <= b.width; k += COLUMNS) {
      const double *restrict c = b.value + (size_t)k * (size_t)b.high;
      const double *restrict d = c + b.high, *restrict e = d + b.high, *restrict f = e + b.high;
      double p = y[k] / c[k];
      double q = (y[k + 1] - c[k + 1] * p) / d[k + 1];
      double r = (y[k + 2] - c[k + 2] * p - d[k + 2] * q) / e[k + 2];
      double t = (y[k + 3] - c[k + 3] * p - d[k + 3] * q - e[k + 3] * r) / f[k + 3];
      const double solved[COLUMNS] = {p, q, r, t};
      memcpy(y + k, solved, sizeof solved);
      if (doubles >= 4)
        subtract_of_4(k + COLUMNS, b.high, c, b.high, solved, y);
      else
        subtract_of_2(k + COLUMNS, b.high, c, b.high, solved, y);
    }
    for (; k < b.width; ++k) {
      const double *restrict c = b.value + (size_t)k * (size_t)b.high;
      double p = y[k] /= c[k];
      for (int i = k + 1; i < b.high; ++i) y[i] -= c[i] * p;
    }
    memcpy(x + l->first[s], y, (size_t)b.width * sizeof *y);
    for (int i = b.width; i < b.high; ++i) x[place[i]] += y[i];
  }
}

TAC_LANES_KERNEL(, tac_supernodes_forward_some,
                 (const tacSupernodes *l, int begin, int end, const int *to, double *x, double *work), l, begin, end,
                 to, x, work)

void tac_supernodes_forward(const tacSupernodes *l, double *x, double *work) {
  tac_supernodes_forward_some(l, 0, l->count, l->row, x, work);
}

/* sum_k of COLUMNS columns, `down` apart, times y: PARTS partial sums each. */
#define EACH(M) M(0) M(1) M(2) M(3)
#define BEGIN(K) Part part_##K = {0.0};
#define TIMES(K) part_##K += *(const Part *)(c + (K)*down + i) * factor;
#define TOTAL(K) sum[K] = 0.0;
#define PART_OF(K) sum[K] += part_##K[i];
#define REST_OF(K) sum[K] += c[(K)*down + i] * y[i];

/* clang-format off */
#define DEFINE_DOTS(PARTS)                                                                                             \
  TAC_LANES_BODY void dots_of_##PARTS(int begin, int end, const double *restrict c, int down, const double *restrict y, \
                                      double sum[COLUMNS]) {                                                           \
    typedef double Part __attribute__((vector_size((PARTS) * sizeof(double)), aligned(sizeof(double)), may_alias));    \
    EACH(BEGIN)                                                                                                        \
    int i = begin;                                                                                                     \
    for (; i + (PARTS) <= end; i += (PARTS)) {                                                                         \
      const Part factor = *(const Part *)(y + i);                                                                      \
      EACH(TIMES)                                                                                                      \
    }                                                                                                                  \
    const int rest = i;                                                                                                \
    EACH(TOTAL)                                                                                                        \
    for (i = 0; i < (PARTS); ++i) { EACH(PART_OF) }                                                                    \
    for (i = rest; i < end; ++i) { EACH(REST_OF) }                                                                     \
  }
/* clang-format on */
DEFINE_DOTS(2)
DEFINE_DOTS(4)

TAC_LANES_BODY void tac_supernodes_backward_some_lanes(const int doubles, const tacSupernodes *l, int begin, int end,
                                                       double *x, double *work) {
  for (int s = end - 1; s >= begin; --s) {
    Block b = block_of(l, s);
    double *restrict y = work;
    for (int i = 0; i < b.high; ++i) y[i] = x[b.row[i]];
    int k = b.width;
    for (; k % COLUMNS != 0; --k) {
      const double *restrict c = b.value + (size_t)(k - 1) * (size_t)b.high;
      double sum = y[k - 1];
      for (int i = k; i < b.high; ++i) sum -= c[i] * y[i];
      y[k - 1] = sum / c[k - 1];
    }
    for (; k > 0; k -= COLUMNS) {
      const double *restrict c = b.value + (size_t)(k - COLUMNS) * (size_t)b.high;
      const double *restrict d = c + b.high, *restrict e = d + b.high, *restrict f = e + b.high;
      double sum[COLUMNS];
      if (doubles >= 4)
        dots_of_4(k, b.high, c, b.high, y, sum);
      else
        dots_of_2(k, b.high, c, b.high, y, sum);
      double t = y[k - 1] = (y[k - 1] - sum[3]) / f[k - 1];
      double r = y[k - 2] = (y[k - 2] - sum[2] - e[k - 1] * t) / e[k - 2];
      double q = y[k - 3] = (y[k - 3] - sum[1] - d[k - 1] * t - d[k - 2] * r) / d[k - 3];
      y[k - 4] = (y[k - 4] - sum[0] - c[k - 1] * t - c[k - 2] * r - c[k - 3] * q) / c[k - 4];
    }
    memcpy(x + l->first[s], y, (size_t)b.width * sizeof *y);
  }
}
TAC_LANES_KERNEL(, tac_supernodes_backward_some, (const tacSupernodes *l, int begin, int end, double *x, double *work),
                 l, begin, end, x, work)

void tac_supernodes_backward(const tacSupernodes *l, double *x, double *work) {
  tac_supernodes_backward_some(l, 0, l->count, x, work);
}

/* ---- panels ---- */

/* sum[row][vector] of HIGH rows, or one, = sum over k of a[k * down + row * right] x[k][vector], in registers while k runs: 16 of
 * NEON and SSE2, 8 of the others. Each sum is a variable with a name: gcc keeps arrays of this size in memory. */
#define VECTORS_1(M, I) M(I, 0)
#define VECTORS_2(M, I) VECTORS_1(M, I) M(I, 1)
#define VECTORS_4(M, I) VECTORS_2(M, I) M(I, 2) M(I, 3)
#define ROWS_1(VECTORS, M) VECTORS(M, 0)
#define ROWS_4(VECTORS, M) ROWS_1(VECTORS, M) VECTORS(M, 1) VECTORS(M, 2) VECTORS(M, 3)
#define ROWS_8(VECTORS, M) ROWS_4(VECTORS, M) VECTORS(M, 4) VECTORS(M, 5) VECTORS(M, 6) VECTORS(M, 7)
#define START(I, J) Lanes sum_##I##_##J = {0.0};
#define LOAD(I, J) const Lanes x_##J = ((const Lanes *)x)[J];
#define ADD(I, J) sum_##I##_##J += a[(I)*right] * x_##J;
#define STORE(I, J) *(Lanes *)to = sum_##I##_##J, to += sizeof(Lanes) / sizeof(double);

/* clang-format off */
#define DEFINE_TILE(NAME, DOUBLES, VECTORS, ROWS)                                                                      \
  TAC_LANES_BODY void NAME(int depth, const double *restrict a, size_t down, size_t right, const double *restrict x,   \
                           double *restrict to) {                                                                      \
    typedef double Lanes __attribute__((vector_size((DOUBLES) * sizeof(double)), aligned(sizeof(double)), may_alias)); \
    ROWS_##ROWS(VECTORS_##VECTORS, START)                                                                              \
    for (int k = 0; k < depth; ++k, a += down, x += TAC_PANEL) {                                                       \
      VECTORS_##VECTORS(LOAD, 0)                                                                                       \
      ROWS_##ROWS(VECTORS_##VECTORS, ADD)                                                                              \
    }                                                                                                                  \
    ROWS_##ROWS(VECTORS_##VECTORS, STORE)                                                                              \
  }
/* clang-format on */
DEFINE_TILE(tile_on_2, 2, 4, 4)
DEFINE_TILE(row_on_2, 2, 4, 1)
DEFINE_TILE(tile_on_4, 4, 2, 4)
DEFINE_TILE(row_on_4, 4, 2, 1)
DEFINE_TILE(tile_on_8, 8, 1, 8)
DEFINE_TILE(row_on_8, 8, 1, 1)

enum { HIGHEST = 8 };

TAC_LANES_BODY int tile_rows(const int doubles) {
  return doubles == 8 ? 8 : 4;
}

TAC_LANES_BODY void multiply_tile(const int doubles, int depth, const double *a, size_t down, size_t right,
                                  const double *x, double *sum) {
  if (doubles == 8)
    tile_on_8(depth, a, down, right, x, sum);
  else if (doubles == 4)
    tile_on_4(depth, a, down, right, x, sum);
  else
    tile_on_2(depth, a, down, right, x, sum);
}

TAC_LANES_BODY void multiply_row(const int doubles, int depth, const double *a, size_t down, const double *x,
                                 double *sum) {
  if (doubles == 8)
    row_on_8(depth, a, down, 1, x, sum);
  else if (doubles == 4)
    row_on_4(depth, a, down, 1, x, sum);
  else
    row_on_2(depth, a, down, 1, x, sum);
}

/* to -= factor from, to *= factor, of a row: left to it, gcc takes several rows at a time and turns them about. */
/* clang-format off */
#define DEFINE_ROW(DOUBLES)                                                                                            \
  TAC_LANES_BODY void take_out_on_##DOUBLES(double factor, const double *from, double *to) {                           \
    typedef double Lanes __attribute__((vector_size((DOUBLES) * sizeof(double)), aligned(sizeof(double)), may_alias)); \
    for (int j = 0; j < TAC_PANEL; j += (DOUBLES)) *(Lanes *)(to + j) -= factor * *(const Lanes *)(from + j);          \
  }                                                                                                                    \
  TAC_LANES_BODY void scale_on_##DOUBLES(double factor, double *to) {                                                  \
    typedef double Lanes __attribute__((vector_size((DOUBLES) * sizeof(double)), aligned(sizeof(double)), may_alias)); \
    for (int j = 0; j < TAC_PANEL; j += (DOUBLES)) *(Lanes *)(to + j) *= factor;                                       \
  }
/* clang-format on */
DEFINE_ROW(2)
DEFINE_ROW(4)
DEFINE_ROW(8)

TAC_LANES_BODY void take_out(const int doubles, double factor, const double *from, double *to) {
  if (doubles == 8)
    take_out_on_8(factor, from, to);
  else if (doubles == 4)
    take_out_on_4(factor, from, to);
  else
    take_out_on_2(factor, from, to);
}

TAC_LANES_BODY void scale(const int doubles, double factor, double *to) {
  if (doubles == 8)
    scale_on_8(factor, to);
  else if (doubles == 4)
    scale_on_4(factor, to);
  else
    scale_on_2(factor, to);
}

/* Sums of the rows from i on, as many as are returned: a tile, or one where there are fewer. */
TAC_LANES_BODY int multiply(const int doubles, int i, int end, int depth, const Block *b, const double *x,
                            double *sum) {
  if (i + tile_rows(doubles) <= end) {
    multiply_tile(doubles, depth, b->value + i, b->stride, 1, x, sum);
    return tile_rows(doubles);
  }
  multiply_row(doubles, depth, b->value + i, b->stride, x, sum);
  return 1;
}

TAC_LANES_BODY void eliminate_block(const int doubles, const Block *b, double *panel) {
  double *x = panel + (size_t)b->row[0] * TAC_PANEL;
  double sum[HIGHEST * TAC_PANEL];
  int i = 0, step;
  for (; i < b->width; i += step) {
    step = multiply(doubles, i, b->width, i, b, x, sum);
    for (int p = i; p < i + step; ++p) {
      double *row = x + (size_t)p * TAC_PANEL;
      take_out(doubles, 1.0, sum + (p - i) * TAC_PANEL, row);
      for (int q = i; q < p; ++q)
        take_out(doubles, b->value[(size_t)q * b->stride + (size_t)p], x + (size_t)q * TAC_PANEL, row);
      double inverse = 1.0 / b->value[(size_t)p * b->stride + (size_t)p];
      scale(doubles, inverse, row);
    }
  }
  for (; i < b->high; i += step) {
    step = multiply(doubles, i, b->high, b->width, b, x, sum);
    for (int p = 0; p < step; ++p)
      take_out(doubles, 1.0, sum + p * TAC_PANEL, panel + (size_t)b->row[i + p] * TAC_PANEL);
  }
}

/* Columns that are eliminated at a time: those of a tile's rows are in as many lines of the cache, and pages. */
enum { DEPTH = 64 };

TAC_LANES_BODY void tac_supernodes_eliminate_lanes(const int doubles, const tacSupernodes *l, int supernode,
                                                   double *panel) {
  const Block all = block_of(l, supernode);
  for (int k = 0; k < all.width; k += DEPTH) {
    Block some = {.high = all.high - k,
                  .width = all.width - k < DEPTH ? all.width - k : DEPTH,
                  .stride = all.stride,
                  .value = all.value + (size_t)k * (all.stride + 1),
                  .row = all.row + k};
    eliminate_block(doubles, &some, panel);
  }
}
TAC_LANES_KERNEL(, tac_supernodes_eliminate, (const tacSupernodes *l, int supernode, double *panel), l, supernode,
                 panel)

TAC_LANES_BODY void tac_supernodes_substitute_lanes(const int doubles, const tacSupernodes *l, int supernode,
                                                    double *panel, double *y) {
  Block b = block_of(l, supernode);
  size_t down = (size_t)b.high;
  double *x = panel + (size_t)l->first[supernode] * TAC_PANEL;
  memcpy(y, x, (size_t)b.width * TAC_PANEL * sizeof *y);
  for (int i = b.width; i < b.high; ++i)
    memcpy(y + (size_t)i * TAC_PANEL, panel + (size_t)b.row[i] * TAC_PANEL, TAC_PANEL * sizeof *y);
  double sum[HIGHEST * TAC_PANEL];
  for (int k = b.width, step; k > 0; k -= step) { /* columns [k - step, k), of which all rows below are known */
    step = k % tile_rows(doubles) == 0 ? tile_rows(doubles) : 1;
    const double *columns = b.value + (size_t)(k - step) * down, *known = y + (size_t)k * TAC_PANEL;
    if (step > 1)
      multiply_tile(doubles, b.high - k, columns + k, 1, down, known, sum);
    else
      multiply_row(doubles, b.high - k, columns + k, 1, known, sum);
    for (int p = k - 1; p >= k - step; --p) {
      const double *column = b.value + (size_t)p * down;
      double *row = y + (size_t)p * TAC_PANEL;
      take_out(doubles, 1.0, sum + (p - k + step) * TAC_PANEL, row);
      for (int q = p + 1; q < k; ++q) take_out(doubles, column[q], y + (size_t)q * TAC_PANEL, row);
      scale(doubles, 1.0 / column[p], row);
    }
  }
  memcpy(x, y, (size_t)b.width * TAC_PANEL * sizeof *y);
}
TAC_LANES_KERNEL(, tac_supernodes_substitute, (const tacSupernodes *l, int supernode, double *panel, double *work), l,
                 supernode, panel, work)

TAC_LANES_BODY void tac_panel_product_lanes(const int doubles, int rows, const double *a, const double *b,
                                            double *sum) {
  double tile[HIGHEST * TAC_PANEL];
  for (int i = 0; i < TAC_PANEL; i += tile_rows(doubles)) {
    multiply_tile(doubles, rows, a + i, TAC_PANEL, 1, b, tile);
    for (int p = 0; p < tile_rows(doubles); ++p)
      take_out(doubles, -1.0, tile + p * TAC_PANEL, sum + (i + p) * TAC_PANEL);
  }
}
TAC_LANES_KERNEL(, tac_panel_product, (int rows, const double *a, const double *b, double sum[TAC_PANEL * TAC_PANEL]),
                 rows, a, b, sum)
