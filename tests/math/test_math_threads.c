/* Every routine of this room that rests on BLAS, LAPACK or ARPACK, called from eight threads at once, gives the bits
 * that it gives on one thread. Debian's serial OpenBLAS shares its work buffers between threads: called without care it
 * fails here within a second. */
#include <pthread.h>
#include <stdatomic.h>
#include "base/files/checksum.h"
#include "math/dense/dense_lu.h"
#include "math/dense_samples.h"
#include "math/laplacian.h"
#include "math/sparse/eigen.h"
#include "math/sparse/factor.h"
#include "math/sparse/minres.h"
#include "math/sparse/pca.h"

enum { THREADS = 8, N = 150 };

/* What a routine gave, folded into one number. */
typedef uint64_t (*Routine)(void);

static uint64_t bits_of(const void *data, size_t bytes) {
  return tac_checksum(data, bytes);
}

static uint64_t bits_of_dense(const tacDense *matrix) {
  uint64_t sum = 0;
  for (int j = 0; j < matrix->cols; ++j)
    sum = 31 * sum + bits_of(tac_dense_column(matrix, j), (size_t)matrix->rows * sizeof(double));
  return sum;
}

static tacDense seeded(int rows, int cols, uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  return random_dense(&random, rows, cols);
}

/* A A^T + n I */
static tacDense symmetric_definite(int n, uint64_t seed) {
  TAC_DENSE a = seeded(n, n, seed);
  tacDense c = make_dense(n, n);
  tac_dense_syrk(1.0, &a, false, 0.0, &c);
  for (int i = 0; i < n; ++i) c.a[i + i * n] += n;
  return c;
}

static uint64_t products(void) {
  TAC_DENSE a = seeded(N, N + 30, 1), b = seeded(N + 30, N, 2), c = seeded(N, N, 3);
  tac_dense_gemm(1.5, &a, false, &b, false, 0.5, &c);
  uint64_t sum = bits_of_dense(&c);
  tac_dense_gemm(1.5, &b, true, &a, true, 0.5, &c);
  sum = 31 * sum + bits_of_dense(&c);
  tac_dense_syrk(1.0, &a, false, 0.0, &c);
  sum = 31 * sum + bits_of_dense(&c);
  tac_dense_gemv(1.0, &a, false, b.a, 0.0, c.a);
  tac_dense_gemv(1.0, &a, true, b.a, 0.0, c.a + N);
  sum = 31 * sum + bits_of_dense(&c);
  return sum;
}

/* Work buffers are taken and given back at every call: many short ones meet most often. */
static uint64_t short_calls(void) {
  enum { SIZE = 24, CALLS = 200 };
  TAC_DENSE a = symmetric_definite(SIZE, 20), b = seeded(SIZE, SIZE, 21), c, x;
  tac_test_ok(tac_dense_create(SIZE, SIZE, &c, &error), error);
  tac_test_ok(tac_dense_copy(&a, &x, &error), error);
  uint64_t sum = 0;
  for (int i = 0; i < CALLS; ++i) {
    tac_dense_gemm(1.0, &a, false, &b, true, 0.0, &c);
    sum = 31 * sum + bits_of_dense(&c);
    memcpy(x.a, a.a, SIZE * SIZE * sizeof *x.a);
    tac_test_ok(tac_dense_cholesky(&x, &error), error);
    tac_dense_cholesky_solve(&x, &c);
    sum = 31 * sum + bits_of_dense(&c);
  }
  return sum;
}

static uint64_t cholesky(void) {
  TAC_DENSE a = symmetric_definite(N, 4), b = seeded(N, 20, 5);
  tac_test_ok(tac_dense_cholesky(&a, &error), error);
  tac_dense_cholesky_solve(&a, &b);
  return bits_of_dense(&b);
}

static uint64_t lu(void) {
  enum { SIZE = 400 };
  TAC_DENSE a = seeded(SIZE, SIZE, 6), b = seeded(SIZE, 200, 7);
  int pivot[SIZE];
  double rcond;
  tac_test_ok(tac_dense_lu(&a, pivot, &rcond, 1, NULL, &error), error);
  tac_test_ok(tac_dense_lu_solve(&a, pivot, &b, 1, NULL, &error), error);
  float estimate =
      (float)rcond; /* its last bits depend on where a matrix is: OpenBLAS with AVX-512 sums by alignment */
  return 31 * bits_of_dense(&b) + bits_of(&estimate, sizeof estimate);
}

static uint64_t dense_eigenpairs(void) {
  double value[N];
  TAC_DENSE a = symmetric_definite(N, 8), b = symmetric_definite(N, 9), c = symmetric_definite(N, 10);
  tac_test_ok(tac_dense_eigen(&a, value, &error), error);
  uint64_t sum = bits_of_dense(&a);
  tac_test_ok(tac_dense_eigen_pencil(&b, &c, value, &error), error);
  sum = 31 * (31 * sum + bits_of_dense(&b)) + bits_of(value, sizeof value);
  return sum;
}

