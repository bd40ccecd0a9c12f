/* What every suite shares: headers of the C library, registration, ownership, scratch folders, the data folder, the light mode. */
#pragma once

#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/base.h>
#include <unistd.h>
#include "base/error.h"
#include "base/memory/owned.h"
#include "owned.h"

/* What calls of a suite report into, each thread for itself. */
__attribute__((unused)) static _Thread_local tacError error;

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

/* A new empty folder under TMPDIR or /tmp, removed at the end of the test with all that it holds. */
const char *tac_test_folder(char *buffer, size_t size);

/* The folder that this test has for itself, made when first asked for and removed as above. */
const char *tac_test_own_folder(void);

/* The path of a file there. */
const char *tac_test_path(const char *name);

/* `folder`/`name`. */
const char *tac_test_join(const char *folder, const char *name);

/* Memory of zeros that is freed at the end of the test, as are the paths above. */
void *tac_test_alloc(size_t size);

static inline double *tac_test_doubles(size_t count) {
  return tac_test_alloc(count * sizeof(double));
}

/* Has `destroy` called for an object at the end of the test, the last that was kept first; returns the object. */
#define tac_test_keep(object, destroy) tac_test_keep_object(object, (void (*)(void *))(destroy))
void *tac_test_keep_object(void *object, void (*destroy)(void *));

/* Writes a text there, in a folder below where the name has one, and returns the file's path. */
const char *tac_test_write(const char *name, const char *text);

/* Prints what was measured, where TACTUS_TEST_PRINT is set. */
__attribute__((format(printf, 1, 2))) void tac_test_print(const char *format, ...);

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

/* Asserts that a call returned an error whose text contains `words`. */
#define tac_test_refused(call, expected, error, words)                                                 \
  do {                                                                                                 \
    tacStatus status_ = (call);                                                                        \
    ck_assert_msg(status_ == (expected) && strstr((error).text, words) != NULL, "%s: %s; without: %s", \
                  tac_status_name(status_), status_ == TAC_OK ? "" : (error).text, words);             \
  } while (0)

/* TAC_CREATE(tacGreen, green, tac_green_read(path, &green, &error)): a variable that its block owns (TAC_OWN in base/memory/owned.h), of a
 * call that returns TAC_OK. */
#define TAC_CREATE(type, name, call) \
  TAC_OWN(type, name) = NULL;        \
  tac_test_ok(call, error)

/* What a call that returns TAC_OK puts at `made`: return tac_test_made(tacGreen *, tac_green_read(path, &made, &error)); */
#define tac_test_made(type, call) \
  __extension__({                 \
    type made = {0};              \
    tac_test_ok(call, error);     \
    made;                         \
  })

/* The same for an object, which is destroyed at the end of the test: shell = tac_test_kept(tacPointshell, ...). */
#define tac_test_kept(type, call)                 \
  __extension__({                                 \
    type **kept_ = tac_test_alloc(sizeof *kept_); \
    tac_test_keep(kept_, end_##type);             \
    *kept_ = tac_test_made(type *, call);         \
  })

/* A suite is the tests of one file, in their order there. test.c runs it by the file's name. */
typedef struct tacTestSuite tacTestSuite;

typedef struct tacTest {
  TTest check;
  struct tacTest *next;
} tacTest;

/* Adds a test to the suite of its file. */
void tac_test_add(tacTest *test);

/* Has `run` called for the suite of a file in place of tac_test_run, which it calls in turn. Both return the program's exit status. */
void tac_test_run_by(const char *file, int (*run)(const tacTestSuite *));
int tac_test_run(const tacTestSuite *suite);

/* TAC_TEST(aligns_every_block) { ... } */
#define TAC_TEST(name)                                                  \
  static void name(int);                                                \
  __attribute__((constructor)) static void add_##name(void) {           \
    static tacTest test = {.check = {#name, name, __FILE__, __LINE__}}; \
    tac_test_add(&test);                                                \
  }                                                                     \
  static void name(int loop_ CK_ATTRIBUTE_UNUSED)

/* What a suite does before and after each of its tests. */
void tac_test_around(const char *file, void (*before)(void), void (*after)(void));
#define TAC_TEST_AROUND(before, after)                                \
  __attribute__((constructor)) static void add_what_is_around(void) { \
    tac_test_around(__FILE__, before, after);                         \
  }

/* For what a suite does before and after all of its tests. */
#define TAC_TEST_RUN_BY(run)                                         \
  __attribute__((constructor)) static void run_this_suite_by(void) { \
    tac_test_run_by(__FILE__, run);                                  \
  }

/* For code that has kernels (base/lanes.h, which the test includes): runs the suite with each width that the processor has. */
#define TAC_TEST_EVERY_WIDTH()                                                                              \
  static int run_with_every_width(const tacTestSuite *suite) {                                              \
    int status = EXIT_SUCCESS;                                                                              \
    for (int most = 2; most <= 8; most *= 2)                                                                \
      if ((int)tac_lanes_limit(most) == most && tac_test_run(suite) != EXIT_SUCCESS) status = EXIT_FAILURE; \
    return status;                                                                                          \
  }                                                                                                         \
  TAC_TEST_RUN_BY(run_with_every_width)
