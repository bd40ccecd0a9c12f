#include "math/geometry/vec3.h"

#include "math/random.h"
#include "test.h"

static const tacBox cube = {{-2.0, -2.0, -2.0}, {2.0, 2.0, 2.0}};

TAC_TEST(cross_product_is_perpendicular_and_as_long_as_the_area) {
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < 1000; ++i) {
    tacVec3 a = tac_random_in_box(&random, cube), b = tac_random_in_box(&random, cube), c = tac_vec3_cross(a, b);
    ck_assert_double_eq_tol(tac_vec3_dot(a, c), 0.0, 1e-13);
    ck_assert_double_eq_tol(tac_vec3_dot(b, c), 0.0, 1e-13);
    double dot = tac_vec3_dot(a, b);
    ck_assert_double_eq_tol(tac_vec3_norm2(c) + dot * dot, tac_vec3_norm2(a) * tac_vec3_norm2(b), 1e-12);
  }
  tacVec3 z = tac_vec3_cross(tac_vec3(1, 0, 0), tac_vec3(0, 1, 0));
  ck_assert(z.x == 0.0 && z.y == 0.0 && z.z == 1.0);
}

TAC_TEST(triple_of_the_unit_corner_is_one) {
  tacVec3 o = tac_vec3(1, 2, 3);
  tacVec3 x = tac_vec3(2, 2, 3), y = tac_vec3(1, 3, 3), z = tac_vec3(1, 2, 4);
  ck_assert_double_eq(tac_vec3_triple(o, x, y, z), 1.0);
  ck_assert_double_eq(tac_vec3_triple(o, y, x, z), -1.0);
}

TAC_TEST(unit_of_zero_is_zero_and_others_have_length_one) {
  tacVec3 zero = tac_vec3_unit(tac_vec3(0, 0, 0));
  ck_assert(zero.x == 0.0 && zero.y == 0.0 && zero.z == 0.0);
  ck_assert_double_eq_tol(tac_vec3_norm(tac_vec3_unit(tac_vec3(3e-100, -4e-100, 0))), 1.0, 1e-15);
  ck_assert_double_eq_tol(tac_vec3_unit(tac_vec3(0, 3, 4)).z, 0.8, 1e-15);
}

TAC_TEST(sums_and_mixtures_follow_their_definitions) {
  tacVec3 a = tac_vec3(1, -2, 3), b = tac_vec3(5, 7, -9);
  tacVec3 sum = tac_vec3_add(a, b), difference = tac_vec3_sub(a, b), quarter = tac_vec3_mix(a, b, 0.25);
  ck_assert(sum.x == 6 && sum.y == 5 && sum.z == -6);
  ck_assert(difference.x == -4 && difference.y == -9 && difference.z == 12);
  ck_assert(quarter.x == 2 && quarter.y == 0.25 && quarter.z == 0);
  ck_assert_double_eq(tac_vec3_distance(tac_vec3(1, 1, 1), tac_vec3(3, 4, 7)), 7.0);
  ck_assert(tac_vec3_finite(a) && !tac_vec3_finite(tac_vec3(0, NAN, 0)) && !tac_vec3_finite(tac_vec3(0, 0, INFINITY)));
}

TAC_TEST(box_of_points_is_the_tightest) {
  tacBox box = tac_box_empty();
  ck_assert(box.lower.x > box.upper.x);
  box = tac_box_add(tac_box_add(box, tac_vec3(1, 5, -1)), tac_vec3(3, 2, 0));
  ck_assert(box.lower.x == 1 && box.lower.y == 2 && box.lower.z == -1);
  ck_assert(box.upper.x == 3 && box.upper.y == 5 && box.upper.z == 0);
  ck_assert_double_eq(tac_box_longest(box), 3.0);
  ck_assert_double_eq(tac_box_centre(box).y, 3.5);
  tacBox joined = tac_box_join(box, tac_box_empty());
  ck_assert(joined.lower.z == -1 && joined.upper.z == 0);
  ck_assert_double_eq(tac_box_size(joined).x, 2.0);
}
