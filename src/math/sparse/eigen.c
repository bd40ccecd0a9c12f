#include "math/sparse/eigen.h"

#include <arpack/arpack.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/dense/blas.h"
#include "math/dense/dense.h"
#include "math/dense/vector.h"
#include "math/random.h"
#include "math/sparse/factor.h"

enum { DENSE_SIZE = 64, MOST_RESTARTS = 1000, MOST_ITERATED = 20000 /* ARPACK counts its workspace by int */ };

/* ARPACK's own C interface to this one allocates and does not check. At the end, the lengths of the three texts, as
 * gfortran passes them. */
extern void dseupd_(const int *with_vectors, const char *which_vectors, int *selected, double *value, double *vector,
                    const int *vector_stride, const double *shift, const char *kind, const int *size, const char *which,
                    const int *wanted, const double *tolerance, double *start, const int *basis_size, double *basis,
                    const int *basis_stride, int *parameter, int *place, double *work, double *small_work,
                    const int *small_work_size, int *info, size_t, size_t, size_t);

/* Factors with a smaller estimate of 1 / condition number are taken for those of a singular matrix. */
static const double least_rcond = 1e-12;

/* ARPACK's subroutines keep what they need from one call to the next in static variables. */
static pthread_mutex_t arpack_lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct pencil {
  const tacSparse *k, *m;
  int size;
  double shift;
  tacFactor *factor; /* of K - shift M */
  const tacProgress *progress;
  int solves, expected_solves;
  int64_t last_report;
} pencil;

void tac_eigen_destroy(tacEigen *eigen) {
  tac_arrays_free(&eigen->arrays);
  *eigen = (tacEigen){0};
}

static void multiply_mass(const tacSparse *m, int size, const double *x, int count, double *y) {
  if (m != NULL)
    tac_sparse_multiply_transposed(m, x, count, y);
  else
    memcpy(y, x, (size_t)size * (size_t)count * sizeof *y);
}

static tacStatus report_progress(pencil *problem, tacError *error) {
  int solves = problem->solves++;
  if (problem->progress == NULL || problem->progress->report == NULL) return TAC_OK;
  int64_t now = tac_clock_now();
  if (solves > 0 && now - problem->last_report < TAC_NS_PER_SECOND / 5) return TAC_OK;
  problem->last_report = now;
  double fraction = (double)solves / (double)(solves + problem->expected_solves); /* their number is not known ahead */
  if (problem->progress->report("eigenpairs", fraction, problem->progress->user)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_CANCELLED, "the computation of eigenpairs was cancelled");
}

/* y = (K - shift M)^-1 right */
static tacStatus apply_operator(pencil *problem, const double *right, double *y, tacError *error) {
  tacStatus status = report_progress(problem, error);
  return status == TAC_OK ? tac_factor_solve(problem->factor, right, 1, y, error) : status;
}

/* The pairs next to the shift, in no order. */
static tacStatus iterate(pencil *problem, tacEigen *eigen, tacError *error) {
  int n = eigen->size, wanted = eigen->count;
  int basis_size = 2 * wanted + 1 > wanted + 20 ? 2 * wanted + 1 : wanted + 20;
  if (basis_size > n) basis_size = n;
  size_t rows = (size_t)n, columns = (size_t)basis_size;
  problem->expected_solves = 2 * basis_size;

  int small_work_size = basis_size * (basis_size + 8);
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  double *start = tac_arrays_add(&room, rows, sizeof *start), *right = tac_arrays_add(&room, rows, sizeof *right);
  double *basis = tac_arrays_add(&room, rows * columns, sizeof *basis);
  double *work = tac_arrays_add(&room, 3 * rows, sizeof *work);
  double *small_work = tac_arrays_add(&room, (size_t)small_work_size, sizeof *small_work);
  int *selected = tac_arrays_add(&room, columns, sizeof *selected);
  TAC_TRY(tac_arrays_status(&room, "Lanczos vectors", error));
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < n; ++i) start[i] = tac_random_uniform(&random, -1.0, 1.0);
  const char *kind = problem->m != NULL ? "G" : "I";
  int task = 0, info = 1; /* 1: `start` is given */
  int parameter[11] = {[0] = 1, [2] = MOST_RESTARTS, [3] = 1, [6] = 3};
  int place[11] = {0};
  for (;;) {
    tac_blas_begin();
    dsaupd_c(&task, kind, n, "LM", wanted, 0.0, start, basis_size, basis, n, parameter, place, work, small_work,
             small_work_size, &info);
    tac_blas_end();
    const double *x = work + place[0] - 1;
    double *y = work + place[1] - 1;
    if (task == 2) {
      multiply_mass(problem->m, n, x, 1, y);
    } else if (task == 1 && problem->m != NULL) { /* M x is at hand */
      TAC_TRY(apply_operator(problem, work + place[2] - 1, y, error));
    } else if (task == 1 || task == -1) {
      multiply_mass(problem->m, n, x, 1, right);
      TAC_TRY(apply_operator(problem, right, y, error));
    } else {
      break;
    }
  }
  if (info != 0 || parameter[4] < wanted)
    return tac_error_set(error, TAC_ERR_NO_CONVERGENCE,
                         "only %d of %d eigenpairs converged in %d restarts (ARPACK status %d)", parameter[4], wanted,
                         parameter[2], info);
  const int with_vectors = 1;
  const double tolerance = 0.0;
  tac_blas_begin();
  dseupd_(&with_vectors, "A", selected, eigen->value, basis, &n, &problem->shift, kind, &n, "LM", &wanted, &tolerance,
          start, &basis_size, basis, &n, parameter, place, work, small_work, &small_work_size, &info, 1, 1, 2);
  tac_blas_end();
  if (info != 0) return tac_error_set(error, TAC_ERR_NO_CONVERGENCE, "ARPACK found no eigenvectors (status %d)", info);
  memcpy(eigen->vector, basis, rows * (size_t)wanted * sizeof *basis);
  return TAC_OK;
}

