#include "asset/broken_asset.h"
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/distance_field.h"
#include "asset/make_deformed.h"
#include "base/lanes.h"

static tacDeformedPose *pose_of(const tacDeformedField *field) {
  tacDeformedPose *pose;
  tac_test_ok(tac_deformed_pose_create(field, &pose, &error), error);
  return pose;
}

static tacVec3 random_unit(tacRandom *random) {
  return tac_vec3_unit(tac_random_normal3(random));
}

/* The coordinates of x -> x + M x + t in the affine basis. */
static void affine_q(tacMat3 m, tacVec3 t, double *q) {
  memcpy(q, &t, sizeof t);
  memcpy(q + 3, m.m, sizeof m.m);
}

/* ---- what it must be ---- */

/* All proxies agree: the value is that of the field at rest, whatever the weights. */
TAC_TEST(undeformed_field_equals_the_rest_field) {
  tacRandom random = tac_random_seed(1);
  TAC_OWN(tacDeformedField, field) = make_bending(6, 40, 5);
  TAC_OWN(tacDeformedPose, pose) = pose_of(field);
  for (int i = 0; i < 1000; ++i) {
    tacVec3 x = tac_random_in_cube(&random, 0.9), gradient; /* inside the grid */
    double by_q[6], value = tac_distance_field_gradient(tac_deformed_field_domain(field, 0), x, &gradient);
    ck_assert_double_lt(fabs(tac_deformed_pose_value(pose, x) - value), 1e-12);
    tacDeformedAnswer answer = tac_deformed_pose_gradient(pose, x, by_q);
    ck_assert_double_lt(fabs(answer.value - value), 1e-12);
    ck_assert_double_lt(tac_vec3_distance(answer.gradient, gradient), 1e-9);
  }
}

/* Bases that hold every affine map: rotations and translations move the field as it is, stretches pull it back. */
TAC_TEST(rigid_and_affine_motion_is_exact) {
  tacRandom random = tac_random_seed(2);
  TAC_OWN(tacDeformedField, field) = make_affine(40, 5);
  TAC_OWN(tacDeformedPose, pose) = pose_of(field);
  const tacDistanceField *rest = tac_deformed_field_domain(field, 0);
  for (int i = 0; i < 1000; ++i) {
    double angle = tac_random_uniform(&random, 0.0, 3.1);
    tacMat3 f = rotation_of(tac_mat3_skew(tac_vec3_scale(angle, random_unit(&random))));
    if (i % 2 == 1) f = tac_mat3_mul(f, tac_mat3_diagonal(1.3, 0.8, 0.7));
    tacVec3 t = tac_random_in_cube(&random, 0.5), material = tac_random_in_cube(&random, 0.6);
    double q[12];
    affine_q(tac_mat3_sub(f, tac_mat3_identity()), t, q);
    tac_deformed_pose_set(pose, q);
    tacVec3 x = tac_vec3_add(tac_mat3_mul_vec(f, material), t);
    ck_assert_double_lt(fabs(tac_deformed_pose_value(pose, x) - tac_distance_field_value(rest, material)), 1e-12);
    int proxy = i % 40;
    ck_assert_double_lt(tac_vec3_distance(tac_deformed_pose_pull_back(pose, 0, proxy, x), material), 1e-12);
    ck_assert_double_lt(tac_vec3_distance(tac_deformed_pose_push_forward(pose, 0, proxy, material), x), 1e-12);
  }
}

/* (3.16), (3.17) from the thesis, written down once more with all proxies sorted. Not a number where it says nothing: of
 * proxies about equally far away, where F squeezes a direction to a fifth, or turns it inside out, and outside of the grid of `rest`, [-1, 1]^3. */
static double plain_value(const MadeProxies *made, const tacDistanceField *rest, int k, tacVec3 x, const double *q) {
  int order[MADE_MOST];
  double distance[MADE_MOST], value[MADE_MOST], sum = 0.0, weights = 0.0;
  for (int i = 0; i < made->count; ++i) {
    tacVec3 p;
    tacMat3 f, inverse = tac_mat3_identity();
    made_proxy(made, i, q, &p, &f);
    bool sound = tac_mat3_inverse(f, &inverse) && tac_mat3_det(f) > 0.0 && tac_mat3_norm(inverse) < 5.0;
    distance[i] = tac_vec3_distance(x, p);
    tacVec3 material = tac_vec3_add(made->positions[i], tac_mat3_mul_vec(inverse, tac_vec3_sub(x, p)));
    double out = fmax(fabs(material.x), fmax(fabs(material.y), fabs(material.z)));
    value[i] = sound && out < 0.999 ? tac_distance_field_value(rest, material) : NAN;
    int at = i;
    for (; at > 0 && distance[order[at - 1]] > distance[i]; --at) order[at] = order[at - 1];
    order[at] = i;
  }
  double far = distance[order[k - 1]], near = distance[order[0]];
  if (far < 1.1 * near) return NAN;
  for (int c = 0; c < k; ++c) {
    double w = (1.0 / distance[order[c]] - 1.0 / far) / (1.0 / near - 1.0 / far);
    weights += w;
    sum += w * value[order[c]];
  }
  return sum / weights;
}

