#include "math/dense/dense_lu.h"

#include <lapacke.h>
#include <math.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "math/dense/blas.h"
#include "math/dense/dense_product.h"
#include "math/dense/vector.h"

enum {
  PANEL = 128,  /* columns that are factored before the others follow */
  STRIP = 256,  /* columns that follow together */
  NARROW = 8,   /* columns of a panel that are eliminated one by one */
  TRIANGLE = 32 /* unknowns of a triangular system that are found one by one */
};

static tacDenseView view(const double *a, size_t stride) {
  return (tacDenseView){a, 1, stride};
}

/* B := L^-1 B for a unit lower triangle of size n and `count` columns. */
static void solve_lower(int n, int count, const double *l, size_t stride, double *b, size_t b_stride) {
  for (int begin = 0, end; begin < n; begin = end) {
    end = begin + TRIANGLE < n ? begin + TRIANGLE : n;
    for (int j = 0; j < count; ++j) {
      double *x = b + (size_t)j * b_stride;
      for (int i = begin; i < end; ++i) tac_vector_add(end - i - 1, -x[i], l + (size_t)i * stride + i + 1, x + i + 1);
    }
    tac_dense_product(n - end, count, end - begin, -1.0, view(l + (size_t)begin * stride + end, stride),
                      view(b + begin, b_stride), b + end, b_stride);
  }
}

/* B := U^-1 B for an upper triangle. */
static void solve_upper(int n, int count, const double *u, size_t stride, double *b, size_t b_stride) {
  for (int end = n, begin; end > 0; end = begin) {
    begin = end > TRIANGLE ? end - TRIANGLE : 0;
    for (int j = 0; j < count; ++j) {
      double *x = b + (size_t)j * b_stride;
      for (int i = end - 1; i >= begin; --i) {
        x[i] /= u[(size_t)i * stride + (size_t)i];
        tac_vector_add(i - begin, -x[i], u + (size_t)i * stride + begin, x + begin);
      }
    }
    tac_dense_product(begin, count, end - begin, -1.0, view(u + (size_t)begin * stride, stride),
                      view(b + begin, b_stride), b, b_stride);
  }
}

static void swap_rows(const int *pivot, int begin, int end, double *column) {
  for (int i = begin; i < end; ++i) {
    double moved = column[i];
    column[i] = column[pivot[i]];
    column[pivot[i]] = moved;
  }
}

/* P A = L U of `rows` >= `width`, in halves, so that almost all of it is a product (Toledo 1997); pivots count from the
 * panel's first row. Returns a column without a pivot, or -1. */
static int factor_panel(int rows, int width, double *a, size_t stride, int *pivot) {
  if (width <= NARROW) {
    for (int j = 0; j < width; ++j) {
      double *column = a + (size_t)j * stride;
      int best = j;
      for (int i = j + 1; i < rows; ++i)
        if (fabs(column[i]) > fabs(column[best])) best = i;
      pivot[j] = best;
      if (!(fabs(column[best]) > 0.0)) return j;
      for (int k = 0; k < width; ++k) swap_rows(pivot, j, j + 1, a + (size_t)k * stride);
      for (int i = j + 1; i < rows; ++i) column[i] /= column[j];
      for (int k = j + 1; k < width; ++k) {
        double *other = a + (size_t)k * stride;
        tac_vector_add(rows - j - 1, -other[j], column + j + 1, other + j + 1);
      }
    }
    return -1;
  }
  int half = width / 2;
  int failed = factor_panel(rows, half, a, stride, pivot);
  if (failed >= 0) return failed;
  double *right = a + (size_t)half * stride;
  for (int j = half; j < width; ++j) swap_rows(pivot, 0, half, a + (size_t)j * stride);
  solve_lower(half, width - half, a, stride, right, stride);
  tac_dense_product(rows - half, width - half, half, -1.0, view(a + half, stride), view(right, stride), right + half,
                    stride);
  failed = factor_panel(rows - half, width - half, right + half, stride, pivot + half);
  if (failed >= 0) return half + failed;
  for (int i = half; i < width; ++i) pivot[i] += half;
  for (int j = 0; j < half; ++j) swap_rows(pivot, half, width, a + (size_t)j * stride);
  return -1;
}

/* Columns outside the panel [begin, end) follow what was done to it. */
typedef struct {
  const tacDense *a;
  const int *pivot;
  int begin, end;
} Panel;

static void follow_panel(size_t first, size_t last, int thread, void *context) {
  (void)thread;
  const Panel *panel = context;
  const tacDense *a = panel->a;
  int width = panel->end - panel->begin, below = a->rows - panel->end;
  for (size_t strip = first; strip < last; ++strip) {
    int from = (int)strip * STRIP, to = from + STRIP < a->cols ? from + STRIP : a->cols;
    for (int j = from; j < to; ++j)
      if (j < panel->begin || j >= panel->end)
        swap_rows(panel->pivot, panel->begin, panel->end, tac_dense_column(a, j));
    if (from < panel->end) from = panel->end;
    if (from >= to) continue;
    const double *corner = tac_dense_column(a, panel->begin) + panel->begin;
    double *right = tac_dense_column(a, from) + panel->begin;
    size_t stride = (size_t)a->stride;
    solve_lower(width, to - from, corner, stride, right, stride);
    tac_dense_product(below, to - from, width, -1.0, view(corner + width, stride), view(right, stride), right + width,
                      stride);
  }
}

