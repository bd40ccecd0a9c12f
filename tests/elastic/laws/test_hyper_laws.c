/* Each law against closed forms that are written down apart from it: stress at any F with J > TAC_JACOBIAN_LEAST, and
 * force-stretch curves. */
#include "elastic/laws/hyper_laws.h"

#include "elastic/laws/hyper_sample.h"
#include "math/geometry/polar3.h"
#include "math/geometry/svd3.h"

static const tacHyperLaw *find(const char *name) {
  const tacHyperLaw *law = tac_hyper_law_find(name, &error);
  ck_assert_msg(law != NULL, "%s", error.text);
  return law;
}

static tacHyperPoint evaluate(const tacHyperLaw *law, const double *p, const tacMat3 *axes, tacMat3 f) {
  tacHyperPoint point;
  tac_hyper_point_evaluate(law, p, axes, &f, &point);
  return point;
}

/* a X + b Y */
static tacMat3 combine(double a, tacMat3 x, double b, tacMat3 y) {
  return tac_mat3_add(tac_mat3_scale(a, x), tac_mat3_scale(b, y));
}

/* I + g e1 e2^T */
static tacMat3 shear(double g) {
  return (tacMat3){{{1.0, g, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
}

static tacMat3 inverse_transpose(tacMat3 f) {
  tacMat3 inverse;
  ck_assert(tac_mat3_inverse(f, &inverse));
  return tac_mat3_transpose(inverse);
}

/* ---- stress at any F ---- */

typedef struct Invariants {
  double j, bar1, bar2;        /* J, J^(-2/3) I1, J^(-4/3) I2 */
  tacMat3 by_f1, by_f2, log_j; /* derivatives of bar1, bar2 and ln J by F */
} Invariants;

static Invariants get_invariants(tacMat3 f) {
  tacMat3 c = tac_mat3_mul(tac_mat3_transpose(f), f), minus = inverse_transpose(f);
  double j = tac_mat3_det(f), i1 = tac_mat3_trace(c), i2 = 0.5 * (i1 * i1 - tac_mat3_trace(tac_mat3_mul(c, c)));
  double a = pow(j, -2.0 / 3.0), b = pow(j, -4.0 / 3.0);
  tacMat3 cofactor = combine(i1, f, -1.0, tac_mat3_mul(f, c)); /* half of dI2/dF */
  return (Invariants){j,
                      a * i1,
                      b * i2,
                      combine(2.0 * a, f, -2.0 / 3.0 * a * i1, minus),
                      combine(2.0 * b, cofactor, -4.0 / 3.0 * b * i2, minus),
                      minus};
}

static tacMat3 by_invariants(Invariants i, double w1, double w2, double k0) {
  return combine(1.0, combine(w1, i.by_f1, w2, i.by_f2), k0 * log(i.j), i.log_j);
}

static tacMat3 expect_st_venant_kirchhoff(const double *p, const tacMat3 *axes, tacMat3 f, double *energy) {
  (void)axes;
  tacMat3 c = tac_mat3_mul(tac_mat3_transpose(f), f), e = combine(0.5, c, -0.5, tac_mat3_identity());
  double trace = tac_mat3_trace(e), norm = tac_mat3_norm(e);
  *energy = 0.5 * p[1] * trace * trace + p[0] * norm * norm;
  return tac_mat3_mul(f, combine(2.0 * p[0], e, p[1] * trace, tac_mat3_identity()));
}

static tacMat3 expect_neo_hookean(const double *p, const tacMat3 *axes, tacMat3 f, double *energy) {
  (void)axes;
  Invariants i = get_invariants(f);
  *energy = 0.5 * p[0] * (i.bar1 - 3.0) + 0.5 * p[1] * log(i.j) * log(i.j);
  return by_invariants(i, 0.5 * p[0], 0.0, p[1]);
}

static tacMat3 expect_mooney_rivlin(const double *p, const tacMat3 *axes, tacMat3 f, double *energy) {
  (void)axes;
  Invariants i = get_invariants(f);
  *energy = p[0] * (i.bar1 - 3.0) + p[1] * (i.bar2 - 3.0) + 0.5 * p[2] * log(i.j) * log(i.j);
  return by_invariants(i, p[0], p[1], p[2]);
}

/* dW/dI1 = mu (1 / 2 + x / 10 + 11 x^2 / 350 + 19 x^3 / 1750 + 519 x^4 / 134750) with x = I1 / lambda_m^2. */
static double boyce_first(const double *p, double i1) {
  double x = i1 / (p[1] * p[1]);
  return p[0] * (0.5 + x * (0.1 + x * (11.0 / 350.0 + x * (19.0 / 1750.0 + x * 519.0 / 134750.0))));
}

static tacMat3 expect_boyce_arruda(const double *p, const tacMat3 *axes, tacMat3 f, double *energy) {
  (void)axes;
  Invariants i = get_invariants(f);
  double sum =
      0.0; /* the energy by Gauss's rule of the derivative, which is a polynomial of degree 4: three points are exact */
  for (int k = -1; k <= 1; ++k) {
    double at = 0.5 * (i.bar1 + 3.0) + k * 0.5 * (i.bar1 - 3.0) * sqrt(0.6), weight = k == 0 ? 4.0 / 9.0 : 2.5 / 9.0;
    sum += weight * (i.bar1 - 3.0) * boyce_first(p, at);
  }
  *energy = sum + 0.5 * p[2] * log(i.j) * log(i.j);
  return by_invariants(i, boyce_first(p, i.bar1), 0.0, p[2]);
}

static tacMat3 expect_veronda_westmann(const double *p, const tacMat3 *axes, tacMat3 f, double *energy) {
  (void)axes;
  Invariants i = get_invariants(f);
  double e = exp(p[1] * (i.bar1 - 3.0));
  *energy = p[0] * (e - 1.0) - 0.5 * p[0] * p[1] * (i.bar2 - 3.0) + 0.5 * p[2] * log(i.j) * log(i.j);
  return by_invariants(i, p[0] * p[1] * e, -0.5 * p[0] * p[1], p[2]);
}

/* Of principal stretches: lambda_a dPsi/dlambda_a = sum mu (bar_a^alpha - mean of the three) + k0 ln J. */
static tacMat3 expect_ogden(const double *p, const tacMat3 *axes, tacMat3 f, double *energy) {
  (void)axes;
  tacSvd3 d = tac_svd3_rotations(f);
  double j = tac_mat3_det(f), w[3] = {0};
  *energy = 0.5 * p[6] * log(j) * log(j);
  for (int i = 0; i < 3; ++i) {
    double power[3], sum = 0.0;
    for (int a = 0; a < 3; ++a) sum += power[a] = pow(d.s[a] / cbrt(j), p[2 * i + 1]);
    *energy += p[2 * i] / p[2 * i + 1] * (sum - 3.0);
    for (int a = 0; a < 3; ++a) w[a] += p[2 * i] * (power[a] - sum / 3.0) / d.s[a];
  }
  for (int a = 0; a < 3; ++a) w[a] += p[6] * log(j) / d.s[a];
  return tac_mat3_mul(d.u, tac_mat3_mul(tac_mat3_diagonal(w[0], w[1], w[2]), tac_mat3_transpose(d.v)));
}

/* S = a e^Q sum b_mn (m . E n) m n^T */
static tacMat3 expect_costa(const double *p, const tacMat3 *axes, tacMat3 f, double *energy) {
  tacMat3 c = tac_mat3_mul(tac_mat3_transpose(f), f), e = combine(0.5, c, -0.5, tac_mat3_identity()),
          s = tac_mat3_zero();
  tacMat3 b = {{{p[1], p[6], p[5]}, {p[6], p[2], p[4]}, {p[5], p[4], p[3]}}};
  double q = 0.0, j = tac_mat3_det(f);
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) {
      tacVec3 x = tac_mat3_column(*axes, m), y = tac_mat3_column(*axes, n);
      double strain = tac_vec3_dot(x, tac_mat3_mul_vec(e, y));
      q += b.m[m][n] * strain * strain;
      s = combine(1.0, s, b.m[m][n] * strain, tac_mat3_outer(x, y));
    }
  *energy = 0.5 * p[0] * (exp(q) - 1.0) + p[7] * (j * log(j) - j + 1.0);
  return combine(p[0] * exp(q), tac_mat3_mul(f, s), p[7] * j * log(j), inverse_transpose(f));
}

static tacMat3 expect_corotational(const double *p, const tacMat3 *axes, tacMat3 f, double *energy) {
  (void)axes;
  double mu = p[0] / (2.0 * (1.0 + p[1])), lambda = p[0] * p[1] / ((1.0 + p[1]) * (1.0 - 2.0 * p[1]));
  tacMat3 s, r = tac_polar3(f, &s), d = tac_mat3_sub(f, r);
  double trace = tac_mat3_trace(s) - 3.0, norm = tac_mat3_norm(d);
  *energy = mu * norm * norm + 0.5 * lambda * trace * trace;
  return combine(2.0 * mu, d, lambda * trace, r);
}

static const struct {
  const char *law;
  tacMat3 (*stress)(const double *p, const tacMat3 *axes, tacMat3 f, double *energy);
} closed[] = {{"st-venant-kirchhoff", expect_st_venant_kirchhoff},
              {"neo-hookean", expect_neo_hookean},
              {"mooney-rivlin", expect_mooney_rivlin},
              {"ogden", expect_ogden},
              {"boyce-arruda", expect_boyce_arruda},
              {"veronda-westmann", expect_veronda_westmann},
              {"costa", expect_costa},
              {"corotational", expect_corotational}};
enum { CLOSED = sizeof closed / sizeof *closed };

TAC_TEST(stress_is_the_closed_form) {
  int count;
  tac_hyper_laws(&count);
  ck_assert_int_eq(count, CLOSED);
  for (int i = 0; i < CLOSED; ++i) {
    const tacHyperLaw *law = find(closed[i].law);
    tacRandom random = tac_random_seed(5 + (uint64_t)i);
    for (int k = 0; k < 200; ++k) {
      double p[TAC_HYPER_MOST_PARAMETERS], energy;
      sample_parameters(law, &random, p);
      double j = tac_random_uniform(&random, 0.15, 3.0);
      tacMat3 f = sample_gradient(&random, 2.0, j), axes = random_rotation(&random);
      tacMat3 right = closed[i].stress(p, &axes, f, &energy);
      tacHyperPoint point = evaluate(law, p, &axes, f);
      double size = 0.0; /* of what F's rounding may make of stress */
      for (int n = 0; n < 9; ++n)
        for (int o = 0; o < 9; ++o) size = fmax(size, fabs(point.tangent[n][o]));
      ck_assert_msg(tac_mat3_max_abs(tac_mat3_sub(point.stress, right)) <= 1e-10 * size, "%s: P differs by %g of %g",
                    law->name, tac_mat3_max_abs(tac_mat3_sub(point.stress, right)), size);
      ck_assert_msg(fabs(point.energy - energy) <= 1e-10 * size, "%s: Psi is %.12g, not %.12g", law->name, point.energy,
                    energy);
    }
  }
}

/* ---- curves ---- */

/* The parameters of the paper's figure 3, and like ones of the others: Young's modulus 1, Poisson's ratio 0.45, where
 * there are such. */
static const struct {
  const char *law;
  double p[TAC_HYPER_MOST_PARAMETERS];
} sample[] = {{"neo-hookean", {0.344, 3.33}},
              {"mooney-rivlin", {0.086, 0.086, 3.33}},
              {"ogden", {0.3, 1.3, 0.02, 5.0, -0.1, -2.0, 3.33}},
              {"boyce-arruda", {0.3, 2.0, 3.33}},
              {"veronda-westmann", {0.2, 1.7, 3.33}}};
enum { ISOCHORIC = sizeof sample / sizeof *sample };

/* Cauchy's stress times J: the difference along two axes with the stretches a, b and a third one c, without the
 * volumetric term. */
static double kirchhoff_difference(const char *law, const double *p, double a, double b, double c) {
  double scale = cbrt(a * b * c), i1;
  a /= scale;
  b /= scale;
  c /= scale;
  i1 = a * a + b * b + c * c;
  double squares = a * a - b * b;
  if (strcmp(law, "neo-hookean") == 0) return p[0] * squares;
  if (strcmp(law, "mooney-rivlin") == 0) return 2.0 * squares * (p[0] + p[1] * c * c);
  if (strcmp(law, "boyce-arruda") == 0) return 2.0 * squares * boyce_first(p, i1);
  if (strcmp(law, "veronda-westmann") == 0) return squares * p[0] * p[1] * (2.0 * exp(p[1] * (i1 - 3.0)) - c * c);
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) sum += p[2 * i] * (pow(a, p[2 * i + 1]) - pow(b, p[2 * i + 1]));
  return sum;
}

/* The stretch b along the axes where `free` is true that makes their stress zero, the others being a. */
static double free_stretch(const tacHyperLaw *law, const double *p, double a, const bool free[3]) {
  double low = 0.2, high = 4.0; /* stress grows from below zero to above */
  int at = free[2] ? 2 : 0;
  for (int k = 0; k < 200; ++k) {
    double b = 0.5 * (low + high);
    tacMat3 f = tac_mat3_diagonal(free[0] ? b : a, free[1] ? b : a, free[2] ? b : a);
    if (evaluate(law, p, NULL, f).stress.m[at][at] > 0.0)
      high = b;
    else
      low = b;
  }
  return 0.5 * (low + high);
}

static const bool uniaxial[3] = {false, true, true}, equibiaxial[3] = {false, false, true};

/* Pulled with free sides: tau_1 = (tau_1 - tau_2) and the trace is 3 k0 ln J. Sheared, F = I + g e1 e2^T has the principal stretches
 * s, 1 / s, 1 with s - 1 / s = g, and the shear stress (tau_s - tau_1/s) / (s + 1 / s). Swollen, F = s I: P = k0 ln J / s I. */
TAC_TEST(isochoric_laws_follow_their_closed_forms) {
  for (int i = 0; i < ISOCHORIC; ++i) {
    const tacHyperLaw *law = find(sample[i].law);
    const double *p = sample[i].p;
    tac_test_ok(tac_hyper_law_check(law, p, &error), error);
    double k0 = p[law->parameter_count - 1];
    for (double a = 0.5; a < 2.05; a += 0.1) {
      double b = free_stretch(law, p, a, uniaxial), j = a * b * b;
      double force = evaluate(law, p, NULL, tac_mat3_diagonal(a, b, b)).stress.m[0][0];
      ck_assert_double_eq_tol(force * a, kirchhoff_difference(law->name, p, a, b, b), 1e-8);
      ck_assert_double_eq_tol(force * a, 3.0 * k0 * log(j), 1e-8);
      b = free_stretch(law, p, a, equibiaxial);
      j = a * a * b;
      force = evaluate(law, p, NULL, tac_mat3_diagonal(a, a, b)).stress.m[0][0];
      ck_assert_double_eq_tol(force * a, kirchhoff_difference(law->name, p, a, b, a), 1e-8);
      ck_assert_double_eq_tol(force * a, 1.5 * k0 * log(j), 1e-8);
    }
    for (double g = 0.1; g < 2.0; g += 0.2) {
      double s = 0.5 * (g + sqrt(4.0 + g * g)),
             right = kirchhoff_difference(law->name, p, s, 1.0 / s, 1.0) / (s + 1.0 / s);
      ck_assert_double_eq_tol(evaluate(law, p, NULL, shear(g)).stress.m[0][1], right, 1e-8);
    }
    for (double s = 0.55; s < 2.0; s += 0.1)
      ck_assert_double_eq_tol(evaluate(law, p, NULL, tac_mat3_diagonal(s, s, s)).stress.m[1][1], 3.0 * k0 * log(s) / s,
                              1e-8);
  }
}

/* With Young's modulus E and Poisson's ratio n: S = E e pulled along one axis, E / (1 - n) e along two, of Green's
 * strain e. */
TAC_TEST(st_venant_kirchhoff_is_linear_in_greens_strain) {
  const tacHyperLaw *law = find("st-venant-kirchhoff");
  double p[2] = {0.344, 3.10}, mu = p[0], lambda = p[1];
  double young = mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu), poisson = 0.5 * lambda / (lambda + mu);
  for (double a = 0.7; a < 1.35; a += 0.1) {
    double e = 0.5 * (a * a - 1.0), b = sqrt(1.0 - 2.0 * poisson * e);
    tacHyperPoint point = evaluate(law, p, NULL, tac_mat3_diagonal(a, b, b));
    ck_assert_double_eq_tol(point.stress.m[0][0], a * young * e, 1e-8);
    ck_assert_double_eq_tol(point.stress.m[1][1], 0.0, 1e-8);
    ck_assert_double_eq_tol(free_stretch(law, p, a, uniaxial), b, 1e-8);
    point = evaluate(law, p, NULL, tac_mat3_diagonal(a, a, a));
    ck_assert_double_eq_tol(point.stress.m[0][0], a * (3.0 * lambda + 2.0 * mu) * e, 1e-8);
    double square = 1.0 - 4.0 * poisson / (1.0 - poisson) * e;
    if (square < 0.1) continue; /* flat: the sides have nothing left to give */
    b = sqrt(square);
    point = evaluate(law, p, NULL, tac_mat3_diagonal(a, a, b));
    ck_assert_double_eq_tol(point.stress.m[0][0], a * young / (1.0 - poisson) * e, 1e-8);
    ck_assert_double_eq_tol(point.stress.m[2][2], 0.0, 1e-8);
  }
  for (double g = 0.1; g < 2.0; g += 0.2) {
    ck_assert_double_eq_tol(evaluate(law, p, NULL, shear(g)).stress.m[0][1],
                            mu * g + 0.5 * (lambda + 2.0 * mu) * g * g * g, 1e-8);
  }
}

