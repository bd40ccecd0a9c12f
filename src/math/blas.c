#include "math/blas.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Weak: other BLAS libraries, and OpenBLAS built for one core only, lack them. The last two are not in its headers; they
 * forget the choice of kernels and make it again, which reads OPENBLAS_CORETYPE. */
extern char *openblas_get_corename(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void gotoblas_dynamic_quit(void) __attribute__((weak));
extern void gotoblas_dynamic_init(void) __attribute__((weak));

static const char variable[] = "OPENBLAS_CORETYPE";

unsigned tac_blas_features(void) {
  unsigned features = 0;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) features |= TAC_BLAS_AVX2_FMA;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    features |= TAC_BLAS_AVX512;
#endif
  return features;
}

const char *tac_blas_core_wanted(const char *core, unsigned features) {
  /* Cores whose kernels use AVX2 and FMA at least. Where OpenBLAS chose one of them it knew the processor. */
  static const char *const modern[] = {"Haswell", "Zen", "Excavator", "SkylakeX", "Cooperlake", "SapphireRapids"};
  for (size_t i = 0; i < sizeof modern / sizeof *modern; ++i)
    if (strcasecmp(core, modern[i]) == 0) return NULL;
  if (features & TAC_BLAS_AVX512) return "SkylakeX";
  if (features & TAC_BLAS_AVX2_FMA) return "Haswell";
  return NULL;
}

const char *tac_blas_core(void) {
  const char *core = openblas_get_corename != NULL ? openblas_get_corename() : NULL;
  return core != NULL ? core : "unknown";
}

static bool choose_again(const char *core) {
  if (setenv(variable, core, 1) != 0) return false;
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  return strcasecmp(tac_blas_core(), core) == 0;
}

bool tac_blas_core_switch(const char *core) {
  if (gotoblas_dynamic_quit == NULL || gotoblas_dynamic_init == NULL || openblas_get_corename == NULL) return false;
  char before[64], users[64];
  const char *value = getenv(variable);
  if (snprintf(before, sizeof before, "%s", tac_blas_core()) >= (int)sizeof before) return false;
  if (snprintf(users, sizeof users, "%s", value != NULL ? value : "") >= (int)sizeof users) return false;
  bool had_value = value != NULL;
  bool switched = choose_again(core);
  if (!switched) choose_again(before);
  if (had_value)
    setenv(variable, users, 1);
  else
    unsetenv(variable);
  return switched;
}

static char detected[64]; /* written once, under pthread_once; empty where the core was not changed */

static void start(void) {
  if (openblas_set_num_threads != NULL) openblas_set_num_threads(1);
  if (getenv(variable) != NULL) return;
  const char *wanted = tac_blas_core_wanted(tac_blas_core(), tac_blas_features());
  if (wanted == NULL) return;
  char before[sizeof detected];
  snprintf(before, sizeof before, "%s", tac_blas_core());
  if (tac_blas_core_switch(wanted)) memcpy(detected, before, sizeof detected);
}

void tac_blas_start(char *text, size_t size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  if (text == NULL || size == 0) return;
  int threads = openblas_get_num_threads != NULL ? openblas_get_num_threads() : 0;
  if (openblas_get_corename == NULL)
    snprintf(text, size, "BLAS of unknown make");
  else if (detected[0] != '\0')
    snprintf(text, size, "OpenBLAS, core %s (detected as %s), %d thread%s", tac_blas_core(), detected, threads,
             threads == 1 ? "" : "s");
  else
    snprintf(text, size, "OpenBLAS, core %s, %d thread%s", tac_blas_core(), threads, threads == 1 ? "" : "s");
}
