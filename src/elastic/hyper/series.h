/* Power series a(t) = sum a_p t^p, one coefficient after the other: what the coefficient p of a product, power,
 * logarithm or quotient is, given those below it. Two series at a time (two elements); `stride` is the distance
 * between coefficients.
 *
 * From c = a^n follows a c' = n a' c, from l = ln a: a l' = a'; comparing coefficients of t^(p-1) gives the
 * recurrences (Euler; Knuth, The Art of Computer Programming 2, 4.7). a_0 > 0 there. */
#pragma once

#include "math/dense/vector.h"

/* Of a b, without what a_p and b_p give: sum_{k=1}^{p-1} a_k b_{p-k}. */
static inline tacVectorPair tac_series_inner(const tacVectorPair *a, const tacVectorPair *b, int stride, int p) {
  tacVectorPair sum = {0.0, 0.0};
  for (int k = 1; k < p; ++k) sum += a[k * stride] * b[(p - k) * stride];
  return sum;
}

/* Of c = a^n: p a_0 c_p = sum_{k=1}^p (n k - (p - k)) a_k c_{p-k}, p > 0. */
static inline tacVectorPair tac_series_power(const tacVectorPair *a, double n, const tacVectorPair *c, int stride,
                                             int p) {
  tacVectorPair sum = {0.0, 0.0};
  for (int k = 1; k <= p; ++k) sum += (n * k - (p - k)) * (a[k * stride] * c[(p - k) * stride]);
  return sum / (p * a[0]);
}

/* Of l = ln a: a_0 l_p = a_p - sum_{k=1}^{p-1} (k / p) l_k a_{p-k}, p > 0. */
static inline tacVectorPair tac_series_logarithm(const tacVectorPair *a, const tacVectorPair *l, int stride, int p) {
  tacVectorPair sum = {0.0, 0.0};
  for (int k = 1; k < p; ++k) sum += (double)k * (l[k * stride] * a[(p - k) * stride]);
  return (a[p * stride] - sum / (double)p) / a[0];
}

/* Of c = b / a, from b_p: a_0 c_p = b_p - sum_{k=1}^p a_k c_{p-k}. */
static inline tacVectorPair tac_series_quotient(tacVectorPair b_p, const tacVectorPair *a, const tacVectorPair *c,
                                                int stride, int p) {
  for (int k = 1; k <= p; ++k) b_p -= a[k * stride] * c[(p - k) * stride];
  return b_p / a[0];
}
