#include "base/platform.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "test.h"

/* The kernel's own name of the architecture. */
TAC_TEST(the_architecture_is_the_machines) {
  struct utsname system;
  ck_assert_int_eq(uname(&system), 0);
  const char *line = tac_platform();
  if (strcmp(system.machine, "x86_64") == 0) ck_assert_mem_eq(line, "x86-64", 6);
  if (strcmp(system.machine, "aarch64") == 0) ck_assert_mem_eq(line, "arm64", 5);
}

/* What the system says of its processor, which is not where the line has it from. */
TAC_TEST(kernels_are_those_of_the_processor) {
  FILE *file = fopen("/proc/cpuinfo", "r");
  static char text[1 << 16];
  size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file != NULL) fclose(file);
  text[size] = 0;
  bool named = strstr(tac_platform(), "avx2+fma") != NULL;
  bool has = strstr(text, " avx2") != NULL && strstr(text, " fma ") != NULL;
  if (strstr(text, "\nflags") != NULL && strncmp(tac_platform(), "x86-64", 6) == 0) ck_assert_int_eq(named, has);
  if (strncmp(tac_platform(), "arm64", 5) == 0) ck_assert(!named);
}

/* Recordings keep it, and are compared by it: printable, short, always the same. */
TAC_TEST(platform_text_is_one_line) {
  char first[400];
  snprintf(first, sizeof first, "%s", tac_platform());
  ck_assert_uint_gt(strlen(first), 10);
  ck_assert_uint_lt(strlen(first), 200);
  for (const char *c = first; *c != 0; ++c) ck_assert(*c >= 32 && *c < 127);
  ck_assert_str_eq(tac_platform(), first);
#if defined(__clang__)
  ck_assert_ptr_nonnull(strstr(first, "clang "));
#else
  ck_assert_ptr_nonnull(strstr(first, "gcc "));
#endif
}

TAC_TEST(bakes_also_name_their_blas) {
  ck_assert_str_eq(tac_platform_of_bakes(), tac_platform());
  tac_platform_set_blas("a BLAS");
  char wanted[400], name[300];
  snprintf(wanted, sizeof wanted, "%s, a BLAS", tac_platform());
  ck_assert_str_eq(tac_platform_of_bakes(), wanted);
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = 0;
  tac_platform_set_blas(name);
  ck_assert_uint_eq(strlen(tac_platform_of_bakes()), strlen(tac_platform()) + 2 + 120);
}
