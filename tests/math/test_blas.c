#include "math/dense/blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include "math/dense_samples.h"

/* A factor large enough for blocked kernels: L L^T is the matrix. */
static void check_factor(void) {
  enum { N = 70 };
  tacRandom random = tac_random_seed(1);
  TAC_DENSE b = random_dense(&random, N, N), a = make_dense(N, N), l = make_dense(N, N);
  tac_dense_syrk(1.0, &b, false, 0.0, &a);
  for (int i = 0; i < N; ++i) a.a[i + i * N] += N;
  memcpy(l.a, a.a, N * N * sizeof *l.a);
  tac_test_ok(tac_dense_cholesky(&l, &error), error);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (int k = 0; k <= j; ++k) sum += l.a[i + k * N] * l.a[j + k * N];
      ck_assert_double_eq_tol(a.a[i + j * N], sum, 1e-11);
    }
}

TAC_TEST(old_kernels_are_replaced_only_on_capable_processors) {
  const unsigned avx2 = TAC_BLAS_AVX2_FMA, avx512 = TAC_BLAS_AVX2_FMA | TAC_BLAS_AVX512;
  ck_assert_str_eq(tac_blas_core_wanted("Prescott", avx512), "SkylakeX");
  ck_assert_str_eq(tac_blas_core_wanted("Prescott", avx2), "Haswell");
  ck_assert_str_eq(tac_blas_core_wanted("Sandybridge", avx2), "Haswell");
  ck_assert_ptr_null(tac_blas_core_wanted("Prescott", 0));
  ck_assert_ptr_null(tac_blas_core_wanted("neoversev1", 0));
  const char *modern[] = {"Haswell", "Zen", "SkylakeX", "COOPERLAKE"};
  for (int i = 0; i < 4; ++i) {
    ck_assert_ptr_null(tac_blas_core_wanted(modern[i], avx2));
    ck_assert_ptr_null(tac_blas_core_wanted(modern[i], avx512));
  }
}

TAC_TEST(core_can_be_switched_and_switched_back_and_factors_stay_right) {
#if defined(__aarch64__)
  const char *others[] = {"ARMV8", "NEOVERSEN1", "CORTEXA72"};
#else
  const char *others[] = {"Prescott", "Nehalem", "Core2"};
#endif
  char before[64];
  snprintf(before, sizeof before, "%s", tac_blas_core());
  unsetenv("OPENBLAS_CORETYPE");
  check_factor();
  bool possible = false;
  for (int i = 0; i < 3; ++i)
    if (tac_blas_core_switch(others[i])) {
      possible = true;
      ck_assert_int_eq(strcasecmp(tac_blas_core(), others[i]), 0);
      check_factor();
    }
  if (!possible) return; /* not OpenBLAS, or built for one core */
  ck_assert(tac_blas_core_switch(before));
  ck_assert_str_eq(tac_blas_core(), before);
  ck_assert_ptr_null(getenv("OPENBLAS_CORETYPE"));
  check_factor();
}

TAC_TEST(unknown_core_is_refused_and_changes_nothing) {
  char before[64];
  snprintf(before, sizeof before, "%s", tac_blas_core());
  setenv("OPENBLAS_CORETYPE", before, 1);
  ck_assert(!tac_blas_core_switch("Abacus"));
  ck_assert_str_eq(tac_blas_core(), before);
  ck_assert_str_eq(getenv("OPENBLAS_CORETYPE"), before);
  unsetenv("OPENBLAS_CORETYPE");
  check_factor();
}

enum { TEXT = 400 };

static void *start(void *text) {
  tac_blas_start();
  tac_blas_describe(text, TEXT);
  return NULL;
}

TAC_TEST(start_reports_the_same_text_to_every_thread_and_uses_one_thread) {
  char text[8][TEXT];
  pthread_t thread[8];
  for (int i = 0; i < 8; ++i) ck_assert_int_eq(pthread_create(&thread[i], NULL, start, text[i]), 0);
  for (int i = 0; i < 8; ++i) ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
  for (int i = 1; i < 8; ++i) ck_assert_str_eq(text[i], text[0]);
  if (strncmp(text[0], "OpenBLAS", 8) == 0) {
    ck_assert_ptr_nonnull(strstr(text[0], tac_blas_core()));
    ck_assert_ptr_nonnull(strstr(text[0], "1 thread"));
    ck_assert_ptr_null(tac_blas_core_wanted(tac_blas_core(), tac_blas_features()));
  }
  tac_blas_start();
  check_factor();
}

/* A host that computes with more threads has them back afterwards, also where calls are nested. */
TAC_TEST(blas_has_one_thread_between_begin_and_end_and_then_as_many_as_before) {
  void (*set)(int);
  int (*get)(void);
  void *found[] = {dlsym(RTLD_DEFAULT, "openblas_set_num_threads"), dlsym(RTLD_DEFAULT, "openblas_get_num_threads")};
  if (found[0] == NULL || found[1] == NULL || dlsym(RTLD_DEFAULT, "openblas_get_parallel") == NULL) return;
  memcpy(&set, &found[0], sizeof set);
  memcpy(&get, &found[1], sizeof get);
  set(2);
  int most = get(); /* 1 in a library without threads, or on a machine with one core */
  tac_blas_begin();
  ck_assert_int_eq(get(), 1);
  tac_blas_begin();
  tac_blas_end();
  ck_assert_int_eq(get(), 1);
  tac_blas_end();
  ck_assert_int_eq(get(), most);
  set(1);
}
