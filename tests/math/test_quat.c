#include "math/geometry/quat.h"

#include "math/random.h"
#include "test.h"

static const double pi = 3.14159265358979323846;

static tacVec3 random_direction(tacRandom *random) {
  return tac_vec3_unit(tac_random_normal3(random));
}

static tacQuat random_rotation(tacRandom *random) {
  double w = tac_random_normal(random);
  tacVec3 v = tac_random_normal3(random);
  return tac_quat_normalise(tac_quat(w, v.x, v.y, v.z));
}

/* Zero where p and q are the same rotation. */
static double apart(tacQuat p, tacQuat q) {
  return fmin(tac_quat_norm(tac_quat_combine(1.0, p, 1.0, q)), tac_quat_norm(tac_quat_combine(1.0, p, -1.0, q)));
}

TAC_TEST(rotation_follows_the_formula_of_rodrigues) {
  tacRandom random = tac_random_seed(1);
  for (int i = 0; i < 1000; ++i) {
    tacVec3 k = random_direction(&random), v = random_direction(&random);
    double angle = tac_random_uniform(&random, -7.0, 7.0);
    tacVec3 expected = tac_vec3_add(tac_vec3_mad(tac_vec3_scale(cos(angle), v), sin(angle), tac_vec3_cross(k, v)),
                                    tac_vec3_scale(tac_vec3_dot(k, v) * (1.0 - cos(angle)), k));
    tacQuat q = tac_quat_from_axis_angle(tac_vec3_scale(3.0, k), angle);
    ck_assert_double_lt(tac_vec3_distance(tac_quat_rotate(q, v), expected), 1e-14);
    ck_assert_double_lt(tac_vec3_distance(tac_mat3_mul_vec(tac_quat_to_mat3(q), v), expected), 1e-14);
  }
}

TAC_TEST(product_is_composition_and_conjugate_is_inverse) {
  tacRandom random = tac_random_seed(2);
  for (int i = 0; i < 1000; ++i) {
    tacQuat a = random_rotation(&random), b = random_rotation(&random);
    tacVec3 v = random_direction(&random);
    tacVec3 both = tac_quat_rotate(tac_quat_mul(a, b), v);
    ck_assert_double_lt(tac_vec3_distance(both, tac_quat_rotate(a, tac_quat_rotate(b, v))), 1e-14);
    ck_assert_double_lt(tac_vec3_distance(tac_quat_rotate(tac_quat_conjugate(a), tac_quat_rotate(a, v)), v), 1e-14);
  }
}

TAC_TEST(rotation_vectors_survive_from_zero_to_nearly_pi) {
  tacRandom random = tac_random_seed(3);
  const double angles[] = {1e-300, 1e-170, 1e-155, 1e-20, 1e-9, 1e-4, 1.0, 3.0, pi - 1e-6, pi - 1e-12};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; ++i)
    for (int j = 0; j < 100; ++j) {
      tacVec3 r = tac_vec3_scale(angles[i], random_direction(&random));
      tacQuat q = tac_quat_from_rotation_vector(r);
      ck_assert_double_eq_tol(tac_quat_norm(q), 1.0, 1e-15);
      tacVec3 off = tac_vec3_sub(tac_quat_to_rotation_vector(q), r);
      double largest = fmax(fabs(off.x), fmax(fabs(off.y), fabs(off.z)));
      ck_assert_double_le(largest, 1e-14 * angles[i]);
    }
  tacVec3 zero = tac_quat_to_rotation_vector(tac_quat_from_rotation_vector(tac_vec3(0, 0, 0)));
  ck_assert(zero.x == 0.0 && zero.y == 0.0 && zero.z == 0.0);
}

TAC_TEST(rotation_vector_is_the_shorter_rotation) {
  tacQuat q = tac_quat_from_axis_angle(tac_vec3(0, 0, 1), 1.5 * pi);
  ck_assert_double_eq_tol(tac_quat_to_rotation_vector(q).z, -0.5 * pi, 1e-15);
}

TAC_TEST(matrix_conversion_round_trips_also_at_half_turns) {
  tacRandom random = tac_random_seed(4);
  for (int i = 0; i < 3000; ++i) {
    double angle = i % 3 == 0 ? pi : i % 3 == 1 ? pi - 1e-9 : tac_random_uniform(&random, 0.0, 2.0 * pi);
    tacQuat q = tac_quat_from_axis_angle(random_direction(&random), angle);
    ck_assert_double_lt(apart(tac_quat_from_mat3(tac_quat_to_mat3(q)), q), 1e-14);
  }
  const tacQuat corners[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  for (int i = 0; i < 4; ++i)
    ck_assert_double_lt(apart(tac_quat_from_mat3(tac_quat_to_mat3(corners[i])), corners[i]), 1e-15);
}

TAC_TEST(slerp_turns_at_constant_speed_the_shorter_way) {
  tacRandom random = tac_random_seed(5);
  for (int i = 0; i < 1000; ++i) {
    tacQuat a = random_rotation(&random);
    double angle = i % 2 == 0 ? tac_random_uniform(&random, 0.0, 3.1) : pow(10.0, tac_random_uniform(&random, -16, -3));
    tacVec3 axis = random_direction(&random);
    tacQuat b = tac_quat_mul(tac_quat_from_axis_angle(axis, angle), a);
    if (i % 3 == 0) b = tac_quat(-b.w, -b.x, -b.y, -b.z);
    double t = tac_random_uniform(&random, 0.0, 1.0);
    tacQuat expected = tac_quat_mul(tac_quat_from_axis_angle(axis, t * angle), a);
    ck_assert_double_lt(apart(tac_quat_slerp(a, b, t), expected), 1e-14);
    ck_assert_double_lt(apart(tac_quat_slerp(a, b, 0.0), a), 1e-15);
    ck_assert_double_lt(apart(tac_quat_slerp(a, b, 1.0), b), 1e-15);
  }
}

TAC_TEST(normalising_nothing_gives_the_identity) {
  ck_assert_double_eq(apart(tac_quat_normalise(tac_quat(0, 0, 0, 0)), tac_quat_identity()), 0.0);
  ck_assert_double_eq(apart(tac_quat_normalise(tac_quat(NAN, 0, 0, 0)), tac_quat_identity()), 0.0);
  ck_assert_double_eq_tol(tac_quat_norm(tac_quat_normalise(tac_quat(3, -4, 12, 5))), 1.0, 1e-15);
}
