#include "math/sparse/factor.h"

#include "base/threads/parallel.h"
#include "math/laplacian.h"
#include "math/random.h"
#include "process_threads.h"

static double *random_vectors(tacRandom *random, int count) {
  double *x = tac_test_doubles((size_t)count);
  ck_assert_ptr_nonnull(x);
  for (int i = 0; i < count; ++i) x[i] = tac_random_normal(random);
  return x;
}

static double largest_difference(const double *x, const double *y, int count) {
  double largest = 0.0;
  for (int i = 0; i < count; ++i) largest = fmax(largest, fabs(x[i] - y[i]));
  return largest;
}

/* Solves for many right-hand sides, apart and in place, and compares with the vectors they were made from. */
static void check_solutions(tacFactor *factor, const tacSparse *a, int count, double tolerance) {
  tacRandom random = tac_random_seed(7);
  int total = a->cols * count;
  double *x = random_vectors(&random, total), *b = random_vectors(&random, total);
  double *y = random_vectors(&random, total);
  tac_sparse_multiply(a, x, count, b);
  tac_test_ok(tac_factor_solve(factor, b, count, y, &error), error);
  ck_assert_double_lt(largest_difference(x, y, total), tolerance);
  tac_test_ok(tac_factor_solve(factor, b, count, b, &error), error);
  ck_assert_double_eq(largest_difference(b, y, total), 0.0);
}

TAC_TEST(solutions_reproduce_what_right_hand_sides_were_made_from) {
  const tacTestGrid grids[] = {{{50, 1, 1}, false}, {{20, 15, 1}, false}, {{14, 12, 13}, false}};
  for (int g = 0; g < 4; ++g) { /* the last is one point: 1 x 1 */
    TAC_SPARSE a;
    if (g < 3)
      a = tac_test_laplacian(grids[g]);
    else
      tac_test_ok(tac_sparse_identity(1, &a, &error), error);
    TAC_CREATE(tacFactor, factor, tac_factor_create(&a, &factor, &error));
    tac_test_ok(tac_factor_update(factor, a.value, &error), error);
    for (int count = 0; count <= 9; count += 3) check_solutions(factor, &a, count, 1e-11);
  }
}

TAC_TEST(numbers_may_change_often_and_only_the_lower_triangle_is_read) {
  TAC_SPARSE a = tac_test_laplacian((tacTestGrid){{9, 8, 7}, false}), changed;
  TAC_OWN(tacFactor, factor) = NULL;
  tac_test_ok(tac_factor_create(&a, &factor, &error), error);
  tac_test_ok(tac_sparse_add(1.0, &a, 0.0, &a, &changed, &error), error);
  double *poisoned = tac_test_doubles((size_t)tac_sparse_count(&a));
  for (int round = 1; round <= 3; ++round) {
    for (int p = 0; p < tac_sparse_count(&a); ++p) changed.value[p] = a.value[p] * round;
    for (int i = 0; i < a.cols; ++i) changed.value[tac_sparse_find(&changed, i, i)] += 0.1 * round;
    memcpy(poisoned, changed.value, (size_t)tac_sparse_count(&a) * sizeof *poisoned);
    for (int j = 0; j < a.cols; ++j)
      for (int p = a.column_start[j]; p < a.column_start[j + 1] && a.row[p] < j; ++p) poisoned[p] = 1e30;
    tac_test_ok(tac_factor_update(factor, poisoned, &error), error);
    check_solutions(factor, &changed, 2, 1e-12);
  }
}

/* A block of nodes that has no entries but its own diagonal, one of which is negative: the error can name only that. */
static void check_refusal(tacTestGrid grid) {
  TAC_SPARSE a = tac_test_laplacian(grid);
  int bad = a.cols / 3;
  for (int j = 0; j < a.cols; ++j)
    for (int p = a.column_start[j]; p < a.column_start[j + 1]; ++p)
      if (a.row[p] != j && (a.row[p] == bad || j == bad)) a.value[p] = 0.0;
  int place = tac_sparse_find(&a, bad, bad);
  double good = a.value[place];
  TAC_OWN(tacFactor, factor) = NULL;
  tac_test_ok(tac_factor_create(&a, &factor, &error), error);
  double x = 0.0;
  ck_assert_int_eq(tac_factor_solve(factor, &x, 1, &x, &error), TAC_ERR_SINGULAR); /* no numbers yet */
  for (int round = 0; round < 2; ++round) {
    a.value[place] = round == 0 ? -1.0 : 0.0;
    ck_assert_int_eq(tac_factor_update(factor, a.value, &error), TAC_ERR_SINGULAR);
    char expected[32];
    snprintf(expected, sizeof expected, "column %d", bad);
    ck_assert_msg(strstr(error.text, expected) != NULL, "%s lacks %s", error.text, expected);
    ck_assert_int_eq(tac_factor_solve(factor, &x, 1, &x, &error), TAC_ERR_SINGULAR);
    a.value[place] = good;
    tac_test_ok(tac_factor_update(factor, a.value, &error), error);
    check_solutions(factor, &a, 2, 1e-11);
  }
  a.value[0] = NAN;
  ck_assert_int_eq(tac_factor_update(factor, a.value, &error), TAC_ERR_ARGUMENT);
}

