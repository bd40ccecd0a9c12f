#include "base/files/chunk_transfer.h"

#include <math.h>
#include <string.h>
#include "base/file_alone.h"

TAC_TEST_AROUND(set_up_path, clean_up)

static void write_items(uint64_t count, const double *items) {
  tacChunkTransfer to = tac_chunk_transfer_write(path, "test", 1, &error);
  tac_chunk_transfer_put(&to, "short", TAC_CHUNK_I32, 6, (const int32_t[6]){1, 2, 3, 4, 5, 6});
  tac_chunk_transfer_put_long(&to, "items", count, items);
  tac_test_ok(tac_chunk_transfer_end(&to), error);
}

static tacStatus read_items(uint64_t count, double **items) {
  tacChunkTransfer from = tac_chunk_transfer_read(path, "test", 1, &error);
  *items = tac_chunk_transfer_take_long(&from, "items", count);
  return tac_chunk_transfer_end(&from);
}

TAC_TEST(arrays_longer_than_a_part_round_trip) {
  uint64_t count = TAC_CHUNK_TRANSFER_PART + 5;
  TAC_MEMORY(double, items) = calloc(count, sizeof *items);
  double *read = NULL;
  for (uint64_t i = 0; i < count; i += 1000) items[i] = (double)i;
  items[count - 1] = -1.0;
  write_items(count, items);
  tac_test_ok(read_items(count, &read), error);
  ck_assert(memcmp(items, read, count * sizeof *items) == 0);
  free(read);
  /* Another length than the file has, within a part or by one. */
  const uint64_t others[4] = {count + 1, count - 1, TAC_CHUNK_TRANSFER_PART - 1, 3 * TAC_CHUNK_TRANSFER_PART};
  for (int i = 0; i < 4; ++i) {
    ck_assert_int_eq(read_items(others[i], &read), TAC_ERR_FORMAT);
    ck_assert_ptr_null(read);
    ck_assert_ptr_nonnull(strstr(error.text, path));
  }
}

TAC_TEST(groups_are_counted) {
  write_items(0, NULL);
  /* Groups asked for (negative: any number), items in a group, whether that can be. */
  static const int cases[6][3] = {{-1, 3, 1}, {2, 3, 1}, {-1, 4, 0}, {1, 3, 0}, {3, 3, 0}, {-1, 1, 1}};
  for (int i = 0; i < 6; ++i) {
    int count = cases[i][0];
    tacChunkTransfer from = tac_chunk_transfer_read(path, "test", 1, &error);
    int32_t *items = tac_chunk_transfer_take(&from, "short", TAC_CHUNK_I32, cases[i][1], &count);
    ck_assert_int_eq(items != NULL, cases[i][2]);
    ck_assert_int_eq(count, cases[i][2] ? 6 / cases[i][1] : 0);
    if (items != NULL) ck_assert_int_eq(items[5], 6);
    free(items);
    /* After a failure nothing more is read. */
    count = -1;
    items = tac_chunk_transfer_take(&from, "short", TAC_CHUNK_I32, 1, &count);
    ck_assert_int_eq(items != NULL, cases[i][2]);
    free(items);
    ck_assert_int_eq(tac_chunk_transfer_end(&from), cases[i][2] ? TAC_OK : TAC_ERR_FORMAT);
  }
}

TAC_TEST(failures_stay_and_leave_nothing) {
  double *read = NULL;
  write_items(0, NULL);
  tac_test_ok(read_items(0, &read), error);
  ck_assert_ptr_nonnull(read);
  free(read);
  write_items(2, (const double[2]){1.0, NAN});
  ck_assert_int_eq(read_items(2, &read), TAC_ERR_FORMAT);
  ck_assert_ptr_nonnull(strstr(error.text, "items 0"));
  remove(path);
  ck_assert_int_eq(read_items(2, &read), TAC_ERR_FILE);
  /* A failed put: no file appears. A status without the path gets it. */
  tacChunkTransfer to = tac_chunk_transfer_write(path, "test", 1, &error);
  tac_chunk_transfer_put(&to, "", TAC_CHUNK_U8, 0, NULL);
  tac_chunk_transfer_put(&to, "good", TAC_CHUNK_U8, 0, NULL);
  ck_assert_int_eq(tac_chunk_transfer_end(&to), TAC_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(error.text, path));
  ck_assert_int_ne(access(path, F_OK), 0);
}