TAC_TEST(weights_are_those_of_the_thesis) {
  tacRandom random = tac_random_seed(3);
  enum { R = 6 };
  TAC_FREED(free_proxies, MadeProxies, made) = bending_proxies(R, 40);
  TAC_OWN(tacDeformedField, field) = make_bending(R, 40, 5);
  TAC_OWN(tacDeformedPose, pose) = pose_of(field);
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    double q[R];
    for (int j = 0; j < R; ++j) q[j] = tac_random_uniform(&random, -0.25, 0.25);
    tac_deformed_pose_set(pose, q);
    tacVec3 x = tac_random_in_cube(&random, 0.6);
    double expected = plain_value(&made, tac_deformed_field_domain(field, 0), 5, x, q);
    if (isnan(expected)) continue;
    ck_assert_double_lt(fabs(tac_deformed_pose_value(pose, x) - expected), 1e-10);
    ++compared;
  }
  ck_assert_int_gt(compared, 1000);
}

/* ---- continuity ---- */

/* Along random straight paths in x and q, through many changes of neighbours: steps of the value are bounded by those
 * of the path, with the same constant when the path is cut ten times finer. */
static double steepest_step(tacDeformedPose *pose, int r, int steps, double size, uint64_t seed, double reach) {
  tacRandom random = tac_random_seed(seed);
  double from[8], to[8], q[8], steepest = 0.0, last = 0.0;
  tacVec3 a = tac_random_in_cube(&random, reach), b = tac_random_in_cube(&random, reach);
  for (int j = 0; j < r; ++j) from[j] = tac_random_uniform(&random, -size, size);
  for (int j = 0; j < r; ++j) to[j] = tac_random_uniform(&random, -size, size);
  for (int i = 0; i <= steps; ++i) {
    double t = (double)i / steps;
    for (int j = 0; j < r; ++j) q[j] = from[j] + t * (to[j] - from[j]);
    tac_deformed_pose_set(pose, q);
    double value = tac_deformed_pose_value(pose, tac_vec3_mix(a, b, t));
    ck_assert(isfinite(value));
    if (i > 0) steepest = fmax(steepest, fabs(value - last) * steps);
    last = value;
  }
  return steepest;
}

TAC_TEST(values_are_continuous_in_place_and_deformation) {
  int paths = tac_test_light() ? 1 : 3, fine = tac_test_light() ? 1000 : 4000;
  for (int k = 1; k <= 5; k += 2) { /* fewer neighbours: more ties */
    TAC_OWN(tacDeformedField, field) = make_bending(6, 40, k);
    TAC_OWN(tacDeformedPose, pose) = pose_of(field);
    for (int path = 0; path < paths; ++path) {
      double coarse = steepest_step(pose, 6, fine / 10, 0.3, 10 + (uint64_t)path, 1.4);
      double steep = steepest_step(pose, 6, fine, 0.3, 10 + (uint64_t)path, 1.4);
      /* A jump would make it ten times as steep. */
      ck_assert_double_lt(steep, 3.0 * coarse + 1.0);
    }
  }
}