static void sort_pairs(tacEigen *eigen) {
  int n = eigen->size;
  for (int i = 0; i < eigen->count; ++i) {
    int least = i;
    for (int j = i + 1; j < eigen->count; ++j)
      if (eigen->value[j] < eigen->value[least]) least = j;
    if (least == i) continue;
    double value = eigen->value[i];
    eigen->value[i] = eigen->value[least];
    eigen->value[least] = value;
    tac_vector_swap(n, eigen->vector + (size_t)i * (size_t)n, eigen->vector + (size_t)least * (size_t)n);
  }
}

static double entry_on_diagonal(const tacSparse *matrix, int i) {
  int p = tac_sparse_find(matrix, i, i);
  return p >= 0 ? matrix->value[p] : 0.0;
}

static tacStatus try_shift(pencil *problem, double shift, tacError *error) {
  TAC_FREED(tac_sparse_destroy, tacSparse, identity) = {0};
  TAC_FREED(tac_sparse_destroy, tacSparse, shifted) = {0};
  TAC_OWN(tacFactor, factor) = NULL;
  const tacSparse *matrix = problem->k, *m = problem->m;
  problem->shift = shift;
  if (shift != 0.0) {
    if (m == NULL) TAC_TRY(tac_sparse_identity(problem->size, &identity, error));
    TAC_TRY(tac_sparse_add(1.0, problem->k, -shift, m != NULL ? m : &identity, &shifted, error));
    matrix = &shifted;
  }
  TAC_TRY(tac_factor_create(matrix, &factor, error));
  TAC_TRY(tac_factor_update(factor, matrix->value, error));
  if (tac_factor_report(factor).rcond < least_rcond)
    return tac_error_set(error, TAC_ERR_SINGULAR, "a sparse matrix of size %d is nearly singular", problem->size);
  problem->factor = tac_give(&factor);
  return TAC_OK;
}

static tacStatus choose_shift(pencil *problem, tacError *error) {
  static const double factors[] = {0.0, 1e-8, 1e-6, 1e-4, 1e-2, 1.0};
  double trace_k = 0.0, trace_m = problem->m != NULL ? 0.0 : problem->size;
  for (int i = 0; i < problem->size; ++i) {
    trace_k += fabs(entry_on_diagonal(problem->k, i));
    if (problem->m == NULL) continue;
    double mass = entry_on_diagonal(problem->m, i);
    if (!(mass > 0.0))
      return tac_error_set(error, TAC_ERR_SINGULAR, "the mass matrix is not positive definite at column %d", i);
    trace_m += mass;
  }
  double mean = trace_k > 0.0 ? trace_k / trace_m : 1.0;
  tacStatus status = TAC_ERR_SINGULAR;
  tacError attempt; /* a shift that fails is no error while another one is left */
  for (size_t i = 0; status == TAC_ERR_SINGULAR && i < sizeof factors / sizeof *factors; ++i)
    status = try_shift(problem, -factors[i] * mean, &attempt);
  if (status != TAC_OK && error != NULL) *error = attempt;
  return status;
}

