#include "base/files/input_file.h"

#include <string.h>
#include <sys/stat.h>
#include "base/file_alone.h"

TAC_TEST_AROUND(set_up_path, clean_up)

static void expect_refusal(const char *refused, const char *reason) {
  tacInputFile file;
  ck_assert_reported(tac_input_file_read(refused, TAC_INPUT_ANY, &file, &error), TAC_ERR_FILE, refused, reason);
  ck_assert_ptr_null(file.bytes);
}

TAC_TEST(reads_every_byte_and_adds_a_zero) {
  unsigned char bytes[100000];
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = (unsigned char)(i * 31);
  write_bytes(bytes, sizeof bytes);
  tacInputFile file = read_bytes();
  ck_assert_uint_eq(file.size, sizeof bytes);
  ck_assert_mem_eq(file.bytes, bytes, sizeof bytes);
  ck_assert_uint_eq(file.bytes[file.size], 0);
  tac_input_file_free(&file);
  ck_assert_ptr_null(file.bytes);
}

TAC_TEST(an_empty_file_is_an_empty_text) {
  write_bytes("", 0);
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  ck_assert_uint_eq(file.size, 0);
  ck_assert_uint_eq(file.bytes[0], 0);
}

TAC_TEST(unreadable_files_are_refused) {
  expect_refusal(path, ": cannot read: No such file or directory");
  expect_refusal(folder, ": this is a directory, not a file");
  expect_refusal("/dev/zero", ": this is a device, not a file");
  write_bytes("x", 1);
  ck_assert_int_eq(chmod(path, 0), 0);
  if (access(path, R_OK) != 0) expect_refusal(path, ": cannot read: Permission denied"); /* root may read all */
}

TAC_TEST(refuses_a_pipe_without_waiting_for_its_writer) {
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  expect_refusal(path, ": this is a pipe, not a file");
}

TAC_TEST(reads_a_part_and_stops_at_the_end) {
  write_bytes("0123456789", 10);
  int descriptor = -1;
  size_t size = 0, filled = 0;
  unsigned char bytes[8];
  tac_test_ok(tac_input_file_open(path, &descriptor, &size, &error), error);
  ck_assert_uint_eq(size, 10);
  tac_test_ok(tac_input_file_read_at(descriptor, path, 2, 4, bytes, &filled, &error), error);
  ck_assert_uint_eq(filled, 4);
  ck_assert_mem_eq(bytes, "2345", 4);
  tac_test_ok(tac_input_file_read_at(descriptor, path, 7, 8, bytes, &filled, &error), error);
  ck_assert_uint_eq(filled, 3);
  ck_assert_mem_eq(bytes, "789", 3);
  close(descriptor);
}

/* A hole of a terabyte is a file of a terabyte: nothing of it may be read, whatever memory it would need. */
TAC_TEST(refuses_what_is_too_large_before_it_is_read) {
  const struct {
    tacInputKind kind;
    const char *says;
  } cases[] = {{TAC_INPUT_SCENE, "has 1.0 TB; a scene may have 1.0 MB"},
               {TAC_INPUT_MESH, "has 1.0 TB; a mesh may have 17.2 GB"},
               {TAC_INPUT_PATH, "has 1.0 TB; a trajectory may have 1.1 GB"},
               {TAC_INPUT_PROBLEM, "has 1.0 TB; a contact problem may have 4.3 GB"},
               {TAC_INPUT_PLUGIN, "has 1.0 TB; a shared object may have 1.1 GB"}};
  write_bytes("x", 1);
  ck_assert_int_eq(truncate(path, 1000000000000), 0);
  tacInputFile file;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    ck_assert_int_eq(tac_input_file_read(path, cases[i].kind, &file, &error), TAC_ERR_FILE);
    ck_assert_str_eq(error.text + strlen(path) + 2, cases[i].says);
    ck_assert_ptr_null(file.bytes);
  }
  if (tac_input_file_most() < 1000000000000) {
    tac_test_refused(tac_input_file_read(path, TAC_INPUT_ANY, &file, &error), TAC_ERR_FILE, error,
                     "half of this machine's memory");
  }
  /* A scene of the largest size is one. */
  ck_assert_int_eq(truncate(path, 1 << 20), 0);
  tac_test_ok(tac_input_file_read(path, TAC_INPUT_SCENE, &file, &error), error);
  ck_assert_uint_eq(file.size, 1 << 20);
  tac_input_file_free(&file);
  ck_assert_int_eq(truncate(path, (1 << 20) + 1), 0);
  ck_assert_int_eq(tac_input_file_read(path, TAC_INPUT_SCENE, &file, &error), TAC_ERR_FILE);
}
