#include "math/sparse/eigen.h"

#include "math/dense/vector.h"
#include "math/dense_samples.h"
#include "math/laplacian.h"
#include "math/random.h"

/* Vectors are M-orthonormal, and each residual is as reported and small beside |K|. */
static void check_vectors(const tacSparse *k, const tacSparse *m, const tacEigen *eigen, double size_of_k) {
  int n = eigen->size;
  double *mx = tac_test_doubles((size_t)n * (size_t)eigen->count), *kx = tac_test_doubles((size_t)n);
  if (m != NULL)
    tac_sparse_multiply(m, eigen->vector, eigen->count, mx);
  else
    memcpy(mx, eigen->vector, (size_t)n * (size_t)eigen->count * sizeof *mx);
  for (int a = 0; a < eigen->count; ++a) {
    const double *x = eigen->vector + (size_t)a * (size_t)n, *m_x = mx + (size_t)a * (size_t)n;
    for (int b = 0; b <= a; ++b)
      ck_assert_double_eq_tol(tac_vector_dot(n, eigen->vector + (size_t)b * (size_t)n, m_x), a == b ? 1.0 : 0.0, 1e-11);
    tac_sparse_multiply(k, x, 1, kx);
    double residual = 0.0;
    for (int i = 0; i < n; ++i) residual += pow(kx[i] - eigen->value[a] * m_x[i], 2);
    ck_assert_double_eq_tol(sqrt(residual), eigen->residual[a], 1e-14 * size_of_k);
    ck_assert_double_lt(eigen->residual[a], 1e-11 * size_of_k);
    ck_assert(a == 0 || eigen->value[a] >= eigen->value[a - 1]);
  }
}

static void check_laplacian(tacTestGrid grid, int count) {
  TAC_SPARSE k = tac_test_laplacian(grid);
  double *expected = tac_test_laplacian_eigenvalues(grid);
  TAC_FREED(tac_eigen_destroy, tacEigen, eigen);
  tac_test_ok(tac_eigen_lowest(&k, NULL, count, NULL, &eigen, &error), error);
  ck_assert_int_eq(eigen.count, count);
  for (int i = 0; i < count; ++i) {
    double tolerance = grid.is_free && i == 0 ? 1e-13 : 1e-10 * expected[i];
    ck_assert_msg(fabs(eigen.value[i] - expected[i]) <= tolerance, "%d x %d x %d, eigenvalue %d: %.16g, not %.16g",
                  grid.n[0], grid.n[1], grid.n[2], i, eigen.value[i], expected[i]);
  }
  check_vectors(&k, NULL, &eigen, 12.0);
  ck_assert_int_eq(eigen.shift < 0.0, grid.is_free && tac_test_grid_size(grid) > 64);
}

TAC_TEST(fixed_chain_has_its_closed_form_eigenvalues) {
  check_laplacian((tacTestGrid){{400, 1, 1}, false}, 10);
  check_laplacian((tacTestGrid){{200, 1, 1}, false}, 60);
}

TAC_TEST(fixed_membrane_has_its_closed_form_eigenvalues) {
  check_laplacian((tacTestGrid){{30, 41, 1}, false}, 20);
  check_laplacian((tacTestGrid){{32, 32, 1}, false}, 30); /* pairs */
}

TAC_TEST(fixed_cube_has_its_multiple_eigenvalues_completely) {
  int n = tac_test_light() ? 9 : 16;
  for (int count = 1; count <= 41; count += 8) check_laplacian((tacTestGrid){{n, n, n}, false}, count);
}

TAC_TEST(free_bodies_have_one_zero_eigenvalue) {
  check_laplacian((tacTestGrid){{100, 1, 1}, true}, 6);
  check_laplacian((tacTestGrid){{25, 25, 1}, true}, 15);
  check_laplacian((tacTestGrid){{10, 10, 10}, true}, 20);
}

