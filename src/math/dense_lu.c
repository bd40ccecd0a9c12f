#include "math/dense_lu.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include "base/array.h"
#include "base/parallel.h"
#include "base/progress.h"

enum {
  PANEL = 128, /* columns that are factored before the others follow */
  STRIP = 256  /* columns that follow together */
};

static void swap_rows(const int *pivot, int begin, int end, double *column) {
  for (int i = begin; i < end; ++i) {
    double moved = column[i];
    column[i] = column[pivot[i]];
    column[pivot[i]] = moved;
  }
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
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, width, to - from, 1.0, corner, a->stride,
                right, a->stride);
    if (below > 0)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, below, to - from, width, -1.0, corner + width, a->stride,
                  right, a->stride, 1.0, right + width, a->stride);
  }
}

static double norm1(const tacDense *a) {
  double largest = 0.0;
  for (int j = 0; j < a->cols; ++j) largest = fmax(largest, cblas_dasum(a->rows, tac_dense_column(a, j), 1));
  return largest;
}

static tacStatus estimate_rcond(const tacDense *a, double norm, double *rcond, tacError *error) {
  size_t size = (size_t)a->rows;
  double *work = tac_array_create(4 * size, sizeof *work, "a condition number", error);
  int *integer_work = tac_array_create(size, sizeof *integer_work, "a condition number", error);
  tacStatus status = work == NULL || integer_work == NULL ? TAC_ERR_MEMORY : TAC_OK;
  if (status == TAC_OK)
    LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', a->rows, a->a, a->stride, norm, rcond, work, integer_work);
  free(work);
  free(integer_work);
  return status;
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
  if (!tac_dense_finite(a))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a dense matrix has entries that are not finite");
  double norm = rcond != NULL ? norm1(a) : 0.0;
  for (int begin = 0; begin < size; begin += PANEL) {
    int width = size - begin < PANEL ? size - begin : PANEL;
    double *corner = tac_dense_column(a, begin) + begin;
    int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size - begin, width, corner, a->stride, pivot + begin);
    if (info != 0)
      return tac_error_set(error, TAC_ERR_SINGULAR, "a dense matrix of size %d is singular at column %d", size,
                           begin + info - 1);
    for (int i = begin; i < begin + width; ++i) pivot[i] += begin - 1; /* LAPACK counts from 1 */
    Panel panel = {a, pivot, begin, begin + width};
    const tacProgressPart part = {progress, fraction_done(begin, size), fraction_done(begin + width, size), NULL};
    const tacProgress stage = tac_progress_part(&part);
    tacStatus status = tac_parallel_for(thread_count, (size_t)((size + STRIP - 1) / STRIP), 1, follow_panel, &panel,
                                        &stage, "dense factors", error);
    if (status != TAC_OK) return status;
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
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, factor->rows, count, 1.0, factor->a,
                factor->stride, b, solve->b->stride);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, factor->rows, count, 1.0, factor->a,
                factor->stride, b, solve->b->stride);
  }
}

tacStatus tac_dense_lu_solve(const tacDense *factor, const int *pivot, tacDense *b, int thread_count,
                             const tacProgress *progress, tacError *error) {
  if (factor->rows != factor->cols || b->rows != factor->rows)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "factors of %d x %d cannot solve for %d rows", factor->rows,
                         factor->cols, b->rows);
  if (factor->rows == 0) return TAC_OK;
  Solve solve = {factor, pivot, b};
  size_t strips = (size_t)(b->cols / TAC_DENSE_LU_STRIP + (b->cols % TAC_DENSE_LU_STRIP != 0));
  return tac_parallel_for(thread_count, strips, 1, solve_strips, &solve, progress, "dense solutions", error);
}