TAC_TEST(indefinite_matrices_are_refused_with_their_column_and_factor_stays_usable) {
  check_refusal((tacTestGrid){{30, 1, 1}, false});
  check_refusal((tacTestGrid){{27, 26, 25}, false}); /* on several threads */
}

TAC_TEST(a_copy_has_the_same_order_and_gives_the_same_bits) {
  TAC_SPARSE a = tac_test_laplacian((tacTestGrid){{9, 8, 7}, false});
  int n = a.cols;
  tacRandom random = tac_random_seed(5);
  double *b = random_vectors(&random, n), *x = random_vectors(&random, n), *y = random_vectors(&random, n);
  for (int live = 0; live < 2; ++live)
    for (int late = 0; late < 2; ++late) { /* before there are numbers, and after */
      tacFactor *factor, *copy, *whole;
      tac_test_ok((live ? tac_factor_create_live : tac_factor_create)(&a, &factor, &error), error);
      if (late) tac_test_ok(tac_factor_update(factor, a.value, &error), error);
      tac_test_ok(tac_factor_copy(factor, &copy, &error), error);
      tac_test_ok(tac_factor_copy_whole(factor, &whole, &error), error);
      if (!late) tac_test_ok(tac_factor_update(factor, a.value, &error), error);
      ck_assert_int_eq(tac_factor_solve(copy, b, 1, x, &error), TAC_ERR_SINGULAR); /* no numbers of its own yet */
      tac_test_ok(tac_factor_update(copy, a.value, &error), error);
      tac_test_ok(tac_factor_solve(factor, b, 1, x, &error), error);
      tac_factor_destroy(factor);
      ck_assert_int_eq(tac_factor_solve(whole, b, 1, y, &error), late ? TAC_OK : TAC_ERR_SINGULAR);
      if (late) ck_assert_int_eq(memcmp(x, y, (size_t)n * sizeof *x), 0);
      tac_factor_destroy(whole);
      tac_test_ok(tac_factor_solve(copy, b, 1, y, &error), error);
      ck_assert_int_eq(memcmp(x, y, (size_t)n * sizeof *x), 0);
      check_solutions(copy, &a, 2, 1e-11);
      tac_factor_destroy(copy);
    }
}

TAC_TEST(report_counts_the_entries_of_the_factor) {
  TAC_SPARSE a = tac_test_laplacian((tacTestGrid){{100, 1, 1}, false});
  TAC_OWN(tacFactor, factor) = NULL;
  tac_test_ok(tac_factor_create(&a, &factor, &error), error);
  tacFactorReport report = tac_factor_report(factor);
  ck_assert_int_eq(report.size, 100);
  ck_assert_double_eq(report.nonzeros, 199.0); /* a chain has an ordering without fill, and AMD finds it */
  ck_assert_double_gt(report.flops, 0.0);
  ck_assert_double_eq(report.rcond, 0.0);
  tac_test_ok(tac_factor_update(factor, a.value, &error), error);
  report = tac_factor_report(factor);
  ck_assert_uint_gt(report.bytes, 199 * sizeof(double));
  ck_assert(report.rcond > 0.0 && report.rcond <= 1.0);
}

