/* The main function of every test program: runs the suite that its first argument names. */
#include "test.h"
#include <ftw.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_SUITES = 128 };

struct tacTestSuite {
  const char *file;
  char name[64]; /* "tests/base/test_arena.c" is test_arena */
  tacTest *first;
  int (*run)(const tacTestSuite *);
  void (*before)(void), (*after)(void); /* each test; may be NULL */
};

static tacTestSuite suites[MOST_SUITES];
static int suite_count;

static tacTestSuite *suite_of(const char *file) {
  for (int i = 0; i < suite_count; ++i)
    if (strcmp(suites[i].file, file) == 0) return &suites[i];
  if (suite_count == MOST_SUITES) abort();
  tacTestSuite *suite = &suites[suite_count++];
  const char *slash = strrchr(file, '/'), *base = slash != NULL ? slash + 1 : file;
  suite->file = file;
  snprintf(suite->name, sizeof suite->name, "%.*s", (int)strcspn(base, "."), base);
  suite->run = tac_test_run;
  return suite;
}

/* Constructors of a file may run in any order. */
void tac_test_add(tacTest *test) {
  tacTest **at = &suite_of(test->check.file)->first;
  while (*at != NULL && (*at)->check.line < test->check.line) at = &(*at)->next;
  test->next = *at;
  *at = test;
}

void tac_test_run_by(const char *file, int (*run)(const tacTestSuite *)) {
  suite_of(file)->run = run;
}

static char *folders[256]; /* of the test that runs */
static int folder_count;
static const char *own_folder; /* one of them, or NULL */

typedef struct Block {
  struct Block *next;
  void *object; /* that `destroy` is called for; both may be NULL */
  void (*destroy)(void *);
  max_align_t memory[];
} Block;
static Block *blocks; /* the last one first */

void *tac_test_alloc(size_t size) {
  Block *block = calloc(1, sizeof *block + size);
  ck_assert_ptr_nonnull(block);
  block->next = blocks;
  blocks = block;
  return block->memory;
}

void *tac_test_keep_object(void *object, void (*destroy)(void *)) {
  tac_test_alloc(0);
  blocks->object = object;
  blocks->destroy = destroy;
  return object;
}

const char *tac_test_join(const char *folder, const char *name) {
  size_t size = strlen(folder) + strlen(name) + 2;
  char *path = tac_test_alloc(size);
  snprintf(path, size, "%s/%s", folder, name);
  return path;
}

const char *tac_test_folder(char *buffer, size_t size) {
  const char *base = getenv("TMPDIR");
  snprintf(buffer, size, "%s/tactus-test-XXXXXX", base != NULL ? base : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(buffer));
  ck_assert_uint_lt(folder_count, sizeof folders / sizeof *folders);
  folders[folder_count++] = strcpy(tac_test_alloc(strlen(buffer) + 1), buffer);
  return buffer;
}

const char *tac_test_own_folder(void) {
  static char folder[256];
  if (own_folder == NULL) own_folder = tac_test_folder(folder, sizeof folder);
  return own_folder;
}

const char *tac_test_path(const char *name) {
  return tac_test_join(tac_test_own_folder(), name);
}

const char *tac_test_write(const char *name, const char *text) {
  const char *path = tac_test_path(name), *below = strrchr(name, '/');
  if (below != NULL) {
    char folder[512];
    snprintf(folder, sizeof folder, "%s/%.*s", tac_test_own_folder(), (int)(below - name), name);
    mkdir(folder, 0700);
  }
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
  return path;
}

void tac_test_print(const char *format, ...) {
  va_list values;
  if (getenv("TACTUS_TEST_TELL") == NULL) return;
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *level) {
  (void)status, (void)kind, (void)level;
  return remove(path);
}

static void end_test(void) {
  while (folder_count > 0) nftw(folders[--folder_count], remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  own_folder = NULL;
  while (blocks != NULL) {
    Block *next = blocks->next;
    if (blocks->destroy != NULL) blocks->destroy(blocks->object);
    free(blocks);
    blocks = next;
  }
}

void tac_test_around(const char *file, void (*before)(void), void (*after)(void)) {
  suite_of(file)->before = before;
  suite_of(file)->after = after;
}

int tac_test_run(const tacTestSuite *suite) {
  Suite *all = suite_create(suite->name);
  TCase *cases = tcase_create(suite->name);
  tcase_set_timeout(cases, 0);
  tcase_add_checked_fixture(cases, NULL, end_test);
  tcase_add_checked_fixture(cases, suite->before, suite->after);
  for (const tacTest *test = suite->first; test != NULL; test = test->next) tcase_add_test(cases, &test->check);
  suite_add_tcase(all, cases);
  SRunner *runner = srunner_create(all);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Check writes a message for every assertion that holds, to say which was the last before a crash: in loops that takes longer than
 * what is asserted. The name of the test that crashed is enough (linked by --wrap). */
void __wrap__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line) {
  (void)file;
  (void)line;
}

/* Tests load plugins that the build made. */
static bool allow_plugin(const char *path, const char *checksum, tacError *reason, void *user) {
  (void)path;
  (void)checksum;
  (void)reason;
  (void)user;
  return true;
}

int main(int count, char **words) {
  tac_plugin_set(allow_plugin, NULL);
  if (suite_count == 1 && count == 1) return suites[0].run(&suites[0]);
  for (int i = 0; i < suite_count && count == 2; ++i)
    if (strcmp(suites[i].name, words[1]) == 0) return suites[i].run(&suites[i]);
  fprintf(stderr, "usage: %s SUITE, one of:\n", words[0]);
  for (int i = 0; i < suite_count; ++i) fprintf(stderr, "  %s\n", suites[i].name);
  return 2;
}
