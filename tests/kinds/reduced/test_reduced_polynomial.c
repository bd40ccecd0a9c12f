#include "kinds/reduced/reduced_polynomial.h"

#include <float.h>
#include <tactus/reduced.h>
#include "base/lanes.h"
#include "math/random.h"
#include "test.h"

/* A polynomial with random coefficients of all degrees, a random q, and what evaluation gives. */
typedef struct Sample {
  int r;
  size_t count;
  double *coefficients, *q, *scratch, *force, *stiffness;
} Sample;

static double *numbers_of(size_t count) {
  return tac_test_alloc(count * sizeof(double));
}

static double *make_numbers(size_t count, tacRandom *random) {
  double *numbers = numbers_of(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = tac_random_uniform(random, -1.0, 1.0);
  return numbers;
}

/* Calls `visit` for each monomial: its degree and indices, ascending. */
typedef void Visit(Sample *s, int degree, const int *index, void *context);

static void visit_monomials(Sample *s, Visit *visit, void *context) {
  int x[4]; /* -1 is the factor 1 */
  for (x[0] = -1; x[0] < s->r; ++x[0])
    for (x[1] = x[0]; x[1] < s->r; ++x[1])
      for (x[2] = x[1]; x[2] < s->r; ++x[2])
        for (x[3] = x[2]; x[3] < s->r; ++x[3]) {
          int ones = 0;
          while (ones < 4 && x[ones] < 0) ++ones;
          visit(s, 4 - ones, x + ones, context);
        }
}

static void set_coefficient(Sample *s, int degree, const int *index, void *context) {
  s->coefficients[tac_reduced_polynomial_place(s->r, degree, index)] = tac_random_uniform(context, -1.0, 1.0);
}

static Sample make_sample(int r, uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  Sample s = {.r = r, .count = tac_reduced_polynomial_count(r)};
  s.coefficients = numbers_of(s.count);
  visit_monomials(&s, set_coefficient, &random);
  s.q = make_numbers((size_t)r, &random);
  s.scratch = numbers_of(tac_reduced_polynomial_scratch(r)); /* no more: sanitizers watch */
  for (size_t i = 0; i < tac_reduced_polynomial_scratch(r); ++i) s.scratch[i] = NAN;
  s.force = numbers_of((size_t)r);
  s.stiffness = numbers_of((size_t)(r * r));
  tac_reduced_polynomial_evaluate(r, s.coefficients, s.q, s.scratch, s.force, s.stiffness);
  return s;
}

static void mark_place(Sample *s, int degree, const int *index, void *context) {
  bool *taken = context;
  size_t place = tac_reduced_polynomial_place(s->r, degree, index);
  ck_assert_uint_lt(place, s->count);
  ck_assert(!taken[place]);
  taken[place] = true;
  int turned[4] = {0}; /* the order of the numbers does not matter */
  for (int shift = 0; shift < degree; ++shift) {
    for (int d = 0; d < degree; ++d) turned[d] = index[(d + shift) % degree];
    ck_assert_uint_eq(tac_reduced_polynomial_place(s->r, degree, turned), place);
    for (int d = 0; d < degree; ++d) turned[d] = index[(2 * degree - 1 - d - shift) % degree];
    ck_assert_uint_eq(tac_reduced_polynomial_place(s->r, degree, turned), place);
  }
}

TAC_TEST(monomial_indices_are_unique) {
  for (int r = 1; r <= 13; ++r) {
    Sample s = make_sample(r, 1);
    bool *taken = tac_test_alloc(s.count * sizeof *taken);
    visit_monomials(&s, mark_place, taken);
    size_t places = 0, n = (size_t)r + 1;
    for (size_t i = 0; i < s.count; ++i) places += taken[i];
    ck_assert_uint_eq(places, n * (n + 1) * (n + 2) * (n + 3) / 24);
  }
}

/* Sums of all terms and of their derivatives, factor by factor. */
typedef struct Sums {
  double energy, *force, *stiffness;
  double size, *force_size, *stiffness_size; /* of the terms: sums of their absolute values */
} Sums;

static void add_monomial(Sample *s, int degree, const int *index, void *context) {
  Sums *sums = context;
  double c = s->coefficients[tac_reduced_polynomial_place(s->r, degree, index)], term = c;
  for (int d = 0; d < degree; ++d) term *= s->q[index[d]];
  sums->energy += term;
  sums->size += fabs(term);
  for (int a = 0; a < degree; ++a)
    for (int b = 0; b < degree; ++b) {
      double one = c, two = c;
      for (int d = 0; d < degree; ++d) {
        if (d != a) one *= s->q[index[d]];
        if (d != a && d != b) two *= s->q[index[d]];
      }
      if (b == 0) sums->force[index[a]] += one;
      if (b == 0) sums->force_size[index[a]] += fabs(one);
      if (a != b) sums->stiffness[index[a] * s->r + index[b]] += two;
      if (a != b) sums->stiffness_size[index[a] * s->r + index[b]] += fabs(two);
    }
}

/* Rounding in a sum of n terms, in any order, is at most n eps times the sum of their absolute values; in each of both.
 * A monomial has at most 12 terms in an entry of the stiffness. All copies for processors agree with it. */
static void compare_with_sums(int r) {
  Sample s = make_sample(r, 2);
  size_t n = (size_t)r;
  Sums sums = {.force = numbers_of(n), .force_size = numbers_of(n)};
  sums.stiffness = numbers_of(n * n);
  sums.stiffness_size = numbers_of(n * n);
  visit_monomials(&s, add_monomial, &sums);
  double relative = 2.0 * 12.0 * (double)s.count * DBL_EPSILON;
  for (int lanes = 2; lanes <= 8; lanes *= 2) {
    tac_lanes_limit(lanes);
    tac_reduced_polynomial_evaluate(r, s.coefficients, s.q, s.scratch, s.force, s.stiffness);
    ck_assert_double_le(fabs(tac_reduced_polynomial_energy(r, s.coefficients, s.q, s.scratch) - sums.energy),
                        relative * sums.size);
    for (int i = 0; i < r; ++i) ck_assert_double_le(fabs(s.force[i] - sums.force[i]), relative * sums.force_size[i]);
    for (int i = 0; i < r * r; ++i)
      ck_assert_double_le(fabs(s.stiffness[i] - sums.stiffness[i]), relative * sums.stiffness_size[i]);
  }
  tac_lanes_limit(TAC_LANES_8);
}

TAC_TEST(agrees_with_the_sum_of_all_terms) {
  for (int r = 1; r <= (tac_test_light() ? 17 : 25); ++r) compare_with_sums(r);
  compare_with_sums(30);
  compare_with_sums(31);
}

/* The difference that is exact for polynomials of degree 4. */
TAC_TEST(force_and_stiffness_are_energy_derivatives) {
  const int sizes[] = {15, 30, 31, 60, TAC_BODY_MOST_COORDINATES};
  for (size_t a = 0; a < (tac_test_light() ? 2 : sizeof sizes / sizeof *sizes); ++a) {
    int r = sizes[a], n = r;
    Sample s = make_sample(r, 3);
    tacRandom random = tac_random_seed(4);
    double *direction = make_numbers((size_t)r, &random), force[TAC_BODY_MOST_COORDINATES], slope = 0.0;
    double forces[TAC_BODY_MOST_COORDINATES] = {0.0}, q[TAC_BODY_MOST_COORDINATES], size = 0.0;
    for (int step = -2; step <= 2; ++step) {
      double weight = (const double[]){1.0, -8.0, 0.0, 8.0, -1.0}[step + 2] / 12.0;
      for (int i = 0; i < r; ++i) q[i] = s.q[i] + step * direction[i];
      double energy = tac_reduced_polynomial_energy(r, s.coefficients, q, s.scratch);
      slope += weight * energy;
      size = fmax(size, fabs(energy));
      tac_reduced_polynomial_evaluate(r, s.coefficients, q, s.scratch, force, NULL);
      for (int i = 0; i < n; ++i) forces[i] += weight * force[i];
    }
    double work = 0.0;
    for (int i = 0; i < r; ++i) work += s.force[i] * direction[i];
    ck_assert_double_eq_tol(slope, work, 1e-12 * size);
    for (int i = 0; i < r; ++i) {
      double sum = 0.0;
      for (int j = 0; j < r; ++j) sum += s.stiffness[i + j * r] * direction[j];
      ck_assert_double_eq_tol(forces[i], sum, 1e-12 * size);
    }
  }
}

TAC_TEST(stiffness_is_symmetric_to_the_bit_and_outputs_are_optional) {
  for (int r = 1; r <= 40; r += r < 9 ? 1 : 5) {
    Sample s = make_sample(r, 5);
    for (int i = 0; i < r; ++i)
      for (int j = 0; j < i; ++j) ck_assert(s.stiffness[i + j * r] == s.stiffness[j + i * r]);
    double force[40], stiffness[1600];
    tac_reduced_polynomial_evaluate(r, s.coefficients, s.q, s.scratch, force, NULL);
    tac_reduced_polynomial_evaluate(r, s.coefficients, s.q, s.scratch, NULL, stiffness);
    ck_assert_mem_eq(force, s.force, (size_t)r * sizeof *force);
    ck_assert_mem_eq(stiffness, s.stiffness, (size_t)(r * r) * sizeof *stiffness);
  }
}

TAC_TEST(rest_stiffness_equals_the_coefficients) {
  for (int r = 1; r <= 9; ++r) {
    Sample s = make_sample(r, 6);
    memset(s.q, 0, (size_t)r * sizeof *s.q);
    tac_reduced_polynomial_evaluate(r, s.coefficients, s.q, s.scratch, s.force, s.stiffness);
    for (int i = 0; i < r; ++i)
      for (int j = 0; j < r; ++j)
        ck_assert(s.stiffness[i + j * r] ==
                  (i == j ? 2.0 : 1.0) * s.coefficients[tac_reduced_polynomial_place(r, 2, (int[]){i, j})]);
    double rest[81];
    tac_reduced_polynomial_rest(r, s.coefficients, rest);
    ck_assert_mem_eq(rest, s.stiffness, (size_t)(r * r) * sizeof *rest);
  }
}

/* Dropping coordinates is the same as holding them at zero. */
TAC_TEST(restricts_to_some_of_the_coordinates) {
  tacRandom random = tac_random_seed(7);
  for (int r = 1; r <= 14; ++r) {
    Sample s = make_sample(r, 8);
    int kept[TAC_BODY_MOST_COORDINATES], count = 0;
    for (int i = 0; i < r; ++i) {
      bool keep = r < 3 || tac_random_uniform(&random, 0.0, 1.0) < 0.6;
      if (keep) kept[count++] = i;
      if (!keep) s.q[i] = 0.0;
    }
    tac_reduced_polynomial_evaluate(r, s.coefficients, s.q, s.scratch, s.force, s.stiffness);
    Sample few = make_sample(count, 9);
    tac_reduced_polynomial_restrict(r, s.coefficients, count, kept, few.coefficients);
    for (int i = 0; i < count; ++i) few.q[i] = s.q[kept[i]];
    tac_reduced_polynomial_evaluate(count, few.coefficients, few.q, few.scratch, few.force, few.stiffness);
    for (int i = 0; i < count; ++i) {
      ck_assert_double_eq_tol(few.force[i], s.force[kept[i]], 1e-12);
      for (int j = 0; j < count; ++j)
        ck_assert_double_eq_tol(few.stiffness[i + j * count], s.stiffness[kept[i] + kept[j] * r], 1e-12);
    }
  }
}
