#include "base/files/folder.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "test.h"

TAC_TEST(makes_folders_above_and_again) {
  struct stat found;
  const char *path = tac_test_path("a/b/c");
  tac_test_ok(tac_folder_make(path, &error), error);
  tac_test_ok(tac_folder_make(path, &error), error);
  ck_assert(stat(path, &found) == 0 && S_ISDIR(found.st_mode));
}

TAC_TEST(names_the_file_that_blocks_a_folder) {
  char message[400];
  const char *file = tac_test_write("file", ""), *path = tac_test_join(file, "below");
  ck_assert_int_eq(tac_folder_make(file, &error), TAC_ERR_FILE);
  ck_assert_int_eq(tac_folder_make(path, &error), TAC_ERR_FILE);
  snprintf(message, sizeof message, "%s: cannot create this folder: Not a directory", path);
  ck_assert_str_eq(error.text, message);
}

TAC_TEST(removes_a_folder_but_not_what_links_point_to) {
  struct stat found;
  const char *kept = tac_test_path("kept"), *path = tac_test_path("gone");
  tac_test_ok(tac_folder_make(kept, &error), error);
  tac_test_ok(tac_folder_make(tac_test_path("gone/a/b"), &error), error);
  ck_assert_int_eq(symlink(kept, tac_test_path("gone/a/link")), 0);
  tac_folder_remove(path);
  ck_assert_int_ne(stat(path, &found), 0);
  ck_assert_int_eq(stat(kept, &found), 0);
}
