#include "elastic/boundary/triangle_integral.h"

#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

static const tacBox cube = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};

static tacTriangleRules make_rules(void) {
  tacTriangleRules rules;
  tac_test_ok(tac_triangle_rules_fill(&rules, &error), error);
  return rules;
}

/* `thin` scales the height over the first side. */
static tacFlatTriangle random_triangle(tacRandom *random, double thin) {
  tacFlatTriangle triangle;
  for (;;) {
    tacVec3 c[3];
    for (int a = 0; a < 3; ++a) c[a] = tac_random_in_box(random, cube);
    tacVec3 foot = tac_vec3_mix(c[0], c[1], tac_random_uniform(random, -0.3, 1.3));
    c[2] = tac_vec3_mad(foot, thin, tac_vec3_sub(c[2], foot));
    if (tac_flat_triangle(c, &triangle) && triangle.area > 0.1 * thin) return triangle;
  }
}

static tacVec3 place_at(const tacFlatTriangle *t, double n0, double n1, double height) {
  tacVec3 p = tac_vec3_mad(tac_vec3_scale(n0, t->corner[0]), n1, t->corner[1]);
  return tac_vec3_mad(tac_vec3_mad(p, 1.0 - n0 - n1, t->corner[2]), height, t->e[2]);
}

/* Kelvin's U and T (elastic/boundary/kelvin.h) at one point. */
static void find_kernels(const tacKelvin *kelvin, tacVec3 r, tacVec3 normal, double u[3][3], double t[3][3]) {
  double length = tac_vec3_norm(r), slope = tac_vec3_dot(r, normal) / length, c = 1.0 - 2.0 * kelvin->poisson;
  const double e[3] = {r.x / length, r.y / length, r.z / length}, n[3] = {normal.x, normal.y, normal.z};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      u[i][j] = kelvin->u / length * ((i == j ? 3.0 - 4.0 * kelvin->poisson : 0.0) + e[i] * e[j]);
      t[i][j] = -kelvin->t / (length * length) *
                (slope * ((i == j ? c : 0.0) + 3.0 * e[i] * e[j]) - c * (e[i] * n[j] - e[j] * n[i]));
    }
}

/* ---- brute force: quarters until each is small against its distance, kernels point by point ---- */

typedef struct {
  double shape[3][3], share;
  int depth;
} Part;

static void add_part(const tacKelvin *kelvin, const tacTriangleRule *rule, const tacFlatTriangle *triangle, tacVec3 x,
                     const Part *part, tacKelvinIntegral *sum) {
  for (int q = 0; q < rule->count; ++q) {
    double n[3] = {0.0}, u[3][3], t[3][3];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) n[a] += rule->shape[q][b] * part->shape[b][a];
    double weight = (rule->weight[q][0] + rule->weight[q][1] + rule->weight[q][2]) * triangle->area * part->share;
    tacVec3 r = tac_vec3_sub(place_at(triangle, n[0], n[1], 0.0), x);
    find_kernels(kelvin, r, triangle->e[2], u, t);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          sum->u[a][i][j] += weight * n[a] * u[i][j];
          sum->t[a][i][j] += weight * n[a] * t[i][j];
        }
  }
}

static void add_parts(const tacKelvin *kelvin, const tacTriangleRule *rule, const tacFlatTriangle *triangle, tacVec3 x,
                      const Part *part, tacKelvinIntegral *sum) {
  tacVec3 c[3], centroid = {0.0, 0.0, 0.0};
  for (int a = 0; a < 3; ++a) {
    c[a] = place_at(triangle, part->shape[a][0], part->shape[a][1], 0.0);
    centroid = tac_vec3_mad(centroid, 1.0 / 3.0, c[a]);
  }
  double radius = 0.0;
  for (int a = 0; a < 3; ++a) radius = fmax(radius, tac_vec3_distance(c[a], centroid));
  if (part->depth == 0 || tac_vec3_distance(centroid, x) > 4.0 * radius) {
    add_part(kelvin, rule, triangle, x, part, sum);
    return;
  }
  for (int child = 0; child < 4; ++child) {
    Part quarter = {.share = 0.25 * part->share, .depth = part->depth - 1};
    for (int b = 0; b < 3; ++b)
      for (int a = 0; a < 3; ++a)
        quarter.shape[b][a] = child < 3 ? 0.5 * (part->shape[child][a] + part->shape[b][a])
                                        : 0.5 * (part->shape[(b + 1) % 3][a] + part->shape[(b + 2) % 3][a]);
    add_parts(kelvin, rule, triangle, x, &quarter, sum);
  }
}

