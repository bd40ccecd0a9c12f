#include "contact/point_inverse.h"

#include <stdint.h>
#include "base/lanes.h"

/* All kernels compute two numbers at a time. Wider vectors would save little for so few contacts, and lower the clock of
 * some processors for the rest of the tick. Newer processors still gain by fused products. */
typedef double Two __attribute__((vector_size(2 * sizeof(double)), may_alias));

TAC_LANES_BODY Two *two(const double *at) {
  return (Two *)(uintptr_t)at;
}

TAC_LANES_BODY void tac_point_inverse_multiply_lanes(const int doubles, int count, const tacPointInverse *a,
                                                     const tacPointColumns *b, tacPointColumns *y) {
  (void)doubles;
  for (int s = 0; s < tac_point_inverse_width(count); s += 4) {
    Two sum[3][2] = {{{0.0}}};
    for (int r = 0; r < 3 * count; ++r)
      for (int k = 0; k < 3; ++k) {
        sum[k][0] += b->c[k][r] * *two(a->m[r] + s);
        sum[k][1] += b->c[k][r] * *two(a->m[r] + s + 2);
      }
    for (int k = 0; k < 3; ++k) {
      *two(y->c[k] + s) = sum[k][0];
      *two(y->c[k] + s + 2) = sum[k][1];
    }
  }
}
TAC_LANES_KERNEL(, tac_point_inverse_multiply,
                 (int count, const tacPointInverse *a, const tacPointColumns *b, tacPointColumns *y), count, a, b, y)

/* Computes y[from...width] += c^T x. */
TAC_LANES_BODY void add(int from, int width, const tacPointColumns *c, const double x[3], double *y) {
  const double x0 = x[0], x1 = x[1], x2 = x[2];
  for (int s = from; s < width; s += 2)
    *two(y + s) += x0 * *two(c->c[0] + s) + x1 * *two(c->c[1] + s) + x2 * *two(c->c[2] + s);
}

/* Computes a += sign c^T x c on and above the diagonal, for a symmetric x. */
TAC_LANES_BODY void add_outer(int count, double sign, const tacPointColumns *c, const tacMat3 *x, tacPointInverse *a) {
  const int width = tac_point_inverse_width(count);
  tacPointColumns by; /* sign x c */
  for (int s = 0; s < width; s += 2)
    for (int k = 0; k < 3; ++k)
      *two(by.c[k] + s) =
          sign * (x->m[k][0] * *two(c->c[0] + s) + x->m[k][1] * *two(c->c[1] + s) + x->m[k][2] * *two(c->c[2] + s));
  for (int r = 0; r < 3 * count; ++r)
    add(r / 2 * 2, width, c, (double[3]){by.c[0][r], by.c[1][r], by.c[2][r]}, a->m[r]);
}

TAC_LANES_BODY void tac_point_inverse_exchange_lanes(const int doubles, int count, const tacPointColumns *c,
                                                     const tacMat3 *x, const tacPointColumns *d, const tacMat3 *z,
                                                     tacPointInverse *a) {
  (void)doubles;
  add_outer(count, 1.0, d, z, a);
  if (c != NULL) add_outer(count, -1.0, c, x, a);
  for (int r = 0; r < 3 * count; r += 2) /* the other half, in blocks of two by two */
    for (int s = r + 2; s < tac_point_inverse_width(count); s += 2) {
      const Two upper = *two(a->m[r] + s), lower = *two(a->m[r + 1] + s);
      *two(a->m[s] + r) = (Two){upper[0], lower[0]};
      *two(a->m[s + 1] + r) = (Two){upper[1], lower[1]};
    }
}
TAC_LANES_KERNEL(, tac_point_inverse_exchange,
                 (int count, const tacPointColumns *c, const tacMat3 *x, const tacPointColumns *d, const tacMat3 *z,
                  tacPointInverse *a),
                 count, c, x, d, z, a)

TAC_LANES_BODY void tac_point_columns_add_lanes(const int doubles, int count, const tacPointColumns *c,
                                                const double x[3], double *y) {
  (void)doubles;
  add(0, tac_point_inverse_width(count), c, x, y);
}
TAC_LANES_KERNEL(, tac_point_columns_add, (int count, const tacPointColumns *c, const double x[3], double *y), count, c,
                 x, y)

TAC_LANES_BODY void tac_point_columns_multiply_lanes(const int doubles, int count, const tacPointColumns *c,
                                                     const double *y, double products[3]) {
  (void)doubles;
  Two sum[3] = {{0.0}};
  for (int s = 0; s < tac_point_inverse_width(count); s += 2)
    for (int k = 0; k < 3; ++k) sum[k] += *two(c->c[k] + s) * *two(y + s);
  for (int k = 0; k < 3; ++k) products[k] = sum[k][0] + sum[k][1];
}
TAC_LANES_KERNEL(, tac_point_columns_multiply,
                 (int count, const tacPointColumns *c, const double *y, double products[3]), count, c, y, products)