/* A place that is equally far from many proxies: the middle of a ball of them. */
TAC_TEST(equally_near_proxies_cause_no_jump) {
  TAC_OWN(tacDeformedField, field) = make_bending(6, 40, 5);
  TAC_OWN(tacDeformedPose, pose) = pose_of(field);
  tacRandom random = tac_random_seed(4);
  const double q[6] = {0.2, -0.1, 0.15, 0.3, -0.2, 0.1};
  tac_deformed_pose_set(pose, q);
  for (int proxy = 0; proxy < 40; ++proxy) { /* at a proxy: its own value */
    tacVec3 p = tac_deformed_pose_push_forward(pose, 0, proxy, tac_deformed_field_proxy(field, 0, proxy));
    double here = tac_deformed_pose_value(pose, p), by_q[6];
    tacDeformedAnswer answer = tac_deformed_pose_gradient(pose, p, by_q);
    ck_assert_int_eq(answer.proxy, proxy);
    ck_assert_double_lt(fabs(here - answer.value), 1e-12);
    ck_assert(tac_vec3_finite(answer.gradient));
    for (double e = 1e-14; e < 1e-3; e *= 10.0) {
      tacVec3 beside = tac_vec3_mad(p, e, random_unit(&random));
      ck_assert_double_lt(fabs(tac_deformed_pose_value(pose, beside) - here), 20.0 * e + 1e-15);
      answer = tac_deformed_pose_gradient(pose, beside, by_q);
      ck_assert_double_lt(tac_vec3_norm(answer.gradient), 20.0);
    }
  }
  /* Eight proxies at the corners of a cube, k = 5, each with another stretch: their centre is a tie of all. */
  TAC_OWN(tacDeformedField, cube) = make_cube_of_proxies();
  TAC_OWN(tacDeformedPose, at) = pose_of(cube);
  const double one = 1.0;
  tac_deformed_pose_set(at, &one);
  double centre = tac_deformed_pose_value(at, tac_vec3(0.0, 0.0, 0.0));
  ck_assert(isfinite(centre));
  for (int i = 0; i < (tac_test_light() ? 20 : 100); ++i)
    for (double e = 1e-12; e < 1e-2; e *= 10.0) {
      double by_q, beside = tac_deformed_pose_value(at, tac_vec3_scale(e, random_unit(&random)));
      ck_assert_double_lt(fabs(beside - centre), 20.0 * e + 1e-15);
      ck_assert(isfinite(tac_deformed_pose_gradient(at, tac_vec3(0.0, 0.0, 0.0), &by_q).gradient.x) && isfinite(by_q));
    }
}

/* Proxies that are squeezed flat and turned inside out: values stay finite, bounded and continuous. */
TAC_TEST(flat_and_inverted_gradients_stay_bounded) {
  TAC_OWN(tacDeformedField, field) = make_affine(12, 5);
  TAC_OWN(tacDeformedPose, pose) = pose_of(field);
  tacRandom random = tac_random_seed(5);
  for (int trial = 0; trial < (tac_test_light() ? 2 : 6); ++trial) {
    tacMat3 turn = rotation_of(tac_mat3_skew(tac_vec3_scale(2.0, random_unit(&random))));
    tacVec3 x = tac_random_in_cube(&random, 0.5);
    double last = NAN, q[12];
    int steps = 1000;
    for (int i = 0; i <= steps; ++i) { /* from whole through flat to inside out */
      double squeeze = 1.0 - 2.5 * i / steps;
      tacMat3 f = tac_mat3_mul(turn, tac_mat3_diagonal(trial % 2 == 0 ? 1.0 : squeeze, 1.1, squeeze));
      affine_q(tac_mat3_sub(f, tac_mat3_identity()), tac_vec3(0.0, 0.0, 0.0), q);
      ck_assert(isfinite(tac_deformed_pose_set(pose, q)));
      double by_q[12], value = tac_deformed_pose_value(pose, x);
      tacDeformedAnswer answer = tac_deformed_pose_gradient(pose, x, by_q);
      ck_assert_double_lt(fabs(value), 6.0 * 2.0);
      ck_assert_double_lt(tac_vec3_norm(answer.gradient), 60.0);
      for (int j = 0; j < 12; ++j) ck_assert(isfinite(by_q[j]));
      if (i > 0) ck_assert_double_lt(fabs(value - last), 0.15); /* 60 a unit of strain */
      last = value;
    }
  }
  double nothing[12] = {NAN};
  tac_deformed_pose_set(pose, nothing);
  tac_deformed_pose_value(pose, tac_vec3(0.0, 0.0, 0.0)); /* returns */
  ck_assert(tac_deformed_pose_value(pose, tac_vec3(NAN, 0.0, 0.0)) == INFINITY);
}

/* ---- gradients ---- */