static tacKelvinIntegral brute_force(const tacKelvin *kelvin, const tacTriangleRules *rules,
                                     const tacFlatTriangle *triangle, tacVec3 x) {
  tacKelvinIntegral sum;
  memset(&sum, 0, sizeof sum);
  Part whole = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, 1.0, 36};
  add_parts(kelvin, &rules->rule[TAC_TRIANGLE_RULE_COUNT - 1], triangle, x, &whole, &sum);
  return sum;
}

/* T has no unit; U is measured by its factor times a length. `own`: the corner at which x is, or -1. */
static void check_equal(const tacKelvin *kelvin, double length, const tacKelvinIntegral *found,
                        const tacKelvinIntegral *expected, int own, double tolerance) {
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        ck_assert_double_eq_tol(found->u[a][i][j], expected->u[a][i][j], tolerance * kelvin->u * length);
        ck_assert(isfinite(found->t[a][i][j]));
        if (a != own) ck_assert_double_eq_tol(found->t[a][i][j], expected->t[a][i][j], tolerance);
      }
}

static void check_closed(const tacFlatTriangle *triangle, tacVec3 x, int own, double tolerance) {
  const tacKelvin kelvin = tac_kelvin(3.0, 0.27);
  const tacTriangleRules rules = make_rules();
  tacKelvinIntegral found, expected = brute_force(&kelvin, &rules, triangle, x);
  tac_triangle_integral_closed(&kelvin, triangle, x, false, &found);
  check_equal(&kelvin, triangle->radius, &found, &expected, own, tolerance);
}

/* ---- tests ---- */

/* T is the traction that Hooke's law makes of U, by central differences of fourth order; U falls as 1 / R and is that of the force
 * as seen from the other point (Betti). */