static tacStatus solve_by_lanczos(const tacSparse *k, const tacSparse *m, const tacProgress *progress, tacEigen *eigen,
                                  tacError *error) {
  pencil problem = {.k = k, .m = m, .size = eigen->size, .progress = progress};
  tacStatus status = choose_shift(&problem, error);
  if (status == TAC_OK) {
    eigen->shift = problem.shift;
    pthread_mutex_lock(&arpack_lock);
    status = iterate(&problem, eigen, error);
    pthread_mutex_unlock(&arpack_lock);
    sort_pairs(eigen);
  }
  tac_factor_destroy(problem.factor);
  return status;
}

static tacStatus make_dense(const tacSparse *matrix, tacDense *dense, tacError *error) {
  tacStatus status = tac_dense_create(matrix->rows, matrix->cols, dense, error);
  for (int j = 0; status == TAC_OK && j < matrix->cols; ++j)
    for (int p = matrix->column_start[j]; p < matrix->column_start[j + 1]; ++p)
      tac_dense_column(dense, j)[matrix->row[p]] = matrix->value[p];
  return status;
}

static tacStatus solve_by_lapack(const tacSparse *k, const tacSparse *m, tacEigen *eigen, tacError *error) {
  TAC_FREED(tac_dense_destroy, tacDense, a) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, b) = {0};
  TAC_MEMORY(double, value) = NULL;
  TAC_TRY(TAC_ARRAY(value, (size_t)eigen->size, "eigenvalues", error));
  TAC_TRY(make_dense(k, &a, error));
  if (m != NULL) TAC_TRY(make_dense(m, &b, error));
  TAC_TRY(m != NULL ? tac_dense_eigen_pencil(&a, &b, value, error) : tac_dense_eigen(&a, value, error));
  memcpy(eigen->value, value, (size_t)eigen->count * sizeof *value);
  memcpy(eigen->vector, a.a, (size_t)eigen->size * (size_t)eigen->count * sizeof *value);
  return TAC_OK;
}

static tacStatus set_residuals(const tacSparse *k, const tacSparse *m, tacEigen *eigen, tacError *error) {
  int n = eigen->size;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *kx = tac_arrays_add(&work, (size_t)n, sizeof *kx), *mx = tac_arrays_add(&work, (size_t)n, sizeof *mx);
  TAC_TRY(tac_arrays_status(&work, "residuals", error));
  for (int i = 0; i < eigen->count; ++i) {
    const double *x = eigen->vector + (size_t)i * (size_t)n;
    tac_sparse_multiply_transposed(k, x, 1, kx);
    multiply_mass(m, n, x, 1, mx);
    tac_vector_add(n, -eigen->value[i], mx, kx);
    eigen->residual[i] = tac_vector_norm(n, kx);
  }
  return TAC_OK;
}

static tacStatus solve(const tacSparse *k, const tacSparse *m, const tacProgress *progress, tacEigen *eigen,
                       tacError *error) {
  bool dense = eigen->size <= DENSE_SIZE || eigen->count > eigen->size / 3;
  if (!dense && eigen->count > MOST_ITERATED)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%d eigenpairs were requested; at most %d are possible",
                         eigen->count, MOST_ITERATED);
  TAC_TRY(dense ? solve_by_lapack(k, m, eigen, error) : solve_by_lanczos(k, m, progress, eigen, error));
  return set_residuals(k, m, eigen, error);
}

tacStatus tac_eigen_lowest(const tacSparse *k, const tacSparse *m, int count, const tacProgress *progress,
                           tacEigen *eigen, tacError *error) {
  *eigen = (tacEigen){0};
  if (k->rows != k->cols || (m != NULL && (m->rows != k->rows || m->cols != k->cols)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "eigenpairs need square matrices of the same size");
  int n = k->rows;
  if (count < 1 || count > n)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "%d eigenpairs were requested of matrices of size %d; request at least 1 and at most the size",
                         count, n);
  TAC_TRY(tac_sparse_check(k, error));
  if (m != NULL) TAC_TRY(tac_sparse_check(m, error));

  eigen->size = n;
  eigen->count = count;
  eigen->value = tac_arrays_add(&eigen->arrays, (size_t)count, sizeof *eigen->value);
  eigen->vector = tac_arrays_add(&eigen->arrays, (size_t)n * (size_t)count, sizeof *eigen->vector);
  eigen->residual = tac_arrays_add(&eigen->arrays, (size_t)count, sizeof *eigen->residual);
  tacStatus status = tac_arrays_status(&eigen->arrays, "eigenvectors", error);
  if (status == TAC_OK) status = solve(k, m, progress, eigen, error);
  if (status != TAC_OK) tac_eigen_destroy(eigen);
  return status;
}
