#include "base/files/folder.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "test.h"

static tacError error;

TAC_TEST(makes_folders_above_and_again) {
  char top[256], path[300];
  struct stat found;
  tac_test_folder(top, sizeof top);
  snprintf(path, sizeof path, "%s/a/b/c", top);
  tac_test_ok(tac_folder_make(path, &error), error);
  tac_test_ok(tac_folder_make(path, &error), error);
  ck_assert(stat(path, &found) == 0 && S_ISDIR(found.st_mode));
  for (int i = 0; i < 4; ++i) {
    ck_assert_int_eq(rmdir(path), 0);
    *strrchr(path, '/') = '\0';
  }
}

TAC_TEST(says_what_is_in_the_way) {
  char top[256], file[300], path[320], message[400];
  tac_test_folder(top, sizeof top);
  snprintf(file, sizeof file, "%s/file", top);
  FILE *stream = fopen(file, "w");
  ck_assert_ptr_nonnull(stream);
  fclose(stream);
  ck_assert_int_eq(tac_folder_make(file, &error), TAC_ERR_FILE);
  snprintf(path, sizeof path, "%s/below", file);
  ck_assert_int_eq(tac_folder_make(path, &error), TAC_ERR_FILE);
  snprintf(message, sizeof message, "%s: cannot make this folder: Not a directory", path);
  ck_assert_str_eq(error.text, message);
  remove(file);
  rmdir(top);
}

TAC_TEST(removes_a_folder_but_not_what_links_point_to) {
  char top[256], kept[300], path[300], inner[320], link[320];
  struct stat found;
  tac_test_folder(top, sizeof top);
  snprintf(kept, sizeof kept, "%s/kept", top);
  snprintf(path, sizeof path, "%s/gone", top);
  snprintf(inner, sizeof inner, "%s/a/b", path);
  snprintf(link, sizeof link, "%s/a/link", path);
  tac_test_ok(tac_folder_make(kept, &error), error);
  tac_test_ok(tac_folder_make(inner, &error), error);
  ck_assert_int_eq(symlink(kept, link), 0);
  tac_folder_remove(path);
  ck_assert_int_ne(stat(path, &found), 0);
  ck_assert_int_eq(stat(kept, &found), 0);
  tac_folder_remove(top);
  ck_assert_int_ne(stat(top, &found), 0);
}
