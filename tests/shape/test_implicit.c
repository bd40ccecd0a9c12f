#include "math/random.h"
#include "shape/implicit.h"
#include "test.h"

/* The solids whose distance is exact, all with extent about 1. */
static double a_sphere(tacVec3 p) {
  return tac_implicit_sphere(p, tac_vec3(0.1, 0.2, -0.1), 0.6);
}
static double a_box(tacVec3 p) {
  return tac_implicit_box(p, tac_vec3(0.1, 0.0, 0.0), tac_vec3(0.6, 0.4, 0.3), 0.1);
}
static double a_capsule(tacVec3 p) {
  return tac_implicit_capsule(p, tac_vec3(-0.5, 0.0, 0.1), tac_vec3(0.4, 0.3, 0.0), 0.3);
}
static double a_cone(tacVec3 p) {
  return tac_implicit_cone(p, tac_vec3(-0.5, 0.0, 0.1), tac_vec3(0.4, 0.3, 0.0), 0.4, 0.15);
}
static double a_cylinder(tacVec3 p) {
  return tac_implicit_cylinder(p, tac_vec3(-0.4, 0.0, 0.1), tac_vec3(0.4, 0.3, 0.0), 0.4, 0.1);
}
static double a_torus(tacVec3 p) {
  return tac_implicit_torus(p, tac_vec3(0.1, 0.0, 0.0), tac_vec3(0.6, 0.0, 0.8), 0.6, 0.2);
}
static double an_extrusion(tacVec3 p) {
  static const double corners[][2] = {{-0.5, -0.4}, {0.5, -0.4}, {0.3, 0.1}, {0.0, -0.1}, {-0.3, 0.5}};
  return tac_implicit_extrude(tac_implicit_polygon(p.x, p.y, 5, corners), p.z, 0.4, 0.0);
}
static double a_helix(tacVec3 p) {
  return tac_implicit_helix(p, 0.6, 0.3, 2.5) - 0.1;
}

/* A function with |grad| = 1 everywhere but on kinks, and zero on the surface, is the distance to the surface. The gradient
 * is judged by two difference steps; where they differ there is a kink. */
TAC_TEST(exact_solids_have_slope_one) {
  const tacSolidFn solids[] = {a_sphere, a_box, a_capsule, a_cone, a_cylinder, a_torus, an_extrusion, a_helix};
  int points = tac_test_light() ? 500 : 20000;
  for (size_t s = 0; s < sizeof solids / sizeof *solids; ++s) {
    tacRandom random = tac_random_seed(s + 1);
    int judged = 0;
    for (int i = 0; i < points; ++i) {
      tacVec3 p = tac_random_in_box(&random, (tacBox){{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}});
      if (p.x * p.x + p.y * p.y < 0.16 * 0.16 && solids[s] == a_helix) continue; /* not exact near its axis */
      tacVec3 g[2];
      for (int k = 0; k < 2; ++k) {
        double h = k == 0 ? 1e-5 : 1e-6;
        g[k].x = (solids[s](tac_vec3(p.x + h, p.y, p.z)) - solids[s](tac_vec3(p.x - h, p.y, p.z))) / (2.0 * h);
        g[k].y = (solids[s](tac_vec3(p.x, p.y + h, p.z)) - solids[s](tac_vec3(p.x, p.y - h, p.z))) / (2.0 * h);
        g[k].z = (solids[s](tac_vec3(p.x, p.y, p.z + h)) - solids[s](tac_vec3(p.x, p.y, p.z - h))) / (2.0 * h);
      }
      if (tac_vec3_distance(g[0], g[1]) > 1e-4) continue;
      ck_assert_msg(fabs(tac_vec3_norm(g[0]) - 1.0) < 1e-4, "solid %zu has slope %g at %g %g %g", s,
                    tac_vec3_norm(g[0]), p.x, p.y, p.z);
      ++judged;
    }
    ck_assert_int_gt(judged, points * 9 / 10);
  }
}

TAC_TEST(stated_dimensions_are_on_the_surface) {
  const double none = 1e-15;
  ck_assert_double_eq_tol(a_sphere(tac_vec3(0.7, 0.2, -0.1)), 0.0, none);
  ck_assert_double_eq_tol(a_box(tac_vec3(0.7, 0.1, 0.1)), 0.0, none);
  ck_assert_double_eq_tol(a_box(tac_vec3(0.0, 0.0, -0.3)), 0.0, none);
  double c = 0.1 / sqrt(3.0); /* on the rounded corner */
  ck_assert_double_eq_tol(a_box(tac_vec3(0.6 + c, 0.3 + c, 0.2 + c)), 0.0, none);
  ck_assert_double_eq_tol(a_torus(tac_vec3(0.1 + 0.8 * 0.8, 0.0, -0.6 * 0.8)), 0.0, none);
  tacVec3 a = {0.0, 0.0, 0.0}, b = {0.0, 0.0, 2.0};
  ck_assert_double_eq_tol(tac_implicit_cylinder(tac_vec3(0.5, 0.0, 1.0), a, b, 0.5, 0.1), 0.0, none);
  ck_assert_double_eq_tol(tac_implicit_cylinder(tac_vec3(0.2, 0.0, 2.0), a, b, 0.5, 0.1), 0.0, none);
  ck_assert_double_eq_tol(tac_implicit_cone(tac_vec3(0.0, 0.0, 2.2), a, b, 0.5, 0.2), 0.0, none);
  ck_assert_double_eq_tol(tac_implicit_cone(tac_vec3(0.0, 0.0, -0.5), a, b, 0.5, 0.2), 0.0, none);
}

