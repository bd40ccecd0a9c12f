#include "base/files/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include "base/file_alone.h"

TAC_TEST_AROUND(set_up_path, clean_up)

static int entries_in_folder(void) {
  DIR *entries = opendir(folder);
  ck_assert_ptr_nonnull(entries);
  int count = 0;
  while (readdir(entries) != NULL) ++count;
  closedir(entries);
  return count - 2; /* . and .. */
}

static void expect_content(const char *content) {
  TAC_FREED(tac_input_file_free, tacInputFile, file) = read_bytes();
  ck_assert_str_eq((const char *)file.bytes, content);
}

/* A new file that has `content`, but is not committed. */
static tacNewFile begin(const char *name, const char *content) {
  tacNewFile file;
  tac_test_ok(tac_new_file_open(name, &file, &error), error);
  fputs(content, file.stream);
  fflush(file.stream);
  return file;
}

static void write_whole(const char *name, const char *content) {
  tacNewFile file = begin(name, content);
  tac_test_ok(tac_new_file_commit(&file, &error), error);
  ck_assert_ptr_null(file.stream);
}

static void expect_refusal(const char *refused, const char *reason) {
  TAC_FREED(tac_new_file_discard, tacNewFile, file);
  ck_assert_reported(tac_new_file_open(refused, &file, &error), TAC_ERR_FILE, refused, reason);
}

TAC_TEST(appears_only_when_committed) {
  tacNewFile file = begin(path, "new");
  ck_assert_int_ne(access(path, F_OK), 0);
  tac_test_ok(tac_new_file_commit(&file, &error), error);
  expect_content("new");
  ck_assert_int_eq(entries_in_folder(), 1);
}

TAC_TEST(the_old_file_stays_until_the_commit) {
  write_whole(path, "old");
  tacNewFile file = begin(path, "new");
  expect_content("old");
  tac_test_ok(tac_new_file_commit(&file, &error), error);
  expect_content("new");
}

TAC_TEST(a_discarded_file_leaves_nothing) {
  write_whole(path, "old");
  tacNewFile file = begin(path, "new");
  tac_new_file_discard(&file);
  tac_new_file_discard(&file);
  expect_content("old");
  ck_assert_int_eq(entries_in_folder(), 1);
}

TAC_TEST(permissions_are_those_of_the_umask) {
  mode_t before = umask(027);
  write_whole(path, "x");
  umask(before);
  struct stat status;
  ck_assert_int_eq(stat(path, &status), 0);
  ck_assert_uint_eq(status.st_mode & 0777, 0640);
}

TAC_TEST(a_link_stays_a_link) {
  write_whole(path, "old");
  char link[600];
  snprintf(link, sizeof link, "%s/link", folder);
  ck_assert_int_eq(symlink("liver.field", link), 0);
  write_whole(link, "new");
  struct stat status;
  ck_assert_int_eq(lstat(link, &status), 0);
  ck_assert(S_ISLNK(status.st_mode));
  expect_content("new");
  ck_assert_int_eq(entries_in_folder(), 2);
  remove(link);
}

TAC_TEST(unwritable_targets_are_refused_with_the_reason) {
  int input = fcntl(STDIN_FILENO, F_GETFD);
  expect_refusal(folder, ": cannot write: Is a directory");
  expect_refusal(tac_test_join(folder, "absent/out"), ": cannot write: No such file or directory");
  ck_assert_int_eq(chmod(folder, 0500), 0);
  if (access(folder, W_OK) != 0)
    expect_refusal(path, ": cannot write: Permission denied"); /* root may write everywhere */
  ck_assert_int_eq(fcntl(STDIN_FILENO, F_GETFD), input);       /* a refusal closes no other file */
}

TAC_TEST(a_device_is_written_and_not_replaced) {
  write_whole("/dev/null", "gone");
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
    ck_assert_reported(tac_new_file_commit(&file, &error), TAC_ERR_FILE, "/dev/full",
                       ": cannot write: No space left on device");
  }
}