TAC_TEST(matrices_that_are_not_square_or_broken_are_refused) {
  int start[] = {0, 1, 2}, row[] = {0, 5};
  tacSparse broken = {2, 2, start, row, NULL}, wide = {1, 2, start, row, NULL};
  tacFactor *factor;
  ck_assert_int_eq(tac_factor_create(&wide, &factor, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(factor);
  ck_assert_int_eq(tac_factor_create(&broken, &factor, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(factor);
  tac_factor_destroy(NULL);
}

/* Large enough for several threads. */
TAC_TEST(large_factors_have_the_same_bits_for_any_number_of_threads) {
  static const int threads[] = {1, 2, 3, 16};
  TAC_SPARSE a = tac_test_laplacian((tacTestGrid){{27, 26, 25}, false});
  tacRandom random = tac_random_seed(8);
  double *first = NULL, *b = random_vectors(&random, a.cols);
  double *x[2] = {0};
  size_t count = 0;
  for (int t = 0; t < 2; ++t) x[t] = random_vectors(&random, a.cols);
  for (int t = 0; t < 4; t += tac_test_light() ? 2 : 1) {
    tac_parallel_set_threads(threads[t]);
    TAC_CREATE(tacFactor, factor, tac_factor_create(&a, &factor, &error));
    ck_assert_double_ge(tac_factor_report(factor).flops, 4e8);
    ck_assert_double_ge(tac_factor_report(factor).nonzeros, 1e6);
    tac_test_ok(tac_factor_update(factor, a.value, &error), error);
    TAC_CREATE(tacFactor, copy, tac_factor_copy(factor, &copy, &error));
    tac_test_ok(tac_factor_update(copy, a.value, &error), error);
    check_solutions(factor, &a, 3, 1e-11);
    check_solutions(factor, &a, 1, 1e-11); /* on several threads */
    tac_test_ok(tac_factor_solve(factor, b, 1, x[t > 0], &error), error);
    ck_assert_mem_eq(x[0], x[t > 0], (size_t)a.cols * sizeof *b);
    tacSupernodes l = tac_factor_supernodes(factor), other = tac_factor_supernodes(copy);
    if (t == 0) {
      count = (size_t)l.value_start[l.count];
      first = tac_test_alloc(count * sizeof *first);
      memcpy(first, l.value, count * sizeof *first);
    }
    ck_assert_mem_eq(l.value, first, count * sizeof *first);
    ck_assert_mem_eq(other.value, first, count * sizeof *first);
  }
  tac_parallel_set_threads(0);
}

/* Three parts that know nothing of each other: the tree of supernodes has three roots. */
TAC_TEST(matrices_of_separate_parts_are_solved_on_several_threads) {
  TAC_SPARSE part = tac_test_laplacian((tacTestGrid){{20, 19, 18}, false}), a;
  int n = part.cols, entries = part.column_start[n];
  tac_test_ok(tac_sparse_create(3 * n, 3 * n, 3 * (size_t)entries, &a, &error), error);
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j <= n; ++j) a.column_start[k * n + j] = k * entries + part.column_start[j];
    for (int p = 0; p < entries; ++p) {
      a.row[k * entries + p] = k * n + part.row[p];
      a.value[k * entries + p] = (k + 1) * part.value[p];
    }
  }
  TAC_CREATE(tacFactor, factor, tac_factor_create(&a, &factor, &error));
  tac_test_ok(tac_factor_update(factor, a.value, &error), error);
  ck_assert_double_ge(tac_factor_report(factor).nonzeros, 6e5);
  check_solutions(factor, &a, 1, 1e-11);
}

typedef struct {
  tacFactor *factor;
  double *b, *x;
  int size;
} Shared;

static void solve_shared(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Shared *shared = context;
  for (size_t i = begin; i < end; ++i)
    ck_assert_int_eq(tac_factor_solve(shared->factor, shared->b, 2, shared->x + 2 * i * (size_t)shared->size, NULL),
                     TAC_OK);
}

TAC_TEST(several_threads_solve_with_one_factor) {
  enum { SOLVES = 200 };
  for (int g = 0; g < 2; ++g) { /* small and large */
    TAC_SPARSE a = tac_test_laplacian(g == 0 ? (tacTestGrid){{15, 12, 1}, false} : (tacTestGrid){{12, 12, 12}, false});
    tacRandom random = tac_random_seed(3);
    Shared shared = {.size = a.cols};
    tac_test_ok(tac_factor_create(&a, &shared.factor, &error), error);
    tac_test_keep(shared.factor, tac_factor_destroy);
    tac_test_ok(tac_factor_update(shared.factor, a.value, &error), error);
    shared.b = random_vectors(&random, 2 * a.cols);
    shared.x = random_vectors(&random, 2 * SOLVES * a.cols);
    ck_assert_int_eq(tac_parallel_for(8, SOLVES, 1, solve_shared, &shared, NULL, "solves", NULL), TAC_OK);
    for (size_t i = 1; i < SOLVES; ++i)
      ck_assert_mem_eq(shared.x, shared.x + 2 * i * (size_t)a.cols, 2 * (size_t)a.cols * sizeof *shared.x);
  }
}

/* The pool would have one for each core. */
TAC_TEST(live_factors_start_no_threads) {
  int before = threads_of_this_process();
  TAC_SPARSE a = tac_test_laplacian((tacTestGrid){{20, 20, 20}, false});
  TAC_OWN(tacFactor, factor) = NULL;
  tac_test_ok(tac_factor_create_live(&a, &factor, &error), error);
  tac_test_ok(tac_factor_update(factor, a.value, &error), error);
  check_solutions(factor, &a, 4, 1e-11);
  ck_assert_int_le(threads_of_this_process(), before); /* idle ones of the pool may have ended */
}