TAC_TEST(small_problems_and_nearly_all_pairs_are_found_too) {
  check_laplacian((tacTestGrid){{5, 1, 1}, false}, 5);
  check_laplacian((tacTestGrid){{4, 4, 4}, false}, 64);
  check_laplacian((tacTestGrid){{4, 4, 4}, true}, 7);
  check_laplacian((tacTestGrid){{70, 1, 1}, false}, 23); /* the largest count that iterates */
  check_laplacian((tacTestGrid){{70, 1, 1}, false}, 24);
  check_laplacian((tacTestGrid){{70, 1, 1}, false}, 70);
}

TAC_TEST(copies_of_one_eigenvalue_are_all_found) {
  TAC_SPARSE k;
  tac_test_ok(tac_sparse_identity(200, &k, &error), error);
  for (int i = 0; i < 200; ++i) k.value[i] = i % 20 < 2 ? 1.0 : 2.0 + i; /* twenty times 1 */
  TAC_FREED(tac_eigen_destroy, tacEigen, eigen);
  tac_test_ok(tac_eigen_lowest(&k, NULL, 22, NULL, &eigen, &error), error);
  for (int i = 0; i < 20; ++i) ck_assert_double_eq_tol(eigen.value[i], 1.0, 1e-12);
  ck_assert_double_eq_tol(eigen.value[20], 4.0, 1e-11);
  ck_assert_double_eq_tol(eigen.value[21], 5.0, 1e-11);
  check_vectors(&k, NULL, &eigen, 201.0);
}

/* K + c M has the vectors of K and values that are higher by c: also for c < 0, where K is not positive definite. */
TAC_TEST(adding_mass_to_stiffness_moves_the_eigenvalues) {
  TAC_SPARSE k = tac_test_laplacian((tacTestGrid){{20, 15, 1}, false}), m;
  tac_test_ok(tac_sparse_identity(k.cols, &m, &error), error);
  for (int i = 0; i < m.cols; ++i) m.value[i] = 2.0;
  for (double c = -0.2; c < 0.3; c += 0.4) {
    TAC_SPARSE moved;
    tac_test_ok(tac_sparse_add(1.0, &k, c, &m, &moved, &error), error);
    double *expected = tac_test_laplacian_eigenvalues((tacTestGrid){{20, 15, 1}, false});
    TAC_FREED(tac_eigen_destroy, tacEigen, eigen);
    tac_test_ok(tac_eigen_lowest(&moved, &m, 12, NULL, &eigen, &error), error);
    for (int i = 0; i < 12; ++i) ck_assert_double_eq_tol(eigen.value[i], expected[i] / 2.0 + c, 1e-11);
    check_vectors(&moved, &m, &eigen, 10.0);
  }
}

/* Random symmetric entries, made positive definite by a dominant diagonal. */
static tacSparse random_positive(tacRandom *random, int n, int entries, double scale) {
  TAC_FREED(tac_triplets_destroy, tacTriplets, triplets) = {.rows = n, .cols = n};
  for (int t = 0; t < entries; ++t) {
    int i = (int)(tac_random_bits(random) % (unsigned)n), j = (int)(tac_random_bits(random) % (unsigned)n);
    double value = scale * tac_random_normal(random);
    if (i == j) continue;
    tac_test_ok(tac_triplets_add(&triplets, i, j, value, &error), error);
    tac_test_ok(tac_triplets_add(&triplets, j, i, value, &error), error);
    tac_test_ok(tac_triplets_add(&triplets, i, i, fabs(value), &error), error);
    tac_test_ok(tac_triplets_add(&triplets, j, j, fabs(value), &error), error);
  }
  for (int i = 0; i < n; ++i)
    tac_test_ok(tac_triplets_add(&triplets, i, i, scale * tac_random_uniform(random, 0.01, 1.0), &error), error);
  tacSparse matrix;
  tac_test_ok(tac_triplets_compress(&triplets, &matrix, &error), error);
  return matrix;
}