/* Central differences, where nothing switches between both places: told by those of half the step agreeing. */
static void check_gradients(tacDeformedPose *pose, int r, tacVec3 x, double *q, int *compared) {
  enum { MOST = 16 };
  double by_q[MOST], e = 1e-6;
  tac_deformed_pose_set(pose, q);
  tacDeformedAnswer answer = tac_deformed_pose_gradient(pose, x, by_q),
                    without = tac_deformed_pose_gradient(pose, x, NULL);
  ck_assert_double_eq(answer.value, without.value);
  ck_assert_double_lt(tac_vec3_distance(answer.gradient, without.gradient), 1e-15);
  ck_assert_double_lt(fabs(answer.value - tac_deformed_pose_value(pose, x)), 1e-13);
  const double gradient[3] = {answer.gradient.x, answer.gradient.y, answer.gradient.z};
  for (int i = 0; i < 3 + r; ++i) {
    double side[4];
    for (int s = 0; s < 4; ++s) {
      double step = (s < 2 ? e : 0.5 * e) * (s % 2 == 0 ? 1.0 : -1.0), moved[MOST];
      tacVec3 at = x;
      memcpy(moved, q, (size_t)r * sizeof *moved);
      if (i == 0) at.x += step;
      if (i == 1) at.y += step;
      if (i == 2) at.z += step;
      if (i >= 3) moved[i - 3] += step;
      tac_deformed_pose_set(pose, moved);
      side[s] = tac_deformed_pose_value(pose, at);
    }
    double whole = (side[0] - side[1]) / (2.0 * e), half = (side[2] - side[3]) / e;
    if (fabs(whole - half) > 1e-7 * (1.0 + fabs(whole))) continue; /* a kink: cells, neighbours, domains */
    double analytic = i < 3 ? gradient[i] : by_q[i - 3];
    ck_assert_msg(fabs(analytic - half) < 1e-5 * (1.0 + fabs(half)), "component %d: %.9g, differences say %.9g", i,
                  analytic, half);
    ++*compared;
  }
}

TAC_TEST(gradients_are_those_of_the_value) {
  tacRandom random = tac_random_seed(6);
  enum { R = 6 };
  int trials = tac_test_light() ? 60 : 600, compared = 0;
  for (int k = 1; k <= 6; ++k) {
    TAC_OWN(tacDeformedField, field) = make_bending(R, 40, k);
    TAC_OWN(tacDeformedPose, pose) = pose_of(field);
    for (int i = 0; i < trials / 6; ++i) {
      double q[R];
      for (int j = 0; j < R; ++j) q[j] = tac_random_uniform(&random, -0.3, 0.3);
      check_gradients(pose, R, tac_random_in_cube(&random, i % 4 == 0 ? 1.6 : 0.6), q, &compared);
    }
  }
  ck_assert_int_gt(compared, 5 * trials);
  /* Nearly flat ones, where the inverse is blended. */
  TAC_OWN(tacDeformedField, field) = make_affine(12, 5);
  TAC_OWN(tacDeformedPose, pose) = pose_of(field);
  compared = 0;
  for (int i = 0; i < trials / 6; ++i) {
    double q[12];
    tacMat3 turn = rotation_of(tac_mat3_skew(tac_vec3_scale(1.0, random_unit(&random))));
    tacMat3 f = tac_mat3_mul(turn, tac_mat3_diagonal(1.0, 0.9, tac_random_uniform(&random, 0.05, 0.3)));
    affine_q(tac_mat3_sub(f, tac_mat3_identity()), tac_vec3(0.0, 0.0, 0.0), q);
    check_gradients(pose, 12, tac_random_in_cube(&random, 0.3), q, &compared);
  }
  ck_assert_int_gt(compared, trials / 6 * 10);
}

/* ---- reach ---- */

/* No place within the reach has a negative value: random ones, others on the way to where values fall, and those that
 * are nearest to proxies and to images of the solid. */
static void check_all(const tacDeformedField *field, const tacDeformedPose *pose, tacVec3 x, double reach,
                      tacRandom *random) {
  check_reach(pose, x, reach, 20, 0.2, random);
  for (int d = 0; d < tac_deformed_field_domain_count(field); ++d)
    for (int i = 0; i < tac_deformed_field_proxy_count(field, d); ++i) {
      check_place(pose, x, tac_deformed_pose_push_forward(pose, d, i, tac_deformed_field_proxy(field, d, i)), reach);
      for (int s = 0; s < 2; ++s)
        check_place(pose, x, tac_deformed_pose_push_forward(pose, d, i, tac_random_in_box(random, made_bar)), reach);
    }
}

static tacDeformedField *make_kind(int kind) {
  return kind == 0   ? make_bending(6, 40, 5)
         : kind == 1 ? make_two_domains(6, 20, 5)
                     : make_scattered(6, kind == 2 ? 12 : 30, kind == 2 ? 2 : 5);
}

