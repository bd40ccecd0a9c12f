#include "kinds/reduced/reduced_stress.h"

#include <tactus/reduced.h>
#include "base/lanes.h"
#include "math/random.h"
#include "test.h"

static double *random_numbers(size_t count, uint64_t seed) {
  double *numbers = tac_test_alloc(count * sizeof *numbers);
  tacRandom random = tac_random_seed(seed);
  for (size_t i = 0; i < count; ++i) numbers[i] = tac_random_uniform(&random, -1.0, 1.0);
  return numbers;
}

/* The sum over all monomials, one after the other. */
static double entry(int r, const double *products, const double *q, int a, int b) {
  double sum = 0.0;
  for (int i = 0; i < r; ++i) {
    sum += products[tac_reduced_stress_place(r, a, b, i, -1)] * q[i];
    for (int j = i; j < r; ++j) sum += products[tac_reduced_stress_place(r, a, b, i, j)] * q[i] * q[j];
  }
  return a == b ? 2.0 * sum : sum;
}

static const int sizes[] = {1, 2, 3, 7, 8, 13};
enum { SIZES = sizeof sizes / sizeof *sizes };

TAC_TEST(product_indices_are_unique) {
  for (int n = 0; n < SIZES; ++n) {
    int r = sizes[n];
    size_t count = tac_reduced_stress_count(r), pairs = (size_t)(r * (r + 1) / 2);
    ck_assert_uint_eq(count, pairs * (size_t)r + pairs * (pairs + 1) / 2);
    TAC_MEMORY(int, used) = calloc(count, sizeof *used);
    for (int a = 0; a < r; ++a)
      for (int b = a; b < r; ++b)
        for (int i = 0; i < r; ++i) {
          ++used[tac_reduced_stress_place(r, a, b, i, -1)];
          for (int j = i; j < r; ++j) {
            ck_assert_uint_eq(tac_reduced_stress_place(r, a, b, i, j), tac_reduced_stress_place(r, i, j, a, b));
            if (i < a || (i == a && j <= b)) ++used[tac_reduced_stress_place(r, a, b, i, j)];
          }
        }
    for (size_t i = 0; i < count; ++i) ck_assert_int_eq(used[i], 1);
  }
}

TAC_TEST(evaluation_is_the_sum_of_products) {
  for (int n = 0; n < SIZES; ++n) {
    int r = sizes[n];
    double *products = random_numbers(tac_reduced_stress_count(r), 3);
    double *q = random_numbers((size_t)r, 4);
    TAC_MEMORY(double, scratch) = malloc(tac_reduced_stress_scratch(r) * sizeof *scratch);
    TAC_MEMORY(double, stiffness) = malloc((size_t)(r * r) * sizeof *stiffness);
    tac_reduced_stress_evaluate(r, products, q, scratch, stiffness);
    for (int a = 0; a < r; ++a)
      for (int b = a; b < r; ++b) {
        ck_assert_double_eq_tol(stiffness[a * r + b], entry(r, products, q, a, b), 1e-14 * r * r);
        ck_assert_double_eq(stiffness[a * r + b], stiffness[b * r + a]);
      }
  }
}

/* Coordinates that are dropped are those that stay zero. */
TAC_TEST(restriction_equals_zero_coordinates) {
  const int r = 7, kept[4] = {0, 2, 3, 6};
  double *products = random_numbers(tac_reduced_stress_count(r), 5), *few = random_numbers(4, 6), q[7] = {0.0};
  TAC_MEMORY(double, fewer) = malloc(tac_reduced_stress_count(4) * sizeof *fewer);
  double *scratch = tac_test_alloc(tac_reduced_stress_scratch(r) * sizeof *scratch), all[49], part[16];
  for (int i = 0; i < 4; ++i) q[kept[i]] = few[i];
  tac_reduced_stress_restrict(r, products, 4, kept, fewer);
  tac_reduced_stress_evaluate(r, products, q, scratch, all);
  tac_reduced_stress_evaluate(4, fewer, few, scratch, part);
  for (int i = 0; i < 16; ++i) ck_assert_double_eq_tol(part[i], all[kept[i / 4] * r + kept[i % 4]], 1e-14);
}

TAC_TEST_EVERY_WIDTH()
