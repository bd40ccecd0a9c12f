#include "base/platform.h"

#include <pthread.h>
#include <stdio.h>
#include "base/lanes.h"
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

/* Flags that concern arithmetic, by the build. */
#ifndef TAC_ARITHMETIC_FLAGS
#define TAC_ARITHMETIC_FLAGS ""
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char line[200], bake_line[sizeof line + 130]; /* the first is written under `once` */

/* glibc's libm fuses multiply-adds where the processor can, by this test. Every arm64 can. */
static const char *machine(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "x86-64 avx2+fma";
  return __builtin_cpu_supports("fma4") ? "x86-64 fma4" : "x86-64";
#elif defined(__aarch64__)
  return "arm64";
#elif defined(__riscv)
  return "riscv";
#else
  return "another architecture";
#endif
}

static void write_line(void) {
  char compiler[80], library[40];
#if defined(__clang__)
  snprintf(compiler, sizeof compiler, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  snprintf(compiler, sizeof compiler, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  snprintf(compiler, sizeof compiler, "another compiler");
#endif
#if defined(__GLIBC__)
  snprintf(library, sizeof library, "glibc %.30s", gnu_get_libc_version());
#else
  snprintf(library, sizeof library, "another C library");
#endif
  const char *space = TAC_ARITHMETIC_FLAGS[0] != 0 ? " " : "";
  snprintf(line, sizeof line, "%s, kernels of %d, %s%s%.80s, %s", machine(), tac_lanes(), compiler, space,
           TAC_ARITHMETIC_FLAGS, library);
}

const char *tac_platform(void) {
  pthread_once(&once, write_line);
  return line;
}

void tac_platform_set_blas(const char *name) {
  snprintf(bake_line, sizeof bake_line, "%s, %.120s", tac_platform(), name);
}

const char *tac_platform_of_bakes(void) {
  return bake_line[0] != 0 ? bake_line : tac_platform();
}