static double norm1(const tacDense *a) {
  double largest = 0.0;
  for (int j = 0; j < a->cols; ++j) {
    double sum = 0.0;
    for (int i = 0; i < a->rows; ++i) sum += fabs(tac_dense_column(a, j)[i]);
    largest = fmax(largest, sum);
  }
  return largest;
}

static tacStatus estimate_rcond(const tacDense *a, double norm, double *rcond, tacError *error) {
  size_t size = (size_t)a->rows;
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  double *work = tac_arrays_add(&room, 4 * size, sizeof *work);
  int *integer_work = tac_arrays_add(&room, size, sizeof *integer_work);
  TAC_TRY(tac_arrays_status(&room, "a condition number", error));
  tac_blas_begin();
  LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', a->rows, a->a, a->stride, norm, rcond, work, integer_work);
  tac_blas_end();
  return TAC_OK;
}

/* Part of the work that is done when `column` columns of `size` are factored. */
static double fraction_done(int column, int size) {
  double left = 1.0 - (double)column / size;
  return 1.0 - left * left * left;
}

tacStatus tac_dense_lu(tacDense *a, int *pivot, double *rcond, int thread_count, const tacProgress *progress,
                       tacError *error) {
  int size = a->rows;
  if (a->cols != size)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "LU needs a square matrix, not %d x %d", size, a->cols);
  if (!tac_dense_finite(a)) return tac_error_set(error, TAC_ERR_ARGUMENT, "a dense matrix has NaN or infinite entries");
  double norm = rcond != NULL ? norm1(a) : 0.0;
  for (int begin = 0; begin < size; begin += PANEL) {
    int width = size - begin < PANEL ? size - begin : PANEL;
    double *corner = tac_dense_column(a, begin) + begin;
    int failed = factor_panel(size - begin, width, corner, (size_t)a->stride, pivot + begin);
    if (failed >= 0)
      return tac_error_set(error, TAC_ERR_SINGULAR, "a dense matrix of size %d is singular at column %d", size,
                           begin + failed);
    for (int i = begin; i < begin + width; ++i) pivot[i] += begin;
    Panel panel = {a, pivot, begin, begin + width};
    const tacProgressPart part = {progress, fraction_done(begin, size), fraction_done(begin + width, size), NULL};
    const tacProgress stage = tac_progress_part(&part);
    TAC_TRY(tac_parallel_for(thread_count, (size_t)((size + STRIP - 1) / STRIP), 1, follow_panel, &panel, &stage,
                             "dense factors", error));
  }
  if (rcond == NULL) return TAC_OK;
  *rcond = 1.0;
  return size > 0 ? estimate_rcond(a, norm, rcond, error) : TAC_OK;
}

typedef struct {
  const tacDense *factor;
  const int *pivot;
  tacDense *b;
} Solve;

static void solve_strips(size_t first, size_t last, int thread, void *context) {
  (void)thread;
  const Solve *solve = context;
  const tacDense *factor = solve->factor;
  for (size_t strip = first; strip < last; ++strip) {
    int from = (int)strip * TAC_DENSE_LU_STRIP, count = solve->b->cols - from;
    if (count > TAC_DENSE_LU_STRIP) count = TAC_DENSE_LU_STRIP;
    double *b = tac_dense_column(solve->b, from);
    for (int j = from; j < from + count; ++j) swap_rows(solve->pivot, 0, factor->rows, tac_dense_column(solve->b, j));
    solve_lower(factor->rows, count, factor->a, (size_t)factor->stride, b, (size_t)solve->b->stride);
    solve_upper(factor->rows, count, factor->a, (size_t)factor->stride, b, (size_t)solve->b->stride);
  }
}

tacStatus tac_dense_lu_solve(const tacDense *factor, const int *pivot, tacDense *b, int thread_count,
                             const tacProgress *progress, tacError *error) {
  if (factor->rows != factor->cols || b->rows != factor->rows)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the factor is %d x %d, but the right-hand side has %d rows; they must be equal", factor->rows,
                         factor->cols, b->rows);
  if (factor->rows == 0) return TAC_OK;
  Solve solve = {factor, pivot, b};
  size_t strips = (size_t)(b->cols / TAC_DENSE_LU_STRIP + (b->cols % TAC_DENSE_LU_STRIP != 0));
  return tac_parallel_for(thread_count, strips, 1, solve_strips, &solve, progress, "dense solutions", error);
}
