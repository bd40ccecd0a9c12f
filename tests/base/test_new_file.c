#include "base/files/new_file.h"

#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include "base/file_alone.h"
#include "base/files/input_file.h"

static tacError error;

static int entries_in_folder(void) {
  DIR *entries = opendir(folder);
  ck_assert_ptr_nonnull(entries);
  int count = 0;
  while (readdir(entries) != NULL) ++count;
  closedir(entries);
  return count - 2; /* . and .. */
}

static void expect_content(const char *content) {
  TAC_FREED(tac_input_file_free, tacInputFile, file);
  tac_test_ok(tac_input_file_read(path, TAC_INPUT_ANY, &file, &error), error);
  ck_assert_str_eq((const char *)file.bytes, content);
}

static void write_whole(const char *content) {
  tacNewFile file;
  tac_test_ok(tac_new_file_open(path, &file, &error), error);
  fputs(content, file.stream);
  tac_test_ok(tac_new_file_commit(&file, &error), error);
  ck_assert_ptr_null(file.stream);
}

static void expect_refusal(const char *refused, const char *reason) {
  tacNewFile file;
  char text[TAC_ERROR_TEXT_SIZE * 2];
  snprintf(text, sizeof text, "%s: cannot write: %s", refused, reason);
  ck_assert_int_eq(tac_new_file_open(refused, &file, &error), TAC_ERR_FILE);
  ck_assert_str_eq(error.text, text);
  tac_new_file_discard(&file);
}

TAC_TEST(appears_only_when_committed) {
  set_up_path("out");
  tacNewFile file;
  tac_test_ok(tac_new_file_open(path, &file, &error), error);
  fputs("new", file.stream);
  fflush(file.stream);
  ck_assert_int_ne(access(path, F_OK), 0);
  tac_test_ok(tac_new_file_commit(&file, &error), error);
  expect_content("new");
  ck_assert_int_eq(entries_in_folder(), 1);
  clean_up();
}

TAC_TEST(the_old_file_stays_until_the_commit) {
  set_up_path("out");
  write_whole("old");
  tacNewFile file;
  tac_test_ok(tac_new_file_open(path, &file, &error), error);
  fputs("new", file.stream);
  fflush(file.stream);
  expect_content("old");
  tac_test_ok(tac_new_file_commit(&file, &error), error);
  expect_content("new");
  clean_up();
}

TAC_TEST(a_discarded_file_leaves_nothing) {
  set_up_path("out");
  write_whole("old");
  tacNewFile file;
  tac_test_ok(tac_new_file_open(path, &file, &error), error);
  fputs("new", file.stream);
  tac_new_file_discard(&file);
  tac_new_file_discard(&file);
  expect_content("old");
  ck_assert_int_eq(entries_in_folder(), 1);
  clean_up();
}

TAC_TEST(permissions_are_those_of_the_umask) {
  set_up_path("out");
  mode_t before = umask(027);
  write_whole("x");
  umask(before);
  struct stat status;
  ck_assert_int_eq(stat(path, &status), 0);
  ck_assert_uint_eq(status.st_mode & 0777, 0640);
  clean_up();
}

TAC_TEST(a_link_stays_a_link) {
  set_up_path("out");
  write_whole("old");
  char link[600];
  snprintf(link, sizeof link, "%s/link", folder);
  ck_assert_int_eq(symlink("out", link), 0);
  tacNewFile file;
  tac_test_ok(tac_new_file_open(link, &file, &error), error);
  fputs("new", file.stream);
  tac_test_ok(tac_new_file_commit(&file, &error), error);
  struct stat status;
  ck_assert_int_eq(lstat(link, &status), 0);
  ck_assert(S_ISLNK(status.st_mode));
  expect_content("new");
  ck_assert_int_eq(entries_in_folder(), 2);
  remove(link);
  clean_up();
}

TAC_TEST(refuses_a_directory) {
  set_up_path("unused");
  expect_refusal(folder, "Is a directory");
  clean_up();
}

TAC_TEST(refuses_a_folder_that_is_absent) {
  set_up_path("absent/out");
  expect_refusal(path, "No such file or directory");
  clean_up();
}

TAC_TEST(refuses_a_folder_that_may_not_be_written) {
  set_up_path("out");
  ck_assert_int_eq(chmod(folder, 0500), 0);
  if (access(folder, W_OK) != 0) expect_refusal(path, "Permission denied"); /* root may write everywhere */
  clean_up();
}

TAC_TEST(a_device_is_written_and_not_replaced) {
  tacNewFile file;
  tac_test_ok(tac_new_file_open("/dev/null", &file, &error), error);
  fputs("gone", file.stream);
  tac_test_ok(tac_new_file_commit(&file, &error), error);
  struct stat status;
  ck_assert_int_eq(stat("/dev/null", &status), 0);
  ck_assert(S_ISCHR(status.st_mode));
}

TAC_TEST(a_full_device_is_an_error_for_little_and_for_much) {
  if (access("/dev/full", W_OK) != 0) return;
  for (int much = 0; much < 2; ++much) {
    tacNewFile file;
    tac_test_ok(tac_new_file_open("/dev/full", &file, &error), error);
    for (int i = 0; i < (much ? 100000 : 1); ++i) fputs("content\n", file.stream);
    ck_assert_int_eq(tac_new_file_commit(&file, &error), TAC_ERR_FILE);
    ck_assert_str_eq(error.text, "/dev/full: cannot write: No space left on device");
  }
}

/* A limit on file sizes stands for a full disk: writes fail with EFBIG in place of ENOSPC, in the middle of the file. */
TAC_TEST(a_write_that_fails_midway_keeps_the_old_file_and_leaves_no_other) {
  set_up_path("out");
  write_whole("old");
  struct rlimit before, small = {.rlim_cur = 100000};
  ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
  small.rlim_max = before.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
  tacNewFile file;
  tac_test_ok(tac_new_file_open(path, &file, &error), error);
  for (int i = 0; i < 100000; ++i) fputs("content\n", file.stream);
  tacStatus status = tac_new_file_commit(&file, &error);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_DFL);
  char text[TAC_ERROR_TEXT_SIZE * 2];
  snprintf(text, sizeof text, "%s: cannot write: File too large", path);
  ck_assert_int_eq(status, TAC_ERR_FILE);
  ck_assert_str_eq(error.text, text);
  expect_content("old");
  ck_assert_int_eq(entries_in_folder(), 1);
  clean_up();
}
