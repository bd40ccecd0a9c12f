#include "math/dense/float_gram.h"

#include "base/lanes.h"
#include "math/random.h"
#include "test.h"

static size_t place(int depth, int row, int column) {
  return (size_t)((column / TAC_GRAM_WIDTH * depth + row) * TAC_GRAM_WIDTH + column % TAC_GRAM_WIDTH);
}

/* Columns of random numbers, added in calls of different depths, against doubles. */
TAC_TEST(sums_are_within_their_bound) {
  const int sizes[] = {1, 7, 8, 9, 31, 64, 143, 160};
  tacRandom random = tac_random_seed(3);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    int n = sizes[s], panels = tac_float_gram_panels(n), calls = 5, deepest = 36;
    size_t stride = (size_t)(panels * TAC_GRAM_WIDTH), entries = (size_t)n * (size_t)n;
    float *columns = tac_test_alloc((size_t)deepest * stride * sizeof *columns);
    double *sum = tac_test_doubles(stride * stride), *full = tac_test_doubles(entries);
    double *exact = tac_test_doubles(entries);
    for (int call = 0; call < calls; ++call) {
      int depth = deepest - 9 * (call % 4);
      for (int j = 0; j < (int)stride; ++j)
        for (int k = 0; k < depth; ++k)
          columns[place(depth, k, j)] = j < n ? (float)(pow(10.0, j % 4) * tac_random_normal(&random)) : 0.0f;
      tac_float_gram_add(panels, depth, columns, sum);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          for (int k = 0; k < depth; ++k)
            exact[i * n + j] += (double)columns[place(depth, k, i)] * (double)columns[place(depth, k, j)];
    }
    tac_float_gram_copy(n, sum, full);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        ck_assert_double_eq(full[i * n + j], full[j * n + i]);
        double bound = deepest * ldexp(1.0, -24) * sqrt(exact[i * (n + 1)] * exact[j * (n + 1)]);
        ck_assert_double_le(fabs(full[i * n + j] - exact[i * n + j]), bound);
      }
  }
}

/* Rows are added in their order, whatever the width: the bits of an entry are those of this loop. */
TAC_TEST(bits_are_those_of_a_loop_of_fused_products) {
#if defined(__x86_64__)
  if (tac_lanes() == TAC_LANES_2) return; /* the baseline rounds each product */
#endif
  enum { PANELS = 5, SIZE = PANELS * TAC_GRAM_WIDTH, DEPTH = 36 };
  float columns[DEPTH * SIZE];
  double sum[SIZE * SIZE];
  tacRandom random = tac_random_seed(5);
  for (int i = 0; i < DEPTH * SIZE; ++i) columns[i] = (float)tac_random_normal(&random);
  for (int i = 0; i < SIZE * SIZE; ++i) sum[i] = 0.5 * i;
  tac_float_gram_add(PANELS, DEPTH, columns, sum);
  for (int i = 0; i < SIZE; ++i)
    for (int j = i; j < SIZE; ++j) {
      float entry = 0.0f;
      for (int k = 0; k < DEPTH; ++k) entry = fmaf(columns[place(DEPTH, k, i)], columns[place(DEPTH, k, j)], entry);
      ck_assert(sum[i * SIZE + j] == 0.5 * (i * SIZE + j) + (double)entry);
    }
}

TAC_TEST_EVERY_WIDTH()
