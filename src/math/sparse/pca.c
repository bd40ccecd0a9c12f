#include "math/sparse/pca.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/dense/vector.h"

void tac_pca_destroy(tacPca *pca) {
  tac_dense_destroy(&pca->vectors);
  free(pca->singular);
  *pca = (tacPca){0};
}

static tacStatus not_positive(tacError *error) {
  return tac_error_set(error, TAC_ERR_SINGULAR, "the weights of principal components are not positive definite");
}

/* rows[i] *= scale[i] */
static void scale_rows(const double *scale, tacDense *a) {
  for (int j = 0; j < a->cols; ++j) {
    double *column = tac_dense_column(a, j);
    for (int i = 0; i < a->rows; ++i) column[i] *= scale[i];
  }
}

/* The leading components of A from its plain SVD: as many columns of `left` and singular values as are kept. */
static tacStatus decompose(tacDense *a, int most, int larger_size, tacDense *left, double **singular, int *count,
                           tacError *error) {
  tacDense vt = {0};
  int small = a->rows < a->cols ? a->rows : a->cols;
  *left = (tacDense){0};
  *count = 0;
  TAC_TRY(TAC_ARRAY(*singular, (size_t)small, "singular values", error));
  tacStatus status = tac_dense_svd(a, left, *singular, &vt, error);
  tac_dense_destroy(&vt);
  if (status != TAC_OK) return status;
  while (*count < small && *count < most && (*singular)[*count] > larger_size * DBL_EPSILON * (*singular)[0]) ++*count;
  left->cols = *count;
  return TAC_OK;
}

static tacStatus weigh_by_diagonal(const tacDense *snapshots, const tacSparse *m, int most, tacPca *pca,
                                   tacError *error) {
  int n = snapshots->rows, larger = n > snapshots->cols ? n : snapshots->cols;
  tacDense a = {0};
  double *root = tac_array_create((size_t)n, sizeof *root, "weights", error);
  tacStatus status = root == NULL ? TAC_ERR_MEMORY : tac_dense_copy(snapshots, &a, error);
  if (status != TAC_OK) goto done;
  if (m != NULL) {
    tac_sparse_diagonal(m, root);
    for (int i = 0; i < n; ++i) {
      if (!(root[i] > 0.0)) {
        status = not_positive(error);
        goto done;
      }
      root[i] = sqrt(root[i]);
    }
    scale_rows(root, &a);
  }
  status = decompose(&a, most, larger, &pca->vectors, &pca->singular, &pca->count, error);
  if (status == TAC_OK && m != NULL) {
    for (int i = 0; i < n; ++i) root[i] = 1.0 / root[i];
    scale_rows(root, &pca->vectors);
  }
done:
  free(root);
  tac_dense_destroy(&a);
  return status;
}

/* A = Q R with Q^T M Q = I. Columns that are combinations of earlier ones, up to rounding, add nothing to Q, which
 * therefore has as many columns as R has rows in use: `rank`. */
