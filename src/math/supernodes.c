#include "math/supernodes.h"

#include <string.h>

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
    int high = l->row_start[s + 1] - l->row_start[s];
    if (high > tallest) tallest = high;
  }
  return tallest;
}

/* ---- one vector ---- */

/* One supernode as a dense matrix, and its rows of x beside each other. */
typedef struct Block {
  int high, width;
  const double *value;
  const int *row;
} Block;

static Block block_of(const tacSupernodes *l, int s) {
  return (Block){.high = l->row_start[s + 1] - l->row_start[s],
                 .width = l->first[s + 1] - l->first[s],
                 .value = l->value + l->value_start[s],
                 .row = l->row + l->row_start[s]};
}

enum { COLUMNS = 4 }; /* at a time: x is loaded once for all of them */

void tac_supernodes_forward(const tacSupernodes *l, double *x, double *work) {
  for (int s = 0; s < l->count; ++s) {
    Block b = block_of(l, s);
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
      y[k] = p;
      y[k + 1] = q;
      y[k + 2] = r;
      y[k + 3] = t;
      for (int i = k + COLUMNS; i < b.high; ++i) y[i] -= c[i] * p + d[i] * q + e[i] * r + f[i] * t;
    }
    for (; k < b.width; ++k) {
      const double *restrict c = b.value + (size_t)k * (size_t)b.high;
      double p = y[k] /= c[k];
      for (int i = k + 1; i < b.high; ++i) y[i] -= c[i] * p;
    }
    memcpy(x + l->first[s], y, (size_t)b.width * sizeof *y);
    for (int i = b.width; i < b.high; ++i) x[b.row[i]] += y[i];
  }
}

void tac_supernodes_backward(const tacSupernodes *l, double *x, double *work) {
  for (int s = l->count - 1; s >= 0; --s) {
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
      double even[COLUMNS] = {0.0}, odd[COLUMNS] = {0.0}; /* two sums each, so that neither waits for the other */
      for (int i = k + 1; i < b.high; i += 2) {
        even[0] += c[i - 1] * y[i - 1], odd[0] += c[i] * y[i];
        even[1] += d[i - 1] * y[i - 1], odd[1] += d[i] * y[i];
        even[2] += e[i - 1] * y[i - 1], odd[2] += e[i] * y[i];
        even[3] += f[i - 1] * y[i - 1], odd[3] += f[i] * y[i];
      }
      if ((b.high - k) % 2 != 0) {
        int last = b.high - 1;
        even[0] += c[last] * y[last];
        even[1] += d[last] * y[last];
        even[2] += e[last] * y[last];
        even[3] += f[last] * y[last];
      }
      double t = y[k - 1] = (y[k - 1] - even[3] - odd[3]) / f[k - 1];
      double r = y[k - 2] = (y[k - 2] - even[2] - odd[2] - e[k - 1] * t) / e[k - 2];
      double q = y[k - 3] = (y[k - 3] - even[1] - odd[1] - d[k - 1] * t - d[k - 2] * r) / d[k - 3];
      y[k - 4] = (y[k - 4] - even[0] - odd[0] - c[k - 1] * t - c[k - 2] * r - c[k - 3] * q) / c[k - 4];
    }
    memcpy(x + l->first[s], y, (size_t)b.width * sizeof *y);
  }
}

/* ---- panels ---- */

/* sum[row][vector] of TILE rows, or one, = sum over k of a[k * down + row] x[k][vector], in registers while k runs. Each sum is a
 * variable with a name: gcc keeps arrays of this size in memory. */
enum { TILE = 4 };
typedef void Kernel(int depth, const double *a, size_t down, const double *x, double *sum);

#define VECTORS_2(M, I) M(I, 0) M(I, 1)
#define VECTORS_4(M, I) VECTORS_2(M, I) M(I, 2) M(I, 3)
#define ROWS_1(VECTORS, M) VECTORS(M, 0)
#define ROWS_4(VECTORS, M) VECTORS(M, 0) VECTORS(M, 1) VECTORS(M, 2) VECTORS(M, 3)
#define START(I, J) Lanes sum_##I##_##J = {0.0};
#define LOAD(I, J) const Lanes x_##J = ((const Lanes *)x)[J];
#define ADD(I, J) sum_##I##_##J += a[I] * x_##J;
#define STORE(I, J) *(Lanes *)to = sum_##I##_##J, to += sizeof(Lanes) / sizeof(double);

