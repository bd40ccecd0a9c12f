/* What every suite shares: its registration, scratch folders, the data folder, the light mode. */
#ifndef TAC_TESTS_TEST_H
#define TAC_TESTS_TEST_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/error.h>
#include <unistd.h>

/* Sanitizer builds and emulated ones do less: fewer random cases, smaller meshes. */
static inline bool tac_test_light(void) {
  return getenv("TACTUS_TEST_LIGHT") != NULL;
}

/* The tests with the label `long` do all of what they state: every scene and tick, as long as it takes. */
static inline bool tac_test_all(void) {
  return getenv("TACTUS_TEST_ALL") != NULL;
}

/* The folder of outside data ("mesh", "contact"), or NULL where it is absent: the caller then returns from its test. */
static inline const char *tac_test_data(void) {
  const char *folder = getenv("TACTUS_TEST_DATA");
  return folder != NULL && access(folder, R_OK) == 0 ? folder : NULL;
}

/* The cache of baked assets that the tests of a run share, emptied before it; `own` where a suite is run by itself. */
static inline const char *tac_test_cache(const char *own) {
  const char *shared = getenv("TACTUS_TEST_CACHE");
  return shared != NULL ? shared : own;
}

/* A new empty folder under TMPDIR or /tmp for this test; the caller removes what it puts there. */
static inline const char *tac_test_folder(char *buffer, size_t size) {
  const char *base = getenv("TMPDIR");
  snprintf(buffer, size, "%s/tactus-test-XXXXXX", base != NULL ? base : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(buffer));
  return buffer;
}

/* A tacProgressFn that cancels at once; `calls`, an int, counts. */
static inline bool tac_test_cancel(const char *what, double fraction, void *calls) {
  (void)what;
  (void)fraction;
  ++*(int *)calls;
  return false;
}

/* Asserts that a call returned TAC_OK, and prints the error's text where it did not. */
#define tac_test_ok(call, error)                                                        \
  do {                                                                                  \
    tacStatus status_ = (call);                                                         \
    ck_assert_msg(status_ == TAC_OK, "%s: %s", tac_status_name(status_), (error).text); \
  } while (0)

static inline int tac_test_run(const char *name, const TTest *const *tests, int count) {
  Suite *suite = suite_create(name);
  TCase *cases = tcase_create(name);
  tcase_set_timeout(cases, 0);
  for (int i = 0; i < count; ++i) tcase_add_test(cases, tests[i]);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Makes the suite of a file known to the program that it is linked into (test.c), which runs it by the file's name. */
void tac_test_suite_add(const char *file, int (*run)(void));

#define TAC_TEST_SUITE_OF(run)                                    \
  __attribute__((constructor)) static void add_this_suite(void) { \
    tac_test_suite_add(__FILE__, run);                            \
  }

/* TAC_TEST_SUITE("arena", aligns_every_block, refuses_more_than_it_holds) */
#define TAC_TEST_SUITE(name, ...)                                          \
  static int run_this_suite(void) {                                        \
    const TTest *const tests[] = {__VA_ARGS__};                            \
    return tac_test_run(name, tests, (int)(sizeof tests / sizeof *tests)); \
  }                                                                        \
  TAC_TEST_SUITE_OF(run_this_suite)

/* The same for code that has kernels (base/lanes.h, which the test includes): runs all of it with each width that the processor has. */
#define TAC_TEST_SUITE_OF_LANES(name, ...)                                                                           \
  static int run_this_suite(void) {                                                                                  \
    const TTest *const tests[] = {__VA_ARGS__};                                                                      \
    int status = EXIT_SUCCESS;                                                                                       \
    for (int most = 2; most <= 8; most *= 2)                                                                         \
      if ((int)tac_lanes_limit(most) == most && tac_test_run(name, tests, (int)(sizeof tests / sizeof *tests)) != 0) \
        status = EXIT_FAILURE;                                                                                       \
    return status;                                                                                                   \
  }                                                                                                                  \
  TAC_TEST_SUITE_OF(run_this_suite)

#endif
