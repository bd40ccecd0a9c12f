#include "math/dense/blas.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What the library in this process offers beyond BLAS; NULL where it does not. Looked up when the program runs: which library
 * there will be is not known when it is linked. */
typedef struct Library {
  char *(*openblas_config)(void);
  char *(*openblas_core)(void);
  int (*openblas_parallel)(void); /* 0: none, 1: threads, 2: OpenMP */
  void (*openblas_set_threads)(int);
  int (*openblas_threads)(void);
  void (*openblas_quit)(void),
      (*openblas_init)(void); /* not in its headers: forget the choice of kernels and make it again */
  const char *path;           /* of what answers to dgemm_, without links; "" where it is not known */
  const char *folder;         /* the last in it, by which Debian tells its libraries apart */
} Library;

static Library library;
static char path[PATH_MAX], folder[64];
static char detected[64]; /* the core before tac_blas_start changed it; empty where it did not */

static void *symbol(const char *name) {
  return dlsym(RTLD_DEFAULT, name);
}

/* C has no conversion from an object's pointer to a function's. */
static void find(const char *name, void *function) {
  void *found = symbol(name);
  memcpy(function, &found, sizeof found);
}

static void look(void) {
  find("openblas_get_config", &library.openblas_config);
  find("openblas_get_corename", &library.openblas_core);
  find("openblas_get_parallel", &library.openblas_parallel);
  find("openblas_set_num_threads", &library.openblas_set_threads);
  find("openblas_get_num_threads", &library.openblas_threads);
  find("gotoblas_dynamic_quit", &library.openblas_quit);
  find("gotoblas_dynamic_init", &library.openblas_init);
  Dl_info info;
  void *product = symbol("dgemm_");
  if (product == NULL || dladdr(product, &info) == 0 || realpath(info.dli_fname, path) == NULL) path[0] = '\0';
  library.path = path;
  const char *end = strrchr(path, '/'), *begin = end;
  while (begin != NULL && begin > path && begin[-1] != '/') --begin;
  snprintf(folder, sizeof folder, "%.*s", begin != NULL ? (int)(end - begin) : 0, begin != NULL ? begin : "");
  library.folder = folder;
}

static const Library *blas(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look);
  return &library;
}

/* Whether its functions may be called from several threads at once. */
static bool is_concurrent(void) {
  return blas()->openblas_parallel == NULL || blas()->openblas_parallel() != 0;
}

/* ---- one thread of BLAS, and one of ours where it must be ---- */

static int threads_now(void) {
  return blas()->openblas_threads != NULL ? blas()->openblas_threads() : 1;
}

/* Other libraries of Debian's have one thread, or as many as the user asks for by a variable (BLIS_NUM_THREADS). */
static void set_threads(int count) {
  if (blas()->openblas_set_threads != NULL) blas()->openblas_set_threads(count);
}

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER, alone = PTHREAD_MUTEX_INITIALIZER;
static int users, threads_before;
static _Thread_local int depth;

void tac_blas_begin(void) {
  if (depth++ > 0) return;
  if (!is_concurrent()) pthread_mutex_lock(&alone);
  pthread_mutex_lock(&counting);
  if (users++ == 0) threads_before = threads_now();
  set_threads(1); /* every time: with OpenMP it is a number of the calling thread */
  pthread_mutex_unlock(&counting);
}

void tac_blas_end(void) {
  if (--depth > 0) return;
  pthread_mutex_lock(&counting);
  if (--users == 0 && threads_before > 1) set_threads(threads_before);
  pthread_mutex_unlock(&counting);
  if (!is_concurrent()) pthread_mutex_unlock(&alone);
}

/* ---- kernels ---- */

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
  const char *core = blas()->openblas_core != NULL ? blas()->openblas_core() : NULL;
  return core != NULL ? core : "unknown";
}

static const char variable[] = "OPENBLAS_CORETYPE";

static bool choose_again(const char *core) {
  if (setenv(variable, core, 1) != 0) return false;
  blas()->openblas_quit();
  blas()->openblas_init();
  return strcasecmp(tac_blas_core(), core) == 0;
}

bool tac_blas_core_switch(const char *core) {
  if (blas()->openblas_quit == NULL || blas()->openblas_init == NULL || blas()->openblas_core == NULL) return false;
  char before[64], users_choice[64];
  const char *value = getenv(variable);
  if (snprintf(before, sizeof before, "%s", tac_blas_core()) >= (int)sizeof before) return false;
  if (snprintf(users_choice, sizeof users_choice, "%s", value != NULL ? value : "") >= (int)sizeof users_choice)
    return false;
  bool had_value = value != NULL;
  bool switched = choose_again(core);
  if (!switched) choose_again(before);
  if (had_value)
    setenv(variable, users_choice, 1);
  else
    unsetenv(variable);
  return switched;
}

static void start(void) {
  set_threads(1);
  if (getenv(variable) != NULL) return;
  const char *wanted = tac_blas_core_wanted(tac_blas_core(), tac_blas_features());
  if (wanted == NULL) return;
  char before[sizeof detected];
  snprintf(before, sizeof before, "%s", tac_blas_core());
  if (tac_blas_core_switch(wanted)) memcpy(detected, before, sizeof detected);
}

void tac_blas_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

/* ---- in words ---- */

/* "OpenBLAS 0.3.21 NO_LAPACKE ..." -> 0.3.21 */
static void openblas_version(char *text, size_t size) {
  const char *config = blas()->openblas_config != NULL ? blas()->openblas_config() : "";
  if (sscanf(config, "OpenBLAS %31s", text) != 1) snprintf(text, size, "?");
}

/* LAPACK may be another library's than BLAS: OpenBLAS's functions alone do not tell which one multiplies. */
static void describe_library(char *text, size_t size) {
  const Library *here = blas();
  if (strncmp(here->folder, "blis-", 5) == 0) {
    snprintf(text, size, "BLIS, %s", here->folder + 5);
  } else if (strcmp(here->folder, "blas") == 0) {
    snprintf(text, size, "reference BLAS (correct but slow; libopenblas0-pthread is faster)");
  } else if (here->openblas_core != NULL) {
    static const char *const parallel[] = {"without threads", "with pthreads", "with OpenMP"};
    int kind = here->openblas_parallel != NULL ? here->openblas_parallel() : -1;
    int threads = threads_now();
    const char *core = tac_blas_core();
    char version[32], was[sizeof detected + 20] = "";
    openblas_version(version, sizeof version);
    if (detected[0] != '\0') snprintf(was, sizeof was, " (detected as %s)", detected);
    snprintf(text, size, "OpenBLAS %s %s, core %s%s, %d thread%s", version,
             kind >= 0 && kind <= 2 ? parallel[kind] : "with unknown threading", core, was, threads,
             threads == 1 ? "" : "s");
  } else {
    snprintf(text, size, "unknown BLAS");
  }
}

void tac_blas_describe(char *text, size_t size) {
  char what[200];
  describe_library(what, sizeof what);
  snprintf(text, size, "%s%s", what, is_concurrent() ? "" : ", called by one thread at a time");
}

const char *tac_blas_path(void) {
  return blas()->path;
}