/* A limit on file sizes stands for a full disk: writes fail with EFBIG in place of ENOSPC, in the middle of the file. */
TAC_TEST(a_write_that_fails_midway_keeps_the_old_file_and_leaves_no_other) {
  write_whole(path, "old");
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
  ck_assert_reported(status, TAC_ERR_FILE, path, ": cannot write: File too large");
  expect_content("old");
  ck_assert_int_eq(entries_in_folder(), 1);
}

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

static bool clock_stands;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
  int result = __real_clock_gettime(clock, now);
  if (clock_stands) *now = (struct timespec){1, 1};
  return result;
}

/* Temporary names come from the time and the process. */
TAC_TEST(files_opened_at_the_same_time_have_different_temporary_files) {
  clock_stands = true;
  tacNewFile first = begin(path, "first"), second = begin(path, "second");
  clock_stands = false;
  ck_assert_int_eq(entries_in_folder(), 2);
  tac_test_ok(tac_new_file_commit(&first, &error), error);
  expect_content("first");
  tac_test_ok(tac_new_file_commit(&second, &error), error);
  expect_content("second");
  ck_assert_int_eq(entries_in_folder(), 1);
}

int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);

static struct {
  ino_t inode;
  off_t size;
  bool committed; /* the file had its name */
} synced[2];
static int sync_count;
static bool sync_fails;

int __wrap_fsync(int descriptor) {
  struct stat about;
  ck_assert_int_eq(fstat(descriptor, &about), 0);
  if (sync_count < 2) {
    synced[sync_count].inode = about.st_ino;
    synced[sync_count].size = about.st_size;
    synced[sync_count].committed = access(path, F_OK) == 0;
  }
  ++sync_count;
  if (!sync_fails) return __real_fsync(descriptor);
  errno = EIO;
  return -1;
}

TAC_TEST(a_commit_syncs_the_content_and_then_the_name) {
  sync_count = 0;
  tacNewFile file;
  tac_test_ok(tac_new_file_open(path, &file, &error), error);
  fputs("new", file.stream);
  tac_test_ok(tac_new_file_commit(&file, &error), error);
  struct stat content, parent;
  ck_assert_int_eq(stat(path, &content), 0);
  ck_assert_int_eq(stat(folder, &parent), 0);
  ck_assert_int_eq(sync_count, 2);
  ck_assert(synced[0].inode == content.st_ino && synced[0].size == 3 && !synced[0].committed);
  ck_assert(synced[1].inode == parent.st_ino && synced[1].committed);
}

TAC_TEST(a_failed_sync_keeps_the_old_file) {
  write_whole(path, "old");
  tacNewFile file = begin(path, "new");
  sync_fails = true;
  tacStatus status = tac_new_file_commit(&file, &error);
  sync_fails = false;
  tac_test_refused(status, TAC_ERR_FILE, error, strerror(EIO));
  expect_content("old");
  ck_assert_int_eq(entries_in_folder(), 1);
}

static bool is_field(const char *name) {
  const char *end = strrchr(name, '.');
  return end != NULL && strcmp(end, ".field") == 0;
}

/* Without their writers, two temporary files and three with names that only resemble one. */
TAC_TEST(a_sweep_removes_only_temporary_files_of_dead_writers) {
  static const char *const names[] = {"a.field.new-0123abcd", "liver.field.new-ffffffff", "a.mesh.new-0123abcd",
                                      "a.field.new-0123abcg", "a.field.old-0123abcd"};
  for (int i = 0; i < 5; ++i) fclose(fopen(tac_test_join(folder, names[i]), "wb"));
  tacNewFile file = begin(path, "new");
  tac_new_file_sweep(folder, is_field);
  for (int i = 0; i < 5; ++i) ck_assert_int_eq(access(tac_test_join(folder, names[i]), F_OK) == 0, i >= 2);
  tac_test_ok(tac_new_file_commit(&file, &error), error);
  expect_content("new");
  for (int i = 2; i < 5; ++i) ck_assert_int_eq(unlink(tac_test_join(folder, names[i])), 0);
}