TAC_TEST(traction_is_the_stress_of_the_displacement) {
  const double young = 2.0, poisson = 0.31, step = 1e-3, shear = young / (2.0 * (1.0 + poisson)),
               lame = 2.0 * shear * poisson / (1.0 - 2.0 * poisson);
  static const double way[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
  const tacKelvin kelvin = tac_kelvin(young, poisson);
  tacRandom random = tac_random_seed(2);
  for (int c = 0; c < 100; ++c) {
    double length = tac_random_uniform(&random, 0.5, 1.7);
    tacVec3 r = tac_vec3_scale(length, tac_vec3_unit(tac_random_normal3(&random)));
    tacVec3 n = tac_vec3_unit(tac_random_normal3(&random));
    double u[3][3], t[3][3], back[3][3], far[3][3], none[3][3], g[3][3][3] = {{{0.0}}}; /* [i][j][k]: of U_ij by r_k */
    find_kernels(&kelvin, r, n, u, t);
    find_kernels(&kelvin, tac_vec3_scale(-1.0, r), n, back, none);
    find_kernels(&kelvin, tac_vec3_scale(3.0, r), n, far, none);
    for (int k = 0; k < 12; ++k) {
      double near[3][3], by = way[k / 3] * step;
      find_kernels(&kelvin, tac_vec3_add(r, tac_vec3(k % 3 == 0 ? by : 0, k % 3 == 1 ? by : 0, k % 3 == 2 ? by : 0)), n,
                   near, none);
      for (int i = 0; i < 9; ++i) g[i / 3][i % 3][k % 3] += weight[k / 3] * near[i / 3][i % 3] / step;
    }
    for (int i = 0; i < 3; ++i) /* force along i at x, field at y */
      for (int j = 0; j < 3; ++j) {
        const double normal[3] = {n.x, n.y, n.z};
        double expected = lame * (g[i][0][0] + g[i][1][1] + g[i][2][2]) * normal[j];
        for (int k = 0; k < 3; ++k) expected += shear * (g[i][j][k] + g[i][k][j]) * normal[k];
        ck_assert_double_eq_tol(t[i][j], expected, 1e-8);
        ck_assert_double_eq_tol(u[i][j], back[j][i], 1e-15);
        ck_assert_double_eq_tol(u[i][j], 3.0 * far[i][j], 1e-14);
      }
  }
}

/* The whole force that a sphere about the load puts on what is inside it is minus the load: traction there is T. */
TAC_TEST(traction_balances_the_force) {
  const tacKelvin kelvin = tac_kelvin(2.0, 0.31);
  double sum[3][3] = {{0.0}}, u[3][3], t[3][3];
  enum { RINGS = 200, SECTORS = 8 }; /* equal areas; products of three cosines are exact around and 1/RINGS^2 along */
  for (int a = 0; a < RINGS * SECTORS; ++a) {
    double z = (2.0 * (a / SECTORS) + 1.0) / RINGS - 1.0, s = sqrt(1.0 - z * z);
    double angle = 2.0 * M_PI * (a % SECTORS + 0.5) / SECTORS;
    tacVec3 n = {s * cos(angle), s * sin(angle), z};
    find_kernels(&kelvin, n, n, u, t);
    for (int i = 0; i < 9; ++i) sum[i / 3][i % 3] += t[i / 3][i % 3] * 4.0 * M_PI / (RINGS * SECTORS);
  }
  for (int i = 0; i < 9; ++i) ck_assert_double_eq_tol(sum[i / 3][i % 3], i % 4 == 0 ? -1.0 : 0.0, 1e-4);
}

/* The integral of N_0^a N_1^b N_2^c over a triangle is 2 a! b! c! / (a + b + c + 2)! of its area. */
TAC_TEST(rules_are_exact_for_polynomials) {
  const tacTriangleRules rules = make_rules();
  static const int degree[TAC_TRIANGLE_RULE_COUNT] = {5, 7, 9, 11, 15};
  for (int r = 0; r < TAC_TRIANGLE_RULE_COUNT; ++r)
    for (int a = 0; a <= degree[r]; ++a)
      for (int b = 0; a + b <= degree[r]; ++b) {
        int c = degree[r] - a - b;
        double sum = 0.0;
        for (int q = 0; q < rules.rule[r].count; ++q) {
          const double *n = rules.rule[r].shape[q], *w = rules.rule[r].weight[q];
          ck_assert_double_eq_tol(n[0] + n[1] + n[2], 1.0, 1e-14);
          sum += (w[0] + w[1] + w[2]) * pow(n[0], a) * pow(n[1], b) * pow(n[2], c);
        }
        double expected = 2.0 * tgamma(a + 1.0) * tgamma(b + 1.0) * tgamma(c + 1.0) / tgamma(a + b + c + 3.0);
        ck_assert_double_eq_tol(sum, expected, 1e-12 * expected + 1e-16);
      }
}

TAC_TEST(closed_form_above_and_beside_the_triangle) {
  static const double height[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0, 10.0};
  tacRandom random = tac_random_seed(11);
  int cases = tac_test_light() ? 1 : 4;
  for (int k = 0; k < 10; ++k)
    for (int c = 0; c < cases; ++c) {
      tacFlatTriangle t = random_triangle(&random, c % 2 == 0 ? 1.0 : 0.1);
      double h = (c % 3 == 0 ? -1.0 : 1.0) * height[k] * t.radius;
      double n0 = tac_random_uniform(&random, 0.0, 1.0), n1 = tac_random_uniform(&random, 0.0, 1.0 - n0);
      check_closed(&t, place_at(&t, n0, n1, h), -1, 1e-9); /* above */
      n0 = tac_random_uniform(&random, -1.0, 2.0), n1 = tac_random_uniform(&random, -1.0, 2.0);
      check_closed(&t, place_at(&t, n0, n1, h), -1, 1e-9);       /* anywhere */
      check_closed(&t, place_at(&t, n0, 1.0 - n0, h), -1, 1e-9); /* above the line of a side */
      check_closed(&t, place_at(&t, 1.0, 0.0, h), -1, 1e-9);     /* above a corner */
    }
}

TAC_TEST(closed_form_in_the_plane) {
  tacRandom random = tac_random_seed(12);
  int cases = tac_test_light() ? 2 : 12;
  for (int c = 0; c < cases; ++c) {
    tacFlatTriangle t = random_triangle(&random, c % 2 == 0 ? 1.0 : 0.1);
    double beyond = pow(10.0, tac_random_uniform(&random, -5.0, 0.5));
    double n1 = tac_random_uniform(&random, -0.5, 1.5);
    check_closed(&t, place_at(&t, -beyond, n1, 0.0), -1, 1e-9);           /* beyond side 1 */
    check_closed(&t, place_at(&t, 1.0 + beyond, -beyond, 0.0), -1, 1e-9); /* on the line of side 0, before it */
    check_closed(&t, place_at(&t, -beyond, 1.0 + beyond, 0.0), -1, 1e-9); /* and after it */
    check_closed(&t, place_at(&t, 0.0, -beyond, 0.0), -1, 1e-9);          /* on the line of side 1 */
    for (int a = 0; a < 3; ++a) check_closed(&t, t.corner[a], a, 1e-9);   /* at corners */
  }
}

/* The principal value inside the triangle is the mean of the two sides' limits, where the free terms cancel. */
TAC_TEST(principal_value_is_the_mean_of_both_sides) {
  const tacKelvin kelvin = tac_kelvin(3.0, 0.27);
  tacRandom random = tac_random_seed(13);
  for (int c = 0; c < 50; ++c) {
    tacFlatTriangle t = random_triangle(&random, 1.0);
    double n0 = tac_random_uniform(&random, 0.1, 0.5), n1 = tac_random_uniform(&random, 0.1, 0.4);
    tacKelvinIntegral in, above, below;
    tac_triangle_integral_closed(&kelvin, &t, place_at(&t, n0, n1, 0.0), true, &in);
    tac_triangle_integral_closed(&kelvin, &t, place_at(&t, n0, n1, 1e-8), false, &above);
    tac_triangle_integral_closed(&kelvin, &t, place_at(&t, n0, n1, -1e-8), false, &below);
    const double n[3] = {n0, n1, 1.0 - n0 - n1};
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          ck_assert_double_eq_tol(in.t[a][i][j], 0.5 * (above.t[a][i][j] + below.t[a][i][j]), 1e-7);
          /* u(x) - c u(x) jumps by u: T goes down by N delta where x goes from inside the body to outside */
          ck_assert_double_eq_tol(below.t[a][i][j] - above.t[a][i][j], i == j ? -n[a] : 0.0, 1e-5);
          ck_assert_double_eq_tol(in.u[a][i][j], above.u[a][i][j], 1e-5 * kelvin.u);
        }
  }
}

