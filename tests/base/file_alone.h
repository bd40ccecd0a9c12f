/* A file by itself in a new folder, for each test of a suite that has TAC_TEST_AROUND(set_up_path, clean_up). */
#pragma once

#include "base/files/input_file.h"
#include "test.h"

static char folder[256], path[512];

static inline void set_up_path(void) {
  tac_test_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/liver.field", folder);
}

/* Fails where another file is left in the folder. */
static inline void clean_up(void) {
  remove(path);
  ck_assert_int_eq(rmdir(folder), 0);
}

static inline void write_bytes(const void *bytes, size_t size) {
  remove(path); /* replacing a file in place makes some file systems wait for the disk */
  FILE *stream = fopen(path, "wb");
  ck_assert_ptr_nonnull(stream);
  ck_assert_uint_eq(fwrite(bytes, 1, size, stream), size);
  ck_assert_int_eq(fclose(stream), 0);
}

static inline tacInputFile read_bytes(void) {
  tacInputFile file;
  tac_test_ok(tac_input_file_read(path, TAC_INPUT_ANY, &file, &error), error);
  return file;
}

/* Asserts that a call returned an error whose text is `of` followed by `words`. */
#define ck_assert_reported(call, expected, of, words)   \
  do {                                                  \
    char whole_[TAC_ERROR_TEXT_SIZE * 2];               \
    snprintf(whole_, sizeof whole_, "%s%s", of, words); \
    ck_assert_int_eq(call, expected);                   \
    ck_assert_str_eq(error.text, whole_);               \
  } while (0)
