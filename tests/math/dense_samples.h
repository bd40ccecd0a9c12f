/* Dense matrices for tests. */
#pragma once

#include <math.h>
#include "math/dense/dense.h"
#include "math/random.h"
#include "test.h"

static inline tacDense make_dense(int rows, int cols) {
  tacError error;
  tacDense a;
  tac_test_ok(tac_dense_create(rows, cols, &a, &error), error);
  return a;
}

static inline tacDense random_dense(tacRandom *random, int rows, int cols) {
  tacDense a = make_dense(rows, cols);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) tac_dense_column(&a, j)[i] = tac_random_normal(random);
  return a;
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
