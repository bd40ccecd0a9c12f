#include "contact/contact_spring.h"

#include "math/geometry/quat.h"
#include "math/random.h"
#include "test.h"

enum { MOST_SPRINGS = 300, MOST_R = 160 };

static tacVec3 random_vector(tacRandom *random, double size) {
  return tac_vec3_scale(size, tac_random_normal3(random));
}

/* A spring of one plane, or one that holds sideways too. */
static tacContactSpring random_spring(tacRandom *random, double force) {
  tacVec3 n = tac_vec3_unit(random_vector(random, 1.0));
  double along = tac_random_uniform(random, 100.0, 2000.0), across = tac_random_uniform(random, 0.0, 500.0);
  if (tac_random_uniform(random, 0.0, 1.0) < 0.5) across = 0.0;
  tacMat3 k =
      tac_mat3_add(tac_mat3_diagonal(across, across, across), tac_mat3_scale(along - across, tac_mat3_outer(n, n)));
  tacVec3 arm = random_vector(random, 0.1), push = random_vector(random, force);
  return (tacContactSpring){arm, push, k};
}

/* On a body that moves by `way` and turns about `about`, while what the springs lean on rests. */
static tacWrench moved_wrench(int count, const tacContactSpring *springs, tacVec3 about, tacVec3 way, tacVec3 turn) {
  tacQuat rotation = tac_quat_from_rotation_vector(turn);
  tacWrench sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (int i = 0; i < count; ++i) {
    tacVec3 r = tac_vec3_add(way, tac_quat_rotate(rotation, tac_vec3_sub(springs[i].at, about)));
    tacVec3 u = tac_vec3_sub(tac_vec3_add(about, r), springs[i].at);
    tacVec3 f = tac_vec3_sub(springs[i].force, tac_mat3_mul_vec(springs[i].stiffness, u));
    sum.force = tac_vec3_add(sum.force, f);
    sum.torque = tac_vec3_add(sum.torque, tac_vec3_cross(r, f)); /* about the place that rests */
  }
  return sum;
}

static double component(const tacWrench *wrench, int i) {
  const double all[6] = {wrench->force.x,  wrench->force.y,  wrench->force.z,
                         wrench->torque.x, wrench->torque.y, wrench->torque.z};
  return all[i];
}

static double entry(tacVec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static tacVec3 axis_vector(int axis, double size) {
  return tac_vec3(axis == 0 ? size : 0.0, axis == 1 ? size : 0.0, axis == 2 ? size : 0.0);
}

TAC_TEST(rigid_stiffness_is_the_sum_of_springs) {
  tacRandom random = tac_random_seed(3);
  for (int trial = 0; trial < 50; ++trial) {
    int count = 1 + trial % 7;
    double force = trial % 2 == 0 ? 0.0 : 5.0, h = 1e-6, most = 0.0, sign = trial % 3 == 0 ? 1.0 : -1.0;
    tacContactSpring springs[7];
    for (int i = 0; i < count; ++i) springs[i] = random_spring(&random, force);
    tacVec3 about = random_vector(&random, 0.1);
    tacWrench wrench = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}; /* there before */
    double stiffness[6][6], check[6][6] = {{0.0}};
    for (int i = 0; i < 36; ++i) stiffness[i / 6][i % 6] = i;
    tac_contact_springs_on_rigid(count, springs, sign, about, &wrench, stiffness);
    tacWrench now = moved_wrench(count, springs, about, tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.0, 0.0, 0.0));
    for (int i = 0; i < 6; ++i)
      ck_assert_double_eq_tol(component(&wrench, i), i + 1 + sign * component(&now, i), 1e-12);
    for (int j = 0; j < 6; ++j) {
      tacVec3 zero = {0.0, 0.0, 0.0}, d = axis_vector(j % 3, h);
      tacWrench ahead = moved_wrench(count, springs, about, j < 3 ? d : zero, j < 3 ? zero : d);
      d = axis_vector(j % 3, -h);
      tacWrench behind = moved_wrench(count, springs, about, j < 3 ? d : zero, j < 3 ? zero : d);
      tacVec3 carried = {0.0, 0.0,
                         0.0}; /* the moment of forces whose points move: what the multiplane model leaves out */
      for (int i = 0; i < count; ++i) {
        tacVec3 e = axis_vector(j % 3, 1.0), u = j < 3 ? e : tac_vec3_cross(e, tac_vec3_sub(springs[i].at, about));
        carried = tac_vec3_add(carried, tac_vec3_cross(u, springs[i].force));
      }
      for (int i = 0; i < 6; ++i) {
        check[i][j] = -(component(&ahead, i) - component(&behind, i)) / (2.0 * h);
        if (i >= 3) check[i][j] += entry(carried, i - 3);
        most = fmax(most, fabs(check[i][j]));
      }
    }
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) ck_assert_double_eq_tol(stiffness[i][j] - (6 * i + j), check[i][j], 1e-7 * most);
  }
}

typedef struct Sums {
  double force[MOST_R], stiffness[MOST_R * MOST_R], mixed[6 * MOST_R];
} Sums;

