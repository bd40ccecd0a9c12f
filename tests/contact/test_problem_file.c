#include "contact/problem_file.h"

#include "contact/contact_problem.h"
#include "contact/law_case.h"
#include "contact/laws/law_problem.h"

static tacContactProblem *accept(const char *text) {
  tacContactProblem *problem;
  tac_test_ok(tac_problem_file_parse("a.dat", (const unsigned char *)text, strlen(text), &problem, &error), error);
  return problem;
}

static void refuse(const char *text, size_t size, const char *says) {
  tacContactProblem *problem;
  ck_assert_int_ne(tac_problem_file_parse("a.dat", (const unsigned char *)text, size, &problem, &error), TAC_OK);
  ck_assert_ptr_null(problem);
  ck_assert_msg(strncmp(error.text, "a.dat:", 6) == 0 && strstr(error.text, says) != NULL, "'%s' expected in '%s'",
                says, error.text);
}

/* Two contacts that push each other, in both storages and with ends of lines anywhere. Column by column. */
static const char dense[] = "3 2\n0\n6 6 6\t6\n"
                            "2 0.5 0  1 0 0\n0.5 3 0  0 1 0\n0 0 4  0 0 0.25\n"
                            "1 0 0  2 0.5 0\n0 1 0  0.5 3 0\n0 0 0.25  0 0 4\n"
                            "-1 0.5 0.25 -2 1e-1 0\n0.5\n0.25";
static const char blocks[] = "3\n2\n1\n6\n6\n4\n2\n2\n3\t6\t\n3\t6\t\n3\n4\n0\t2\t4\t\n0\t1\t0\t1\t\n"
                             "0\n2\n0.5\n0\n0.5\n3\n0\n0\n0\n4\n"
                             "1\n1\n0\n0\n0\n1\n0\n0\n0\n0.25\n"
                             "2\n1\n0\n0\n0\n1\n0\n0\n0\n0.25\n"
                             "3\n2\n0.5\n0\n0.5\n3\n0\n0\n0\n4\n"
                             "-1 0.5 0.25 -2 1e-1 0\n0.5 0.25\n0\n";
static const char apart[] = "3 2 1 6 6 1 2 2 3 6 3 6  2 1 0 1  0  0  2 0 0 0 2 0 0 0 2  -1 0 0 1 0 0  0.5 0.5";
/* The same of a W that is not symmetric, and has a block with nothing across. */
static const char lopsided[] =
    "3 2 1 6 6 3 2 2 3 6 3 6  3 3 0 2 3  0 1 1  0  2 0.75 0 0.5 2 0 0 0 2  1  1 2 3 4 5 6 7 8 9  "
    "2  2 0 0 0 2 0 0 0 2  -1 0 0 1 0 0  0.5 0.5";
static const char plane[] = "2 1 0 2 2 2 2  2 0.5 0.5 3  -1 0.5  0.7 1\n";

static void check_same(const tacContactProblem *a, const tacContactProblem *b) {
  ck_assert_int_eq(a->dimension, b->dimension);
  ck_assert_int_eq(a->count, b->count);
  size_t count = (size_t)a->count;
  ck_assert_mem_eq(a->first, b->first, (count + 1) * sizeof *a->first);
  ck_assert_mem_eq(a->column, b->column, (size_t)a->first[count] * sizeof *a->column);
  ck_assert_mem_eq(a->diagonal, b->diagonal, count * sizeof *a->diagonal);
  for (size_t k = 0; k < 9 * (size_t)a->first[count]; ++k) ck_assert_double_eq(a->entries[k], b->entries[k]);
  for (size_t k = 0; k < 3 * count; ++k) ck_assert_double_eq(a->free[k], b->free[k]);
  for (size_t k = 0; k < count; ++k) ck_assert_double_eq(a->friction[k], b->friction[k]);
}

TAC_TEST(dense_and_sparse_storage_are_equivalent) {
  TAC_OWN(tacContactProblem, a) = accept(dense);
  TAC_OWN(tacContactProblem, b) = accept(blocks);
  check_same(a, b);
  ck_assert_double_eq(a->entries[1], 0.5);
  ck_assert_double_eq(a->entries[9], 1.0);
  ck_assert_double_eq(a->free[4], 0.1);
  ck_assert_double_eq(a->friction[1], 0.25);
}