/* clang-format off */
#define DEFINE_KERNEL(NAME, TARGET, LANES, VECTORS, ROWS)                                                              \
  TARGET static void NAME(int depth, const double *restrict a, size_t down, const double *restrict x,                  \
                          double *restrict to) {                                                                       \
    typedef double Lanes __attribute__((vector_size((LANES) * sizeof(double)), aligned(sizeof(double)), may_alias));   \
    ROWS_##ROWS(VECTORS_##VECTORS, START)                                                                              \
    for (int k = 0; k < depth; ++k, a += down, x += TAC_PANEL) {                                                       \
      VECTORS_##VECTORS(LOAD, 0)                                                                                       \
      ROWS_##ROWS(VECTORS_##VECTORS, ADD)                                                                              \
    }                                                                                                                  \
    ROWS_##ROWS(VECTORS_##VECTORS, STORE)                                                                              \
  }
/* clang-format on */

typedef struct Machine {
  Kernel *tile, *single;
} Machine;

DEFINE_KERNEL(narrow_tile, , 2, 4, 4)
DEFINE_KERNEL(narrow_single, , 2, 4, 1)
#if defined(__x86_64__)
DEFINE_KERNEL(avx2_tile, __attribute__((target("avx2,fma"))), 4, 2, 4)
DEFINE_KERNEL(avx2_single, __attribute__((target("avx2,fma"))), 4, 2, 1)

static Machine this_machine(void) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return (Machine){avx2_tile, avx2_single};
  return (Machine){narrow_tile, narrow_single};
}
#else
static Machine this_machine(void) {
  return (Machine){narrow_tile, narrow_single};
}
#endif

static void take_out(double factor, const double *restrict from, double *restrict to) {
  for (int j = 0; j < TAC_PANEL; ++j) to[j] -= factor * from[j];
}

void tac_supernodes_eliminate(const tacSupernodes *l, int supernode, double *panel) {
  const Machine machine = this_machine();
  Block b = block_of(l, supernode);
  size_t down = (size_t)b.high;
  double *x = panel + (size_t)l->first[supernode] * TAC_PANEL;
  double sum[TILE * TAC_PANEL];
  int i = 0, step;
  for (; i < b.width; i += step) {
    step = i + TILE <= b.width ? TILE : 1;
    (step == TILE ? machine.tile : machine.single)(i, b.value + i, down, x, sum);
    for (int p = i; p < i + step; ++p) {
      double *row = x + (size_t)p * TAC_PANEL;
      take_out(1.0, sum + (p - i) * TAC_PANEL, row);
      for (int q = i; q < p; ++q) take_out(b.value[(size_t)q * down + (size_t)p], x + (size_t)q * TAC_PANEL, row);
      double inverse = 1.0 / b.value[(size_t)p * down + (size_t)p];
      for (int j = 0; j < TAC_PANEL; ++j) row[j] *= inverse;
    }
  }
  for (; i < b.high; i += step) {
    step = i + TILE <= b.high ? TILE : 1;
    (step == TILE ? machine.tile : machine.single)(b.width, b.value + i, down, x, sum);
    for (int p = 0; p < step; ++p) take_out(1.0, sum + p * TAC_PANEL, panel + (size_t)b.row[i + p] * TAC_PANEL);
  }
}

void tac_panel_product(int rows, const double *a, const double *b, double sum[TAC_PANEL * TAC_PANEL]) {
  const Machine machine = this_machine();
  double tile[TILE * TAC_PANEL];
  for (int i = 0; i < TAC_PANEL; i += TILE) {
    machine.tile(rows, a + i, TAC_PANEL, b, tile);
    for (int j = 0; j < TILE * TAC_PANEL; ++j) sum[i * TAC_PANEL + j] += tile[j];
  }
}
