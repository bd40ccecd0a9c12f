#include "math/dense/dense.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>
#include "base/lanes.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/dense/blas.h"
#include "math/dense/dense_product.h"
#include "math/dense/vector.h"

/* LAPACKE's *_work functions are used throughout: the others print when they run out of memory. */

tacStatus tac_dense_create(int rows, int cols, tacDense *matrix, tacError *error) {
  *matrix = (tacDense){0};
  if (rows < 0 || cols < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a matrix cannot have %d rows and %d columns", rows, cols);
  int stride = rows > 0 ? rows : 1;
  double *a = tac_array_create((size_t)stride * (size_t)cols, sizeof *a, "a dense matrix", error);
  if (a == NULL) return TAC_ERR_MEMORY;
  *matrix = (tacDense){rows, cols, stride, a};
  return TAC_OK;
}

void tac_dense_destroy(tacDense *matrix) {
  free(matrix->a);
  *matrix = (tacDense){0};
}

tacStatus tac_dense_copy(const tacDense *matrix, tacDense *copy, tacError *error) {
  TAC_TRY(tac_dense_create(matrix->rows, matrix->cols, copy, error));
  for (int j = 0; j < matrix->cols; ++j)
    memcpy(tac_dense_column(copy, j), tac_dense_column(matrix, j), (size_t)matrix->rows * sizeof(double));
  return TAC_OK;
}

bool tac_dense_finite(const tacDense *matrix) {
  for (int j = 0; j < matrix->cols; ++j) {
    const double *column = tac_dense_column(matrix, j);
    int i = 0;
    double sum[4] = {0.0}; /* of x - x: zero where x is finite, NaN elsewhere */
    for (; i + 4 <= matrix->rows; i += 4)
      for (int k = 0; k < 4; ++k) sum[k] += column[i + k] - column[i + k];
    for (; i < matrix->rows; ++i) sum[0] += column[i] - column[i];
    if (sum[0] + sum[1] + sum[2] + sum[3] != 0.0) return false;
  }
  return true;
}

static tacStatus check_finite(const tacDense *a, tacError *error) {
  if (tac_dense_finite(a)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT, "a dense matrix has NaN or infinite entries");
}

static tacStatus check_symmetric_shape(const tacDense *a, tacError *error) {
  if (a->rows == a->cols) return check_finite(a, error);
  return tac_error_set(error, TAC_ERR_ARGUMENT, "a symmetric matrix must be square, not %d x %d", a->rows, a->cols);
}

/* LAPACK's workspaces of 4 n^2 doubles are counted by 32-bit integers. */
static tacStatus check_size(int n, tacError *error) {
  if (n <= 20000) return TAC_OK;
  return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                       "the dense matrix to decompose has size %d; at most 20000 is possible", n);
}

static tacStatus not_converged(const char *what, tacError *error) {
  return tac_error_set(error, TAC_ERR_NO_CONVERGENCE, "the %s of a dense matrix did not converge", what);
}

/* beta y, also where y is not finite and beta is zero. */
static void scale_by(double beta, int n, double *y) {
  if (beta == 0.0)
    memset(y, 0, (size_t)n * sizeof *y);
  else if (beta != 1.0)
    tac_vector_scale(n, beta, y);
}

static tacDenseView view(const tacDense *a, bool transpose) {
  size_t stride = (size_t)a->stride;
  return transpose ? (tacDenseView){a->a, stride, 1} : (tacDenseView){a->a, 1, stride};
}

typedef double Pair __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef double Quad __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef double Oct __attribute__((vector_size(8 * sizeof(double)), aligned(sizeof(double)), may_alias));

/* y += (c_0 s_0 + c_1 s_1) + (c_2 s_2 + c_3 s_3) for n rows of four columns c, `stride` apart: y is loaded and stored a
 * quarter as often. However many rows the processor does at once, each is the same sum to the bit. */