TAC_TEST(byte_order_mark_is_ignored) {
  char marked[sizeof dense + 3];
  snprintf(marked, sizeof marked, "\xef\xbb\xbf%s", dense);
  TAC_OWN(tacContactProblem, a) = accept(dense);
  TAC_OWN(tacContactProblem, b) = accept(marked);
  check_same(a, b);
}

/* Blocks come column by column. */
TAC_TEST(asymmetric_matrix_is_read_unchanged) {
  const double right[] = {2, 0.5, 0, 0.75, 2, 0, 0, 0, 2, 1, 4, 7, 2, 5, 8, 3, 6, 9, 2, 0, 0, 0, 2, 0, 0, 0, 2};
  TAC_OWN(tacContactProblem, problem) = accept(lopsided);
  ck_assert_int_eq(problem->first[2], 3);
  for (int k = 0; k < 27; ++k) ck_assert_double_eq(problem->entries[k], right[k]);
  ck_assert_double_eq(problem->asymmetry, 1.0); /* 9 of 9 */
}

static tacContactProblem *round_trip(const tacContactProblem *problem, tacContactStorage storage) {
  char folder[256], path[300];
  tacContactProblem *back;
  snprintf(path, sizeof path, "%s/problem.dat", tac_test_folder(folder, sizeof folder));
  tac_test_ok(tac_contact_problem_write(problem, path, storage, &error), error);
  tac_test_ok(tac_contact_problem_read(path, &back, &error), error);
  remove(path);
  rmdir(folder);
  return back;
}

TAC_TEST(problem_file_round_trips) {
  const char *texts[] = {dense, blocks, plane, apart, lopsided, "3 0 1 0 0 0 0 0 1 0 0"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
    TAC_OWN(tacContactProblem, problem) = accept(texts[k]);
    if (problem->count > 0) problem->free[0] = -1.0 / 3.0; /* needs all digits */
    for (int storage = TAC_CONTACT_DENSE; storage <= TAC_CONTACT_BLOCKS; ++storage) {
      TAC_OWN(tacContactProblem, back) = round_trip(problem, (tacContactStorage)storage);
      check_same(problem, back);
    }
  }
}

/* With the text before and after a place changed. */
static void refuse_changed(const char *text, const char *from, const char *to, const char *says) {
  char changed[1024];
  const char *at = strstr(text, from);
  ck_assert_ptr_nonnull(at);
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  refuse(changed, strlen(changed), says);
}

TAC_TEST(errors_name_the_wrong_value) {
  refuse("", 0, "dimension");
  refuse("hello", 5, "dimension");
  refuse_changed(dense, "3 2", "4 2", "2 to 3");
  refuse_changed(dense, "3 2", "3 -2", "number of contacts");
  refuse_changed(dense, "3 2", "3 2000000000", "number of contacts");
  refuse_changed(dense, "3 2", "3 100000", "need more than the");
  refuse_changed(dense, "3 2", "3 3", "number of rows of W, 9, found 6");
  refuse_changed(dense, "\n0\n", "\n2\n", "storage of W, 0 (all entries) or 1 (sparse blocks), found 2");
  refuse_changed(dense, "\n0\n", "\n-1\n", "storage");
  refuse_changed(dense, "6 6 6\t6", "6 6 6\t5", "columns of W again, 6, found 5");
  refuse_changed(dense, "2 0.5", "2 nan", "an entry of W");
  refuse_changed(dense, "2 0.5", "2 1e999", "an entry of W");
  refuse_changed(dense, "-1 0.5", "-1 inf", "a number of q");
  refuse_changed(dense, "\n0.5\n", "\n-0.5\n", "not negative");
  refuse_changed(dense, "4\n-1", "4 1\n-1", "the end of the file"); /* one number too many */
  refuse_changed(blocks, "6\n4\n2", "6\n-4\n2", "number of blocks");
  refuse_changed(blocks, "6\n4\n2", "6\n2000000000\n2", "need more than the");
  refuse_changed(blocks, "6\n4\n2", "6\n5\n2", "number of blocks of W again, 5, found 4");
  refuse_changed(blocks, "4\n2\n2", "4\n3\n2", "rows of blocks, 2, found 3");
  refuse_changed(blocks, "3\t6\t\n3", "3\t7\t\n3", "where a row of blocks ends, 6, found 7");
  refuse_changed(blocks, "\n3\n4\n0", "\n4\n4\n0", "rows of blocks and one more");
  refuse_changed(blocks, "0\t2\t4", "0\t5\t4", "where the blocks of a row of W begin");
  refuse_changed(blocks, "0\t2\t4", "0\t3\t2", "where the blocks of a row of W begin");
  refuse_changed(blocks, "0\t2\t4", "1\t2\t4", "0, where the blocks of W begin");
  refuse_changed(blocks, "0\t2\t4", "0\t2\t3", "expected 4 blocks of W in its rows, found 3");
  refuse_changed(blocks, "0\t1\t0\t1", "0\t2\t0\t1", "the column of a block");
  refuse_changed(blocks, "0\t1\t0\t1", "0\t-1\t0\t1", "the column of a block");
  refuse_changed(blocks, "4\n1\n1", "4\n3\n1", "the number of a block, 1, found 3");
  refuse_changed(blocks, "0.25\n0\n", "0.25\n2\n", "the end of the file");
  refuse_changed(blocks, "0.25\n0\n", "0.25\n0\n0", "the end of the file");
  refuse_changed(plane, "0.7", "-0.7", "a.dat:1: ");
}