TAC_TEST(reach_is_never_too_far) {
  tacRandom random = tac_random_seed(7);
  enum { R = 6 };
  int trials = tac_test_light() ? 25 : 300, measured = 0;
  double share = 0.0;
  for (int kind = 0; kind < 4; ++kind) {
    TAC_OWN(tacDeformedField, field) = make_kind(kind);
    TAC_OWN(tacDeformedPose, pose) = pose_of(field);
    for (int i = 0; i < trials; ++i) {
      double q[R], size = i % 5 == 0 ? 0.6 : 0.3;
      for (int j = 0; j < R; ++j) q[j] = tac_random_uniform(&random, -size, size);
      tac_deformed_pose_set(pose, q);
      tacVec3 x = tac_random_in_cube(&random, i % 3 == 0 ? 2.0 : 0.8);
      double radius = tac_random_uniform(&random, 0.0, 0.3), more = tac_random_uniform(&random, 0.0, 0.5);
      double reach = reach_of(pose, x, radius, more);
      ck_assert_double_le(reach, radius + more);
      if (!(reach > 0.0)) continue;
      ++measured;
      share += reach / fmin(radius + more, fmax(tac_deformed_pose_value(pose, x), 1e-3));
      check_all(field, pose, x, reach, &random);
    }
  }
  ck_assert_int_gt(measured, trials);
  ck_assert_double_gt(share / measured, 0.2); /* and tells something */
}

/* Many places at once: clusters with lists of proxies in common, and single ones. A look tells a reach that holds, or the
 * value where there may be contact, to the last bit that of a look at this place alone. */
TAC_TEST(batched_queries_equal_single_ones) {
  tacRandom random = tac_random_seed(17);
  enum { R = 6, MOST = 100 };
  int trials = tac_test_light() ? 4 : 30, measured = 0, inside = 0;
  for (int kind = 0; kind < 4; ++kind) {
    TAC_OWN(tacDeformedField, field) = make_kind(kind);
    TAC_OWN(tacDeformedPose, pose) = pose_of(field);
    for (int trial = 0; trial < trials; ++trial) {
      double q[R], radii[MOST], more = tac_random_uniform(&random, 0.0, 0.3), spread = 0.0;
      tacVec3 x[MOST], centre = {0.0, 0.0, 0.0};
      tacDeformedLook looks[MOST], alone;
      for (int j = 0; j < R; ++j) q[j] = tac_random_uniform(&random, -0.3, 0.3);
      tac_deformed_pose_set(pose, q);
      for (int i = 0; i < MOST; ++i) {
        if (tac_random_uniform(&random, 0.0, 1.0) < 0.1) centre = tac_random_in_cube(&random, 0.8);
        if (tac_random_uniform(&random, 0.0, 1.0) < 0.1) spread = pow(10.0, tac_random_uniform(&random, -4.0, -0.5));
        x[i] = tac_vec3_add(centre, tac_random_in_cube(&random, spread));
        radii[i] = i % 4 == 0 ? INFINITY : i % 4 == 1 ? 0.0 : tac_random_uniform(&random, 0.0, 0.2);
      }
      tac_deformed_pose_look(pose, MOST, x, radii, more, looks);
      for (int i = 0; i < MOST; ++i) {
        double value = tac_deformed_pose_value(pose, x[i]);
        ck_assert(looks[i].reach <= radii[i] + more);
        ck_assert(value >= 0.0 || looks[i].reach < radii[i] || radii[i] == 0.0);
        if (looks[i].reach > 0.0 && looks[i].reach >= radii[i]) {
          ck_assert_double_ge(value, 0.0);
          if (i % 10 == trial % 10) check_all(field, pose, x[i], looks[i].reach, &random);
          ++measured;
          continue;
        }
        if (value < 0.0) {
          tacDeformedAnswer answer = tac_deformed_pose_gradient(pose, x[i], NULL);
          ck_assert_double_eq(looks[i].value, value);
          ck_assert_int_eq(looks[i].domain, answer.domain);
          ck_assert_int_eq(looks[i].proxy, answer.proxy);
          ++inside;
        } else {
          ck_assert_double_ge(looks[i].value, 0.0);
        }
        if (radii[i] == INFINITY) ck_assert_double_eq(looks[i].value, value);
        double smaller = radii[i] == INFINITY ? 0.01 : 0.5 * radii[i];
        tac_deformed_pose_look(pose, 1, &x[i], &smaller, more, &alone);
        ck_assert(alone.reach <= looks[i].bound);
      }
    }
  }
  ck_assert_int_gt(measured, 100 * trials);
  ck_assert_int_gt(inside, 10 * trials);
}