/* All eigenvalues by LAPACK: those found are the lowest, and none of these is left out. */
TAC_TEST(random_pencils_agree_with_dense_ones) {
  tacRandom random = tac_random_seed(6);
  for (int round = 0; round < 4; ++round) {
    int n = 150 + (tac_test_light() ? 50 : 250) * round, count = 5 + 5 * round;
    TAC_SPARSE k = random_positive(&random, n, 4 * n, pow(1000.0, round)), m = random_positive(&random, n, n, 1e-3);
    TAC_DENSE full_k = dense_of(&k), full_m = dense_of(&m);
    TAC_FREED(tac_eigen_destroy, tacEigen, eigen);
    double *expected = tac_test_doubles((size_t)n), largest = 0.0;
    tac_test_ok(tac_eigen_lowest(&k, &m, count, NULL, &eigen, &error), error);
    for (int p = 0; p < tac_sparse_count(&k); ++p) largest = fmax(largest, fabs(k.value[p]));
    check_vectors(&k, &m, &eigen, largest * 1e2); /* |x| is about 1e2 where |x|_M = 1 */
    tac_test_ok(tac_dense_eigen_pencil(&full_k, &full_m, expected, &error), error);
    for (int i = 0; i < count; ++i) ck_assert_double_eq_tol(eigen.value[i], expected[i], 1e-9 * expected[i]);
  }
}

TAC_TEST(same_input_gives_the_same_bits) {
  TAC_SPARSE k = tac_test_laplacian((tacTestGrid){{12, 12, 6}, false});
  TAC_FREED(tac_eigen_destroy, tacEigen, first);
  TAC_FREED(tac_eigen_destroy, tacEigen, second);
  tac_test_ok(tac_eigen_lowest(&k, NULL, 9, NULL, &first, &error), error);
  tac_test_ok(tac_eigen_lowest(&k, NULL, 9, NULL, &second, &error), error);
  ck_assert_mem_eq(first.value, second.value, 9 * sizeof(double));
  ck_assert_mem_eq(first.vector, second.vector, 9 * (size_t)k.cols * sizeof(double));
}

static bool count_reports(const char *what, double fraction, void *user) {
  (void)what;
  ck_assert(fraction >= 0.0 && fraction <= 1.0);
  return ++*(int *)user < 1000;
}

static bool stop_at_once(const char *what, double fraction, void *user) {
  (void)what, (void)fraction, (void)user;
  return false;
}

TAC_TEST(progress_is_reported_and_can_cancel) {
  TAC_SPARSE k = tac_test_laplacian((tacTestGrid){{12, 12, 6}, false});
  int reports = 0;
  tacEigen eigen;
  tac_test_ok(tac_eigen_lowest(&k, NULL, 9, &(tacProgress){count_reports, &reports}, &eigen, &error), error);
  ck_assert_int_ge(reports, 1);
  tac_eigen_destroy(&eigen);
  tacStatus status = tac_eigen_lowest(&k, NULL, 9, &(tacProgress){stop_at_once, NULL}, &eigen, &error);
  ck_assert_int_eq(status, TAC_ERR_CANCELLED);
  ck_assert_ptr_null(eigen.vector);
  tac_test_ok(tac_eigen_lowest(&k, NULL, 9, NULL, &eigen, &error), error); /* nothing is left locked */
  tac_eigen_destroy(&eigen);
}

TAC_TEST(impossible_requests_are_refused) {
  TAC_SPARSE k = tac_test_laplacian((tacTestGrid){{100, 1, 1}, false}), small, negative;
  tacEigen eigen;
  ck_assert_int_eq(tac_eigen_lowest(&k, NULL, 0, NULL, &eigen, &error), TAC_ERR_ARGUMENT);
  ck_assert_int_eq(tac_eigen_lowest(&k, NULL, 101, NULL, &eigen, &error), TAC_ERR_ARGUMENT);
  tac_test_ok(tac_sparse_identity(99, &small, &error), error);
  ck_assert_int_eq(tac_eigen_lowest(&k, &small, 3, NULL, &eigen, &error), TAC_ERR_ARGUMENT);
  tac_test_ok(tac_sparse_identity(100, &negative, &error), error);
  for (int i = 0; i < 100; ++i) negative.value[i] = -1.0; /* K - sigma M is positive definite; M is not */
  ck_assert_int_eq(tac_eigen_lowest(&k, &negative, 3, NULL, &eigen, &error), TAC_ERR_SINGULAR);
  k.value[0] = NAN;
  ck_assert_int_eq(tac_eigen_lowest(&k, NULL, 3, NULL, &eigen, &error), TAC_ERR_ARGUMENT);
}
