#include "base/files/bake_check.h"

#include <math.h>
#include <string.h>
#include <unistd.h>
#include "base/file_alone.h"

TAC_TEST_AROUND(set_up_path, clean_up)

static tacStatus write_checks(const tacBakeChecks *checks) {
  tacChunkTransfer to = tac_chunk_transfer_write(path, "thing", 1, &error);
  tac_bake_checks_put(&to, checks);
  return tac_chunk_transfer_end(&to);
}

static tacStatus read_checks(tacBakeChecks *checks) {
  tacChunkTransfer from = tac_chunk_transfer_read(path, "thing", 1, &error);
  tac_bake_checks_take(&from, checks);
  return tac_chunk_transfer_end(&from);
}

TAC_TEST(the_worst_of_all_errors_is_kept_with_its_place) {
  tacWorst worst = {0};
  tac_worst_add(&worst, 1.0, 4);
  tac_worst_add(&worst, 3.0, 7);
  tac_worst_add(&worst, 2.0, 9);
  ck_assert_int_eq(worst.samples, 3);
  ck_assert_int_eq(worst.place, 7);
  ck_assert_double_eq(worst.error, 3.0);
  tac_worst_add(&worst, (double)NAN, 11);
  tac_worst_add(&worst, 5.0, 12);
  ck_assert(isnan(worst.error) && worst.place == 11); /* worse than any number */
}

TAC_TEST(joined_pieces_are_as_one) {
  const double errors[] = {0.1, 0.4, 0.2, 0.4, 0.3, NAN, 0.5, NAN};
  for (int end = 1; end <= 8; ++end)
    for (int cut = 0; cut <= end; ++cut) {
      tacWorst all = {0}, first = {0}, rest = {0};
      for (int i = 0; i < end; ++i) {
        tac_worst_add(&all, errors[i], i);
        tac_worst_add(i < cut ? &first : &rest, errors[i], i);
      }
      tac_worst_join(&first, &rest);
      ck_assert_int_eq(first.samples, all.samples);
      ck_assert_int_eq(first.place, all.place);
      ck_assert(first.error == all.error || (isnan(first.error) && isnan(all.error)));
    }
}

TAC_TEST(an_error_above_the_limit_is_reported_in_full) {
  tacBakeChecks checks = {0};
  tacWorst worst = {5, 1e-12, 3};
  tac_test_ok(tac_bake_checks_add(&checks, "columns with their loads", &worst, 1e-9, "column", &error), error);
  ck_assert_int_eq(checks.count, 1);
  worst.error = 2e-3;
  ck_assert_int_eq(tac_bake_checks_add(&checks, "columns with their loads", &worst, 1e-9, "column", &error),
                   TAC_ERR_CHECK);
  const char *parts[] = {"columns with their loads", "0.002", "column 3", "1e-09", "bake again"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    ck_assert_msg(strstr(error.text, parts[i]) != NULL, "%s", error.text);
  worst.error = (double)NAN;
  ck_assert_int_eq(tac_bake_checks_add(&checks, "x", &worst, 1e-9, NULL, &error), TAC_ERR_CHECK);
  const tacWorst none = {0};
  checks.count = 0;
  tac_test_ok(tac_bake_checks_add(&checks, "x", &none, 1e-9, NULL, &error), error);
  ck_assert_int_eq(checks.count, 0);
}

TAC_TEST(checks_round_trip_through_a_file) {
  tacBakeChecks none = {0}, checks = {0}, read;
  tac_test_ok(write_checks(&none), error);
  tac_test_ok(read_checks(&read), error);
  ck_assert_int_eq(read.count, 0);
  const tacWorst worst[2] = {{5, 1e-12, 3}, {7, 0.0, 0}};
  tac_test_ok(tac_bake_checks_add(&checks, "columns with their loads", &worst[0], 1e-9, NULL, &error), error);
  tac_test_ok(tac_bake_checks_add(&checks, "rows", &worst[1], 1e-6, NULL, &error), error);
  tac_test_ok(write_checks(&checks), error);
  tac_test_ok(read_checks(&read), error);
  ck_assert_int_eq(read.count, 2);
  for (int i = 0; i < 2; ++i) {
    ck_assert_str_eq(read.checks[i].what, checks.checks[i].what);
    ck_assert_int_eq(read.checks[i].samples, worst[i].samples);
    ck_assert_double_eq(read.checks[i].worst, worst[i].error);
    ck_assert_double_eq(read.checks[i].allowed, checks.checks[i].allowed);
  }
}

TAC_TEST(a_bad_or_broken_check_in_a_file_is_refused) {
  tacBakeChecks good = {1, {{"columns with their loads", 5, 1e-12, 1e-9}}}, read;
  for (int bad = 0; bad < 6; ++bad) {
    tacBakeChecks checks = good;
    if (bad == 0) checks.checks[0].worst = 2e-9;
    if (bad == 1) checks.checks[0].worst = (double)NAN;
    if (bad == 2) checks.checks[0].samples = 0;
    if (bad == 3) checks.checks[0].allowed = (double)INFINITY;
    if (bad == 4) checks.checks[0].what[0] = '\0';
    if (bad == 5) checks.checks[0].what[3] = '\n';
    tac_test_ok(write_checks(&checks), error);
    ck_assert_int_eq(read_checks(&read), bad < 2 ? TAC_ERR_CHECK : TAC_ERR_FORMAT);
    ck_assert_msg(strstr(error.text, path) != NULL, "%s", error.text);
    ck_assert_int_eq(read.count, 0);
  }
  tacChunkTransfer to = tac_chunk_transfer_write(path, "thing", 1, &error); /* none at all */
  tac_test_ok(tac_chunk_transfer_end(&to), error);
  ck_assert_int_eq(read_checks(&read), TAC_ERR_FORMAT);
}