/* Values of many places at once have the bits of each alone, wherever they are. */
TAC_TEST(values_of_many_places_are_those_of_each) {
  enum { COUNT = 101 };
  tacRandom random = tac_random_seed(18);
  for (int f = 0; f < 2; ++f) {
    TAC_OWN(tacDeformedField, field) = f == 0 ? make_bending(6, 40, 5) : make_bending(6, 200, 3);
    TAC_OWN(tacDeformedPose, pose) = pose_of(field);
    for (int trial = 0; trial < 20; ++trial) {
      double q[6], values[COUNT];
      tacVec3 x[COUNT];
      for (int i = 0; i < 6; ++i) q[i] = 0.1 * tac_random_normal(&random);
      for (int i = 0; i < COUNT; ++i) x[i] = tac_random_in_cube(&random, 2.0);
      if (trial % 4 == 3) x[COUNT / 2].y = trial % 8 == 3 ? NAN : 1e30;
      tac_deformed_pose_set(pose, q);
      int count = trial % 2 == 0 ? COUNT : trial;
      tac_deformed_pose_values(pose, count, x, values);
      for (int i = 0; i < count; ++i) ck_assert(values[i] == tac_deformed_pose_value(pose, x[i]));
    }
  }
}

/* What was out of reach before a change of q by more than the change says is not in contact after. */
TAC_TEST(changes_of_reach_are_bounded) {
  tacRandom random = tac_random_seed(8);
  enum { R = 6 };
  int trials = tac_test_light() ? 25 : 300, measured = 0;
  for (int kind = 0; kind < 4; ++kind) {
    TAC_OWN(tacDeformedField, field) = make_kind(kind);
    TAC_OWN(tacDeformedPose, pose) = pose_of(field);
    int near = 0;
    for (int i = 0; i < trials; ++i) {
      double q[R];
      for (int j = 0; j < R; ++j) q[j] = tac_random_uniform(&random, -0.3, 0.3);
      tac_deformed_pose_set(pose, q);
      ck_assert_double_eq(tac_deformed_pose_set(pose, q), 0.0);
      tacVec3 x = tac_random_in_cube(&random, 0.8);
      double reach = reach_of(pose, x, 0.0, 1.0), change = pow(10.0, tac_random_uniform(&random, -4.0, -1.0));
      for (int j = 0; j < R; ++j) q[j] += tac_random_uniform(&random, -change, change);
      double lost = tac_deformed_pose_set(pose, q);
      ck_assert_double_gt(lost, 0.0);
      near += lost < 40.0 * change;
      if (!(reach - lost > 0.0)) continue;
      ++measured;
      check_all(field, pose, x, reach - lost, &random);
    }
    /* And no more than needed, roughly. Where a proxy is squeezed flat, much is needed. */
    if (kind < 2) ck_assert_int_gt(near, trials * 9 / 10);
  }
  ck_assert_int_gt(measured, trials / 2);
}

/* A proxy that takes no part at x, but a little farther away does, and makes the value negative there. */
TAC_TEST(reach_stops_at_the_next_proxy) {
  tacRandom random = tac_random_seed(15);
  TAC_OWN(tacDeformedField, field) = make_row();
  TAC_OWN(tacDeformedPose, pose) = pose_of(field);
  const double one = 1.0;
  tac_deformed_pose_set(pose, &one);
  tacVec3 x = {0.05, 0.0, 0.0};
  double reach = reach_of(pose, x, 0.0, 1.0), contact = 0.0;
  while (contact < 0.2 && tac_deformed_pose_value(pose, tac_vec3(x.x + contact, 0.0, 0.0)) >= 0.0) contact += 1e-4;
  ck_assert_double_lt(contact, 0.12);
  ck_assert_double_lt(reach, contact);
  ck_assert_double_gt(reach, 0.06); /* half of what the last proxy is farther away than the second, 0.07 */
  check_all(field, pose, x, reach, &random);
  /* Several places have a list of proxies in common, without the last one. */
  for (int i = 0; i < 60; ++i) {
    const double radii[4] = {0.0, 0.0, 0.0, 0.0}, more = 0.05 * (1 + i % 6);
    tacVec3 places[4];
    tacDeformedLook looks[4];
    for (int c = 0; c < 4; ++c) places[c] = tac_vec3(0.01 * (i / 6) - 0.05 + 0.001 * c, 0.0, 0.0);
    tac_deformed_pose_look(pose, 4, places, radii, more, looks);
    for (int c = 0; c < 4; ++c) check_all(field, pose, places[c], fmax(looks[c].reach, 0.0), &random);
  }
}