TAC_TEST(ellipsoid_is_the_distance_to_first_order) {
  const tacVec3 radii = {0.7, 0.4, 0.2}, centre = {0.1, -0.2, 0.3};
  tacRandom random = tac_random_seed(7);
  for (int i = 0; i < 1000; ++i) {
    tacVec3 u = tac_vec3_unit(tac_random_normal3(&random));
    tacVec3 on = tac_vec3(centre.x + radii.x * u.x, centre.y + radii.y * u.y, centre.z + radii.z * u.z);
    tacVec3 normal = tac_vec3_unit(tac_vec3(u.x / radii.x, u.y / radii.y, u.z / radii.z));
    ck_assert_double_eq_tol(tac_implicit_ellipsoid(on, centre, radii), 0.0, 1e-14);
    ck_assert_double_eq_tol(tac_implicit_ellipsoid(tac_vec3_mad(on, 1e-4, normal), centre, radii), 1e-4, 2e-6);
    ck_assert_double_eq_tol(tac_implicit_ellipsoid(tac_vec3_mad(on, -1e-4, normal), centre, radii), -1e-4, 2e-6);
  }
}

/* Distance from p to the nearest of many points of a curve: not below the distance to the curve, and above it by at most
 * (half their spacing)^2 / (2 distance). */
#define CURVE_SAMPLES 4000
static double sampled_distance(tacVec3 p, const tacVec3 *samples) {
  double best = INFINITY;
  for (int i = 0; i <= CURVE_SAMPLES; ++i) best = fmin(best, tac_vec3_norm2(tac_vec3_sub(p, samples[i])));
  return sqrt(best);
}

static void check_curve(double (*curve)(tacVec3 p), const tacVec3 *samples, double clear_of_axis) {
  tacRandom random = tac_random_seed(3);
  int points = tac_test_light() ? 100 : 2000;
  for (int i = 0; i < points; ++i) {
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-2.0, -2.0, -2.0}, {2.0, 2.0, 2.0}});
    if (sqrt(p.x * p.x + p.y * p.y) < clear_of_axis) continue;
    ck_assert_double_eq_tol(curve(p), sampled_distance(p, samples), 1e-4);
  }
}

static double an_arc(tacVec3 p) {
  return tac_implicit_arc(p, tac_vec3(0.2, 0.1, 0.0), tac_vec3(0.0, 0.6, 0.8), tac_vec3(1.0, 0.0, 0.0), 0.9, 4.0);
}
static double a_bezier(tacVec3 p) {
  return tac_implicit_bezier(p, tac_vec3(-1.0, 0.0, 0.3), tac_vec3(0.3, 1.2, -0.5), tac_vec3(0.8, -0.9, 0.4), NULL);
}
static double a_straight_bezier(tacVec3 p) {
  return tac_implicit_bezier(p, tac_vec3(-1.0, -0.5, 0.0), tac_vec3(0.0, 0.0, 0.0), tac_vec3(1.0, 0.5, 0.0), NULL);
}
static double a_bare_helix(tacVec3 p) {
  return tac_implicit_helix(p, 0.9, 0.5, 2.25);
}

TAC_TEST(curves_are_as_far_as_their_nearest_sample) {
  static tacVec3 samples[CURVE_SAMPLES + 1];
  for (int i = 0; i <= CURVE_SAMPLES; ++i) {
    double s = 4.0 * i / CURVE_SAMPLES;
    samples[i] = tac_vec3(0.2 + 0.9 * sin(s), 0.1 + 0.54 * cos(s), 0.72 * cos(s));
  }
  check_curve(an_arc, samples, 0.0);
  for (int i = 0; i <= CURVE_SAMPLES; ++i) {
    double t = (double)i / CURVE_SAMPLES, a = (1.0 - t) * (1.0 - t), b = 2.0 * t * (1.0 - t), c = t * t;
    samples[i] = tac_vec3(-a + 0.3 * b + 0.8 * c, 1.2 * b - 0.9 * c, 0.3 * a - 0.5 * b + 0.4 * c);
  }
  check_curve(a_bezier, samples, 0.0);
  for (int i = 0; i <= CURVE_SAMPLES; ++i) {
    double t = 2.0 * i / CURVE_SAMPLES - 1.0;
    samples[i] = tac_vec3(t, 0.5 * t, 0.0);
  }
  check_curve(a_straight_bezier, samples, 0.0);
  for (int i = 0; i <= CURVE_SAMPLES; ++i) {
    double s = 2.25 * 6.283185307179586 * i / CURVE_SAMPLES;
    samples[i] = tac_vec3(0.9 * cos(s), 0.9 * sin(s), 0.5 * s / 6.283185307179586);
  }
  check_curve(a_bare_helix, samples, 0.25);
}

