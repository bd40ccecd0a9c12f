#include "math/float_gram.h"

enum { WIDTH = TAC_GRAM_WIDTH };

/* Eight columns of the product at a time stay in registers while the depth runs. Each sum is a variable with a name: gcc keeps arrays
 * of this size in memory. */
#define EACH(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)
#define START(J) Lanes sum_##J = {0.0f};
#define ADD(J) sum_##J += factor * y[J];
#define STORE(J) *(Lanes *)(to + (J)*WIDTH) = sum_##J;

/* to[j][i] = sum_k a_ki b_kj */
/* clang-format off */
#define DEFINE_KERNEL(NAME, TARGET, LANES)                                                                             \
  TARGET static void NAME(int depth, const float *a, const float *b, float *restrict to) {                             \
    typedef float Lanes __attribute__((vector_size((LANES) * sizeof(float)), aligned(sizeof(float)), may_alias));      \
    for (int part = 0; part < WIDTH; part += (LANES), a += (LANES), to += (LANES)) {                                   \
      const float *x = a, *y = b;                                                                                      \
      EACH(START)                                                                                                      \
      for (int k = 0; k < depth; ++k, x += WIDTH, y += WIDTH) {                                                        \
        const Lanes factor = *(const Lanes *)x;                                                                        \
        EACH(ADD)                                                                                                      \
      }                                                                                                                \
      EACH(STORE)                                                                                                      \
    }                                                                                                                  \
  }
/* clang-format on */

typedef void Kernel(int depth, const float *a, const float *b, float *restrict to);

#if defined(__x86_64__)
DEFINE_KERNEL(sse2, , 4)
DEFINE_KERNEL(avx2, __attribute__((target("avx2,fma"))), 8)

static Kernel *this_machine(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? avx2 : sse2;
}
#else
DEFINE_KERNEL(neon, , 4)

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