TAC_LANES_BODY void add_four(const int doubles, int n, const double *c, int stride, const double s[4], double *y) {
#define ADD_ROWS(Vector)                                                                    \
  for (int w = (int)(sizeof(Vector) / sizeof(double)); i + w <= n; i += w)                  \
  *(Vector *)(y + i) += (s0 * *(const Vector *)(c0 + i) + s1 * *(const Vector *)(c1 + i)) + \
                        (s2 * *(const Vector *)(c2 + i) + s3 * *(const Vector *)(c3 + i))
  const double *c0 = c, *c1 = c0 + stride, *c2 = c1 + stride, *c3 = c2 + stride;
  double s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
  int i = 0;
  if (doubles >= 8) ADD_ROWS(Oct);
  if (doubles >= 4) ADD_ROWS(Quad);
  ADD_ROWS(Pair);
  ADD_ROWS(double);
#undef ADD_ROWS
}

/* y += alpha A x. Four columns a sum, and eight a pass: y is loaded and stored an eighth as often. */
TAC_LANES_BODY void add_columns_lanes(const int doubles, double alpha, const tacDense *a, const double *restrict x,
                                      double *restrict y) {
  (void)doubles;
  const int rows = a->rows;
  const size_t next = (size_t)a->stride;
  int j = 0;
  for (; j + 8 <= a->cols; j += 8) {
    const double *restrict c = tac_dense_column(a, j);
    double f[8];
    for (int k = 0; k < 8; ++k) f[k] = alpha * x[j + k];
    for (size_t i = 0; i < (size_t)rows; ++i) {
      const double *d = c + i;
      const double sum = y[i] + ((f[0] * d[0] + f[1] * d[next]) + (f[2] * d[2 * next] + f[3] * d[3 * next]));
      y[i] = sum + ((f[4] * d[4 * next] + f[5] * d[5 * next]) + (f[6] * d[6 * next] + f[7] * d[7 * next]));
    }
  }
  for (; j + 4 <= a->cols; j += 4) {
    const double *restrict c0 = tac_dense_column(a, j), *restrict c1 = c0 + next, *restrict c2 = c1 + next,
                           *restrict c3 = c2 + next;
    double x0 = alpha * x[j], x1 = alpha * x[j + 1], x2 = alpha * x[j + 2], x3 = alpha * x[j + 3];
    for (int i = 0; i < rows; ++i) y[i] += (x0 * c0[i] + x1 * c1[i]) + (x2 * c2[i] + x3 * c3[i]);
  }
  for (; j < a->cols; ++j) tac_vector_add(rows, alpha * x[j], tac_dense_column(a, j), y);
}
TAC_LANES_KERNEL(static, add_columns, (double alpha, const tacDense *a, const double *x, double *y), alpha, a, x, y)

/* ---- products on several threads: cut in a way that depends on the shapes alone ---- */

enum {
  FLOPS = 1 << 20, /* fewer operations are left to the calling thread */
  STRIP = 1024,    /* rows of a matrix that a thread multiplies by a vector */
  MOST_TILE = 192, /* rows and columns of a product that a thread computes at a time, */
  LEAST_TILE = 16,
  TILES = 16 /* of the least size or larger along a side */
};

typedef struct {
  double alpha;
  const tacDense *a;
  const double *x;
  double *y;
} Gemv;

static void multiply_columns(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Gemv *g = context;
  for (size_t j = begin; j < end; ++j)
    g->y[j] += g->alpha * tac_vector_dot(g->a->rows, tac_dense_column(g->a, (int)j), g->x);
}

static void multiply_strips(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Gemv *g = context;
  for (size_t n = begin; n < end; ++n) {
    int row = (int)n * STRIP, left = g->a->rows - row;
    const tacDense strip = {left < STRIP ? left : STRIP, g->a->cols, g->a->stride, g->a->a + row};
    add_columns(g->alpha, &strip, g->x, g->y + row);
  }
}

void tac_dense_gemv(double alpha, const tacDense *a, bool transpose, const double *x, double beta, double *y) {
  Gemv g = {alpha, a, x, y};
  bool large = 2.0 * a->rows * a->cols >= FLOPS;
  scale_by(beta, transpose ? a->cols : a->rows, y);
  if (transpose)
    tac_parallel_do_if(large, (size_t)a->cols, 1, multiply_columns, &g);
  else
    tac_parallel_do_if(large, ((size_t)a->rows + STRIP - 1) / STRIP, 1, multiply_strips, &g);
}