/* The definition. */
static void sum_plainly(int count, const tacContactSpring *springs, const tacSpringRows *rows, int r, int stride,
                        tacMat3 turn, double sign, tacVec3 about, Sums *sums) {
  static double u[3][MOST_R], ku[3][MOST_R];
  for (int s = 0; s < count; ++s) {
    tacVec3 lever = tac_vec3_sub(springs[s].at, about);
    for (int i = 0; i < r; ++i) {
      const float *p = rows[s].rows;
      tacVec3 column = tac_mat3_mul_vec(turn, tac_vec3((double)p[i], (double)p[stride + i], (double)p[2 * stride + i]));
      tacVec3 answer = tac_mat3_mul_vec(springs[s].stiffness, column), moment = tac_vec3_cross(lever, answer);
      for (int axis = 0; axis < 3; ++axis) {
        u[axis][i] = entry(column, axis);
        ku[axis][i] = entry(answer, axis);
        sums->mixed[axis * r + i] += entry(answer, axis);
        sums->mixed[(3 + axis) * r + i] += entry(moment, axis);
      }
      sums->force[i] += sign * tac_vec3_dot(column, springs[s].force);
    }
    for (int i = 0; i < r; ++i)
      for (int j = 0; j < r; ++j)
        for (int axis = 0; axis < 3; ++axis) sums->stiffness[i * r + j] += u[axis][i] * ku[axis][j];
  }
}

static double largest(int n, const double *x) {
  double most = 0.0;
  for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
  return most;
}

TAC_TEST(reduced_stiffness_is_the_sum_of_springs) {
  const struct {
    int count, r, padding;
  } cases[] = {{0, 5, 0},   {1, 1, 0},    {1, 15, 1},  {13, 15, 1}, {300, 15, 0}, {64, 16, 0},
               {65, 3, 1},  {77, 9, 3},   {50, 30, 2}, {33, 37, 7}, {7, 128, 0},  {20, 128, 0},
               {6, 160, 0}, {21, 160, 0}, {6, 125, 3}, {300, 8, 0}};
  tacRandom random = tac_random_seed(11);
  static tacContactSpring springs[MOST_SPRINGS];
  static tacSpringRows rows[MOST_SPRINGS];
  for (int c = 0; c < (int)(sizeof cases / sizeof *cases); ++c) {
    int count = cases[c].count, r = cases[c].r, stride = r + cases[c].padding;
    /* exactly as long as they say: sanitizers see what is read beyond */
    size_t size = (size_t)(3 * stride * count);
    TAC_MEMORY(float, numbers) = malloc(size > 0 ? size * sizeof *numbers : 1);
    for (size_t i = 0; i < size; ++i) numbers[i] = (float)tac_random_normal(&random);
    for (int i = 0; i < count; ++i) {
      springs[i] = random_spring(&random, 3.0);
      rows[i].rows = numbers + (size_t)i * 3 * (size_t)stride;
      /* what fills up is never used, whatever it is */
      for (int axis = 0; axis < 3; ++axis)
        for (int j = r; j < stride; ++j) numbers[(size_t)(i * 3 + axis) * (size_t)stride + (size_t)j] = NAN;
    }
    tacMat3 turn = tac_quat_to_mat3(tac_quat_from_rotation_vector(random_vector(&random, 1.0)));
    tacVec3 about = random_vector(&random, 0.1);
    double sign = c % 2 == 0 ? 1.0 : -1.0;
    static Sums got, right, without;
    for (int i = 0; i < MOST_R; ++i) right.force[i] = i;
    for (int i = 0; i < MOST_R * MOST_R; ++i) right.stiffness[i] = 0.5;
    for (int i = 0; i < 6 * MOST_R; ++i) right.mixed[i] = -1.0;
    got = without = right; /* added to what was there */
    sum_plainly(count, springs, rows, r, stride, turn, sign, about, &right);
    tac_contact_springs_on_reduced(count, springs, rows, r, stride, turn, sign, about, got.force, got.stiffness,
                                   got.mixed);
    tac_contact_springs_on_reduced(count, springs, rows, r, stride, turn, sign, about, without.force, without.stiffness,
                                   NULL);
    ck_assert_mem_eq(without.force, got.force, (size_t)r * sizeof *got.force);
    double force = largest(r, right.force), stiffness = largest(r * r, right.stiffness),
           mixed = largest(6 * r, right.mixed);
    for (int i = 0; i < r; ++i) ck_assert_double_eq_tol(got.force[i], right.force[i], 1e-12 * force);
    for (int i = 0; i < r * r; ++i) {
      ck_assert_double_eq_tol(got.stiffness[i], right.stiffness[i], 1e-6 * stiffness);
      ck_assert_double_eq_tol(without.stiffness[i], right.stiffness[i], 1e-6 * stiffness);
      ck_assert_double_eq(got.stiffness[i], got.stiffness[i % r * r + i / r]);
    }
    for (int i = 0; i < 6 * r; ++i) {
      ck_assert_double_eq_tol(got.mixed[i], right.mixed[i], 1e-6 * mixed);
      ck_assert_double_eq(without.mixed[i], -1.0);
    }
  }
}
