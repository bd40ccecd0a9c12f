/* Dense matrices for tests. */
#pragma once

#include "math/dense/dense.h"
#include "math/random.h"
#include "math/sparse/sparse.h"
#include "test.h"

static inline tacDense make_dense(int rows, int cols) {
  tacDense a;
  tac_test_ok(tac_dense_create(rows, cols, &a, &error), error);
  return a;
}

static inline double *random_numbers(size_t count, uint64_t seed) {
  double *x = tac_test_doubles(count);
  tacRandom random = tac_random_seed(seed);
  for (size_t i = 0; i < count; ++i) x[i] = tac_random_uniform(&random, -1.0, 1.0);
  return x;
}

static inline tacDense random_dense(tacRandom *random, int rows, int cols) {
  tacDense a = make_dense(rows, cols);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) tac_dense_column(&a, j)[i] = tac_random_normal(random);
  return a;
}

static inline tacDense dense_of(const tacSparse *sparse) {
  tacDense dense = make_dense(sparse->rows, sparse->cols);
  for (int j = 0; j < sparse->cols; ++j)
    for (int p = sparse->column_start[j]; p < sparse->column_start[j + 1]; ++p)
      tac_dense_column(&dense, j)[sparse->row[p]] = sparse->value[p];
  return dense;
}

static inline double largest_difference(const tacDense *a, const tacDense *b) {
  ck_assert_int_eq(a->rows, b->rows);
  ck_assert_int_eq(a->cols, b->cols);
  double largest = 0.0;
  for (int j = 0; j < a->cols; ++j)
    for (int i = 0; i < a->rows; ++i)
      largest = fmax(largest, fabs(tac_dense_column(a, j)[i] - tac_dense_column(b, j)[i]));
  return largest;
}