/* Up to the last number whatever is missing is missed. */
TAC_TEST(truncated_files_are_rejected) {
  for (size_t size = 0; size < sizeof dense - 5; ++size) refuse(dense, size, "");
  for (size_t size = 0; size < sizeof blocks - 8; ++size) refuse(blocks, size, "");
}

/* A row of blocks that is not there is zero. */
TAC_TEST(missing_last_rows_are_zero) {
  TAC_OWN(tacContactProblem, problem) = accept(apart);
  ck_assert_int_eq(problem->first[2], 2);
  ck_assert_double_eq(problem->entries[0], 2.0);
  for (int k = 9; k < 18; ++k) ck_assert_double_eq(problem->entries[k], 0.0);
}

/* W of parts, a compliance and soft contacts. */
TAC_TEST(law_problem_round_trips_as_a_file) {
  enum { COUNT = 9 };
  static Case one;
  tacRandom random = tac_random_seed(1);
  const char *path = tac_test_path("laws.dat");
  for (int compliant = 0; compliant < 2; ++compliant) {
    TAC_OWN(tacContactProblem, problem) = NULL;
    error = (tacError){0};
    make_parts(&random, COUNT, compliant != 0, &one);
    choose_solution(&random, &one);
    tac_test_ok(tac_problem_file_write_laws(path, &one.problem, &error), error);
    tac_test_ok(tac_contact_problem_read(path, &problem, &error), error);
    for (int column = 0; column < 3 * COUNT; ++column) {
      double unit[3 * COUNT] = {0.0};
      unit[column] = 1.0;
      for (int i = 0; i < COUNT; ++i) {
        double row[3] = {0.0, 0.0, 0.0};
        tac_contact_problem_add_row(problem, i, unit, row);
        for (int a = 0; a < 3; ++a)
          ck_assert_double_eq_tol(row[a], one.w[(3 * i + a) * 3 * COUNT + column], 1e-13 * one.give);
      }
    }
    for (int i = 0; i < COUNT; ++i) {
      ck_assert_double_eq(problem->free[3 * i], one.contacts[i].gap);
      ck_assert_double_eq(problem->free[3 * i + 2], one.contacts[i].slip[1]);
      ck_assert_double_eq(problem->friction[i], one.contacts[i].friction);
    }
    remove(path);
  }
  one.contacts[4].grabbed = true;
  tac_test_refused(tac_problem_file_write_laws(path, &one.problem, &error), TAC_ERR_UNSUPPORTED, error,
                   "contact 4 is grabbed, but files of contact problems can store only contacts that obey the laws");
  ck_assert_int_ne(access(path, F_OK), 0);
}