typedef struct {
  double alpha;
  tacDenseView a, b;
  int depth, tile_rows, tile_cols, down;
  tacDense *c;
} Gemm;

static int tile_of(int count) {
  int tile = (count / TILES + LEAST_TILE - 1) / LEAST_TILE * LEAST_TILE;
  return tile < LEAST_TILE ? LEAST_TILE : tile > MOST_TILE ? MOST_TILE : tile;
}

static void multiply_tiles(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Gemm *g = context;
  for (size_t n = begin; n < end; ++n) {
    int row = (int)(n % (size_t)g->down) * g->tile_rows, column = (int)(n / (size_t)g->down) * g->tile_cols;
    int rows = g->c->rows - row < g->tile_rows ? g->c->rows - row : g->tile_rows;
    int cols = g->c->cols - column < g->tile_cols ? g->c->cols - column : g->tile_cols;
    tacDenseView a = g->a, b = g->b;
    a.a += (size_t)row * a.down;
    b.a += (size_t)column * b.right;
    tac_dense_product(rows, cols, g->depth, g->alpha, a, b, tac_dense_column(g->c, column) + row, (size_t)g->c->stride);
  }
}

void tac_dense_gemm(double alpha, const tacDense *a, bool transpose_a, const tacDense *b, bool transpose_b, double beta,
                    tacDense *c) {
  for (int j = 0; j < c->cols; ++j) scale_by(beta, c->rows, tac_dense_column(c, j));
  int depth = transpose_a ? a->rows : a->cols;
  double flops = 2.0 * c->rows * c->cols * depth;
  if (flops < FLOPS) {
    tac_dense_product(c->rows, c->cols, depth, alpha, view(a, transpose_a), view(b, transpose_b), c->a,
                      (size_t)c->stride);
    return;
  }
  Gemm g = {.alpha = alpha, .a = view(a, transpose_a), .b = view(b, transpose_b), .depth = depth, .c = c};
  g.tile_rows = tile_of(c->rows);
  g.down = (c->rows - 1) / g.tile_rows + 1;
  g.tile_cols = g.down < TILES ? tile_of(c->cols) : MOST_TILE;
  tac_parallel_do((size_t)g.down * (size_t)((c->cols - 1) / g.tile_cols + 1), 1, multiply_tiles, &g);
}

void tac_dense_syrk(double alpha, const tacDense *a, bool transpose, double beta, tacDense *c) {
  for (int j = 0; j < c->cols; ++j) scale_by(beta, c->rows - j, tac_dense_column(c, j) + j);
  tac_dense_product_lower(c->rows, transpose ? a->rows : a->cols, alpha, view(a, transpose), view(a, !transpose), c->a,
                          (size_t)c->stride);
  for (int j = 0; j < c->cols; ++j)
    for (int i = j + 1; i < c->rows; ++i) tac_dense_column(c, i)[j] = tac_dense_column(c, j)[i];
}

tacStatus tac_dense_cholesky(tacDense *a, tacError *error) {
  TAC_TRY(check_symmetric_shape(a, error));
  tac_blas_begin();
  int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', a->rows, a->a, a->stride);
  tac_blas_end();
  if (info == 0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_SINGULAR, "a dense matrix of size %d is not positive definite at column %d",
                       a->rows, info - 1);
}

void tac_dense_cholesky_solve(const tacDense *factor, tacDense *b) {
  if (factor->rows == 0 || b->cols == 0) return;
  tac_blas_begin();
  LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', factor->rows, b->cols, factor->a, factor->stride, b->a, b->stride);
  tac_blas_end();
}

/* BLAS is in use until the end of the block: TAC_FREED(leave_blas, bool, inside) = enter_blas(); */
static bool enter_blas(void) {
  tac_blas_begin();
  return true;
}
static void leave_blas(const bool *inside) {
  (void)inside;
  tac_blas_end();
}

/* Workspace sizes that LAPACK answers to a query. */
static size_t work_size(double answer) {
  return answer < 1.0 ? 1 : (size_t)answer;
}