static tacStatus gram_schmidt(const tacDense *a, const tacSparse *m, tacDense *q, tacDense *r, int *rank,
                              tacError *error) {
  int n = a->rows;
  size_t bytes = (size_t)n * sizeof(double);
  double *weighted = tac_array_create((size_t)n, sizeof *weighted, "weighted snapshots", error);
  double *coefficient = tac_array_create((size_t)r->rows, sizeof *coefficient, "weighted snapshots", error);
  tacStatus status = weighted == NULL || coefficient == NULL ? TAC_ERR_MEMORY : TAC_OK;
  *rank = 0;
  for (int j = 0; status == TAC_OK && j < a->cols; ++j) {
    double *column = tac_dense_column(r, j);
    const double *source = tac_dense_column(a, j);
    tac_sparse_multiply_transposed(m, source, 1, weighted);
    double square = tac_vector_dot(n, source, weighted), plain = tac_vector_norm(n, source);
    if (plain == 0.0) continue;
    if (!(square > 0.0)) {
      status = not_positive(error);
      break;
    }
    if (*rank == q->cols) { /* Q spans everything: keep the coefficients */
      tacDense basis = {n, *rank, q->stride, q->a};
      tac_dense_gemv(1.0, &basis, true, weighted, 0.0, column);
      continue;
    }
    double *x = tac_dense_column(q, *rank);
    tacDense basis = {n, *rank, q->stride, q->a};
    memcpy(x, source, bytes);
    for (int pass = 0; pass < 2; ++pass) {
      if (pass > 0) tac_sparse_multiply_transposed(m, x, 1, weighted);
      tac_dense_gemv(1.0, &basis, true, weighted, 0.0, coefficient);
      tac_dense_gemv(-1.0, &basis, false, coefficient, 1.0, x);
      for (int i = 0; i < *rank; ++i) column[i] += coefficient[i];
    }
    tac_sparse_multiply_transposed(m, x, 1, weighted);
    double remainder = tac_vector_dot(n, x, weighted);
    if (!(sqrt(fmax(remainder, 0.0)) > 32.0 * DBL_EPSILON * sqrt(square))) continue;
    double length = sqrt(remainder);
    /* What is left may be mostly rounding error: its direction must be as orthogonal as that of any other. */
    tac_vector_scale(n, 1.0 / length, x);
    tac_sparse_multiply_transposed(m, x, 1, weighted);
    tac_dense_gemv(1.0, &basis, true, weighted, 0.0, coefficient);
    tac_dense_gemv(-1.0, &basis, false, coefficient, 1.0, x);
    tac_sparse_multiply_transposed(m, x, 1, weighted);
    tac_vector_scale(n, 1.0 / sqrt(tac_vector_dot(n, x, weighted)), x);
    column[(*rank)++] = length;
  }
  free(weighted);
  free(coefficient);
  return status;
}

static tacStatus weigh_by_matrix(const tacDense *snapshots, const tacSparse *m, int most, tacPca *pca,
                                 tacError *error) {
  int n = snapshots->rows, cols = snapshots->cols, small = n < cols ? n : cols, larger = n < cols ? cols : n, rank = 0;
  tacDense q = {0}, r = {0}, left = {0};
  tacStatus status = tac_dense_create(n, small, &q, error);
  if (status == TAC_OK) status = tac_dense_create(small, cols, &r, error);
  if (status == TAC_OK) status = gram_schmidt(snapshots, m, &q, &r, &rank, error);
  if (status != TAC_OK) goto done;
  r.rows = rank;
  q.cols = rank;
  status = decompose(&r, most, larger, &left, &pca->singular, &pca->count, error);
  if (status == TAC_OK) status = tac_dense_create(n, pca->count, &pca->vectors, error);
  if (status == TAC_OK && pca->count > 0) tac_dense_gemm(1.0, &q, false, &left, false, 0.0, &pca->vectors);
done:
  tac_dense_destroy(&q);
  tac_dense_destroy(&r);
  tac_dense_destroy(&left);
  return status;
}

tacStatus tac_pca(const tacDense *snapshots, const tacSparse *m, int most, tacPca *pca, tacError *error) {
  *pca = (tacPca){0};
  if (most < 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "%d principal components", most);
  if (m != NULL && (m->rows != snapshots->rows || m->cols != snapshots->rows))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "snapshots of size %d with weights of size %d x %d", snapshots->rows,
                         m->rows, m->cols);
  if (!tac_dense_finite(snapshots))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "snapshots have entries that are not finite");
  TAC_TRY(m != NULL ? tac_sparse_check(m, error) : TAC_OK);
  tacStatus status = m == NULL || tac_sparse_is_diagonal(m) ? weigh_by_diagonal(snapshots, m, most, pca, error)
                                                            : weigh_by_matrix(snapshots, m, most, pca, error);
  if (status != TAC_OK) tac_pca_destroy(pca);
  return status;
}
