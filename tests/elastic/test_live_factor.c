#include "elastic/live_factor.h"

#include "base/clock.h"
#include "elastic/make_body.h"
#include "elastic/solids/assembly.h"
#include "math/dense_samples.h"
#include "math/random_matrix.h"
#include "math/sparse/factor.h"

/* M/h^2 + K of a cube of 6 n^3 tetrahedra, h = 10 ms; the lower triangle. Nothing holds it. */
static tacSparse cube_matrix(int n) {
  TAC_OWN(tacVolMesh, mesh) = make_uneven((tacBox){{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}}, false, n, 0.2);
  tacMaterial material = make_isotropic(1000.0, 1e5, 0.4);
  TAC_SPARSE k, m, sum;
  tacSparse lower;
  tac_test_ok(tac_assembly_stiffness(mesh, &material, NULL, &k, &error), error);
  tac_test_ok(tac_assembly_mass(mesh, &material, NULL, TAC_MASS_LUMPED, &m, &error), error);
  tac_test_ok(tac_sparse_add(1.0, &k, 1e4, &m, &sum, &error), error);
  tac_test_ok(tac_sparse_lower(&sum, &lower, &error), error);
  return lower;
}

/* A^-1, dense and column by column. */
static double *dense_inverse(const tacSparse *lower) {
  int n = lower->cols;
  TAC_DENSE a = dense_of(lower);
  tacDense inverse = {n, n, n, tac_test_doubles((size_t)n * (size_t)n)};
  for (int i = 0; i < n; ++i) tac_dense_column(&inverse, i)[i] = 1.0;
  tac_test_ok(tac_dense_cholesky(&a, &error), error);
  tac_dense_cholesky_solve(&a, &inverse);
  return inverse.a;
}

/* From none to four nodes each, some of them twice. */
static void random_sites(tacRandom *random, int nodes, int count, tacFactorSite *sites) {
  for (int i = 0; i < count; ++i) {
    sites[i].count = i == 1 ? 0 : 1 + i % 4;
    for (int j = 0; j < sites[i].count; ++j) {
      sites[i].node[j] = (int)(tac_random_bits(random) % (uint64_t)nodes);
      sites[i].weight[j] = tac_random_uniform(random, -1.0, 1.0);
    }
  }
}

/* H^T f, added to b. */
static void spread(int count, const tacFactorSite *sites, const double *f, double *b) {
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < sites[i].count; ++j)
      for (int axis = 0; axis < 3; ++axis) b[3 * sites[i].node[j] + axis] += sites[i].weight[j] * f[3 * i + axis];
}

static tacMat3 *random_turns(tacRandom *random, int nodes) {
  tacMat3 *turn = tac_test_alloc((size_t)nodes * sizeof *turn);
  for (int i = 0; i < nodes; ++i) turn[i] = random_rotation(random);
  return turn;
}

/* x = R inverse R^T b of any dense inverse. */
static void turned_product(int nodes, const double *inverse, const tacMat3 *turn, const double *b, double *x) {
  size_t n = 3 * (size_t)nodes;
  double *back = tac_test_doubles(n), *y = tac_test_doubles(n);
  for (int i = 0; i < nodes; ++i)
    put_vec3(back, i, turn == NULL ? get_vec3(b, i) : tac_mat3_mul_vec(tac_mat3_transpose(turn[i]), get_vec3(b, i)));
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) y[i] += inverse[i * n + j] * back[j];
  for (int i = 0; i < nodes; ++i)
    put_vec3(x, i, turn == NULL ? get_vec3(y, i) : tac_mat3_mul_vec(turn[i], get_vec3(y, i)));
}

