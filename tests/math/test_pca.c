#include "math/sparse/pca.h"

#include <math.h>
#include <string.h>
#include "math/dense_samples.h"
#include "math/laplacian.h"

enum { SIZE = 60, SNAPSHOTS = 15 };

static tacError error;

/* The identity, a diagonal or a full mass matrix, and none: all of them positive definite. */
static tacSparse weights(int kind, int size) {
  tacSparse m = kind == 2 ? tac_test_laplacian((tacTestGrid){{size, 1, 1}, false}) : (tacSparse){0};
  if (kind != 2) tac_test_ok(tac_sparse_identity(size, &m, &error), error);
  for (int i = 0; i < size; ++i) m.value[tac_sparse_find(&m, i, i)] += kind == 0 ? 0.0 : 0.5 + 0.1 * (i % 7);
  return m;
}

static double m_dot(const tacSparse *m, const double *x, const double *y) {
  double *mx = malloc((size_t)m->rows * sizeof *mx), sum = 0.0;
  tac_sparse_multiply(m, x, 1, mx);
  for (int i = 0; i < m->rows; ++i) sum += mx[i] * y[i];
  free(mx);
  return sum;
}

static void check_orthonormal(const tacPca *pca, const tacSparse *m) {
  for (int a = 0; a < pca->count; ++a)
    for (int b = 0; b <= a; ++b)
      ck_assert_double_eq_tol(m_dot(m, tac_dense_column(&pca->vectors, a), tac_dense_column(&pca->vectors, b)),
                              a == b ? 1.0 : 0.0, 1e-13);
}

/* The sum over the snapshots of |a - X X^T M a|_M^2. */
static double squares_left(const tacDense *snapshots, const tacPca *pca, const tacSparse *m) {
  double sum = 0.0;
  for (int j = 0; j < snapshots->cols; ++j) {
    const double *a = tac_dense_column(snapshots, j);
    TAC_MEMORY(double, rest) = malloc((size_t)snapshots->rows * sizeof *rest);
    memcpy(rest, a, (size_t)snapshots->rows * sizeof *rest);
    for (int k = 0; k < pca->count; ++k) {
      const double *x = tac_dense_column(&pca->vectors, k);
      double c = m_dot(m, a, x);
      for (int i = 0; i < snapshots->rows; ++i) rest[i] -= c * x[i];
    }
    sum += m_dot(m, rest, rest);
  }
  return sum;
}

TAC_TEST(what_is_left_is_the_squares_of_the_values_left_out) {
  tacRandom random = tac_random_seed(1);
  for (int kind = 0; kind < 3; ++kind) {
    TAC_SPARSE m = weights(kind, SIZE);
    TAC_DENSE a = random_dense(&random, SIZE, SNAPSHOTS);
    const tacSparse *given = kind == 0 ? NULL : &m;
    tacPca all, some;
    tac_test_ok(tac_pca(&a, given, SNAPSHOTS, &all, &error), error);
    ck_assert_int_eq(all.count, SNAPSHOTS);
    check_orthonormal(&all, &m);
    ck_assert_double_lt(squares_left(&a, &all, &m), 1e-24);
    for (int most = 0; most < SNAPSHOTS; most += 4) {
      tac_test_ok(tac_pca(&a, given, most, &some, &error), error);
      ck_assert_int_eq(some.count, most);
      double left = 0.0;
      for (int i = most; i < SNAPSHOTS; ++i) left += all.singular[i] * all.singular[i];
      ck_assert_double_eq_tol(squares_left(&a, &some, &m), left, 1e-11 * left);
      tac_pca_destroy(&some);
    }
    tac_pca_destroy(&all);
  }
}

