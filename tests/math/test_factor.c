#include "math/factor.h"

#include <dirent.h>
#include <math.h>
#include <string.h>
#include "math/blas.h"
#include "math/laplacian.h"
#include "math/random.h"
#include "test.h"

static tacError error;

#ifdef TAC_LGPL /* always by supernodes */
enum { SMALL_ONES_TOO = true };
#else
enum { SMALL_ONES_TOO = false };
#endif

static double *random_vectors(tacRandom *random, int count) {
  double *x = malloc((size_t)count * sizeof *x);
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
  double *x = random_vectors(&random, total), *b = random_vectors(&random, total), *y = random_vectors(&random, total);
  tac_sparse_multiply(a, x, count, b);
  tac_test_ok(tac_factor_solve(factor, b, count, y, &error), error);
  ck_assert_double_lt(largest_difference(x, y, total), tolerance);
  tac_test_ok(tac_factor_solve(factor, b, count, b, &error), error);
  ck_assert_double_eq(largest_difference(b, y, total), 0.0);
  free(x);
  free(b);
  free(y);
}

START_TEST(solutions_reproduce_what_right_hand_sides_were_made_from) {
  const tacTestGrid grids[] = {{{1, 1, 1}, false}, {{50, 1, 1}, false}, {{20, 15, 1}, false}, {{14, 12, 13}, false}};
  for (int g = 0; g < 4; ++g) {
    tacSparse a = tac_test_laplacian(grids[g]);
    if (g == 0) { /* one point: 1 x 1 */
      tac_sparse_destroy(&a);
      tac_test_ok(tac_sparse_identity(1, &a, &error), error);
    }
    tacFactor *factor;
    tac_test_ok(tac_factor_create(&a, &factor, &error), error);
    tac_test_ok(tac_factor_update(factor, a.value, &error), error);
    for (int count = 0; count <= 9; count += 3) check_solutions(factor, &a, count, 1e-11);
    tac_factor_destroy(factor);
    tac_sparse_destroy(&a);
  }
}
END_TEST

START_TEST(numbers_may_change_often_and_only_the_lower_triangle_is_read) {
  tacSparse a = tac_test_laplacian((tacTestGrid){{9, 8, 7}, false}), changed;
  tacFactor *factor;
  tac_test_ok(tac_factor_create(&a, &factor, &error), error);
  tac_test_ok(tac_sparse_add(1.0, &a, 0.0, &a, &changed, &error), error);
  double *poisoned = malloc((size_t)tac_sparse_count(&a) * sizeof *poisoned);
  for (int round = 1; round <= 3; ++round) {
    for (int p = 0; p < tac_sparse_count(&a); ++p) changed.value[p] = a.value[p] * round;
    for (int i = 0; i < a.cols; ++i) changed.value[tac_sparse_find(&changed, i, i)] += 0.1 * round;
    memcpy(poisoned, changed.value, (size_t)tac_sparse_count(&a) * sizeof *poisoned);
    for (int j = 0; j < a.cols; ++j)
      for (int p = a.column_start[j]; p < a.column_start[j + 1] && a.row[p] < j; ++p) poisoned[p] = 1e30;
    tac_test_ok(tac_factor_update(factor, poisoned, &error), error);
    check_solutions(factor, &changed, 2, 1e-12);
  }
  free(poisoned);
  tac_factor_destroy(factor);
  tac_sparse_destroy(&a);
  tac_sparse_destroy(&changed);
}
END_TEST

/* A block of nodes that has no entries but its own diagonal, one of which is negative: the error can name only that. */
static void check_refusal(tacTestGrid grid, bool expect_supernodal) {
  tacSparse a = tac_test_laplacian(grid);
  int bad = a.cols / 3;
  for (int j = 0; j < a.cols; ++j)
    for (int p = a.column_start[j]; p < a.column_start[j + 1]; ++p)
      if (a.row[p] != j && (a.row[p] == bad || j == bad)) a.value[p] = 0.0;
  int place = tac_sparse_find(&a, bad, bad);
  double good = a.value[place];
  tacFactor *factor;
  tac_test_ok(tac_factor_create(&a, &factor, &error), error);
  ck_assert_int_eq(tac_factor_report(factor).supernodal, expect_supernodal);
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
  tac_factor_destroy(factor);
  tac_sparse_destroy(&a);
}

START_TEST(indefinite_matrices_are_refused_with_their_column_and_do_no_lasting_harm) {
  check_refusal((tacTestGrid){{30, 1, 1}, false}, SMALL_ONES_TOO);
  check_refusal((tacTestGrid){{16, 16, 16}, false}, true);
}
END_TEST

START_TEST(a_copy_has_the_same_order_and_gives_the_same_bits) {
  tacSparse a = tac_test_laplacian((tacTestGrid){{9, 8, 7}, false});
  int n = a.cols;
  tacRandom random = tac_random_seed(5);
  double *b = random_vectors(&random, n), *x = random_vectors(&random, n), *y = random_vectors(&random, n);
  for (int supernodal = 0; supernodal < 2; ++supernodal)
    for (int late = 0; late < 2; ++late) { /* before there are numbers, and after */
      tacFactor *factor, *copy, *whole;
      tac_test_ok((supernodal ? tac_factor_create_supernodal : tac_factor_create)(&a, &factor, &error), error);
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
  free(b);
  free(x);
  free(y);
  tac_sparse_destroy(&a);
}
END_TEST

START_TEST(report_counts_the_entries_of_the_factor) {
  tacSparse a = tac_test_laplacian((tacTestGrid){{100, 1, 1}, false});
  tacFactor *factor;
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
  tac_factor_destroy(factor);
  tac_sparse_destroy(&a);
}
END_TEST

START_TEST(matrices_that_are_not_square_or_broken_are_refused) {
  int start[] = {0, 1, 2}, row[] = {0, 5};
  tacSparse broken = {2, 2, start, row, NULL}, wide = {1, 2, start, row, NULL};
  tacFactor *factor;
  ck_assert_int_eq(tac_factor_create(&wide, &factor, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(factor);
  ck_assert_int_eq(tac_factor_create(&broken, &factor, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(factor);
  tac_factor_destroy(NULL);
}
END_TEST

static int threads_of_this_process(void) {
  DIR *folder = opendir("/proc/self/task");
  ck_assert_ptr_nonnull(folder);
  int count = 0;
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
    count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

/* CHOLMOD's OpenMP loops would start three more. */
START_TEST(factors_and_solutions_start_no_threads) {
  tac_blas_begin(); /* OpenBLAS may start threads of its own here, which then only sleep */
  tac_blas_end();
  int before = threads_of_this_process();
  tacSparse a = tac_test_laplacian((tacTestGrid){{20, 20, 20}, false});
  tacFactor *factor;
  tac_test_ok(tac_factor_create(&a, &factor, &error), error);
  tac_test_ok(tac_factor_update(factor, a.value, &error), error);
  check_solutions(factor, &a, 4, 1e-11);
  ck_assert_int_eq(threads_of_this_process(), before);
  tac_factor_destroy(factor);
  tac_sparse_destroy(&a);
}
END_TEST

TAC_TEST_SUITE("factor", factors_and_solutions_start_no_threads,
               solutions_reproduce_what_right_hand_sides_were_made_from,
               numbers_may_change_often_and_only_the_lower_triangle_is_read,
               indefinite_matrices_are_refused_with_their_column_and_do_no_lasting_harm,
               a_copy_has_the_same_order_and_gives_the_same_bits, report_counts_the_entries_of_the_factor,
               matrices_that_are_not_square_or_broken_are_refused)
