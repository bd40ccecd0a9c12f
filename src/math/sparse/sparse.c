#include "math/sparse/sparse.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/dense/vector.h"

void tac_sparse_destroy(tacSparse *matrix) {
  free(matrix->column_start);
  free(matrix->row);
  free(matrix->value);
  *matrix = (tacSparse){0};
}

tacStatus tac_sparse_create(int rows, int cols, size_t count, tacSparse *matrix, tacError *error) {
  *matrix = (tacSparse){0};
  if (rows < 0 || cols < 0 || cols == INT_MAX)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a sparse matrix cannot have %d rows and %d columns", rows, cols);
  if (count > INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "a sparse matrix has %zu entries; at most %d are possible", count,
                         INT_MAX);
  *matrix = (tacSparse){rows, cols, NULL, NULL, NULL};
  matrix->column_start =
      tac_array_create((size_t)cols + 1, sizeof *matrix->column_start, "columns of a sparse matrix", error);
  matrix->row = tac_array_create(count, sizeof *matrix->row, "rows of a sparse matrix", error);
  matrix->value = tac_array_create(count, sizeof *matrix->value, "values of a sparse matrix", error);
  if (matrix->column_start != NULL && matrix->row != NULL && matrix->value != NULL) return TAC_OK;
  tac_sparse_destroy(matrix);
  return TAC_ERR_MEMORY;
}