static uint64_t orthogonal_factors(void) {
  tacDense a = seeded(N, 60, 11), q = seeded(N, 60, 12), b = seeded(N, 3, 13), u, vt, r, x;
  double s[60];
  tac_test_ok(tac_dense_least_squares(&a, &b, &x, NULL, &error), error);
  tac_test_ok(tac_dense_svd(&a, &u, s, &vt, &error), error);
  tac_test_ok(tac_dense_qr(&q, &r, &error), error);
  uint64_t sum = 0;
  tacDense *all[] = {&a, &q, &b, &u, &vt, &r, &x};
  for (int i = 3; i < 7; ++i) sum = 31 * sum + bits_of_dense(all[i]);
  sum = 31 * sum + bits_of_dense(&q);
  for (int i = 0; i < 7; ++i) tac_dense_destroy(all[i]);
  return sum;
}

/* Large enough for METIS to order it and for supernodes. */
static const tacTestGrid grid = {{16, 15, 14}, false};

static uint64_t sparse_factor(void) {
  TAC_SPARSE k = tac_test_laplacian(grid);
  size_t count = (size_t)k.rows;
  TAC_OWN(tacFactor, factor) = NULL;
  TAC_DENSE b = seeded(k.rows, 5, 14);
  tac_test_ok(tac_factor_create(&k, &factor, &error), error);
  tac_test_ok(tac_factor_update(factor, k.value, &error), error);
  tac_test_ok(tac_factor_solve(factor, b.a, 5, b.a, &error), error);
  return bits_of(b.a, 5 * count * sizeof(double));
}

static uint64_t sparse_eigenpairs(void) {
  TAC_SPARSE k = tac_test_laplacian((tacTestGrid){{9, 8, 7}, false});
  TAC_FREED(tac_eigen_destroy, tacEigen, eigen);
  tac_test_ok(tac_eigen_lowest(&k, NULL, 8, NULL, &eigen, &error), error);
  return bits_of(eigen.vector, 8 * (size_t)k.rows * sizeof(double));
}

static uint64_t principal_components(void) {
  TAC_DENSE snapshots = seeded(2 * N, 40, 15);
  TAC_FREED(tac_pca_destroy, tacPca, pca);
  tac_test_ok(tac_pca(&snapshots, 20, &pca, &error), error);
  return bits_of_dense(&pca.vectors);
}

static tacStatus multiply(int count, const int *system, const double *x, double *y, void *context, tacError *why) {
  (void)system;
  (void)why;
  tac_sparse_multiply(context, x, count, y);
  return TAC_OK;
}

static uint64_t minimal_residuals(void) {
  TAC_SPARSE k = tac_test_laplacian((tacTestGrid){{12, 9, 5}, false});
  TAC_DENSE b = seeded(k.rows, 4, 16), x = seeded(k.rows, 4, 17);
  const tacMinresDef def = {
      .size = k.rows, .count = 4, .apply = multiply, .context = &k, .tolerance = 1e-12, .most = 1000};
  tac_test_ok(tac_minres_solve(&def, b.a, x.a, NULL, &error), error);
  return bits_of_dense(&x);
}

typedef struct {
  Routine routine;
  int rounds;
  uint64_t expected;
  atomic_int *waiting, *wrong;
} Job;

static void *repeat(void *context) {
  const Job *job = context;
  atomic_fetch_sub(job->waiting, 1);
  while (atomic_load(job->waiting) > 0) {
  } /* all at once */
  for (int i = 0; i < job->rounds; ++i)
    if (job->routine() != job->expected) atomic_fetch_add(job->wrong, 1);
  return NULL;
}

static void check_routine(const char *name, Routine routine, int rounds) {
  if (tac_test_light()) rounds = rounds > 4 ? rounds / 4 : 1;
  atomic_int waiting = THREADS, wrong = 0;
  Job job = {routine, rounds, routine(), &waiting, &wrong};
  ck_assert(routine() == job.expected);
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; ++i) ck_assert_int_eq(pthread_create(&thread[i], NULL, repeat, &job), 0);
  for (int i = 0; i < THREADS; ++i) ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
  ck_assert_msg(atomic_load(&wrong) == 0, "%s: %d of %d results have other bits than those of one thread", name,
                atomic_load(&wrong), rounds * THREADS);
}
#define check(routine, rounds) check_routine(#routine, routine, rounds)

TAC_TEST(routines_are_the_same_on_eight_threads) {
  check(products, 40);
  check(short_calls, 60);
  check(cholesky, 20);
  check(lu, 10);
  check(dense_eigenpairs, 4);
  check(orthogonal_factors, 10);
  check(sparse_factor, 5);
  check(sparse_eigenpairs, 2);
  check(principal_components, 10);
  check(minimal_residuals, 4);
}