tacStatus tac_dense_eigen(tacDense *a, double *values, tacError *error) {
  TAC_TRY(check_symmetric_shape(a, error));
  TAC_TRY(check_size(a->rows, error));
  if (a->rows == 0) return TAC_OK;
  int n = a->rows, integers = 0;
  double answer = 0.0;
  TAC_FREED(leave_blas, bool, inside) = enter_blas();
  LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, a->a, a->stride, values, &answer, -1, &integers, -1);
  size_t size = work_size(answer);
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  double *work = tac_arrays_add(&room, size, sizeof *work);
  int *integer_work = tac_arrays_add(&room, (size_t)integers, sizeof *integer_work);
  TAC_TRY(tac_arrays_status(&room, "eigenvalues", error));
  return LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, a->a, a->stride, values, work, (int)size, integer_work,
                             integers) == 0
             ? TAC_OK
             : not_converged("eigenvalues", error);
}

tacStatus tac_dense_eigen_pencil(tacDense *a, tacDense *b, double *values, tacError *error) {
  TAC_TRY(check_symmetric_shape(a, error));
  if (b->rows != a->rows || b->cols != a->cols)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the two matrices of an eigenvalue problem must have the same size");
  TAC_TRY(tac_dense_cholesky(b, error));
  if (a->rows == 0) return TAC_OK;
  /* A := L^-1 A L^-T, its eigenvectors Y, and X = L^-T Y. */
  TAC_FREED(leave_blas, bool, inside) = enter_blas();
  LAPACKE_dsygst_work(LAPACK_COL_MAJOR, 1, 'L', a->rows, a->a, a->stride, b->a, b->stride);
  TAC_TRY(tac_dense_eigen(a, values, error));
  LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'T', 'N', a->rows, a->cols, b->a, b->stride, a->a, a->stride);
  return TAC_OK;
}

static tacStatus find_svd(tacDense *a, tacDense *u, double *s, tacDense *vt, tacError *error) {
  int small = a->rows < a->cols ? a->rows : a->cols, dummy = 0;
  double answer = 0.0;
  TAC_TRY(check_finite(a, error));
  TAC_TRY(check_size(small, error));
  TAC_TRY(tac_dense_create(a->rows, small, u, error));
  TAC_TRY(tac_dense_create(small, a->cols, vt, error));
  if (small == 0) return TAC_OK;
  TAC_FREED(leave_blas, bool, inside) = enter_blas();
  LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', a->rows, a->cols, a->a, a->stride, s, u->a, u->stride, vt->a, vt->stride,
                      &answer, -1, &dummy);
  size_t size = work_size(answer);
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  double *work = tac_arrays_add(&room, size, sizeof *work);
  int *integer_work = tac_arrays_add(&room, 8 * (size_t)small, sizeof *integer_work);
  TAC_TRY(tac_arrays_status(&room, "singular values", error));
  return LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', a->rows, a->cols, a->a, a->stride, s, u->a, u->stride, vt->a,
                             vt->stride, work, (int)size, integer_work) == 0
             ? TAC_OK
             : not_converged("singular values", error);
}

tacStatus tac_dense_svd(tacDense *a, tacDense *u, double *s, tacDense *vt, tacError *error) {
  *u = *vt = (tacDense){0};
  tacStatus status = find_svd(a, u, s, vt, error);
  if (status == TAC_OK) return TAC_OK;
  tac_dense_destroy(u);
  tac_dense_destroy(vt);
  return status;
}

