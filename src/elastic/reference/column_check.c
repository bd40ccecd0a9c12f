#include "elastic/reference/column_check.h"

#include <math.h>
#include "base/memory/array.h"
#include "math/random.h"

#define LEAST_ALLOWED 1e-10
#define MOST_ALLOWED 1e-4

void tac_column_check_destroy(tacColumnCheck *check) {
  tac_arrays_free(&check->arrays);
  *check = (tacColumnCheck){0};
}

tacStatus tac_column_check_create(int row_count, int column_count, tacColumnCheck *check, tacError *error) {
  size_t rows = TAC_COLUMN_FUNCTIONALS * (size_t)row_count, columns = TAC_COLUMN_FUNCTIONALS * (size_t)column_count;
  *check = (tacColumnCheck){.row_count = row_count, .column_count = column_count, .allowed = MOST_ALLOWED};
  check->weight = tac_arrays_add(&check->arrays, rows, sizeof *check->weight);
  check->expected = tac_arrays_add(&check->arrays, columns, sizeof *check->expected);
  TAC_TRY(tac_arrays_status(&check->arrays, "a check", error));
  tacRandom random = tac_random_seed(2);
  for (size_t i = 0; i < rows; ++i) {
    double half = tac_random_uniform(&random, -0.5, 0.5);
    check->weight[i] = half + copysign(0.5, half);
  }
  return TAC_OK;
}

double tac_column_check_allow(double noise) {
  return fmin(fmax(1e3 * noise, LEAST_ALLOWED), MOST_ALLOWED); /* of no number: the least */
}

void tac_column_check_compare(const tacColumnCheck *check, int count, const int *vertices, const double *columns,
                              tacWorst *worst) {
  size_t rows = (size_t)check->row_count;
  for (int i = 0; i < 3 * count; ++i, columns += rows) {
    int column = 3 * vertices[i / 3] + i % 3;
    for (size_t f = 0; f < TAC_COLUMN_FUNCTIONALS; ++f) {
      const double *weight = check->weight + f * rows;
      double sum = 0.0, square = 0.0;
      for (size_t r = 0; r < rows; ++r) {
        double part = weight[r] * columns[r];
        sum += part;
        square += part * part;
      }
      double missing = fabs(sum - check->expected[f * (size_t)check->column_count + (size_t)column]);
      tac_worst_add(worst, missing == 0.0 ? 0.0 : missing / sqrt(square), column);
    }
  }
}