/* A straight line along axes, however far; sheared by g, R turns by atan(g / 2). */
TAC_TEST(corotational_is_linear_in_the_turned_axes) {
  const tacHyperLaw *law = find("corotational");
  double p[2] = {1.0, 0.45}, mu = p[0] / 2.9, lambda = p[0] * 0.45 / (1.45 * 0.1);
  for (double a = 0.3; a < 2.05; a += 0.1) {
    double b = 1.0 - p[1] * (a - 1.0);
    ck_assert_double_eq_tol(free_stretch(law, p, a, uniaxial), b, 1e-8);
    ck_assert_double_eq_tol(evaluate(law, p, NULL, tac_mat3_diagonal(a, b, b)).stress.m[0][0], p[0] * (a - 1.0), 1e-8);
    ck_assert_double_eq_tol(evaluate(law, p, NULL, tac_mat3_diagonal(a, a, a)).stress.m[0][0],
                            p[0] / (1.0 - 2.0 * p[1]) * (a - 1.0), 1e-8);
    b = 1.0 - 2.0 * p[1] / (1.0 - p[1]) * (a - 1.0);
    if (b > 0.0)
      ck_assert_double_eq_tol(evaluate(law, p, NULL, tac_mat3_diagonal(a, a, b)).stress.m[0][0],
                              p[0] / (1.0 - p[1]) * (a - 1.0), 1e-8);
  }
  for (double g = 0.1; g < 2.0; g += 0.2) {
    double root = sqrt(4.0 + g * g), sine = g / root;
    ck_assert_double_eq_tol(evaluate(law, p, NULL, shear(g)).stress.m[0][1],
                            2.0 * mu * (g - sine) + lambda * (root - 2.0) * sine, 1e-8);
  }
}

