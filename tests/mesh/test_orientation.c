#include "mesh/query/orientation.h"

#include <stdint.h>
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

/* Unsigned inside: sanitizers check a signed product by a function that not every toolchain has. */
static Wide product(Wide a, Wide b) {
  return (Wide)((UnsignedWide)a * (UnsignedWide)b);
}

static int sign(Wide x) {
  return (x > 0) - (x < 0);
}

static int64_t random_integer(tacRandom *random, int64_t limit) {
  return (int64_t)floor(tac_random_uniform(random, (double)-limit, (double)limit));
}

static tacVec3 point(const int64_t *p) {
  return tac_vec3((double)p[0], (double)p[1], (double)p[2]);
}

/* The determinant of integers, in 128 bits. */
static int integer_orientation(int64_t p[4][3]) {
  Wide m[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m[i][j] = p[i + 1][j] - p[0][j];
  }
  Wide sum = 0;
  for (int i = 0; i < 3; ++i) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    sum += product(m[0][i], product(m[1][j], m[2][k]) - product(m[1][k], m[2][j]));
  }
  return sign(sum);
}

/* The fourth point is a combination of the others, or that moved by one unit: volumes down to 1 of 1e33. */
TAC_TEST(tet_sign_equals_integer_arithmetic_near_zero) {
  tacRandom random = tac_random_seed(3);
  int zeros = 0;
  for (int i = 0; i < 20000; ++i) {
    int64_t p[4][3], u = random_integer(&random, 8), v = random_integer(&random, 8);
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) p[k][j] = random_integer(&random, INT64_C(1) << 34);
      p[3][j] = p[0][j] + u * (p[1][j] - p[0][j]) + v * (p[2][j] - p[0][j]);
    }
    p[3][i % 3] += i % 4 == 0 ? 0 : random_integer(&random, 3);
    int expected = integer_orientation(p);
    zeros += expected == 0;
    ck_assert_int_eq(tac_orientation_of_tet(point(p[0]), point(p[1]), point(p[2]), point(p[3])), expected);
  }
  ck_assert_int_gt(zeros, 1000);
}

TAC_TEST(triangle_sign_equals_integer_arithmetic_near_zero) {
  tacRandom random = tac_random_seed(4);
  for (int i = 0; i < 20000; ++i) {
    int64_t a[2], b[2], c[2], u = random_integer(&random, 8);
    for (int j = 0; j < 2; ++j) {
      a[j] = random_integer(&random, INT64_C(1) << 45);
      b[j] = random_integer(&random, INT64_C(1) << 45);
      c[j] = a[j] + u * (b[j] - a[j]);
    }
    c[i % 2] += i % 4 == 0 ? 0 : random_integer(&random, 3);
    int expected = sign(product(b[0] - a[0], c[1] - a[1]) - product(b[1] - a[1], c[0] - a[0]));
    ck_assert_int_eq(tac_orientation_of_triangle((const double[]){(double)a[0], (double)a[1]},
                                                 (const double[]){(double)b[0], (double)b[1]},
                                                 (const double[]){(double)c[0], (double)c[1]}),
                     expected);
  }
}

/* Differences that are not doubles: 1 + 2^-60 beside 1 cannot be stored, but 2^-60 beside 0 can. */
TAC_TEST(differences_that_round_are_handled) {
  double tiny = ldexp(1.0, -60);
  tacVec3 a = {tiny, 0.0, 0.0}, b = {1.0, 1.0, 0.0}, c = {2.0, 2.0, 0.0}, d = {0.0, 0.0, 1.0};
  ck_assert_int_eq(tac_orientation_of_tet(a, b, c, d), -tac_orientation_of_tet(b, a, c, d));
  ck_assert_int_ne(tac_orientation_of_tet(a, b, c, d), 0);
  a.x = 0.0;
  ck_assert_int_eq(tac_orientation_of_tet(a, b, c, d), 0);
}
