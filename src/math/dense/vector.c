#include "math/dense/vector.h"

#include "base/lanes.h"

typedef double Four __attribute__((vector_size(32), aligned(sizeof(double)), may_alias));

/* Four partial sums a row, however many are added at once. */
TAC_LANES_BODY void tac_vector_dot3_lanes(const int doubles, int n, const double *rows, const double *x, double *sums) {
  const double *a = rows, *b = a + n, *c = b + n;
  int i = 0;
  if (doubles >= 4) {
    Four part_a = {0.0}, part_b = {0.0}, part_c = {0.0};
    for (; i + 4 <= n; i += 4) {
      const Four factor = *(const Four *)(x + i);
      part_a += *(const Four *)(a + i) * factor;
      part_b += *(const Four *)(b + i) * factor;
      part_c += *(const Four *)(c + i) * factor;
    }
    sums[0] = (part_a[0] + part_a[2]) + (part_a[1] + part_a[3]);
    sums[1] = (part_b[0] + part_b[2]) + (part_b[1] + part_b[3]);
    sums[2] = (part_c[0] + part_c[2]) + (part_c[1] + part_c[3]);
  } else {
    tacVectorPair even_a = {0.0}, odd_a = {0.0}, even_b = {0.0}, odd_b = {0.0}, even_c = {0.0}, odd_c = {0.0};
    for (; i + 4 <= n; i += 4) {
      const tacVectorPair even = *(const tacVectorPair *)(x + i), odd = *(const tacVectorPair *)(x + i + 2);
      even_a += *(const tacVectorPair *)(a + i) * even;
      odd_a += *(const tacVectorPair *)(a + i + 2) * odd;
      even_b += *(const tacVectorPair *)(b + i) * even;
      odd_b += *(const tacVectorPair *)(b + i + 2) * odd;
      even_c += *(const tacVectorPair *)(c + i) * even;
      odd_c += *(const tacVectorPair *)(c + i + 2) * odd;
    }
    sums[0] = (even_a[0] + odd_a[0]) + (even_a[1] + odd_a[1]);
    sums[1] = (even_b[0] + odd_b[0]) + (even_b[1] + odd_b[1]);
    sums[2] = (even_c[0] + odd_c[0]) + (even_c[1] + odd_c[1]);
  }
  for (; i < n; ++i) {
    sums[0] += a[i] * x[i];
    sums[1] += b[i] * x[i];
    sums[2] += c[i] * x[i];
  }
}
TAC_LANES_KERNEL(, tac_vector_dot3, (int n, const double *rows, const double *x, double sums[3]), n, rows, x, sums)

TAC_LANES_BODY void tac_vector_add3_lanes(const int doubles, int n, const double *restrict rows, const double f[3],
                                          double *restrict y) {
  (void)doubles;
  const double *restrict a = rows, *restrict b = a + n, *restrict c = b + n, p = f[0], q = f[1], r = f[2];
  for (int i = 0; i < n; ++i) y[i] += (a[i] * p + b[i] * q) + c[i] * r;
}
TAC_LANES_KERNEL(, tac_vector_add3, (int n, const double *rows, const double f[3], double *y), n, rows, f, y)