TAC_TEST(solutions_columns_and_responses_are_those_of_a_dense_inverse) {
  enum { MOST = 23 };
  tacRandom random = tac_random_seed(5);
  for (int size = 1; size <= (tac_test_light() ? 2 : 4); ++size) {
    TAC_SPARSE lower = cube_matrix(size);
    int nodes = lower.cols / 3;
    size_t n = 3 * (size_t)nodes;
    double *inverse = dense_inverse(&lower), *b = tac_test_doubles(n), *x = tac_test_doubles(n);
    double *expected = tac_test_doubles(n), *start = tac_test_doubles(n);
    tacMat3 *turns = random_turns(&random, nodes);
    TAC_OWN(tacLiveFactor, factor) = NULL;
    tac_test_ok(tac_live_factor_create(&lower, 3 * MOST, &factor, &error), error);
    ck_assert(tac_live_factor_update(factor, lower.value, 1));
    double scale = largest_entry(inverse, (int)(n * n));
    const int counts[] = {1, 2, 8, MOST, 0, 5};
    for (int round = 0; round < 12; ++round) {
      const tacMat3 *turn = round % 2 == 0 ? NULL : turns;
      int count = counts[round / 2];
      tacFactorSite sites[MOST];
      double c[9 * MOST * MOST], f[3 * MOST];
      random_sites(&random, nodes, count, sites);
      for (size_t i = 0; i < n; ++i) b[i] = tac_random_normal(&random);
      for (size_t i = 0; i < n; ++i) start[i] = tac_random_normal(&random) * scale;
      for (int i = 0; i < 3 * count; ++i) f[i] = tac_random_normal(&random);

      turned_product(nodes, inverse, turn, b, expected);
      tac_live_factor_solve(factor, turn, b, x);
      ck_assert_double_lt(largest_apart(x, expected, (int)n), 1e-10 * largest_entry(expected, (int)n));
      tac_live_factor_solve(factor, turn, b, b);
      ck_assert_int_eq(memcmp(b, x, n * sizeof *b), 0);

      tac_live_factor_columns(factor, turn, count, sites, c);
      for (int j = 0; j < 3 * count; ++j) {
        double unit[3 * MOST] = {0.0}, at_sites[3 * MOST] = {0.0};
        unit[j] = 1.0;
        memset(b, 0, n * sizeof *b);
        spread(count, sites, unit, b);
        turned_product(nodes, inverse, turn, b, expected);
        for (int i = 0; i < count; ++i)
          for (int k = 0; k < sites[i].count; ++k)
            for (int axis = 0; axis < 3; ++axis)
              at_sites[3 * i + axis] += sites[i].weight[k] * expected[3 * sites[i].node[k] + axis];
        ck_assert_double_lt(largest_apart(c + j * 3 * count, at_sites, 3 * count), 1e-10 * scale);
        for (int i = 0; i < j; ++i) ck_assert_double_eq(c[i * 3 * count + j], c[j * 3 * count + i]);
      }

      memset(b, 0, n * sizeof *b);
      spread(count, sites, f, b);
      turned_product(nodes, inverse, turn, b, expected);
      for (size_t i = 0; i < n; ++i) expected[i] += start[i];
      memcpy(x, start, n * sizeof *x);
      tac_live_factor_respond(factor, turn, count, f, x);
      ck_assert_double_lt(largest_apart(x, expected, (int)n), 1e-10 * largest_entry(expected, (int)n));
    }
  }
}

