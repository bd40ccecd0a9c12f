/* The main function of every test program: runs the suite that its first argument names. */
#include "test.h"
#include <string.h>

enum { MOST_SUITES = 128 };

static struct {
  const char *file;
  int (*run)(void);
} suites[MOST_SUITES];
static int suite_count;

void tac_test_suite_add(const char *file, int (*run)(void)) {
  if (suite_count == MOST_SUITES) abort();
  const char *slash = strrchr(file, '/');
  suites[suite_count].file = slash != NULL ? slash + 1 : file;
  suites[suite_count++].run = run;
}

/* Check writes a message for every assertion that holds, to say which was the last before a crash: in loops that takes longer than
 * what is asserted. The name of the test that crashed is enough (linked by --wrap). */
void __wrap__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line) {
  (void)file;
  (void)line;
}

/* "tests/base/test_arena.c" is test_arena. */
static bool has_name(const char *file, const char *name) {
  size_t length = strlen(name);
  return strncmp(file, name, length) == 0 && strcmp(file + length, ".c") == 0;
}

int main(int count, char **words) {
  if (suite_count == 1 && count == 1) return suites[0].run();
  for (int i = 0; i < suite_count && count == 2; ++i)
    if (has_name(suites[i].file, words[1])) return suites[i].run();
  fprintf(stderr, "usage: %s SUITE, one of:\n", words[0]);
  for (int i = 0; i < suite_count; ++i) fprintf(stderr, "  %.*s\n", (int)strlen(suites[i].file) - 2, suites[i].file);
  return 2;
}
