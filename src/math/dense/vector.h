/* Vectors of many doubles: what BLAS calls level 1, in plain loops, so that sums have the same order and the same bits with every
 * BLAS and from any number of threads. No allocation: ticks may use them. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* `aligned` is last: before `may_alias`, gcc 14 for arm64 stops with an internal error at parameters of this type. */
typedef double tacVectorPair __attribute__((vector_size(16), may_alias, aligned(sizeof(double))));

/* x.y in four partial sums: a compiler may not reorder a sum of doubles by itself. */
static inline double tac_vector_dot(int n, const double *restrict x, const double *restrict y) {
  tacVectorPair even = {0.0, 0.0}, odd = {0.0, 0.0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    even += *(const tacVectorPair *)(x + i) * *(const tacVectorPair *)(y + i);
    odd += *(const tacVectorPair *)(x + i + 2) * *(const tacVectorPair *)(y + i + 2);
  }
  double sum = (even[0] + odd[0]) + (even[1] + odd[1]);
  for (; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/* Three rows of n, one after the other, times x: each in the order of tac_vector_dot. */
void tac_vector_dot3(int n, const double *rows, const double *x, double sums[3]);
/* And transposed: y += (rows_0 f_0 + rows_1 f_1) + rows_2 f_2. */
void tac_vector_add3(int n, const double *rows, const double f[3], double *y);

/* |x|, exact where squares would overflow or vanish too. */
static inline double tac_vector_norm(int n, const double *x) {
  double square = tac_vector_dot(n, x, x), largest = 0.0, sum = 0.0;
  if (square > 1e-280 && square < 1e280) return sqrt(square);
  for (int i = 0; i < n; ++i) {
    if (isnan(x[i])) return x[i];
    largest = fmax(largest, fabs(x[i]));
  }
  if (largest == 0.0 || isinf(largest)) return largest;
  for (int i = 0; i < n; ++i) sum += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(sum);
}

/* y += s x */
static inline void tac_vector_add(int n, double s, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; ++i) y[i] += s * x[i];
}

/* x *= s */
static inline void tac_vector_scale(int n, double s, double *x) {
  for (int i = 0; i < n; ++i) x[i] *= s;
}

static inline bool tac_vector_finite(size_t n, const double *x) {
  for (size_t i = 0; i < n; ++i)
    if (!isfinite(x[i])) return false;
  return true;
}

static inline void tac_vector_swap(int n, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; ++i) {
    double moved = x[i];
    x[i] = y[i];
    y[i] = moved;
  }
}
