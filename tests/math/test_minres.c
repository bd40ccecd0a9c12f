#include "math/sparse/minres.h"

#include "math/dense_samples.h"
#include "math/laplacian.h"
#include "math/random.h"
#include "math/sparse/factor.h"

enum { SYSTEMS = 4 };

/* K - shift I for each system, preconditioned by a factor where there is one. */
typedef struct Shifted {
  tacSparse k;
  double shift[SYSTEMS];
  tacFactor *factor;
  int applied; /* vectors, by `apply` */
} Shifted;

static tacStatus apply(int count, const int *system, const double *x, double *y, void *context, tacError *why) {
  (void)why;
  Shifted *shifted = context;
  size_t n = (size_t)shifted->k.rows;
  tac_sparse_multiply(&shifted->k, x, count, y);
  for (int c = 0; c < count; ++c)
    for (size_t i = 0; i < n; ++i) y[(size_t)c * n + i] -= shifted->shift[system[c]] * x[(size_t)c * n + i];
  shifted->applied += count;
  return TAC_OK;
}

static tacStatus precondition(int count, const int *system, const double *x, double *y, void *context, tacError *why) {
  (void)system;
  return tac_factor_solve(((Shifted *)context)->factor, x, count, y, why);
}

static tacStatus negate(int count, const int *system, const double *x, double *y, void *context, tacError *why) {
  (void)system;
  (void)why;
  for (int i = 0; i < count * ((Shifted *)context)->k.rows; ++i) y[i] = -x[i];
  return TAC_OK;
}

static tacMinresDef make_def(Shifted *shifted, int count) {
  return (tacMinresDef){
      .size = shifted->k.rows, .count = count, .apply = apply, .context = shifted, .tolerance = 1e-12, .most = 500};
}

/* Shifts that lie between eigenvalues, so that every system but the first is indefinite, against elimination. */
TAC_TEST(solves_indefinite_systems) {
  Shifted shifted = {.k = tac_test_kept_laplacian((tacTestGrid){{7, 5, 3}, false}), .shift = {0.0, 1.03, 1.2, 1.6}};
  int n = shifted.k.rows, plain, preconditioned;
  double *b = random_numbers((size_t)(SYSTEMS * n), 5), *x = tac_test_doubles((size_t)(SYSTEMS * n));
  double *y = tac_test_doubles((size_t)(SYSTEMS * n)), *alone = tac_test_doubles((size_t)n);
  memset(b + n, 0, (size_t)n * sizeof *b); /* one is solved before it starts */
  tacMinresDef def = make_def(&shifted, SYSTEMS);
  tac_test_ok(tac_minres_solve(&def, b, x, &plain, &error), error);
  ck_assert_int_le(shifted.applied, 3 * plain); /* systems that are done are left alone */
  for (int s = 0; s < SYSTEMS; ++s) {
    TAC_DENSE a = dense_of(&shifted.k);
    int pivot[200];
    for (int j = 0; j < n; ++j) tac_dense_column(&a, j)[j] -= shifted.shift[s];
    ck_assert(tac_dense_loop_lu(&a, pivot));
    memcpy(y + s * n, b + s * n, (size_t)n * sizeof *y);
    tac_dense_loop_lu_solve(&a, pivot, y + s * n);
    for (int i = 0; i < n; ++i) ck_assert_double_eq_tol(x[s * n + i], y[s * n + i], 1e-9);
  }
  /* Systems do not see each other: the same bits. */
  shifted.shift[0] = shifted.shift[2];
  def.count = 1;
  tac_test_ok(tac_minres_solve(&def, b + 2 * n, alone, NULL, &error), error);
  ck_assert_mem_eq(alone, x + 2 * n, (size_t)n * sizeof *x);

  /* A factor of K + 0.1 I brings the eigenvalues together. */
  shifted.shift[0] = 0.0;
  for (int i = 0; i < n; ++i) shifted.k.value[tac_sparse_find(&shifted.k, i, i)] += 0.1;
  tac_test_ok(tac_factor_create(&shifted.k, &shifted.factor, &error), error);
  tac_test_keep(shifted.factor, tac_factor_destroy);
  tac_test_ok(tac_factor_update(shifted.factor, shifted.k.value, &error), error);
  for (int i = 0; i < n; ++i) shifted.k.value[tac_sparse_find(&shifted.k, i, i)] -= 0.1;
  def = make_def(&shifted, SYSTEMS);
  def.precondition = precondition;
  tac_test_ok(tac_minres_solve(&def, b, x, &preconditioned, &error), error);
  ck_assert_int_lt(preconditioned, plain);
  for (int i = 0; i < SYSTEMS * n; ++i) ck_assert_double_eq_tol(x[i], y[i], 1e-9);
}