/* Each rule from the distance at which it begins, relative to the size of the kernel there; T's is about 0.05 of that. */
TAC_TEST(rules_agree_with_the_closed_form) {
  const tacKelvin kelvin = tac_kelvin(3.0, 0.27);
  const tacTriangleRules rules = make_rules();
  tacRandom random = tac_random_seed(14);
  int cases = tac_test_light() ? 10 : 60;
  for (int r = 0; r < TAC_TRIANGLE_RULE_COUNT; ++r)
    for (int c = 0; c < cases; ++c) {
      tacFlatTriangle triangle[TAC_TRIANGLE_BATCH];
      const tacFlatTriangle *batch[TAC_TRIANGLE_BATCH];
      tacVec3 x = tac_vec3_scale(0.1, tac_random_in_box(&random, cube)), direction;
      for (int i = 0; i < TAC_TRIANGLE_BATCH; ++i) { /* moved to the distance at which the rule begins */
        triangle[i] = random_triangle(&random, c % 2 == 0 ? 1.0 : 0.1);
        do direction = tac_random_in_box(&random, cube);
        while (tac_vec3_norm(direction) < 0.1);
        direction = c % 4 < 2 ? tac_vec3_sub(triangle[i].corner[0], triangle[i].centroid) : direction;
        tacVec3 centroid = tac_vec3_mad(x, -rules.rule[r].reach * triangle[i].radius, tac_vec3_unit(direction));
        tacVec3 corner[3], way = tac_vec3_sub(centroid, triangle[i].centroid);
        for (int a = 0; a < 3; ++a) corner[a] = tac_vec3_add(triangle[i].corner[a], way);
        ck_assert(tac_flat_triangle(corner, &triangle[i]));
        batch[i] = &triangle[i];
      }
      tacKelvinIntegral found[TAC_TRIANGLE_BATCH], expected;
      tac_triangle_integral_batch(&kelvin, &rules.rule[r], batch, x, found);
      for (int i = 0; i < TAC_TRIANGLE_BATCH; ++i) {
        double distance = rules.rule[r].reach * triangle[i].radius;
        expected = brute_force(&kelvin, &rules, &triangle[i], x);
        check_equal(&kelvin, distance, &found[i], &expected, -1, 2e-10 * triangle[i].area / (distance * distance));
        tac_triangle_integral_closed(&kelvin, &triangle[i], x, false, &expected);
        check_equal(&kelvin, triangle[i].radius, &found[i], &expected, -1, 1e-10);
      }
    }
}

