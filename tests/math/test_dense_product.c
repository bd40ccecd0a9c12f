#include "math/dense/dense_product.h"

#include <float.h>
#include "base/lanes.h"
#include "math/dense_samples.h"

enum { MOST = 300 };

static tacDenseView view(const double *a, bool transposed, size_t stride) {
  return transposed ? (tacDenseView){a, stride, 1} : (tacDenseView){a, 1, stride};
}

static double entry(tacDenseView a, int i, int j) {
  return a.a[(size_t)i * a.down + (size_t)j * a.right];
}

/* Against its definition: two sums of `depth` products each have an error of at most depth eps times the sum of their sizes,
 * which are below 1 here. Sizes on both sides of those of tiles and blocks; what is around C stays as it was. */
TAC_TEST(products_are_sums_of_products) {
  static const int sizes[] = {1, 2, 3, 5, 7, 8, 23, 24, 25, 48, 95, 96, 97, 127, 128, 129, 200};
  enum { COUNT = sizeof sizes / sizeof *sizes };
  double *a = random_numbers(MOST * MOST, 1), *b = random_numbers(MOST * MOST, 2);
  double *c = random_numbers(MOST * MOST, 3), *before = tac_test_doubles(MOST * MOST);
  memcpy(before, c, MOST * MOST * sizeof *before);
  tacRandom random = tac_random_seed(4);
  for (int round = 0; round < (tac_test_light() ? 10 : 60); ++round) {
    int rows = sizes[tac_random_bits(&random) % COUNT];
    int cols = sizes[tac_random_bits(&random) % COUNT];
    int depth = sizes[tac_random_bits(&random) % COUNT];
    double alpha = round % 3 == 0 ? -1.0 : 0.5 * round;
    tacDenseView left = view(a, round & 1, MOST), right = view(b, round & 2, MOST);
    tac_dense_product(rows, cols, depth, alpha, left, right, c, MOST);
    for (int j = 0; j < MOST; ++j)
      for (int i = 0; i < MOST; ++i) {
        double sum = 0.0;
        bool inside = i < rows && j < cols;
        for (int k = 0; inside && k < depth; ++k) sum += entry(left, i, k) * entry(right, k, j);
        double was = before[i + j * MOST], is = c[i + j * MOST];
        double off = fabs(was + alpha * sum - is);
        ck_assert_msg(off <= (inside ? 2.0 * (depth + 3) * DBL_EPSILON * (fabs(alpha) * depth + fabs(was)) : 0.0),
                      "%d x %d x %d: entry %d, %d is wrong by %g", rows, cols, depth, i, j, off);
      }
    memcpy(c, before, MOST * MOST * sizeof *c);
  }
}

/* Cut in any way, also a lower triangle alone, the bits of an entry are those that it has in the whole. */
TAC_TEST(bits_do_not_depend_on_how_a_product_is_cut) {
  enum { ROWS = 217, COLS = 211, DEPTH = 300 };
  double *a = random_numbers(ROWS * DEPTH, 5), *b = random_numbers(DEPTH * COLS, 6);
  double *whole = tac_test_doubles(ROWS * COLS), *parts = tac_test_doubles(ROWS * COLS);
  tac_dense_product(ROWS, COLS, DEPTH, 1.5, view(a, false, ROWS), view(b, false, DEPTH), whole, ROWS);
  tacRandom random = tac_random_seed(7);
  for (int i = 0, high; i < ROWS; i += high) {
    high = 1 + (int)(tac_random_bits(&random) % 40);
    if (high > ROWS - i) high = ROWS - i;
    for (int j = 0, wide; j < COLS; j += wide) {
      wide = 1 + (int)(tac_random_bits(&random) % 40);
      if (wide > COLS - j) wide = COLS - j;
      tac_dense_product(high, wide, DEPTH, 1.5, view(a + i, false, ROWS), view(b + j * DEPTH, false, DEPTH),
                        parts + i + j * ROWS, ROWS);
    }
  }
  ck_assert_mem_eq(whole, parts, ROWS * COLS * sizeof *whole);
  memset(parts, 0, ROWS * COLS * sizeof *parts);
  tac_dense_product_lower(COLS, DEPTH, 1.5, view(a, false, ROWS), view(b, false, DEPTH), parts, ROWS);
  for (int j = 0; j < COLS; ++j)
    ck_assert_mem_eq(whole + j + j * ROWS, parts + j + j * ROWS, (size_t)(COLS - j) * sizeof *whole);
}

/* Every kernel adds in the same order, with a fused multiply-add where the processor has one: the bits of an entry are those of
 * this loop, on any machine that has one and with any width. Sizes leave edges to tiles of every shape. */
TAC_TEST(bits_are_those_of_a_loop_of_fused_products) {
#if defined(__x86_64__)
  if (tac_lanes() == TAC_LANES_2) return; /* the baseline rounds each product */
#endif
#if defined(__clang__)
  return; /* which of two products of a sum it fuses is its own choice */
#endif
  enum { N = 61, DEPTH = 300 };
  double *a = random_numbers(N * DEPTH, 8), *b = random_numbers(DEPTH * N, 9), *c = tac_test_doubles(N * N);
  tac_dense_product(N, N, DEPTH, 0.7, view(a, false, N), view(b, false, DEPTH), c, N);
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i) {
      double whole = 0.0;
      for (int first = 0; first < DEPTH; first += TAC_PRODUCT_DEPTH) {
        double sum = 0.0;
        for (int k = first; k < first + TAC_PRODUCT_DEPTH && k < DEPTH; ++k)
          sum = fma(a[i + k * N], b[k + j * DEPTH], sum);
        whole = fma(0.7, sum, whole);
      }
      ck_assert(c[i + j * N] == whole);
    }
}

TAC_TEST_EVERY_WIDTH()
