#include "math/dense/secants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/lanes.h"
#include "base/memory/array.h"
#include "math/dense/dense.h"
#include "math/dense/vector.h"

tacStatus tac_secants_create(int size, int capacity, tacSecants *secants, tacError *error) {
  size_t n = (size_t)size, places = (size_t)capacity;
  *secants = (tacSecants){.size = size, .capacity = capacity};
  secants->q = tac_array_create(2 * places + 3, n * sizeof *secants->q, "secants", error);
  if (secants->q == NULL) return TAC_ERR_MEMORY;
  secants->force = secants->q + places * n;
  secants->work = secants->force + places * n;
  return TAC_OK;
}

void tac_secants_destroy(tacSecants *secants) {
  free(secants->q);
  *secants = (tacSecants){0};
}

void tac_secants_keep(tacSecants *secants, int count) {
  if (count >= secants->count) return;
  size_t n = (size_t)secants->size, from = (size_t)(secants->count - count) * n;
  size_t bytes = (size_t)count * n * sizeof *secants->q;
  memmove(secants->q, secants->q + from, bytes);
  memmove(secants->force, secants->force + from, bytes);
  secants->count = count;
}

bool tac_secants_add(tacSecants *secants, const double *q, const double *force) {
  size_t n = (size_t)secants->size, bytes = n * sizeof *q;
  if (secants->count > 0) {
    const double *last = secants->q + (size_t)(secants->count - 1) * n;
    double away = 0.0;
    for (size_t i = 0; i < n; ++i) away += (q[i] - last[i]) * (q[i] - last[i]);
    if (!(away > 1e-12 * tac_vector_dot(secants->size, q, q))) return false;
  }
  tac_secants_keep(secants, secants->capacity - 1);
  memcpy(secants->q + (size_t)secants->count * n, q, bytes);
  memcpy(secants->force + (size_t)secants->count * n, force, bytes);
  ++secants->count;
  return true;
}

/* K += y y^T - z z^T */
TAC_LANES_BODY void add_squares_lanes(const int doubles, int n, const double *restrict y, const double *restrict z,
                                      double *restrict k) {
  (void)doubles;
  for (int j = 0; j < n; ++j, k += n)
    for (int i = 0; i < n; ++i) k[i] += y[i] * y[j] - z[i] * z[j];
}
TAC_LANES_KERNEL(static, add_squares, (int n, const double *y, const double *z, double *k), n, y, z, k)

/* K += y y^T / y.s - K s (K s)^T / s.K s */
void tac_secants_correct(const tacSecants *secants, double *k) {
  int n = secants->size;
  double *s = secants->work, *y = s + n, *ks = y + n;
  for (int p = 1; p < secants->count; ++p) {
    const double *q = secants->q + (size_t)p * (size_t)n, *force = secants->force + (size_t)p * (size_t)n;
    for (int i = 0; i < n; ++i) {
      s[i] = q[i] - q[i - n];
      y[i] = force[i] - force[i - n];
    }
    tac_dense_loop_gemv(&(tacDense){n, n, n, k}, s, ks);
    double ys = tac_vector_dot(n, y, s), old = tac_vector_dot(n, s, ks);
    if (!(ys > 1e-8 * tac_vector_norm(n, y) * tac_vector_norm(n, s)) || !(old > 0.0) || !isfinite(ys)) continue;
    tac_vector_scale(n, 1.0 / sqrt(ys), y);
    tac_vector_scale(n, 1.0 / sqrt(old), ks);
    add_squares(n, y, ks, k);
  }
}
