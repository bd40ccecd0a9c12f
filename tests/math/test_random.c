#include "math/random.h"

#include "test.h"

TAC_TEST(same_seed_gives_the_same_sequence) {
  tacRandom a = tac_random_seed(42), b = tac_random_seed(42), c = tac_random_seed(43);
  int equal = 0;
  for (int i = 0; i < 100; ++i) {
    uint64_t bits = tac_random_bits(&a);
    ck_assert_uint_eq(bits, tac_random_bits(&b));
    equal += bits == tac_random_bits(&c);
  }
  ck_assert_int_eq(equal, 0);
}

/* The generator's definition gives rotl(5 s1, 7) * 9 first; with s = {1, 2, 3, 4} that is 11520, then 0, 1509978240. */
TAC_TEST(sequence_is_that_of_xoshiro256_starstar) {
  tacRandom random = {{1, 2, 3, 4}};
  ck_assert_uint_eq(tac_random_bits(&random), 11520);
  ck_assert_uint_eq(tac_random_bits(&random), 0);
  ck_assert_uint_eq(tac_random_bits(&random), 1509978240);
}

TAC_TEST(uniform_numbers_fill_their_interval_evenly) {
  enum { BINS = 20, COUNT = 200000 };
  tacRandom random = tac_random_seed(1);
  int bins[BINS] = {0};
  double sum = 0.0;
  for (int i = 0; i < COUNT; ++i) {
    double u = tac_random_uniform(&random, -3.0, 5.0);
    ck_assert(u >= -3.0 && u < 5.0);
    sum += u;
    ++bins[(int)((u + 3.0) / 8.0 * BINS)];
  }
  ck_assert_double_eq_tol(sum / COUNT, 1.0, 5.0 * 8.0 / sqrt(12.0 * COUNT)); /* five standard deviations */
  double chi2 = 0.0;
  for (int i = 0; i < BINS; ++i) chi2 += pow(bins[i] - (double)COUNT / BINS, 2) / ((double)COUNT / BINS);
  ck_assert_double_lt(chi2, 50.0); /* 19 degrees of freedom: exceeded once in 7000 seeds */
}

TAC_TEST(normal_numbers_have_the_moments_of_the_normal_distribution) {
  enum { COUNT = 200000 };
  tacRandom random = tac_random_seed(2);
  double moment[5] = {0};
  for (int i = 0; i < COUNT; ++i) {
    double x = tac_random_normal(&random);
    for (int k = 1; k <= 4; ++k) moment[k] += pow(x, k) / COUNT;
  }
  double sigma = 5.0 / sqrt(COUNT);
  ck_assert_double_eq_tol(moment[1], 0.0, sigma);
  ck_assert_double_eq_tol(moment[2], 1.0, sigma * sqrt(2.0));
  ck_assert_double_eq_tol(moment[3], 0.0, sigma * sqrt(15.0));
  ck_assert_double_eq_tol(moment[4], 3.0, sigma * sqrt(96.0));
}

TAC_TEST(points_stay_in_their_box_and_their_coordinates_are_independent) {
  tacBox box = {{-1, 0, 10}, {1, 0.5, 20}};
  tacRandom random = tac_random_seed(3);
  double mixed = 0.0;
  for (int i = 0; i < 100000; ++i) {
    tacVec3 p = tac_random_in_box(&random, box);
    ck_assert(p.x >= -1 && p.x < 1 && p.y >= 0 && p.y < 0.5 && p.z >= 10 && p.z < 20);
    mixed += p.x * (p.z - 15.0) / 100000;
  }
  ck_assert_double_eq_tol(mixed, 0.0, 5.0 * (1.0 / sqrt(3.0)) * (5.0 / sqrt(3.0)) / sqrt(100000));
}
