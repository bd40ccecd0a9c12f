#include "math/dense/float_gram.h"

#include "base/lanes.h"

enum { WIDTH = TAC_GRAM_WIDTH };

/* A tile of WIDTH x WIDTH products, or of FLOATS x VECTORS rows of it at a time, stays in registers while the depth runs: 16 of the
 * 32 of NEON, 8 of the 16 of AVX2 and SSE2; with AVX-512 two tiles that are beside each other, 8 of the 32. Each sum is a variable
 * with a name: gcc keeps arrays of this size in memory. */
#define VECTORS_1(M, J) M(J, 0)
#define VECTORS_2(M, J) M(J, 0) M(J, 1)
#define COLUMNS(V, M) V(M, 0) V(M, 1) V(M, 2) V(M, 3) V(M, 4) V(M, 5) V(M, 6) V(M, 7)
#define START(J, I) Lanes sum_##J##_##I = {0.0f};
#define LOAD(J, I) const Lanes factor_##I = ((const Lanes *)x)[I];
#define ADD(J, I) sum_##J##_##I += factor_##I * y[J];
#define STORE(J, I) ((Lanes *)(to + (J)*WIDTH))[I] = sum_##J##_##I;

/* to[j][i] = sum_k a_ki b_kj */
/* clang-format off */
#define DEFINE_TILE(NAME, FLOATS, VECTORS)                                                                             \
  TAC_LANES_BODY void NAME(int depth, const float *a, const float *b, float *restrict to) {                            \
    typedef float Lanes __attribute__((vector_size((FLOATS) * sizeof(float)), aligned(sizeof(float)), may_alias));     \
    enum { HIGH = (FLOATS) * (VECTORS) };                                                                              \
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
#if defined(__x86_64__)
DEFINE_TILE(tile_on_2, 4, 1)
#else
DEFINE_TILE(tile_on_2, 4, 2)
#endif
DEFINE_TILE(tile_on_4, 8, 1)

/* The same of panels a and `next`, to[j][16]. */
TAC_LANES_BODY void two_tiles_on_8(int depth, const float *a, const float *next, const float *y, float *restrict to) {
  typedef float Half __attribute__((vector_size(32), aligned(sizeof(float)), may_alias));
  typedef float Lanes __attribute__((vector_size(64), aligned(sizeof(float)), may_alias));
  COLUMNS(VECTORS_1, START)
  for (int k = 0; k < depth; ++k, a += WIDTH, next += WIDTH, y += WIDTH) {
    const Lanes factor_0 = __builtin_shufflevector(*(const Half *)a, *(const Half *)next, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                                   10, 11, 12, 13, 14, 15);
    COLUMNS(VECTORS_1, ADD)
  }
#undef STORE
#define STORE(J, I) ((Lanes *)(to + (J)*2 * WIDTH))[I] = sum_##J##_##I;
  COLUMNS(VECTORS_1, STORE)
}

/* `wide` columns of a tile in doubles. */
TAC_LANES_BODY void add_tile(const int doubles, const int wide, const float *restrict tile, double *restrict to,
                             size_t stride) {
  typedef float Narrow __attribute__((vector_size(16), aligned(sizeof(float)), may_alias));
  typedef double Wide __attribute__((vector_size(32), aligned(sizeof(double)), may_alias));
  for (int row = 0; row < WIDTH; ++row, to += stride, tile += wide)
    if (doubles >= 4)
      for (int column = 0; column < wide; column += 4)
        *(Wide *)(to + column) += __builtin_convertvector(*(const Narrow *)(tile + column), Wide);
    else
      for (int column = 0; column < wide; ++column) to[column] += (double)tile[column];
}

TAC_LANES_BODY void tac_float_gram_add_lanes(const int doubles, int panels, int depth, const float *columns,
                                             double *to) {
  const size_t stride = (size_t)panels * WIDTH, panel = (size_t)depth * WIDTH;
  for (int i = 0; i < panels; ++i) {
    const float *left = columns + (size_t)i * panel;
    double *at = to + (size_t)i * WIDTH * (stride + 1);
    float tile[2 * WIDTH * WIDTH];
    int j = i;
    for (; doubles == 8 && j + 2 <= panels; j += 2, at += 2 * WIDTH) {
      const float *right = columns + (size_t)j * panel;
      two_tiles_on_8(depth, right, right + panel, left, tile);
      add_tile(doubles, 2 * WIDTH, tile, at, stride);
    }
    for (; j < panels; ++j, at += WIDTH) {
      const float *right = columns + (size_t)j * panel;
      if (doubles >= 4)
        tile_on_4(depth, right, left, tile);
      else
        tile_on_2(depth, right, left, tile);
      add_tile(doubles, WIDTH, tile, at, stride);
    }
  }
}
TAC_LANES_KERNEL(, tac_float_gram_add, (int panels, int depth, const float *columns, double *to), panels, depth,
                 columns, to)

void tac_float_gram_copy(int n, const double *sum, double *full) {
  size_t size = (size_t)n, stride = (size_t)tac_float_gram_panels(n) * WIDTH;
  for (size_t i = 0; i < size; ++i)
    for (size_t j = i; j < size; ++j) full[i * size + j] = full[j * size + i] = sum[i * stride + j];
}