/* Pulled along one of its axes without a change of the others it answers with that axis' b, sheared with that
 * pair's. */
TAC_TEST(costa_stress_follows_its_axes) {
  const tacHyperLaw *law = find("costa");
  double p[8] = {0.5, 8.0, 2.0, 3.0, 1.5, 4.0, 12.0, 20.0}; /* a; ff, ss, nn, sn, fn, fs; k0 */
  tacRandom random = tac_random_seed(11);
  tacMat3 axes = random_rotation(&random);
  for (int n = 0; n < 3; ++n)
    for (double s = 0.6; s < 1.45; s += 0.1) {
      tacVec3 axis = tac_mat3_column(axes, n);
      tacMat3 f = combine(1.0, tac_mat3_identity(), s - 1.0, tac_mat3_outer(axis, axis));
      double e = 0.5 * (s * s - 1.0), right = p[0] * exp(p[1 + n] * e * e) * p[1 + n] * s * e + p[7] * log(s);
      tacHyperPoint point = evaluate(law, p, &axes, f);
      ck_assert_double_eq_tol(tac_vec3_dot(axis, tac_mat3_mul_vec(point.stress, axis)), right, 1e-8);
    }
  static const int pair[3][2] = {{1, 2}, {0, 2}, {0, 1}}; /* as sn, fn, fs */
  for (int n = 0; n < 3; ++n)
    for (double g = 0.1; g < 0.9; g += 0.1) {
      tacVec3 x = tac_mat3_column(axes, pair[n][0]), y = tac_mat3_column(axes, pair[n][1]);
      tacMat3 f = combine(1.0, tac_mat3_identity(), g, tac_mat3_outer(x, y));
      double own = p[4 + n], b = p[1 + pair[n][1]], e = 0.5 * g * g; /* E_xy = g / 2, E_yy = g^2 / 2 */
      double right = p[0] * exp(0.5 * own * g * g + b * e * e) * (0.5 * own * g + g * b * e);
      ck_assert_double_eq_tol(tac_vec3_dot(x, tac_mat3_mul_vec(evaluate(law, p, &axes, f).stress, y)), right, 1e-8);
    }
}

