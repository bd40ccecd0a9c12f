#include "math/dense/secants.h"

#include "base/lanes.h"
#include "math/dense/dense.h"
#include "math/random.h"
#include "test.h"

enum { N = 9 };

/* R = A q + |q|^2 q, with A positive definite. */
static void find_force(double a[N][N], const double *q, double *force) {
  double square = 0.0;
  for (int i = 0; i < N; ++i) square += q[i] * q[i];
  for (int i = 0; i < N; ++i) {
    force[i] = square * q[i];
    for (int j = 0; j < N; ++j) force[i] += a[i][j] * q[j];
  }
}

static void make_matrix(tacRandom *random, double a[N][N]) {
  double b[N][N];
  for (int i = 0; i < N * N; ++i) b[i / N][i % N] = tac_random_normal(random);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = i == j ? 0.5 : 0.0;
      for (int k = 0; k < N; ++k) sum += b[i][k] * b[j][k];
      a[i][j] = a[j][i] = sum;
    }
}

/* Whatever K was, it becomes right along the last difference, and stays symmetric and positive definite. */
TAC_TEST(the_last_secant_is_reproduced) {
  tacRandom random = tac_random_seed(9);
  for (int trial = 0; trial < 20; ++trial) {
    double a[N][N], k[N][N], places[8][N], forces[8][N];
    make_matrix(&random, a);
    make_matrix(&random, k);
    TAC_FREED(tac_secants_destroy, tacSecants, secants);
    tac_test_ok(tac_secants_create(N, 5, &secants, &error), error);
    for (int p = 0; p < 8; ++p) {
      for (int i = 0; i < N; ++i) places[p][i] = tac_random_normal(&random);
      find_force(a, places[p], forces[p]);
      ck_assert(tac_secants_add(&secants, places[p], forces[p]));
      ck_assert(!tac_secants_add(&secants, places[p], forces[p]));
      ck_assert_int_eq(secants.count, p < 5 ? p + 1 : 5);
    }
    tac_secants_correct(&secants, &k[0][0]);
    for (int i = 0; i < N; ++i) {
      double sum = 0.0, size = 0.0;
      for (int j = 0; j < N; ++j) {
        ck_assert_double_eq(k[i][j], k[j][i]);
        sum += k[i][j] * (places[7][j] - places[6][j]);
        size += fabs(k[i][j] * (places[7][j] - places[6][j]));
      }
      ck_assert_double_eq_tol(sum, forces[7][i] - forces[6][i], 1e-9 * size);
    }
    tacDense factor = {N, N, N, &k[0][0]};
    ck_assert(tac_dense_loop_cholesky(&factor));
  }
}

/* One that knows one place only, or none, changes nothing; nor do differences along which the force falls. */
TAC_TEST(uninformative_differences_change_nothing) {
  tacRandom random = tac_random_seed(10);
  double a[N][N], k[N][N], q[N], force[N];
  make_matrix(&random, a);
  memcpy(k, a, sizeof k);
  TAC_FREED(tac_secants_destroy, tacSecants, secants);
  tac_test_ok(tac_secants_create(N, 5, &secants, &error), error);
  for (int p = 0; p < 4; ++p) {
    tac_secants_correct(&secants, &k[0][0]);
    for (int i = 0; i < N; ++i) q[i] = tac_random_normal(&random);
    for (int i = 0; i < N; ++i) force[i] = -2.0 * q[i];
    ck_assert(tac_secants_add(&secants, q, force));
  }
  ck_assert_int_eq(memcmp(k, a, sizeof k), 0);
  tac_secants_keep(&secants, 2);
  ck_assert_int_eq(secants.count, 2);
  ck_assert_int_eq(memcmp(secants.q + N, q, sizeof q), 0);
  ck_assert_int_eq(memcmp(secants.force + N, force, sizeof force), 0);
}

TAC_TEST_EVERY_WIDTH()