/* With free ends, constants are in the kernel: b without a mean has a solution, the least one has no mean either. */
TAC_TEST(solves_singular_systems_that_have_a_solution) {
  Shifted shifted = {.k = tac_test_kept_laplacian((tacTestGrid){{40, 3, 1}, true})};
  int n = shifted.k.rows;
  double *b = random_numbers((size_t)(n), 5), *x = tac_test_doubles((size_t)n), *back = tac_test_doubles((size_t)n);
  double mean = 0.0;
  for (int i = 0; i < n; ++i) mean += b[i] / n;
  for (int i = 0; i < n; ++i) b[i] -= mean;
  tacMinresDef def = make_def(&shifted, 1);
  tac_test_ok(tac_minres_solve(&def, b, x, NULL, &error), error);
  apply(1, (int[]){0}, x, back, &shifted, &error);
  mean = 0.0;
  for (int i = 0; i < n; ++i) {
    ck_assert_double_eq_tol(back[i], b[i], 1e-9);
    mean += x[i] / n;
  }
  ck_assert_double_eq_tol(mean, 0.0, 1e-9);
}

/* H diag(value) H x with the reflection H = I - 2 h h^T: full matrices of known eigenvectors. */
enum { REFLECTED = 40, REACHED = 5 };
static void reflected(const double *value, int count, const double *x, double *y) {
  double h[REFLECTED], length = 0.0;
  for (int i = 0; i < REFLECTED; ++i) length += pow(h[i] = sin(1.0 + i), 2);
  for (int c = 0; c < count; ++c, x += REFLECTED, y += REFLECTED) {
    memcpy(y, x, REFLECTED * sizeof *y);
    for (int side = 0; side < 2; ++side) {
      double part = 0.0;
      for (int i = 0; i < REFLECTED; ++i) part += 2.0 / length * h[i] * y[i];
      for (int i = 0; i < REFLECTED; ++i) y[i] -= part * h[i];
      for (int i = 0; side == 0 && i < REFLECTED; ++i) y[i] *= value[i];
    }
  }
}

static tacStatus apply_reflected(int count, const int *system, const double *x, double *y, void *c, tacError *why) {
  (void)system, (void)c, (void)why;
  double value[REFLECTED];
  for (int i = 0; i < REFLECTED; ++i) value[i] = i < REACHED ? 1.0 + i : 1.0;
  reflected(value, count, x, y);
  return TAC_OK;
}

/* Positive only where b is. */
static tacStatus precondition_reflected(int count, const int *system, const double *x, double *y, void *c,
                                        tacError *why) {
  (void)system, (void)c, (void)why;
  double value[REFLECTED];
  for (int i = 0; i < REFLECTED; ++i) value[i] = i < REACHED ? 1.0 / (2.0 + i) : -1.0;
  reflected(value, count, x, y);
  return TAC_OK;
}

/* The right-hand side has parts along five eigenvectors: the sixth Lanczos vector is rounding, whatever the
 * preconditioner makes of it, and the solution is complete without it. */
TAC_TEST(stops_at_the_attainable_residual) {
  for (int seed = 0; seed < 20; ++seed) {
    double parts[REFLECTED] = {0.0}, one[REFLECTED], b[REFLECTED], x[REFLECTED], back[REFLECTED];
    tacRandom random = tac_random_seed((uint64_t)seed);
    for (int i = 0; i < REFLECTED; ++i) one[i] = 1.0;
    for (int i = 0; i < REACHED; ++i) /* far from zero: else rounding counts for more than that part */
      parts[i] = (i % 2 == 0 ? 1.0 : -1.0) * tac_random_uniform(&random, 0.5, 2.0);
    reflected(parts, 1, one, b); /* H (parts x H 1) */
    tacMinresDef def = {.size = REFLECTED,
                        .count = 1,
                        .apply = apply_reflected,
                        .precondition = precondition_reflected,
                        .tolerance = 1e-12,
                        .most = 50};
    int iterations;
    tac_test_ok(tac_minres_solve(&def, b, x, &iterations, &error), error);
    ck_assert_int_le(iterations, REACHED + 1);
    apply_reflected(1, NULL, x, back, NULL, NULL);
    for (int i = 0; i < REFLECTED; ++i) ck_assert_double_eq_tol(back[i], b[i], 1e-12);
  }
}

TAC_TEST(unsolvable_systems_are_reported) {
  Shifted shifted = {.k = tac_test_kept_laplacian((tacTestGrid){{40, 3, 1}, true})};
  int n = shifted.k.rows, iterations;
  double *b = random_numbers((size_t)(n), 5), *x = tac_test_doubles((size_t)n);
  tacMinresDef def = make_def(&shifted, 1);
  ck_assert_int_eq(tac_minres_solve(&def, b, x, &iterations, &error), TAC_ERR_NO_CONVERGENCE); /* b has a mean */
  for (int i = 0; i < n; ++i) b[i] = 1.0;                                                      /* A b = 0 */
  ck_assert_int_eq(tac_minres_solve(&def, b, x, &iterations, &error), TAC_ERR_NO_CONVERGENCE);
  def.precondition = negate;
  ck_assert_int_eq(tac_minres_solve(&def, b, x, &iterations, &error), TAC_ERR_SINGULAR);
  def.count = -1;
  ck_assert_int_eq(tac_minres_solve(&def, b, x, &iterations, &error), TAC_ERR_ARGUMENT);
}