/* Ogden with exponents 2 and -2 is Mooney-Rivlin with c1 = mu_1 / 2 and c2 = -mu_2 / 2; Boyce-Arruda with chains
 * without end is neo-Hooke; through inversion too. */
TAC_TEST(laws_contain_each_other) {
  tacRandom random = tac_random_seed(12);
  for (int k = 0; k < 100; ++k) {
    double j = tac_random_uniform(&random, -1.0, 2.0);
    tacMat3 f = sample_gradient(&random, 2.0, j);
    double c1 = tac_random_uniform(&random, 0.1, 1.0), c2 = tac_random_uniform(&random, 0.1, 1.0);
    double mooney[] = {c1, c2, 3.0}, ogden[] = {2.0 * c1, 2.0, -2.0 * c2, -2.0, 0.0, 2.0, 3.0};
    double neo[] = {c1, 3.0}, boyce[] = {c1, 1e8, 3.0};
    tacHyperPoint a = evaluate(find("mooney-rivlin"), mooney, NULL, f), b = evaluate(find("ogden"), ogden, NULL, f);
    tacHyperPoint c = evaluate(find("neo-hookean"), neo, NULL, f), d = evaluate(find("boyce-arruda"), boyce, NULL, f);
    for (int n = 0; n < 9; ++n) {
      ck_assert_double_eq_tol(a.stress.m[n / 3][n % 3], b.stress.m[n / 3][n % 3], 1e-9 * tac_mat3_norm(a.stress));
      ck_assert_double_eq_tol(c.stress.m[n / 3][n % 3], d.stress.m[n / 3][n % 3], 1e-9 * tac_mat3_norm(c.stress));
      for (int o = 0; o < 9; ++o) {
        double size = fabs(a.tangent[0][0]) + fabs(a.tangent[4][4]) + fabs(a.tangent[8][8]) + 1.0;
        ck_assert_double_eq_tol(a.tangent[n][o], b.tangent[n][o], 1e-9 * size);
        ck_assert_double_eq_tol(c.tangent[n][o], d.tangent[n][o], 1e-9 * size);
      }
    }
  }
}

/* The larger stretch has the larger stress (Baker-Ericksen), with the least c2 that is taken. */
TAC_TEST(veronda_westmann_is_ordered) {
  const tacHyperLaw *law = find("veronda-westmann");
  double p[3] = {1.0, 0.36, 10.0};
  tac_test_ok(tac_hyper_law_check(law, p, &error), error);
  for (double c = 0.25; c < 9.0; c *= 1.05)
    for (double ratio = 1.01; ratio < 3.0; ratio *= 1.2) {
      double b = 1.0 / sqrt(c * ratio), a = ratio * b;
      tacHyperPoint point = evaluate(law, p, NULL, tac_mat3_diagonal(a, b, c));
      ck_assert_double_gt(a * point.stress.m[0][0] - b * point.stress.m[1][1], 0.0);
    }
}