tacStatus tac_sparse_check(const tacSparse *matrix, tacError *error) {
  const int *start = matrix->column_start;
  if (matrix->rows < 0 || matrix->cols < 0 || start == NULL || matrix->row == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a sparse matrix has no arrays");
  if (start[0] != 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the first column of a sparse matrix starts at %d; it must start at 0", start[0]);
  for (int j = 0; j < matrix->cols; ++j) {
    if (start[j + 1] < start[j])
      return tac_error_set(error, TAC_ERR_ARGUMENT, "column %d of a sparse matrix ends before it starts", j);
    for (int p = start[j]; p < start[j + 1]; ++p) {
      if (matrix->row[p] < 0 || matrix->row[p] >= matrix->rows ||
          (p > start[j] && matrix->row[p] <= matrix->row[p - 1]))
        return tac_error_set(error, TAC_ERR_ARGUMENT,
                             "column %d of a sparse matrix has row %d out of range or out of order", j, matrix->row[p]);
      if (matrix->value != NULL && !isfinite(matrix->value[p]))
        return tac_error_set(error, TAC_ERR_ARGUMENT, "entry (%d, %d) of a sparse matrix is NaN or infinite",
                             matrix->row[p], j);
    }
  }
  return TAC_OK;
}

tacStatus tac_triplets_add(tacTriplets *triplets, int row, int col, double value, tacError *error) {
  if (row < 0 || row >= triplets->rows || col < 0 || col >= triplets->cols)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "entry (%d, %d) is outside a %d x %d matrix", row, col,
                         triplets->rows, triplets->cols);
  tacStatus status = tac_array_reserve((void **)&triplets->item, &triplets->capacity, triplets->count + 1,
                                       sizeof *triplets->item, "entries of a sparse matrix", error);
  if (status == TAC_OK) triplets->item[triplets->count++] = (tacTriplet){row, col, value};
  return status;
}

void tac_triplets_destroy(tacTriplets *triplets) {
  free(triplets->item);
  *triplets = (tacTriplets){0};
}

/* Turns counts, kept one place late, into the place where each bucket begins. */
static void sum_up(size_t *start, int buckets) {
  for (int i = 0; i < buckets; ++i) start[i + 1] += start[i];
}

/* Sorts by row and then, stably, by column: after that equal places are neighbours, in order of addition. */
tacStatus tac_triplets_compress(const tacTriplets *triplets, tacSparse *matrix, tacError *error) {
  *matrix = (tacSparse){0};
  int rows = triplets->rows, cols = triplets->cols;
  size_t count = triplets->count;
  if (rows < 0 || cols < 0) return tac_sparse_create(rows, cols, 0, matrix, error);
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  size_t *row_start = tac_arrays_add(&work, (size_t)rows + 1, sizeof *row_start);
  size_t *col_start = tac_arrays_add(&work, (size_t)cols + 1, sizeof *col_start);
  size_t *by_row = tac_arrays_add(&work, count, sizeof *by_row), *sorted = tac_arrays_add(&work, count, sizeof *sorted);
  TAC_TRY(tac_arrays_status(&work, "sorting a sparse matrix", error));

  const tacTriplet *item = triplets->item;
  for (size_t t = 0; t < count; ++t) {
    ++row_start[item[t].row + 1];
    ++col_start[item[t].col + 1];
  }
  sum_up(row_start, rows);
  sum_up(col_start, cols);
  for (size_t t = 0; t < count; ++t) by_row[row_start[item[t].row]++] = t;
  for (size_t t = 0; t < count; ++t) sorted[col_start[item[by_row[t]].col]++] = by_row[t];

  size_t places = 0;
  for (size_t t = 0; t < count; ++t) {
    const tacTriplet *here = &item[sorted[t]], *before = t > 0 ? &item[sorted[t - 1]] : NULL;
    if (before == NULL || before->row != here->row || before->col != here->col) ++places;
  }
  TAC_TRY(tac_sparse_create(rows, cols, places, matrix, error));
  int last = -1;
  for (size_t t = 0; t < count; ++t) {
    const tacTriplet *here = &item[sorted[t]], *before = t > 0 ? &item[sorted[t - 1]] : NULL;
    if (before == NULL || before->row != here->row || before->col != here->col) {
      matrix->row[++last] = here->row;
      ++matrix->column_start[here->col + 1];
    }
    matrix->value[last] += here->value;
  }
  for (int j = 0; j < cols; ++j) matrix->column_start[j + 1] += matrix->column_start[j];
  return TAC_OK;
}

tacStatus tac_sparse_identity(int size, tacSparse *identity, tacError *error) {
  tacStatus status = tac_sparse_create(size, size, size > 0 ? (size_t)size : 0, identity, error);
  for (int i = 0; status == TAC_OK && i < size; ++i) {
    identity->column_start[i + 1] = i + 1;
    identity->row[i] = i;
    identity->value[i] = 1.0;
  }
  return status;
}

tacStatus tac_sparse_transpose(const tacSparse *matrix, tacSparse *transposed, tacError *error) {
  TAC_MEMORY(int, next) = NULL;
  *transposed = (tacSparse){0};
  TAC_TRY(TAC_ARRAY(next, (size_t)matrix->rows, "transposing a sparse matrix", error));
  TAC_TRY(tac_sparse_create(matrix->cols, matrix->rows, (size_t)tac_sparse_count(matrix), transposed, error));
  for (int p = 0; p < tac_sparse_count(matrix); ++p) ++transposed->column_start[matrix->row[p] + 1];
  for (int i = 0; i < matrix->rows; ++i) {
    transposed->column_start[i + 1] += transposed->column_start[i];
    next[i] = transposed->column_start[i];
  }
  for (int j = 0; j < matrix->cols; ++j)
    for (int p = matrix->column_start[j]; p < matrix->column_start[j + 1]; ++p) {
      int place = next[matrix->row[p]]++;
      transposed->row[place] = j;
      transposed->value[place] = matrix->value[p];
    }
  return TAC_OK;
}

tacStatus tac_sparse_add(double alpha, const tacSparse *a, double beta, const tacSparse *b, tacSparse *sum,
                         tacError *error) {
  *sum = (tacSparse){0};
  if (a->rows != b->rows || a->cols != b->cols)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "cannot add a %d x %d and a %d x %d matrix", a->rows, a->cols,
                         b->rows, b->cols);
  for (int pass = 0; pass < 2; ++pass) { /* count, then fill */
    size_t count = 0;
    for (int j = 0; j < a->cols; ++j) {
      int p = a->column_start[j], q = b->column_start[j];
      while (p < a->column_start[j + 1] || q < b->column_start[j + 1]) {
        int row_a = p < a->column_start[j + 1] ? a->row[p] : INT_MAX;
        int row_b = q < b->column_start[j + 1] ? b->row[q] : INT_MAX;
        double value = 0.0;
        if (row_a <= row_b) value += alpha * a->value[p++];
        if (row_b <= row_a) value += beta * b->value[q++];
        if (pass == 1) {
          sum->row[count] = row_a < row_b ? row_a : row_b;
          sum->value[count] = value;
        }
        ++count;
      }
      if (pass == 1) sum->column_start[j + 1] = (int)count;
    }
    if (pass == 0) {
      TAC_TRY(tac_sparse_create(a->rows, a->cols, count, sum, error));
    }
  }
  return TAC_OK;
}

tacStatus tac_sparse_lower(const tacSparse *matrix, tacSparse *lower, tacError *error) {
  size_t count = 0;
  for (int j = 0; j < matrix->cols; ++j)
    for (int p = matrix->column_start[j]; p < matrix->column_start[j + 1]; ++p) count += matrix->row[p] >= j;
  TAC_TRY(tac_sparse_create(matrix->rows, matrix->cols, count, lower, error));
  int place = 0;
  for (int j = 0; j < matrix->cols; ++j) {
    for (int p = matrix->column_start[j]; p < matrix->column_start[j + 1]; ++p) {
      if (matrix->row[p] < j) continue;
      lower->row[place] = matrix->row[p];
      lower->value[place++] = matrix->value[p];
    }
    lower->column_start[j + 1] = place;
  }
  return TAC_OK;
}