/* Squeezed to 0.4 of its height, the bar is nearer than it looks at rest: 0.4 of it. */
TAC_TEST(squeezed_bodies_have_smaller_reach) {
  tacRandom random = tac_random_seed(16);
  TAC_OWN(tacDeformedField, field) = make_affine(20, 5);
  TAC_OWN(tacDeformedPose, pose) = pose_of(field);
  double q[12];
  affine_q(tac_mat3_diagonal(0.0, 0.0, -0.6), tac_vec3(0.0, 0.0, 0.0), q);
  tac_deformed_pose_set(pose, q);
  for (int i = 0; i < 20; ++i) {
    tacVec3 x = {tac_random_uniform(&random, -0.4, 0.4), 0.0, 0.4 * made_bar.upper.z + 0.01 + 0.01 * i};
    double gap = x.z - 0.4 * made_bar.upper.z, reach = reach_of(pose, x, 0.0, 1.0);
    ck_assert_double_le(reach, gap + 1e-6); /* samples are floats */
    ck_assert_double_gt(reach, 0.5 * gap);
    check_all(field, pose, x, reach, &random);
  }
}

/* Bodies that move and turn towards x by most of what is free: exactly what bounds must hold for. */
TAC_TEST(bounds_hold_for_motion_towards_the_point) {
  tacRandom random = tac_random_seed(10);
  int measured = 0, trials = tac_test_light() ? 40 : 400;
  for (int kind = 0; kind < 2; ++kind) {
    TAC_OWN(tacDeformedField, field) = kind == 0 ? make_affine(20, 5) : make_pivot();
    TAC_OWN(tacDeformedPose, pose) = pose_of(field);
    for (int i = 0; i < trials; ++i) {
      double q[12] = {0.0};
      tac_deformed_pose_set(pose, q);
      tacVec3 x = tac_random_in_cube(&random, 0.7), axis = random_unit(&random);
      if (kind == 1 && i % 2 == 0) { /* above the end, which turns up */
        x = tac_vec3(0.45, 0.0, made_bar.upper.z + tac_random_uniform(&random, 0.02, 0.2));
        axis = tac_vec3(0.0, -1.0, 0.0);
      }
      double reach = reach_of(pose, x, 0.0, 1.0);
      if (!(reach > 0.0)) continue;
      tacMat3 turn = rotation_of(tac_mat3_skew(tac_vec3_scale(tac_random_uniform(&random, 0.0, reach), axis)));
      double *entries = q + (kind == 0 ? 3 : 0);
      for (int c = 0; (kind == 1 || i % 2 == 0) && c < 9; ++c) entries[c] = turn.m[c / 3][c % 3] - (c % 4 == 0);
      tacVec3 closest = tac_vec3_max(made_bar.lower, tac_vec3_min(x, made_bar.upper));
      tacVec3 t = tac_vec3_scale(tac_random_uniform(&random, 0.3, 0.9), tac_vec3_sub(x, closest));
      if (kind == 0 && i % 2 == 1) affine_q(tac_mat3_zero(), t, q);
      double lost = tac_deformed_pose_set(pose, q);
      if (!(reach > lost)) continue;
      ++measured;
      check_all(field, pose, x, reach - lost, &random);
    }
  }
  ck_assert_int_gt(measured, trials / 2);
}

/* A proxy that turns inside out: everything may be in reach, and is told so. */
TAC_TEST(reach_survives_inversion) {
  tacRandom random = tac_random_seed(9);
  TAC_OWN(tacDeformedField, field) = make_affine(12, 5);
  TAC_OWN(tacDeformedPose, pose) = pose_of(field);
  for (int i = 0; i < 200; ++i) {
    double q[12];
    tacMat3 f = tac_mat3_diagonal(1.0, 1.0, tac_random_uniform(&random, -1.0, 0.25));
    affine_q(tac_mat3_sub(f, tac_mat3_identity()), tac_vec3(0.0, 0.0, 0.0), q);
    ck_assert(isfinite(tac_deformed_pose_set(pose, q)));
    tacVec3 x = tac_random_in_cube(&random, 1.5);
    double reach = reach_of(pose, x, 0.1, 0.5);
    if (reach > 0.0) check_all(field, pose, x, reach, &random);
  }
}

/* ---- parts and files ---- */