/* Snapshots made from M-orthonormal vectors with values down to 1e-12 of the largest, where the Gram matrix fails. */
TAC_TEST(values_far_below_the_largest_are_found) {
  tacRandom random = tac_random_seed(2);
  for (int kind = 0; kind < 3; ++kind) {
    TAC_SPARSE m = weights(kind, SIZE);
    TAC_DENSE seed = random_dense(&random, SIZE, 7), turn = random_dense(&random, SNAPSHOTS, 7), r, a;
    TAC_FREED(tac_pca_destroy, tacPca, basis);
    TAC_FREED(tac_pca_destroy, tacPca, pca);
    tac_test_ok(tac_pca(&seed, &m, 7, &basis, &error), error);
    tac_test_ok(tac_dense_qr(&turn, &r, &error), error);
    tac_test_ok(tac_dense_create(SIZE, SNAPSHOTS, &a, &error), error);
    for (int k = 0; k < 7; ++k)
      for (int i = 0; i < SIZE; ++i) tac_dense_column(&basis.vectors, k)[i] *= pow(100.0, -k);
    tac_dense_gemm(1.0, &basis.vectors, false, &turn, true, 0.0, &a);
    tac_test_ok(tac_pca(&a, kind == 0 ? NULL : &m, SNAPSHOTS, &pca, &error), error);
    ck_assert_int_ge(pca.count, 7); /* rounding errors of `a` itself may be seen too, at 1e-16 */
    for (int k = 0; k < 7; ++k) ck_assert_double_eq_tol(pca.singular[k], pow(100.0, -k), 1e-14);
    for (int k = 7; k < pca.count; ++k) ck_assert_double_lt(pca.singular[k], 1e-14);
    check_orthonormal(&pca, &m);
  }
}

TAC_TEST(dependent_snapshots_give_their_rank) {
  tacRandom random = tac_random_seed(3);
  for (int kind = 0; kind < 3; ++kind) {
    TAC_SPARSE m = weights(kind, SIZE);
    TAC_DENSE a = random_dense(&random, SIZE, SNAPSHOTS);
    for (int j = 4; j < SNAPSHOTS; ++j)
      for (int i = 0; i < SIZE; ++i)
        tac_dense_column(&a, j)[i] =
            j == 9 ? 0.0 : (j - 6.5) * tac_dense_column(&a, j - 4)[i] + 0.5 * tac_dense_column(&a, j % 3)[i];
    tacPca pca;
    tac_test_ok(tac_pca(&a, kind == 0 ? NULL : &m, SNAPSHOTS, &pca, &error), error);
    ck_assert_int_eq(pca.count, 4);
    check_orthonormal(&pca, &m);
    ck_assert_double_lt(squares_left(&a, &pca, &m), 1e-24 * pca.singular[0] * pca.singular[0]);
    tac_pca_destroy(&pca);
    memset(a.a, 0, SIZE * SNAPSHOTS * sizeof *a.a);
    tac_test_ok(tac_pca(&a, kind == 0 ? NULL : &m, SNAPSHOTS, &pca, &error), error);
    ck_assert_int_eq(pca.count, 0);
    tac_pca_destroy(&pca);
  }
}

TAC_TEST(more_snapshots_than_unknowns_span_everything) {
  tacRandom random = tac_random_seed(4);
  for (int kind = 0; kind < 3; ++kind) {
    TAC_SPARSE m = weights(kind, 6);
    TAC_DENSE a = random_dense(&random, 6, 20);
    TAC_FREED(tac_pca_destroy, tacPca, pca);
    tac_test_ok(tac_pca(&a, kind == 0 ? NULL : &m, 20, &pca, &error), error);
    ck_assert_int_eq(pca.count, 6);
    check_orthonormal(&pca, &m);
    double total = 0.0, squares = 0.0;
    for (int j = 0; j < 20; ++j) total += m_dot(&m, tac_dense_column(&a, j), tac_dense_column(&a, j));
    for (int k = 0; k < 6; ++k) squares += pca.singular[k] * pca.singular[k];
    ck_assert_double_eq_tol(squares, total, 1e-12 * total);
  }
}

TAC_TEST(bad_weights_and_snapshots_are_refused) {
  tacRandom random = tac_random_seed(5);
  TAC_DENSE a = random_dense(&random, 6, 3);
  TAC_SPARSE small = weights(1, 5), diagonal = weights(1, 6), full = weights(2, 6);
  tacPca pca;
  ck_assert_int_eq(tac_pca(&a, &small, 3, &pca, &error), TAC_ERR_ARGUMENT);
  diagonal.value[2] = -1.0;
  ck_assert_int_eq(tac_pca(&a, &diagonal, 3, &pca, &error), TAC_ERR_SINGULAR);
  for (int p = 0; p < tac_sparse_count(&full); ++p) full.value[p] = -full.value[p];
  ck_assert_int_eq(tac_pca(&a, &full, 3, &pca, &error), TAC_ERR_SINGULAR);
  ck_assert_int_eq(tac_pca(&a, NULL, -1, &pca, &error), TAC_ERR_ARGUMENT);
  a.a[4] = NAN;
  ck_assert_int_eq(tac_pca(&a, NULL, 3, &pca, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(pca.vectors.a);
}