/* f^T C f = |Y f|^2, and C is regular where sites are different nodes: Cholesky's pivots are positive. */
TAC_TEST(columns_of_different_nodes_are_positive_definite_and_are_those_of_full_solutions) {
  enum { COUNT = 30, N = 3 * COUNT };
  TAC_SPARSE lower = cube_matrix(tac_test_light() ? 4 : 7);
  int nodes = lower.cols / 3;
  size_t n = 3 * (size_t)nodes;
  TAC_OWN(tacLiveFactor, factor) = NULL;
  TAC_OWN(tacFactor, plain) = NULL;
  tac_test_ok(tac_live_factor_create(&lower, N, &factor, &error), error);
  tac_test_ok(tac_factor_create(&lower, &plain, &error), error);
  tac_test_ok(tac_factor_update(plain, lower.value, &error), error);
  ck_assert(tac_live_factor_update(factor, lower.value, 1));
  tacFactorSite sites[COUNT];
  for (int i = 0; i < COUNT; ++i) sites[i] = (tacFactorSite){.count = 1, .node = {i * nodes / COUNT}, .weight = {1.0}};
  static double c[N * N];
  double *full = tac_test_doubles(n * N), worst = 0.0, scale = 0.0;
  tac_live_factor_columns(factor, NULL, COUNT, sites, c);
  for (int j = 0; j < N; ++j) full[(size_t)j * n + (size_t)(3 * sites[j / 3].node[0] + j % 3)] = 1.0;
  tac_test_ok(tac_factor_solve(plain, full, N, full, &error), error);
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) {
      double expected = full[(size_t)j * n + (size_t)(3 * sites[i / 3].node[0] + i % 3)];
      worst = fmax(worst, fabs(c[j * N + i] - expected));
      scale = fmax(scale, fabs(expected));
    }
  ck_assert_double_lt(worst, 1e-10 * scale);
  for (int k = 0; k < N; ++k) {
    ck_assert_double_gt(c[k * N + k], 0.0);
    for (int i = k + 1; i < N; ++i)
      for (int j = k + 1; j < N; ++j) c[i * N + j] -= c[i * N + k] * c[k * N + j] / c[k * N + k];
  }
}

/* R A R^T by blocks, on the same places. */
static void turn_matrix(const tacSparse *lower, tacMat3 r, double *value) {
  for (int col = 0; col < lower->cols; ++col)
    for (int p = lower->column_start[col]; p < lower->column_start[col + 1]; ++p) {
      int row = lower->row[p], i = row / 3, j = col / 3;
      value[p] = 0.0;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          int high = 3 * i + a, low = 3 * j + b;
          if (high < low) high = 3 * j + b, low = 3 * i + a;
          int at = tac_sparse_find(lower, high, low);
          if (at >= 0) value[p] += r.m[row % 3][a] * lower->value[at] * r.m[col % 3][b];
        }
    }
}

TAC_TEST(a_factor_that_is_turned_is_that_of_the_turned_body) {
  enum { COUNT = 9, N = 3 * COUNT };
  tacRandom random = tac_random_seed(8);
  TAC_SPARSE lower = cube_matrix(4);
  int nodes = lower.cols / 3;
  size_t n = 3 * (size_t)nodes;
  double *turned = tac_test_doubles((size_t)tac_sparse_count(&lower)), *b = tac_test_doubles(n);
  double *x = tac_test_doubles(n), *y = tac_test_doubles(n);
  tacMat3 r = random_rotation(&random), *turn = tac_test_alloc((size_t)nodes * sizeof *turn);
  for (int i = 0; i < nodes; ++i) turn[i] = r;
  turn_matrix(&lower, r, turned);
  TAC_CREATE(tacLiveFactor, then, tac_live_factor_create(&lower, N, &then, &error));
  TAC_CREATE(tacLiveFactor, now, tac_live_factor_create(&lower, N, &now, &error));
  ck_assert(tac_live_factor_update(then, lower.value, 1));
  ck_assert(tac_live_factor_update(now, turned, 1));
  for (size_t i = 0; i < n; ++i) b[i] = tac_random_normal(&random);
  tac_live_factor_solve(then, turn, b, x);
  tac_live_factor_solve(now, NULL, b, y);
  ck_assert_double_lt(largest_apart(x, y, (int)n), 1e-10 * largest_entry(y, (int)n));
  tac_live_factor_solve(then, NULL, b, x);
  ck_assert_double_gt(largest_apart(x, y, (int)n), 1e-3 * largest_entry(y, (int)n)); /* as it must not be */

  tacFactorSite sites[COUNT];
  double c[N * N], d[N * N], f[N];
  random_sites(&random, nodes, COUNT, sites);
  for (int i = 0; i < N; ++i) f[i] = tac_random_normal(&random);
  tac_live_factor_columns(then, turn, COUNT, sites, c);
  tac_live_factor_columns(now, NULL, COUNT, sites, d);
  ck_assert_double_lt(largest_apart(c, d, N * N), 1e-10 * largest_entry(d, N * N));
  memset(x, 0, n * sizeof *x);
  memset(y, 0, n * sizeof *y);
  tac_live_factor_respond(then, turn, COUNT, f, x);
  tac_live_factor_respond(now, NULL, COUNT, f, y);
  ck_assert_double_lt(largest_apart(x, y, (int)n), 1e-10 * largest_entry(y, (int)n));
}