TAC_TEST(mismatched_parts_are_refused) {
  TAC_FREED(free_proxies, MadeProxies, made) = bending_proxies(3, 10);
  TAC_OWN(tacDistanceField, grid) = make_bar_field();
  TAC_CREATE(tacDistanceField, analytic, tac_distance_field_sphere(tac_vec3(0, 0, 0), 1.0, &analytic, &error));
  const struct {
    int r, nearest, domains, proxies;
    tacDistanceField *domain;
    const char *words;
  } faults[] = {{0, 5, 1, 10, grid, "deformed field (0)"},
                {3, 0, 1, 10, grid, "nearest proxies (0)"},
                {3, 17, 1, 10, grid, "nearest proxies (17)"},
                {3, 5, 0, 10, grid, "deformed field (0)"},
                {3, 5, 65, 10, grid, "deformed field (65)"},
                {3, 5, 1, 10, analytic, "not a grid"},
                {3, 5, 1, 0, grid, "0 proxies"},
                {3, 5, 1, 257, grid, "257 proxies"},
                {3, 5, 1, 10, grid, "NaN or infinite"}};
  made.gradients[5] = NAN; /* the last thing that is looked at */
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    tacDistanceField *domains[1] = {faults[i].domain};
    tacProxyParts parts = proxy_parts(&made);
    tacDeformedField *field = NULL;
    parts.proxy_count = faults[i].proxies;
    tac_test_refused(
        tac_deformed_field_create(faults[i].r, faults[i].nearest, faults[i].domains, domains, &parts, &field, &error),
        TAC_ERR_ARGUMENT, error, faults[i].words);
    ck_assert_ptr_null(field);
  }
  tac_deformed_field_destroy(NULL);
  tac_deformed_pose_destroy(NULL);
}

static void compare(const tacDeformedField *a, const tacDeformedField *b, int r) {
  ck_assert_int_eq(tac_deformed_field_coordinates(a), r);
  ck_assert_int_eq(tac_deformed_field_coordinates(b), r);
  ck_assert_int_eq(tac_deformed_field_domain_count(a), tac_deformed_field_domain_count(b));
  for (int d = 0; d < tac_deformed_field_domain_count(a); ++d) {
    ck_assert_int_eq(tac_deformed_field_proxy_count(a, d), tac_deformed_field_proxy_count(b, d));
    for (int i = 0; i < tac_deformed_field_proxy_count(a, d); ++i)
      ck_assert_double_eq(tac_vec3_distance(tac_deformed_field_proxy(a, d, i), tac_deformed_field_proxy(b, d, i)), 0.0);
  }
  TAC_OWN(tacDeformedPose, of_a) = pose_of(a);
  TAC_OWN(tacDeformedPose, of_b) = pose_of(b);
  tacRandom random = tac_random_seed(11);
  for (int i = 0; i < 50; ++i) {
    double q[16], by_a[16], by_b[16];
    for (int j = 0; j < r; ++j) q[j] = tac_random_uniform(&random, -0.3, 0.3);
    ck_assert_double_eq(tac_deformed_pose_set(of_a, q), tac_deformed_pose_set(of_b, q));
    tacVec3 x = tac_random_in_cube(&random, 1.2);
    tacDeformedAnswer at_a = tac_deformed_pose_gradient(of_a, x, by_a),
                      at_b = tac_deformed_pose_gradient(of_b, x, by_b);
    ck_assert_double_eq(at_a.value, at_b.value);
    ck_assert_mem_eq(by_a, by_b, (size_t)r * sizeof *by_a);
    ck_assert_double_eq(reach_of(of_a, x, 0.1, 0.3), reach_of(of_b, x, 0.1, 0.3));
  }
}

TAC_TEST(files_keep_every_bit) {
  const char *path = tac_test_path("a.deformed");
  for (int kind = 0; kind < 2; ++kind) {
    TAC_OWN(tacDeformedField, field) = kind == 0 ? make_bending(6, 40, 5) : make_two_domains(6, 20, 4);
    tac_test_ok(tac_deformed_field_write(field, path, &error), error);
    TAC_CREATE(tacDeformedField, read, tac_deformed_field_read(path, &read, &error));
    compare(field, read, 6);
  }
}

TRY_READ(tacDeformedField, tac_deformed_field_read)

TAC_TEST(broken_files_are_refused) {
  const char *good = tac_test_path("good.deformed");
  TAC_OWN(tacDeformedField, field) = make_small_deformed();
  tac_deformed_field_set_checks(field, &some_checks);
  tac_test_ok(tac_deformed_field_write(field, good, &error), error);
  ck_assert_int_eq(check_chunks(try_read, good, NULL, NULL), 13);
  check_other(try_read, "deformed field", "green");
  check_cut(try_read, good, 50);
}

TAC_TEST_EVERY_WIDTH()
