/* math/sparse/factor.h without CHOLMOD, for builds with TACTUS_LGPL. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "math/sparse/factor.h"
#include "math/sparse/fill_order.h"
#include "math/sparse/sparse_cholesky.h"

struct tacFactor {
  tacSparseCholesky *cholesky;
  pthread_mutex_t solving; /* one thread at a time: it has one room for vectors */
  int size;
  size_t entries;
  bool ready; /* the last update succeeded */
};

static tacStatus create(const tacSparse *pattern, bool thorough, tacFactor **factor, tacError *error) {
  *factor = NULL;
  if (pattern->rows != pattern->cols)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a Cholesky factor needs a square matrix, not %d x %d", pattern->rows,
                         pattern->cols);
  tacSparse places = *pattern;
  places.value = NULL;
  tacStatus status = tac_sparse_check(&places, error);
  if (status != TAC_OK) return status;

  tacFactor *made = tac_array_create(1, sizeof *made, "a sparse factor", error);
  int *order = tac_array_create((size_t)pattern->cols, sizeof *order, "an order of a sparse matrix", error);
  if (made != NULL) pthread_mutex_init(&made->solving, NULL);
  if (made == NULL || order == NULL) status = TAC_ERR_MEMORY;
  if (status == TAC_OK) status = tac_fill_order(pattern, thorough, order, error);
  if (status == TAC_OK) status = tac_sparse_cholesky_create(pattern, order, &made->cholesky, error);
  if (status == TAC_OK) {
    made->size = pattern->cols;
    made->entries = (size_t)tac_sparse_count(pattern);
  } else {
    tac_factor_destroy(made);
    made = NULL;
  }
  free(order);
  *factor = made;
  return status;
}

tacStatus tac_factor_create(const tacSparse *pattern, tacFactor **factor, tacError *error) {
  return create(pattern, false, factor, error);
}

tacStatus tac_factor_create_supernodal(const tacSparse *pattern, tacFactor **factor, tacError *error) {
  return create(pattern, true, factor, error);
}

tacStatus tac_factor_copy_whole(tacFactor *factor, tacFactor **copy, tacError *error) {
  *copy = NULL;
  tacFactor *made = tac_array_create(1, sizeof *made, "a sparse factor", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  *made = *factor;
  pthread_mutex_init(&made->solving, NULL);
  tacStatus status = tac_sparse_cholesky_copy(factor->cholesky, &made->cholesky, error);
  if (status == TAC_OK)
    *copy = made;
  else
    free(made);
  return status;
}

tacStatus tac_factor_copy(tacFactor *factor, tacFactor **copy, tacError *error) {
  tacStatus status = tac_factor_copy_whole(factor, copy, error);
  if (status == TAC_OK) (*copy)->ready = false;
  return status;
}

void tac_factor_destroy(tacFactor *factor) {
  if (factor == NULL) return;
  tac_sparse_cholesky_destroy(factor->cholesky);
  pthread_mutex_destroy(&factor->solving);
  free(factor);
}

tacStatus tac_factor_update(tacFactor *factor, const double *value, tacError *error) {
  factor->ready = false;
  for (size_t p = 0; p < factor->entries; ++p)
    if (!isfinite(value[p]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "entry %zu of a sparse matrix is not finite", p);
  int column = tac_sparse_cholesky_update(factor->cholesky, value);
  if (column >= 0)
    return tac_error_set(error, TAC_ERR_SINGULAR, "a sparse matrix of size %d is not positive definite at column %d",
                         factor->size, column);
  factor->ready = true;
  return TAC_OK;
}

tacStatus tac_factor_solve(tacFactor *factor, const double *b, int count, double *x, tacError *error) {
  if (!factor->ready)
    return tac_error_set(error, TAC_ERR_SINGULAR, "a sparse factor without numbers cannot solve: update it first");
  if (count < 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "%d right-hand sides", count);
  pthread_mutex_lock(&factor->solving);
  tacStatus status = tac_sparse_cholesky_solve(factor->cholesky, b, count, x, error);
  pthread_mutex_unlock(&factor->solving);
  return status;
}

tacSupernodes tac_factor_supernodes(const tacFactor *factor) {
  return tac_sparse_cholesky_supernodes(factor->cholesky);
}

/* (smallest / largest diagonal entry of L)^2 */
static double condition(const tacFactor *factor) {
  tacSupernodes l = tac_factor_supernodes(factor);
  double least = INFINITY, most = 0.0;
  for (int s = 0; s < l.count; ++s) {
    int high = l.row_start[s + 1] - l.row_start[s];
    for (int k = 0; k < l.first[s + 1] - l.first[s]; ++k) {
      double entry = l.value[(size_t)l.value_start[s] + (size_t)k * (size_t)(high + 1)];
      least = fmin(least, entry);
      most = fmax(most, entry);
    }
  }
  return most > 0.0 ? (least / most) * (least / most) : 1.0;
}

tacFactorReport tac_factor_report(tacFactor *factor) {
  tacSparseCholeskyReport report = tac_sparse_cholesky_report(factor->cholesky);
  return (tacFactorReport){.size = factor->size,
                           .nonzeros = report.nonzeros,
                           .flops = report.flops,
                           .bytes = report.bytes,
                           .supernodal = true,
                           .rcond = factor->ready ? condition(factor) : 0.0};
}