/* Values that a tag stands for: stiffer by places that depend on it. */
static void values_of_tag(const tacSparse *lower, int64_t tag, double *value) {
  memcpy(value, lower->value, (size_t)tac_sparse_count(lower) * sizeof *value);
  for (int i = 0; i < lower->cols; ++i) value[lower->column_start[i]] *= 1.0 + 0.01 * (double)((i * (int)tag) % 17);
}

static void check_same_bits(tacLiveFactor *a, tacLiveFactor *b, const double *load, double *x, double *y, size_t n) {
  tac_live_factor_solve(a, NULL, load, x);
  tac_live_factor_solve(b, NULL, load, y);
  ck_assert_int_eq(memcmp(x, y, n * sizeof *x), 0);
}

/* The user solves all the while. What it takes is what `update` makes of the values with the same tag, to the bit. */
static void check_handing_over(bool with_thread) {
  TAC_SPARSE lower = cube_matrix(tac_test_light() ? 2 : 4);
  size_t n = (size_t)lower.cols;
  double *value = tac_test_doubles((size_t)tac_sparse_count(&lower)), *b = tac_test_doubles(n);
  double *x = tac_test_doubles(n), *y = tac_test_doubles(n);
  tacRandom random = tac_random_seed(3);
  for (size_t i = 0; i < n; ++i) b[i] = tac_random_normal(&random);
  TAC_CREATE(tacLiveFactor, live, tac_live_factor_create(&lower, 0, &live, &error));
  TAC_CREATE(tacLiveFactor, plain, tac_live_factor_create(&lower, 0, &plain, &error));
  if (with_thread) tac_test_ok(tac_live_factor_start(live, &error), error);
  ck_assert_int_eq(tac_live_factor_report(live).tag, -1);
  tac_live_factor_solve(live, NULL, b, x);
  ck_assert_double_eq(largest_entry(x, (int)n), 0.0);
  ck_assert(!tac_live_factor_take(live));
  for (int64_t tag = 1; tag <= (tac_test_light() ? 20 : 100); ++tag) {
    ck_assert(tac_live_factor_idle(live));
    ck_assert(!tac_live_factor_ready(live));
    values_of_tag(&lower, tag, value);
    tac_live_factor_post(live, value, tag);
    ck_assert(!tac_live_factor_idle(live));
    memset(value, 0, (size_t)tac_sparse_count(&lower) * sizeof *value); /* it has its own */
    tac_live_factor_post(live, value, -tag);                            /* not idle: nothing happens */
    if (!with_thread) ck_assert(tac_live_factor_ready(live));
    do {
      if (tag > 1) check_same_bits(live, plain, b, x, y, (int)n); /* still those of the last */
    } while (!tac_live_factor_ready(live));
    ck_assert_int_eq(tac_live_factor_report(live).tag, tag > 1 ? tag - 1 : -1);
    ck_assert(tac_live_factor_take(live));
    ck_assert_int_eq(tac_live_factor_report(live).tag, tag);
    ck_assert_int_eq(tac_live_factor_report(live).taken, (int)tag);
    values_of_tag(&lower, tag, value);
    ck_assert(tac_live_factor_update(plain, value, tag));
    check_same_bits(live, plain, b, x, y, (int)n);
    if (with_thread && tag % 10 == 0) { /* between threads, and without */
      tac_live_factor_stop(live);
      if (tag % 20 != 0) tac_test_ok(tac_live_factor_start(live, &error), error);
      with_thread = tag % 20 != 0;
    } else if (!with_thread && tag % 10 == 5) {
      tac_test_ok(tac_live_factor_start(live, &error), error);
      with_thread = true;
    }
  }
  ck_assert_int_eq(tac_live_factor_report(live).failed, 0);
  ck_assert_double_gt(tac_live_factor_report(live).seconds, 0.0);
}