/* Constant u over the triangle and constant p: the stress integrals against differences of the displacement's. */
TAC_TEST(stress_is_the_derivative_of_displacement) {
  const double young = 3.0, poisson = 0.27, step = 1e-4;
  const tacKelvin kelvin = tac_kelvin(young, poisson);
  const tacTriangleRules rules = make_rules();
  const double shear = young / (2.0 * (1.0 + poisson)), lame = 2.0 * shear * poisson / (1.0 - 2.0 * poisson);
  static const int row_of[6] = {0, 1, 2, 1, 2, 0}, column_of[6] = {0, 1, 2, 2, 0, 1};
  tacRandom random = tac_random_seed(15);
  for (int c = 0; c < 20; ++c) {
    tacFlatTriangle t = random_triangle(&random, 1.0);
    tacVec3 at_place = tac_random_in_box(&random, (tacBox){{-0.5, 0.0, 0.1}, {1.0, 1.0, 0.5}});
    tacVec3 x = place_at(&t, at_place.x, at_place.y, at_place.z);
    tacStressIntegral stress;
    tac_triangle_integral_stress(&kelvin, &rules, &t, x, &stress);
    tacKelvinIntegral at[3][2];
    for (int k = 0; k < 3; ++k)
      for (int side = 0; side < 2; ++side) {
        double way = side == 0 ? -step : step;
        tacVec3 near = tac_vec3_add(x, tac_vec3(k == 0 ? way : 0.0, k == 1 ? way : 0.0, k == 2 ? way : 0.0));
        tac_triangle_integral_closed(&kelvin, &t, near, false, &at[k][side]);
      }
    for (int a = 0; a < 3; ++a)
      for (int j = 0; j < 3; ++j) {
        double u[3][3], w[3][3]; /* derivatives of component i by x_k */
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k) {
            u[i][k] = (at[k][1].u[a][i][j] - at[k][0].u[a][i][j]) / (2.0 * step);
            w[i][k] = (at[k][1].t[a][i][j] - at[k][0].t[a][i][j]) / (2.0 * step);
          }
        double u_trace = u[0][0] + u[1][1] + u[2][2], w_trace = w[0][0] + w[1][1] + w[2][2];
        for (int row = 0; row < 6; ++row) {
          int i = row_of[row], k = column_of[row];
          double d = (i == k ? lame * u_trace : 0.0) + shear * (u[i][k] + u[k][i]);
          double s = (i == k ? lame * w_trace : 0.0) + shear * (w[i][k] + w[k][i]);
          ck_assert_double_eq_tol(stress.d[a][row][j], d, 1e-5);
          ck_assert_double_eq_tol(stress.s[a][row][j], s, 1e-4);
        }
      }
  }
}

TAC_TEST(refuses_degenerate_triangles) {
  tacFlatTriangle triangle;
  ck_assert(!tac_flat_triangle((tacVec3[]){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, {3.0, 3.0, 3.0}}, &triangle));
  ck_assert(!tac_flat_triangle((tacVec3[]){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, &triangle));
  ck_assert(!tac_flat_triangle((tacVec3[]){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.5, 1e-7, 0.0}}, &triangle));
  ck_assert(tac_flat_triangle((tacVec3[]){{0.0, 0.0, 0.0}, {1e-9, 0.0, 0.0}, {0.0, 1e-12, 0.0}}, &triangle));
}