tacStatus tac_dense_least_squares(const tacDense *a, const tacDense *b, tacDense *x, int *rank, tacError *error) {
  *x = (tacDense){0};
  if (a->rows != b->rows)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "least squares: the matrix has %d rows and the right-hand side %d; they must be equal",
                         a->rows, b->rows);
  int small = a->rows < a->cols ? a->rows : a->cols, large = a->rows > a->cols ? a->rows : a->cols, kept = 0;
  TAC_FREED(tac_dense_destroy, tacDense, copy) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, u) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, vt) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, projected) = {0};
  TAC_MEMORY(double, s) = NULL;
  TAC_TRY(check_finite(b, error));
  TAC_TRY(tac_dense_copy(a, &copy, error));
  TAC_TRY(TAC_ARRAY(s, (size_t)small, "singular values", error));
  TAC_TRY(tac_dense_svd(&copy, &u, s, &vt, error));
  TAC_TRY(tac_dense_create(small, b->cols, &projected, error));
  TAC_TRY(tac_dense_create(a->cols, b->cols, x, error));
  while (kept < small && s[kept] > large * DBL_EPSILON * s[0]) ++kept;
  if (kept > 0 && b->cols > 0) {
    tac_dense_gemm(1.0, &u, true, b, false, 0.0, &projected);
    for (int j = 0; j < b->cols; ++j)
      for (int i = 0; i < small; ++i) {
        double *entry = tac_dense_column(&projected, j) + i;
        *entry = i < kept ? *entry / s[i] : 0.0;
      }
    tac_dense_gemm(1.0, &vt, true, &projected, false, 0.0, x);
  }
  if (rank != NULL) *rank = kept;
  return TAC_OK;
}

tacStatus tac_dense_qr(tacDense *a, tacDense *r, tacError *error) {
  *r = (tacDense){0};
  int n = a->cols;
  if (a->rows < n)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "QR needs at least as many rows as columns, not %d x %d", a->rows, n);
  TAC_TRY(check_finite(a, error));
  if (n == 0) return tac_dense_create(n, n, r, error);
  double answer[2] = {0.0, 0.0};
  TAC_FREED(leave_blas, bool, inside) = enter_blas();
  LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, a->rows, n, a->a, a->stride, NULL, &answer[0], -1);
  LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, a->rows, n, n, a->a, a->stride, NULL, &answer[1], -1);
  size_t size = work_size(fmax(answer[0], answer[1]));
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  double *work = tac_arrays_add(&room, size, sizeof *work), *tau = tac_arrays_add(&room, (size_t)n, sizeof *tau);
  TAC_TRY(tac_arrays_status(&room, "QR", error));
  TAC_TRY(tac_dense_create(n, n, r, error));
  LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, a->rows, n, a->a, a->stride, tau, work, (int)size);
  for (int j = 0; j < n; ++j) memcpy(tac_dense_column(r, j), tac_dense_column(a, j), ((size_t)j + 1) * sizeof(double));
  LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, a->rows, n, n, a->a, a->stride, tau, work, (int)size);
  return TAC_OK;
}

void tac_dense_loop_gemv(const tacDense *a, const double *restrict x, double *restrict y) {
  memset(y, 0, (size_t)a->rows * sizeof *y);
  add_columns(1.0, a, x, y);
}

TAC_LANES_BODY void cholesky_lanes(const int doubles, const tacDense *a, bool *definite) {
  int n = a->rows, stride = a->stride;
  *definite = false;
  for (int j = 0; j < n; ++j) {
    double *column = tac_dense_column(a, j);
    const double *earlier = a->a + j;
    int k = 0;
    for (; k + 4 <= j; k += 4, earlier += 4 * stride) {
      const double s[4] = {-earlier[0], -earlier[stride], -earlier[2 * stride], -earlier[3 * stride]};
      add_four(doubles, n - j, earlier, stride, s, column + j);
    }
    for (; k < j; ++k, earlier += stride) tac_vector_add(n - j, -earlier[0], earlier, column + j);
    if (!(column[j] > 0.0) || !isfinite(column[j])) return;
    double diagonal = sqrt(column[j]), inverse = 1.0 / diagonal;
    column[j] = diagonal;
    tac_vector_scale(n - j - 1, inverse, column + j + 1);
  }
  *definite = true;
}

TAC_LANES_KERNEL(static, cholesky, (const tacDense *a, bool *definite), a, definite)

bool tac_dense_loop_cholesky(tacDense *a) {
  bool definite;
  cholesky(a, &definite);
  return definite;
}

