#include "math/float_gram.h"

enum { WIDTH = TAC_GRAM_WIDTH };

/* A tile of WIDTH x WIDTH products, or of LANES x VECTORS rows of it at a time, stays in registers while the depth runs: 16 of the 32
 * of NEON, 8 of the 16 of AVX2 and SSE2. Each sum is a variable with a name: gcc keeps arrays of this size in memory. */
#define VECTORS_1(M, J) M(J, 0)
#define VECTORS_2(M, J) M(J, 0) M(J, 1)
#define COLUMNS(V, M) V(M, 0) V(M, 1) V(M, 2) V(M, 3) V(M, 4) V(M, 5) V(M, 6) V(M, 7)
#define START(J, I) Lanes sum_##J##_##I = {0.0f};
#define LOAD(J, I) const Lanes factor_##I = ((const Lanes *)x)[I];
#define ADD(J, I) sum_##J##_##I += factor_##I * y[J];
#define STORE(J, I) ((Lanes *)(to + (J)*WIDTH))[I] = sum_##J##_##I;

/* to[j][i] = sum_k a_ki b_kj */
/* clang-format off */
#define DEFINE_KERNEL(NAME, TARGET, LANES, VECTORS)                                                                    \
  TARGET static void NAME(int depth, const float *a, const float *b, float *restrict to) {                             \
    typedef float Lanes __attribute__((vector_size((LANES) * sizeof(float)), aligned(sizeof(float)), may_alias));      \
    enum { HIGH = (LANES) * (VECTORS) };                                                                               \
    for (int part = 0; part < WIDTH; part += HIGH, a += HIGH, to += HIGH) {                                            \
      const float *x = a, *y = b;                                                                                      \
      COLUMNS(VECTORS_##VECTORS, START)                                                                                \
      for (int k = 0; k < depth; ++k, x += WIDTH, y += WIDTH) {                                                        \
        VECTORS_##VECTORS(LOAD, 0)                                                                                     \
        COLUMNS(VECTORS_##VECTORS, ADD)                                                                                \
      }                                                                                                                \
      COLUMNS(VECTORS_##VECTORS, STORE)                                                                                \
    }                                                                                                                  \
  }
/* clang-format on */

typedef void Kernel(int depth, const float *a, const float *b, float *restrict to);

#if defined(__x86_64__)
DEFINE_KERNEL(sse2, , 4, 1)
DEFINE_KERNEL(avx2, __attribute__((target("avx2,fma"))), 8, 1)

static Kernel *this_machine(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? avx2 : sse2;
}
#else
DEFINE_KERNEL(neon, , 4, 2)

static Kernel *this_machine(void) {
  return neon;
}
#endif

void tac_float_gram_add(int panels, int depth, const float *columns, double *to) {
  Kernel *kernel = this_machine();
  size_t stride = (size_t)panels * WIDTH, panel = (size_t)depth * WIDTH;
  for (int i = 0; i < panels; ++i)
    for (int j = i; j < panels; ++j) {
      float tile[WIDTH * WIDTH];
      kernel(depth, columns + (size_t)j * panel, columns + (size_t)i * panel, tile);
      double *at = to + (size_t)i * WIDTH * stride + (size_t)j * WIDTH;
      for (int row = 0; row < WIDTH; ++row, at += stride)
        for (int column = 0; column < WIDTH; ++column) at[column] += (double)tile[WIDTH * row + column];
    }
}

void tac_float_gram_copy(int n, const double *sum, double *full) {
  size_t size = (size_t)n, stride = (size_t)tac_float_gram_panels(n) * WIDTH;
  for (size_t i = 0; i < size; ++i)
    for (size_t j = i; j < size; ++j) full[i * size + j] = full[j * size + i] = sum[i * stride + j];
}