int tac_sparse_find(const tacSparse *matrix, int row, int col) {
  int low = matrix->column_start[col], high = matrix->column_start[col + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (matrix->row[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low < matrix->column_start[col + 1] && matrix->row[low] == row ? low : -1;
}

void tac_sparse_diagonal(const tacSparse *matrix, double *diagonal) {
  for (int j = 0; j < matrix->rows && j < matrix->cols; ++j) {
    int p = tac_sparse_find(matrix, j, j);
    diagonal[j] = p >= 0 ? matrix->value[p] : 0.0;
  }
}

void tac_sparse_multiply(const tacSparse *matrix, const double *x, int count, double *y) {
  for (int v = 0; v < count; ++v, x += matrix->cols, y += matrix->rows) {
    memset(y, 0, (size_t)matrix->rows * sizeof *y);
    for (int j = 0; j < matrix->cols; ++j)
      for (int p = matrix->column_start[j]; p < matrix->column_start[j + 1]; ++p)
        y[matrix->row[p]] += matrix->value[p] * x[j];
  }
}

typedef struct Product {
  const tacSparse *matrix;
  const double *x;
  double *y;
} Product;

/* Item i is entry i of the products, of one vector after the other. */
static void multiply_columns(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Product *of = context;
  const tacSparse *matrix = of->matrix;
  const size_t rows = (size_t)matrix->rows, cols = (size_t)matrix->cols;
  for (size_t i = begin; i < end; ++i) {
    const double *x = of->x + i / cols * rows;
    const size_t j = i % cols;
    double sum = 0.0;
    for (int p = matrix->column_start[j]; p < matrix->column_start[j + 1]; ++p)
      sum += matrix->value[p] * x[matrix->row[p]];
    of->y[i] = sum;
  }
}

void tac_sparse_multiply_transposed(const tacSparse *matrix, const double *x, int count, double *y) {
  Product product = {matrix, x, y};
  size_t items = (size_t)count * (size_t)matrix->cols;
  if ((double)count * (double)tac_sparse_count(matrix) < 5e5) /* takes less time than waking a thread */
    multiply_columns(0, items, 0, &product);
  else
    tac_parallel_do(items, 4096, multiply_columns, &product);
}

void tac_sparse_multiply_lower(const tacSparse *lower, const double *x, int count, double *y) {
  for (int v = 0; v < count; ++v, x += lower->cols, y += lower->rows) {
    memset(y, 0, (size_t)lower->rows * sizeof *y);
    for (int j = 0; j < lower->cols; ++j) {
      double sum = 0.0;
      for (int p = lower->column_start[j]; p < lower->column_start[j + 1]; ++p) {
        int i = lower->row[p];
        if (i != j) y[i] += lower->value[p] * x[j];
        sum += lower->value[p] * x[i];
      }
      y[j] += sum;
    }
  }
}

/* Of a block, rows 0 and 1 at once, and row 2. */
void tac_sparse_multiply_blocks(const tacSparse *lower, const double *restrict x, double *restrict y) {
  memset(y, 0, (size_t)lower->rows * sizeof *y);
  for (int j = 0; j < lower->cols; j += 3) {
    const int first = lower->column_start[j], next = lower->column_start[j + 1];
    const double *a = lower->value + first, *b = lower->value + next, *c = lower->value + lower->column_start[j + 2];
    const double x0 = x[j], x1 = x[j + 1], x2 = x[j + 2];
    double s0 = a[0] * x0 + a[1] * x1 + a[2] * x2, s1 = a[1] * x0 + b[0] * x1 + b[1] * x2,
           s2 = a[2] * x0 + b[1] * x1 + c[0] * x2;
    tacVectorPair p0 = {0.0, 0.0}, p1 = p0, p2 = p0;
    a += 3;
    b += 2;
    c += 1;
    for (int p = first + 3; p < next; p += 3, a += 3, b += 3, c += 3) {
      const int i = lower->row[p];
      const tacVectorPair va = *(const tacVectorPair *)a, vb = *(const tacVectorPair *)b,
                          vc = *(const tacVectorPair *)c, xi = *(const tacVectorPair *)(x + i);
      *(tacVectorPair *)(y + i) += va * x0 + vb * x1 + vc * x2;
      y[i + 2] += a[2] * x0 + b[2] * x1 + c[2] * x2;
      p0 += va * xi;
      p1 += vb * xi;
      p2 += vc * xi;
      s0 += a[2] * x[i + 2];
      s1 += b[2] * x[i + 2];
      s2 += c[2] * x[i + 2];
    }
    y[j] += s0 + (p0[0] + p0[1]);
    y[j + 1] += s1 + (p1[0] + p1[1]);
    y[j + 2] += s2 + (p2[0] + p2[1]);
  }
}