TAC_TEST(the_taken_factor_is_that_of_the_posted_matrix) {
  check_handing_over(true);
}

TAC_TEST(result_is_the_same_without_a_thread) {
  check_handing_over(false);
}

TAC_TEST(a_matrix_that_has_no_factor_is_counted_and_leaves_the_one_in_use) {
  TAC_SPARSE lower = cube_matrix(3);
  size_t n = (size_t)lower.cols, bytes = (size_t)tac_sparse_count(&lower) * sizeof(double);
  double *bad = tac_test_alloc(bytes), *b = tac_test_doubles(n), *x = tac_test_doubles(n), *y = tac_test_doubles(n);
  b[7] = 1.0;
  TAC_OWN(tacLiveFactor, factor) = NULL;
  tac_test_ok(tac_live_factor_create(&lower, 0, &factor, &error), error);
  ck_assert(tac_live_factor_update(factor, lower.value, 4));
  tac_live_factor_solve(factor, NULL, b, y);
  int failed = 0;
  for (int round = 0; round < 4; ++round) {
    memcpy(bad, lower.value, bytes);
    bad[lower.column_start[lower.cols / 2]] = round % 2 == 0 ? -1.0 : NAN;
    if (round == 2) tac_test_ok(tac_live_factor_start(factor, &error), error);
    tac_live_factor_post(factor, bad, 5);
    while (!tac_live_factor_ready(factor)) tac_clock_sleep_until(tac_clock_now() + 10000);
    ck_assert(!tac_live_factor_take(factor));
    ck_assert(!tac_live_factor_update(factor, bad, 6));
    failed += 2;
    ck_assert(tac_live_factor_idle(factor));
    tacLiveFactorReport report = tac_live_factor_report(factor);
    ck_assert_int_eq(report.failed, failed);
    ck_assert_int_eq(report.taken, 1);
    ck_assert_int_eq(report.tag, 4);
    tac_live_factor_solve(factor, NULL, b, x);
    ck_assert_int_eq(memcmp(x, y, n * sizeof *x), 0);
  }
  tac_live_factor_post(factor, lower.value, 7); /* and it recovers */
  while (!tac_live_factor_ready(factor)) tac_clock_sleep_until(tac_clock_now() + 10000);
  ck_assert(tac_live_factor_take(factor));
  tac_live_factor_solve(factor, NULL, b, x);
  ck_assert_int_eq(memcmp(x, y, n * sizeof *x), 0);
}

TAC_TEST(stop_update_and_destroy_are_safe_during_factorization) {
  TAC_SPARSE lower = cube_matrix(5);
  for (int round = 0; round < 6; ++round) {
    TAC_OWN(tacLiveFactor, factor) = NULL;
    tac_test_ok(tac_live_factor_create(&lower, 0, &factor, &error), error);
    tac_test_ok(tac_live_factor_start(factor, &error), error);
    tac_test_ok(tac_live_factor_start(factor, &error), error); /* as it is */
    tac_live_factor_post(factor, lower.value, 1);
    if (round % 3 == 0) {
      tac_live_factor_stop(factor);
      tac_live_factor_stop(factor);
      ck_assert(tac_live_factor_take(factor)); /* computed or not */
    } else if (round % 3 == 1) {
      ck_assert(tac_live_factor_update(factor, lower.value, 2));
      ck_assert_int_eq(tac_live_factor_report(factor).tag, 2);
      ck_assert(tac_live_factor_idle(factor));
      ck_assert(!tac_live_factor_take(factor));
    }
  }
  tac_live_factor_destroy(NULL);
}

TAC_TEST(matrices_without_node_blocks_are_refused) {
  TAC_SPARSE identity;
  tac_test_ok(tac_sparse_identity(4, &identity, &error), error);
  tacLiveFactor *factor;
  ck_assert_int_eq(tac_live_factor_create(&identity, 3, &factor, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(factor);
}
