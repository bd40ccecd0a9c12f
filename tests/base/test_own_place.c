#include "base/own_place.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>
#include "test.h"

/* A test is a program with all of the library in it: both are where it is. */
TAC_TEST(program_path_matches_the_system) {
  char file[PATH_MAX], program[PATH_MAX], library[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", file, sizeof file - 1);
  ck_assert_int_gt(length, 0);
  file[length] = 0;
  ck_assert(tac_own_place_program(program, sizeof program));
  ck_assert(tac_own_place_library(library, sizeof library));
  ck_assert_str_eq(program, library);
  size_t place = strlen(program);
  ck_assert_int_eq(strncmp(file, program, place), 0);
  ck_assert_int_eq(file[place], '/');
  ck_assert_ptr_null(strchr(file + place + 1, '/'));
}

TAC_TEST(a_path_that_does_not_fit_is_refused) {
  char small[2];
  ck_assert(!tac_own_place_program(small, sizeof small));
  ck_assert(!tac_own_place_library(small, sizeof small));
}
