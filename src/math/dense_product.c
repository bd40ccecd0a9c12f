#include "math/dense_product.h"

#include <string.h>

/* Blocks of A and B are packed, and tiles of C stay in registers while a block's depth runs (Goto and van de Geijn 2008). A
 * tile is VECTORS x LANES rows by COLUMNS columns: 16 of the 32 registers of NEON and AVX-512, 12 of the 16 of AVX2, 8 of
 * those of SSE2. Each kernel is one text compiled for its processor. */
enum { BLOCK_ROWS = 96, BLOCK_COLUMNS = 96 };

typedef void Kernel(int depth, const double *a, const double *b, double *sum);
typedef struct Machine {
  int rows, columns; /* of a tile; both divide the blocks */
  Kernel *kernel;    /* sum[column][row] = a b, packed */
} Machine;

/* Each sum is a variable with a name: gcc keeps arrays of this size in memory. */
#define VECTORS_2(M, J) M(J, 0) M(J, 1)
#define VECTORS_4(M, J) VECTORS_2(M, J) M(J, 2) M(J, 3)
#define COLUMNS_4(VECTORS, M) VECTORS(M, 0) VECTORS(M, 1) VECTORS(M, 2) VECTORS(M, 3)
#define COLUMNS_6(VECTORS, M) COLUMNS_4(VECTORS, M) VECTORS(M, 4) VECTORS(M, 5)
#define COLUMNS_8(VECTORS, M) COLUMNS_6(VECTORS, M) VECTORS(M, 6) VECTORS(M, 7)
#define START(J, I) Lanes sum_##J##_##I = {0.0};
#define LOAD(J, I) const Lanes factor_##I = ((const Lanes *)a)[I];
#define ADD(J, I) sum_##J##_##I += factor_##I * b[J];
#define STORE(J, I) *(Lanes *)to = sum_##J##_##I, to += sizeof(Lanes) / sizeof(double);

/* clang-format off */
#define DEFINE_KERNEL(NAME, TARGET, LANES, VECTORS, COLUMNS)                                                           \
  TARGET static void NAME(int depth, const double *restrict a, const double *restrict b, double *restrict to) {        \
    typedef double Lanes __attribute__((vector_size((LANES) * sizeof(double)), aligned(sizeof(double)), may_alias));   \
    COLUMNS_##COLUMNS(VECTORS_##VECTORS, START)                                                                        \
    for (int k = 0; k < depth; ++k, a += (LANES) * (VECTORS), b += (COLUMNS)) {                                        \
      VECTORS_##VECTORS(LOAD, 0)                                                                                       \
      COLUMNS_##COLUMNS(VECTORS_##VECTORS, ADD)                                                                        \
    }                                                                                                                  \
    COLUMNS_##COLUMNS(VECTORS_##VECTORS, STORE)                                                                        \
  }
/* clang-format on */

#if defined(__x86_64__)
DEFINE_KERNEL(sse2, , 2, 2, 4)
DEFINE_KERNEL(avx2, __attribute__((target("avx2,fma"))), 4, 2, 6)
DEFINE_KERNEL(avx512, __attribute__((target("avx512f,fma"))), 8, 2, 8)

static Machine this_machine(void) {
  if (__builtin_cpu_supports("avx512f")) return (Machine){16, 8, avx512};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return (Machine){8, 6, avx2};
  return (Machine){4, 4, sse2};
}
#else
DEFINE_KERNEL(neon, , 2, 4, 4)

static Machine this_machine(void) {
  return (Machine){8, 4, neon};
}
#endif

static int least(int a, int b) {
  return a < b ? a : b;
}

/* [slice of `width` rows][depth][row], zeros beyond the end. */
static void pack(int rows, int depth, const double *a, size_t down, size_t right, int width, double *restrict to) {
  for (int first = 0; first < rows; first += width, a += (size_t)width * down) {
    int count = least(width, rows - first);
    for (int k = 0; k < depth; ++k, to += width) {
      const double *from = a + (size_t)k * right;
      if (down == 1)
        memcpy(to, from, (size_t)count * sizeof *to);
      else
        for (int i = 0; i < count; ++i) to[i] = from[(size_t)i * down];
      for (int i = count; i < width; ++i) to[i] = 0.0;
    }
  }
}

/* C += alpha (packed A)(packed B) */
static void multiply_block(const Machine *machine, int rows, int columns, int depth, double alpha, const double *a,
                           const double *b, double *c, size_t stride) {
  double sum[16 * 8];
  for (int j = 0; j < columns; j += machine->columns)
    for (int i = 0; i < rows; i += machine->rows) {
      machine->kernel(depth, a + (size_t)i * (size_t)depth, b + (size_t)j * (size_t)depth, sum);
      int height = least(machine->rows, rows - i), width = least(machine->columns, columns - j);
      for (int q = 0; q < width; ++q) {
        double *to = c + i + (size_t)(j + q) * stride;
        const double *from = sum + q * machine->rows;
        for (int p = 0; p < height; ++p) to[p] += alpha * from[p];
      }
    }
}

void tac_dense_product(int rows, int cols, int depth, double alpha, tacDenseView a, tacDenseView b, double *c,
                       size_t stride) {
  const Machine machine = this_machine();
  double packed_a[BLOCK_ROWS * TAC_PRODUCT_DEPTH] __attribute__((aligned(64)));
  double packed_b[BLOCK_COLUMNS * TAC_PRODUCT_DEPTH] __attribute__((aligned(64)));
  for (int k = 0; k < depth; k += TAC_PRODUCT_DEPTH) {
    int deep = least(TAC_PRODUCT_DEPTH, depth - k);
    for (int j = 0; j < cols; j += BLOCK_COLUMNS) {
      int wide = least(BLOCK_COLUMNS, cols - j);
      pack(wide, deep, b.a + (size_t)k * b.down + (size_t)j * b.right, b.right, b.down, machine.columns, packed_b);
      for (int i = 0; i < rows; i += BLOCK_ROWS) {
        int high = least(BLOCK_ROWS, rows - i);
        pack(high, deep, a.a + (size_t)i * a.down + (size_t)k * a.right, a.down, a.right, machine.rows, packed_a);
        multiply_block(&machine, high, wide, deep, alpha, packed_a, packed_b, c + i + (size_t)j * stride, stride);
      }
    }
  }
}

void tac_dense_product_lower(int size, int depth, double alpha, tacDenseView a, tacDenseView b, double *c,
                             size_t stride) {
  enum { STRIP = 48 };
  for (int j = 0; j < size; j += STRIP) {
    tacDenseView rows = {a.a + (size_t)j * a.down, a.down, a.right};
    tacDenseView columns = {b.a + (size_t)j * b.right, b.down, b.right};
    tac_dense_product(size - j, least(STRIP, size - j), depth, alpha, rows, columns, c + (size_t)j * stride + j,
                      stride);
  }
}