TAC_TEST(spline_begins_and_ends_at_its_first_and_last_point) {
  const tacVec3 points[] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 1.0, 0.0}, {1.0, 1.0, 1.0}};
  double at;
  ck_assert_double_eq_tol(tac_implicit_spline(points[0], 4, points, &at), 0.0, 1e-12);
  ck_assert_double_eq_tol(at, 0.0, 1e-9);
  ck_assert_double_eq_tol(tac_implicit_spline(points[3], 4, points, &at), 0.0, 1e-12);
  ck_assert_double_eq_tol(at, 1.0, 1e-9);
  ck_assert_double_eq_tol(tac_implicit_spline(tac_vec3(1.0, 0.5, 0.0), 4, points, &at), 0.0,
                          1e-9); /* where pieces meet */
  ck_assert_double_eq_tol(at, 0.5, 1e-6);
}

TAC_TEST(polygon_is_negative_inside_and_exact_at_corners) {
  const double corners[][2] = {{0.0, 0.0}, {2.0, 0.0}, {2.0, 2.0}, {1.0, 1.0}, {0.0, 2.0}}; /* a notch at (1, 1) */
  ck_assert_double_eq_tol(tac_implicit_polygon(1.0, 0.5, 5, corners), -0.5, 1e-15);
  ck_assert_double_eq_tol(tac_implicit_polygon(1.0, 2.0, 5, corners), sqrt(0.5), 1e-15);
  ck_assert_double_eq_tol(tac_implicit_polygon(-3.0, -4.0, 5, corners), 5.0, 1e-15);
  const double backwards[][2] = {{0.0, 2.0}, {1.0, 1.0}, {2.0, 2.0}, {2.0, 0.0}, {0.0, 0.0}};
  ck_assert_double_eq_tol(tac_implicit_polygon(1.0, 0.5, 5, backwards), -0.5, 1e-15);
}

/* At a right angle the fillet is the parabola sqrt(x) + sqrt(y) = sqrt(reach). */
TAC_TEST(smooth_union_fills_a_corner_with_a_parabola) {
  const double reach = 0.3;
  for (double t = 0.0; t <= 1.0; t += 0.05) {
    double x = reach * t * t, y = reach * (1.0 - t) * (1.0 - t);
    ck_assert_double_eq_tol(tac_implicit_union(x, y, reach), 0.0, 1e-15);
    ck_assert_double_eq_tol(tac_implicit_intersection(-x, -y, reach), 0.0, 1e-15);
    ck_assert_double_eq_tol(tac_implicit_difference(-x, y, reach), 0.0, 1e-15);
  }
  ck_assert_double_eq(tac_implicit_union(0.1, 0.5, reach), 0.1);
  ck_assert_double_eq(tac_implicit_difference(0.1, -0.5, reach), 0.5);
}

TAC_TEST(turning_moves_the_solid_by_the_angle) {
  const double quarter = 1.5707963267948966;
  /* A solid at +y, turned about x by a quarter, is at +z. */
  tacVec3 p = tac_implicit_turn_x(tac_vec3(0.0, 0.0, 1.0), quarter);
  ck_assert_double_eq_tol(tac_vec3_distance(p, tac_vec3(0.0, 1.0, 0.0)), 0.0, 1e-15);
  p = tac_implicit_turn_y(tac_vec3(1.0, 0.0, 0.0), quarter);
  ck_assert_double_eq_tol(tac_vec3_distance(p, tac_vec3(0.0, 0.0, 1.0)), 0.0, 1e-15);
  p = tac_implicit_turn_z(tac_vec3(0.0, 1.0, 0.0), quarter);
  ck_assert_double_eq_tol(tac_vec3_distance(p, tac_vec3(1.0, 0.0, 0.0)), 0.0, 1e-15);
}

TAC_TEST(noise_is_bounded_smooth_and_zero_on_its_lattice) {
  tacRandom random = tac_random_seed(11);
  double largest = 0.0;
  for (int i = 0; i < 20000; ++i) {
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-20.0, -20.0, -20.0}, {20.0, 20.0, 20.0}});
    tacVec3 q = tac_vec3_mad(p, 1e-3, tac_vec3_unit(tac_random_normal3(&random)));
    double value = tac_implicit_noise(p);
    largest = fmax(largest, fabs(value));
    ck_assert_double_lt(fabs(tac_implicit_noise(q) - value), 4e-3);
  }
  ck_assert_double_lt(largest, 1.0);
  ck_assert_double_gt(largest, 0.5);
  ck_assert_double_eq(tac_implicit_noise(tac_vec3(3.0, -7.0, 2.0)), 0.0);
}