/* Four unknowns at a time. Their divisions do not wait for each other. */
TAC_LANES_BODY void tac_dense_loop_cholesky_solve_lanes(const int doubles, const tacDense *factor, double *x) {
  int n = factor->rows, stride = factor->stride, j = 0;
  for (; j + 4 <= n; j += 4) {
    const double *c0 = tac_dense_column(factor, j) + j, *c1 = c0 + stride, *c2 = c1 + stride, *c3 = c2 + stride;
    double per[4] = {1.0 / c0[0], 1.0 / c1[1], 1.0 / c2[2], 1.0 / c3[3]}, s[4];
    x[j] *= per[0];
    x[j + 1] = (x[j + 1] - c0[1] * x[j]) * per[1];
    x[j + 2] = ((x[j + 2] - c0[2] * x[j]) - c1[2] * x[j + 1]) * per[2];
    x[j + 3] = (((x[j + 3] - c0[3] * x[j]) - c1[3] * x[j + 1]) - c2[3] * x[j + 2]) * per[3];
    for (int i = 0; i < 4; ++i) s[i] = -x[j + i];
    add_four(doubles, n - j - 4, c0 + 4, stride, s, x + j + 4);
  }
  for (; j < n; ++j) {
    const double *column = tac_dense_column(factor, j);
    x[j] /= column[j];
    tac_vector_add(n - j - 1, -x[j], column + j + 1, x + j + 1);
  }
  for (j = n - 1; j >= 0; --j) {
    const double *column = tac_dense_column(factor, j);
    double per = 1.0 / column[j];
    x[j] = (x[j] - tac_vector_dot(n - j - 1, column + j + 1, x + j + 1)) * per;
  }
}
TAC_LANES_KERNEL(, tac_dense_loop_cholesky_solve, (const tacDense *factor, double *x), factor, x)

void tac_dense_loop_cholesky_forward3(const tacDense *factor, int first, double *x) {
  int n = factor->rows;
  double *restrict a = x, *restrict b = x + n, *restrict c = x + 2 * n;
  for (int j = first; j < n; ++j) {
    const double *restrict column = tac_dense_column(factor, j);
    double per = 1.0 / column[j], p = a[j] *= per, q = b[j] *= per, r = c[j] *= per;
    for (int i = j + 1; i < n; ++i) {
      a[i] -= column[i] * p;
      b[i] -= column[i] * q;
      c[i] -= column[i] * r;
    }
  }
}

void tac_dense_loop_cholesky_backward(const tacDense *factor, double *x) {
  for (int j = factor->rows - 1; j >= 0; --j) {
    const double *column = tac_dense_column(factor, j);
    double sum = x[j];
    for (int i = j + 1; i < factor->rows; ++i) sum -= column[i] * x[i];
    x[j] = sum / column[j];
  }
}

bool tac_dense_loop_lu(tacDense *a, int *pivot) {
  int n = a->rows;
  for (int j = 0; j < n; ++j) {
    double *column = tac_dense_column(a, j);
    int best = j;
    for (int i = j + 1; i < n; ++i)
      if (fabs(column[i]) > fabs(column[best])) best = i;
    pivot[j] = best;
    if (!(fabs(column[best]) > 0.0) || !isfinite(column[best])) return false;
    if (best != j)
      for (int k = 0; k < n; ++k) {
        double *other = tac_dense_column(a, k), swapped = other[j];
        other[j] = other[best];
        other[best] = swapped;
      }
    for (int i = j + 1; i < n; ++i) column[i] /= column[j];
    for (int k = j + 1; k < n; ++k) {
      double *other = tac_dense_column(a, k);
      tac_vector_add(n - j - 1, -other[j], column + j + 1, other + j + 1);
    }
  }
  return true;
}

void tac_dense_loop_lu_solve(const tacDense *factor, const int *pivot, double *x) {
  int n = factor->rows;
  for (int i = 0; i < n; ++i) {
    double swapped = x[i];
    x[i] = x[pivot[i]];
    x[pivot[i]] = swapped;
  }
  for (int j = 0; j < n; ++j) tac_vector_add(n - j - 1, -x[j], tac_dense_column(factor, j) + j + 1, x + j + 1);
  for (int j = n - 1; j >= 0; --j) {
    const double *column = tac_dense_column(factor, j);
    x[j] /= column[j];
    tac_vector_add(j, -x[j], column, x);
  }
}
