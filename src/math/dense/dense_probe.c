#include "math/dense/dense_probe.h"

#include <math.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/random.h"

/* Four sums, so that the additions do not wait for each other. */
static double dot(size_t count, const double *a, const double *b) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (size_t c = 0; c < 4; ++c) sum[c] += a[i + c] * b[i + c];
  for (; i < count; ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void tac_dense_probe_destroy(tacDenseProbe *probe) {
  tac_arrays_free(&probe->arrays);
  *probe = (tacDenseProbe){0};
}

tacStatus tac_dense_probe_create(const tacDense *a, tacDenseProbe *probe, tacError *error) {
  size_t size = (size_t)a->rows;
  *probe = (tacDenseProbe){.size = a->rows};
  probe->z = tac_arrays_add(&probe->arrays, TAC_DENSE_PROBES * size, sizeof *probe->z);
  probe->product = tac_arrays_add(&probe->arrays, TAC_DENSE_PROBES * size, sizeof *probe->product);
  probe->norm = tac_arrays_add(&probe->arrays, size, sizeof *probe->norm);
  probe->work = tac_arrays_add(&probe->arrays, 2 * size, sizeof *probe->work);
  TAC_TRY(tac_arrays_status(&probe->arrays, "a check", error));
  tacRandom random = tac_random_seed(1);
  for (size_t i = 0; i < TAC_DENSE_PROBES * size; ++i) {
    double half = tac_random_uniform(&random, -0.5, 0.5);
    probe->z[i] = half + copysign(0.5, half);
  }
  for (size_t j = 0; j < size; ++j) {
    const double *column = tac_dense_column(a, (int)j);
    probe->norm[j] = sqrt(dot(size, column, column));
    for (size_t p = 0; p < TAC_DENSE_PROBES; ++p) probe->product[p * size + j] = dot(size, probe->z + p * size, column);
  }
  return TAC_OK;
}

/* P A = L U, so that z^T A = ((P z)^T L) U. */
void tac_dense_probe_compare(const tacDenseProbe *probe, const tacDense *factor, const int *pivot, tacWorst *worst) {
  size_t size = (size_t)probe->size;
  double *z = probe->work, *zl = probe->work + size;
  for (size_t p = 0; p < TAC_DENSE_PROBES; ++p) {
    memcpy(z, probe->z + p * size, size * sizeof *z);
    for (size_t i = 0; i < size; ++i) {
      double moved = z[i];
      z[i] = z[pivot[i]];
      z[pivot[i]] = moved;
    }
    for (size_t j = 0; j < size; ++j) {
      const double *l = tac_dense_column(factor, (int)j) + j + 1;
      zl[j] = z[j] + dot(size - j - 1, z + j + 1, l);
    }
    for (size_t j = 0; j < size; ++j) {
      double product = dot(j + 1, zl, tac_dense_column(factor, (int)j));
      tac_worst_add(worst, fabs(product - probe->product[p * size + j]) / probe->norm[j], (int)j);
    }
  }
}

/* A^T = U^T L^T P. */
void tac_dense_probe_solve_transposed(const tacDense *factor, const int *pivot, double *x) {
  size_t size = (size_t)factor->rows;
  for (size_t j = 0; j < size; ++j) {
    const double *u = tac_dense_column(factor, (int)j);
    x[j] = (x[j] - dot(j, u, x)) / u[j];
  }
  for (size_t j = size; j-- > 0;) x[j] -= dot(size - j - 1, tac_dense_column(factor, (int)j) + j + 1, x + j + 1);
  for (size_t j = size; j-- > 0;) {
    double moved = x[j];
    x[j] = x[pivot[j]];
    x[pivot[j]] = moved;
  }
}
