#include "math/dense/dense_inverse.h"

#include "base/lanes.h"
#include "math/random.h"
#include "test.h"

static tacDense make(int n, int stride) {
  tacDense a;
  tac_test_ok(tac_dense_create(stride, n, &a, &error), error);
  a.rows = n;
  return a;
}

/* A's inverse in place; room for the pivots and the work is exact, so that sanitizers see what is too much. */
static bool invert(tacDense *a) {
  int *pivot = tac_test_alloc((size_t)a->rows * sizeof *pivot);
  double *work = tac_test_doubles(tac_dense_inverse_work(a->rows));
  bool done = tac_dense_inverse(a, pivot, work);
  return done;
}

/* A matrix that needs pivots (zeros on its diagonal) times its inverse, from either side, at every size around the tiles'
 * and the blocks' edges; what lies between the columns stays as it is. */
TAC_TEST(times_the_matrix_it_is_the_identity_at_every_size) {
  tacRandom random = tac_random_seed(1);
  for (int n = 1; n <= (tac_test_light() ? 60 : 150); ++n) {
    int stride = n + n % 4;
    TAC_DENSE a = make(n, stride), x = make(n, stride);
    for (int i = 0; i < stride * n; ++i) a.a[i] = tac_random_normal(&random);
    for (int i = 0; i < n && n > 2; ++i) tac_dense_column(&a, i)[i] = 0.0;
    memcpy(x.a, a.a, (size_t)stride * (size_t)n * sizeof(double));
    ck_assert(invert(&x));
    double size = 0.0;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) size = fmax(size, fabs(tac_dense_column(&x, j)[i]));
      for (int i = n; i < stride; ++i) ck_assert_double_eq(tac_dense_column(&x, j)[i], tac_dense_column(&a, j)[i]);
    }
    for (int side = 0; side < 2; ++side) {
      TAC_DENSE product = make(n, n);
      tac_dense_gemm(1.0, side ? &x : &a, false, side ? &a : &x, false, 0.0, &product);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          ck_assert_double_eq_tol(tac_dense_column(&product, j)[i], i == j, 1e-14 * n * fmax(size, 1.0));
    }
  }
  TAC_DENSE none = make(0, 1);
  ck_assert(invert(&none));
}

/* A permutation's inverse is its transpose, exactly. */
TAC_TEST(permutations_are_inverted_exactly) {
  enum { N = 101 };
  TAC_DENSE a = make(N, N);
  for (int j = 0; j < N; ++j) tac_dense_column(&a, j)[37 * j % N] = 2.0;
  ck_assert(invert(&a));
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) ck_assert_double_eq(tac_dense_column(&a, j)[i], j == 37 * i % N ? 0.5 : 0.0);
}

TAC_TEST(singular_matrices_are_refused) {
  static const int sizes[4] = {1, 7, 50, 90};
  for (int k = 0; k < 4; ++k)
    for (int bad = 0; bad < sizes[k]; bad += 5)
      for (int kind = 0; kind < 3; ++kind) {
        tacRandom random = tac_random_seed((uint64_t)k);
        TAC_DENSE a = make(sizes[k], sizes[k]);
        for (int i = 0; i < sizes[k] * sizes[k]; ++i) a.a[i] = tac_random_normal(&random);
        double *column = tac_dense_column(&a, bad);
        if (kind == 0)
          memset(column, 0, (size_t)sizes[k] * sizeof *column);
        else
          column[sizes[k] / 2] = kind == 1 ? NAN : INFINITY;
        ck_assert(!invert(&a));
      }
}

TAC_TEST_EVERY_WIDTH()
