/* What holds for every law of the registry, at random parameters and deformations. */
#include "elastic/laws/hyper_law.h"

#include "base/lanes.h"
#include "elastic/laws/every_law.h"
#include "elastic/laws/hyper_sample.h"
#include "math/dense/dense.h"
#include "math/geometry/svd3.h"

static double largest9(double a[9][9]) {
  double most = 0.0;
  for (int n = 0; n < 9; ++n)
    for (int o = 0; o < 9; ++o) most = fmax(most, fabs(a[n][o]));
  return most;
}

/* Central differences of fourth order, step h, of energy and stress along component n of F. */
static void differences(const tacHyperLaw *law, const double *p, const tacMat3 *axes, const tacMat3 *f, int n, double h,
                        double *stress, double tangent[9]) {
  static const double place[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
  *stress = 0.0;
  memset(tangent, 0, 9 * sizeof *tangent);
  for (int k = 0; k < 4; ++k) {
    tacMat3 moved = *f;
    moved.m[n / 3][n % 3] += place[k] * h;
    tacHyperPoint point;
    tac_hyper_point_evaluate(law, p, axes, &moved, &point);
    *stress += weight[k] * point.energy / (12.0 * h);
    for (int o = 0; o < 9; ++o) tangent[o] += weight[k] * point.stress.m[o / 3][o % 3] / (12.0 * h);
  }
}

/* The seams of a law (J = TAC_JACOBIAN_LEAST, an exponent of TAC_EXPONENT_MOST, ...) have a third derivative that
 * jumps, or a crease. A difference over one is no derivative: two steps do not agree. Such places are few, and are left
 * out; a wrong stress or tangent does not look like that. */
static bool compare(const tacHyperLaw *law, const double *p, const tacMat3 *axes, const tacMat3 *f) {
  tacSvd3 svd = tac_svd3_rotations(*f);
  if (law->gradient != NULL && svd.s[1] + svd.s[2] < 0.06) return false; /* near a crease the tangent is held */
  tacHyperPoint point;
  tac_hyper_point_evaluate(law, p, axes, f, &point);
  double shear, bulk;
  law->moduli(p, &shear, &bulk);
  double stress[2][9], tangent[2][9][9], size = fmin(1.0, tac_mat3_norm(*f));
  for (int k = 0; k < 2; ++k)
    for (int n = 0; n < 9; ++n)
      differences(law, p, axes, f, n, (k == 0 ? 1e-4 : 5e-5) * size, &stress[k][n], tangent[k][n]);
  double most = fmax(tac_mat3_max_abs(point.stress), 1e-2 * (shear + bulk)),
         most9 = fmax(largest9(point.tangent), shear + bulk);
  for (int n = 0; n < 9; ++n) {
    if (fabs(stress[0][n] - stress[1][n]) > 3e-7 * most) return false;
    for (int o = 0; o < 9; ++o)
      if (fabs(tangent[0][n][o] - tangent[1][n][o]) > 3e-7 * most9) return false;
  }
  for (int n = 0; n < 9; ++n) {
    double is = point.stress.m[n / 3][n % 3];
    ck_assert_msg(fabs(is - stress[1][n]) <= 1e-6 * most,
                  "%s: P[%d] = %.12g, of differences %.12g, largest %g at J = %g", law->name, n, is, stress[1][n], most,
                  tac_mat3_det(*f));
    for (int o = 0; o < 9; ++o)
      ck_assert_msg(fabs(point.tangent[o][n] - tangent[1][n][o]) <= 1e-6 * most9,
                    "%s: dP[%d]/dF[%d] = %.12g, of differences %.12g, largest %g at J = %g", law->name, o, n,
                    point.tangent[o][n], tangent[1][n][o], most9, tac_mat3_det(*f));
  }
  return true;
}

TAC_TEST(stress_and_tangent_are_derivatives_of_the_energy) {
  static const struct {
    double spread, lower, upper; /* of stretches; of J */
  } range[] = {{1.2, 0.9, 1.1},  {4.0, 0.15, 1.0}, {2.0, 0.1, 0.15}, {4.0, 1.0, 30.0},
               {30.0, 0.5, 2.0}, {3.0, -0.3, 0.1}, {3.0, -3.0, -0.3}};
  int repeat = tac_test_light() ? 10 : 60;
  for (int i = 0; i < law_count(); ++i) {
    tacRandom random = tac_random_seed(7 + (uint64_t)i);
    int left_out = 0, all = 0;
    for (int r = 0; r < (int)(sizeof range / sizeof *range); ++r)
      for (int k = 0; k < repeat; ++k, ++all) {
        double p[TAC_HYPER_MOST_PARAMETERS];
        sample_parameters(law_at(i), &random, p);
        double j = tac_random_uniform(&random, range[r].lower, range[r].upper);
        tacMat3 f = sample_gradient(&random, range[r].spread, j), axes = random_rotation(&random);
        left_out += !compare(law_at(i), p, &axes, &f);
      }
    ck_assert_msg(left_out <= all / 4, "%s: %d of %d places are at seams", law_at(i)->name, left_out, all);
  }
}

static void expect_near(const tacHyperLaw *law, const char *what, tacMat3 a, tacMat3 b, double size) {
  ck_assert_msg(tac_mat3_max_abs(tac_mat3_sub(a, b)) <= 1e-10 * size, "%s: %s differ by %g of %g", law->name, what,
                tac_mat3_max_abs(tac_mat3_sub(a, b)), size);
}

/* Psi(Q F) = Psi(F), P(Q F) = Q P(F); of those without fibres Psi(F Q) = Psi(F), P(F Q) = P(F) Q; with fibres where the
 * axes are turned too. */
TAC_TEST(energy_is_objective_and_isotropic) {
  for (int i = 0; i < law_count(); ++i) {
    tacRandom random = tac_random_seed(70 + (uint64_t)i);
    for (int k = 0; k < 100; ++k) {
      double p[TAC_HYPER_MOST_PARAMETERS];
      sample_parameters(law_at(i), &random, p);
      double j = tac_random_uniform(&random, 0.2, 2.0);
      tacMat3 f = sample_gradient(&random, 3.0, j), axes = random_rotation(&random), q = random_rotation(&random);
      tacMat3 qf = tac_mat3_mul(q, f), fq = tac_mat3_mul(f, q), axes_q = tac_mat3_mul(tac_mat3_transpose(q), axes);
      tacHyperPoint at, left, right;
      tac_hyper_point_evaluate(law_at(i), p, &axes, &f, &at);
      tac_hyper_point_evaluate(law_at(i), p, &axes, &qf, &left);
      tac_hyper_point_evaluate(law_at(i), p, law_at(i)->fibres ? &axes_q : &axes, &fq, &right);
      double size = fmax(1.0, largest9(at.tangent)); /* rounding of F times how fast stress and energy change with it */
      ck_assert_double_le(fabs(left.energy - at.energy), 1e-10 * size);
      ck_assert_double_le(fabs(right.energy - at.energy), 1e-10 * size);
      expect_near(law_at(i), "P(QF) and QP(F)", left.stress, tac_mat3_mul(q, at.stress), size);
      expect_near(law_at(i), "P(FQ) and P(F)Q", right.stress, tac_mat3_mul(at.stress, q), size);
    }
  }
}

/* At F = I there is neither energy nor stress, and the tangent is that of linear elasticity with the law's moduli; of a
 * law with fibres it is nowhere above that. */
TAC_TEST(small_strains_have_the_moduli) {
  for (int i = 0; i < law_count(); ++i) {
    tacRandom random = tac_random_seed(700 + (uint64_t)i);
    for (int k = 0; k < 20; ++k) {
      double p[TAC_HYPER_MOST_PARAMETERS], shear, bulk;
      sample_parameters(law_at(i), &random, p);
      law_at(i)->moduli(p, &shear, &bulk);
      ck_assert_double_gt(shear, 0.0);
      ck_assert_double_gt(bulk, 0.0);
      tacMat3 f = tac_mat3_identity(), axes = random_rotation(&random);
      tacHyperPoint point;
      tac_hyper_point_evaluate(law_at(i), p, &axes, &f, &point);
      double size = shear + bulk;
      for (int n = 0; n < law_at(i)->parameter_count; ++n) size = fmax(size, fabs(p[n]));
      ck_assert_double_le(fabs(point.energy), 1e-12 * size);
      ck_assert_double_le(tac_mat3_max_abs(point.stress), 1e-12 * size);
      if (!law_at(i)->fibres)
        for (int n = 0; n < 9; ++n)
          for (int o = 0; o < 9; ++o) {
            int a = n / 3, b = n % 3, c = o / 3, d = o % 3;
            double right =
                (bulk - 2.0 / 3.0 * shear) * (a == b) * (c == d) + shear * ((a == c) * (b == d) + (a == d) * (b == c));
            ck_assert_msg(fabs(point.tangent[n][o] - right) <= 1e-6 * (shear + bulk),
                          "%s: tangent[%d][%d] = %g, linear %g", law_at(i)->name, n, o, point.tangent[n][o], right);
          }
      for (int m = 0; m < 20; ++m) {
        double e[9], trace = 0.0, square = 0.0, product = 0.0;
        for (int a = 0; a < 3; ++a)
          for (int b = a; b < 3; ++b) e[3 * a + b] = e[3 * b + a] = tac_random_normal(&random);
        for (int n = 0; n < 9; ++n) {
          square += e[n] * e[n];
          if (n % 4 == 0) trace += e[n];
          for (int o = 0; o < 9; ++o) product += e[n] * point.tangent[n][o] * e[o];
        }
        double bound = 2.0 * shear * (square - trace * trace / 3.0) + bulk * trace * trace;
        ck_assert_double_gt(product, 0.0);
        ck_assert_double_le(product, bound * (1.0 + 1e-9));
      }
    }
  }
}

static void expect_finite(const tacHyperLaw *law, const tacMat3 *f, const double *p) {
  tacHyperPoint point;
  tac_hyper_point_evaluate(law, p, NULL, f, &point);
  ck_assert_msg(isfinite(point.energy) && isfinite(tac_mat3_max_abs(point.stress)) && isfinite(largest9(point.tangent)),
                "%s: not finite at |F| = %g, J = %g", law->name, tac_mat3_norm(*f), tac_mat3_det(*f));
}

/* Whatever F is, up to a size of 1000: of any rank, reflected, nothing at all. */
TAC_TEST(everything_is_finite) {
  for (int i = 0; i < law_count(); ++i) {
    tacRandom random = tac_random_seed(7000 + (uint64_t)i);
    for (int k = 0; k < 500; ++k) {
      double p[TAC_HYPER_MOST_PARAMETERS], s[3];
      sample_parameters(law_at(i), &random, p);
      for (int a = 0; a < 3; ++a) {
        s[a] = pow(10.0, tac_random_uniform(&random, -6.0, 2.99));
        double choice = tac_random_uniform(&random, 0.0, 1.0);
        if (choice < 0.2) s[a] = 0.0;
        if (choice > 0.7) s[a] = -s[a];
      }
      tacMat3 u = random_rotation(&random), v = random_rotation(&random);
      tacMat3 f = tac_mat3_mul(u, tac_mat3_mul(tac_mat3_diagonal(s[0], s[1], s[2]), v));
      expect_finite(law_at(i), &f, p);
      f = tac_mat3_diagonal(s[0], s[1], s[2]);
      expect_finite(law_at(i), &f, p);
    }
  }
}

/* Eigenvalues that are equal, nearly equal, or not: nothing of stress or tangent changes by more than the step makes
 * it. */
TAC_TEST(equal_stretches_are_no_special_case) {
  for (int i = 0; i < law_count(); ++i) {
    tacRandom random = tac_random_seed(17 + (uint64_t)i);
    for (int k = 0; k < 30; ++k) {
      double p[TAC_HYPER_MOST_PARAMETERS];
      sample_parameters(law_at(i), &random, p);
      double a = tac_random_uniform(&random, 0.7, 1.5), b = k % 2 == 0 ? a : tac_random_uniform(&random, 0.7, 1.5);
      tacMat3 u = random_rotation(&random), v = random_rotation(&random);
      tacHyperPoint at, near;
      tacMat3 f = tac_mat3_mul(u, tac_mat3_mul(tac_mat3_diagonal(a, a, b), v));
      tac_hyper_point_evaluate(law_at(i), p, NULL, &f, &at);
      for (double step = 1e-16; step < 1e-5; step *= 10.0) {
        f = tac_mat3_mul(u, tac_mat3_mul(tac_mat3_diagonal(a, a * (1.0 + step), b * (1.0 - step)), v));
        tac_hyper_point_evaluate(law_at(i), p, NULL, &f, &near);
        double size = largest9(at.tangent), most = 0.0;
        for (int n = 0; n < 9; ++n)
          for (int o = 0; o < 9; ++o) most = fmax(most, fabs(near.tangent[n][o] - at.tangent[n][o]));
        ck_assert_msg(most <= (1e-12 + 1e4 * step) * size, "%s: a step of %g changes the tangent by %g of %g",
                      law_at(i)->name, step, most, size);
      }
    }
  }
}

/* Solves (T + shift I) x = b, T + shift I = L L^T; false where that has no such factors. */
static bool solve_shifted(double t[9][9], double shift, const double b[9], double x[9]) {
  double a[81];
  tacDense factor = {9, 9, 9, a};
  memcpy(a, t, sizeof a);
  memcpy(x, b, 9 * sizeof *x);
  for (int i = 0; i < 9; ++i) a[10 * i] += shift;
  if (!tac_dense_loop_cholesky(&factor)) return false;
  tac_dense_loop_cholesky_solve(&factor, x);
  return true;
}

/* Goes down the energy until the stress is zero. Steps are short (0.05), so that this is a way that an element could
 * go. */
static tacMat3 descend(const tacHyperLaw *law, const double *p, tacMat3 f) {
  tacHyperPoint point;
  tac_hyper_point_evaluate(law, p, NULL, &f, &point);
  double shift = 1e-3 * largest9(point.tangent);
  for (int step = 0; step < 20000; ++step) {
    double b[9], x[9], slope = 0.0, norm = 0.0;
    for (int n = 0; n < 9; ++n) b[n] = -point.stress.m[n / 3][n % 3];
    if (tac_mat3_norm(point.stress) <= 1e-9 * largest9(point.tangent)) break;
    if (!solve_shifted(point.tangent, shift, b, x)) {
      shift *= 2.0;
      continue;
    }
    for (int n = 0; n < 9; ++n) {
      slope -= b[n] * x[n];
      norm += x[n] * x[n];
    }
    double scale = fmin(1.0, 0.05 / sqrt(norm));
    tacMat3 next = f;
    for (int n = 0; n < 9; ++n) next.m[n / 3][n % 3] += scale * x[n];
    tacHyperPoint there;
    tac_hyper_point_evaluate(law, p, NULL, &next, &there);
    if (there.energy <= point.energy + 1e-4 * scale * slope) {
      f = next;
      point = there;
      shift *= 0.5;
    } else {
      if (shift > 1e6 * largest9(point.tangent)) break; /* rounding decides */
      shift = fmax(4.0 * shift, 1e-12 * largest9(point.tangent));
    }
  }
  return f;
}

/* A start with J < 0: reflections of rest, then random ones. Rest with all axes reflected is a saddle by symmetry:
 * hence a little noise. */
static tacMat3 sample_inverted(tacRandom *random, int k) {
  tacMat3 start = tac_mat3_diagonal(1.0, 1.0, -1.0);
  if (k == 1) start = tac_mat3_diagonal(-1.0, -1.0, -1.0);
  if (k == 2) start = tac_mat3_diagonal(2.0, 0.5, -1.0);
  if (k > 2) {
    double j = tac_random_uniform(random, -2.0, -0.05);
    start = sample_gradient(random, 3.0, j);
  }
  for (int n = 0; n < 9; ++n) start.m[n / 3][n % 3] += tac_random_uniform(random, -1e-3, 1e-3);
  return start;
}

static void expect_back(const tacHyperLaw *law, const double *p, tacMat3 start) {
  tacMat3 end = descend(law, p, start);
  ck_assert_msg(tac_mat3_det(end) > 0.1, "%s: from J = %g to J = %g", law->name, tac_mat3_det(start),
                tac_mat3_det(end));
}

/* No inverted state is where an element could stay: from any, the energy goes down to one with J > 0.1. */
TAC_TEST(inverted_states_recover) {
  int repeat = tac_test_light() ? 5 : 60;
  for (int i = 0; i < law_count(); ++i) {
    tacRandom random = tac_random_seed(77 + (uint64_t)i);
    for (int k = 0; k < repeat; ++k) {
      double p[TAC_HYPER_MOST_PARAMETERS], shear, bulk;
      do {
        sample_parameters(law_at(i), &random, p);
        law_at(i)->moduli(p, &shear, &bulk);
      } while (bulk < 10.0 * shear); /* Poisson's ratio of 0.45: see docs/hyperelastic_laws.md on others */
      expect_back(law_at(i), p, sample_inverted(&random, k));
    }
  }
}

/* Those that do not tell F from its reflection but for their barrier: with whatever parameters. */
TAC_TEST(laws_of_c_alone_recover_from_inversion) {
  const tacHyperLaw *kirchhoff = tac_hyper_law_find("st-venant-kirchhoff", NULL),
                    *costa = tac_hyper_law_find("costa", NULL);
  tacRandom random = tac_random_seed(78);
  for (int k = 0; k < (tac_test_light() ? 5 : 60); ++k) {
    double p[TAC_HYPER_MOST_PARAMETERS] = {1.0, k % 4 == 0 ? 0.0 : exp(tac_random_uniform(&random, -5.0, 5.0))};
    expect_back(kirchhoff, p, sample_inverted(&random, k));
    p[0] = 1.0;
    double b = exp(tac_random_uniform(&random, -2.0, 4.0));
    for (int n = 1; n < 7; ++n)
      p[n] = k % 2 == 0 ? b : exp(tac_random_uniform(&random, -2.0, 4.0)); /* no way out is weak, or one */
    p[7] = exp(tac_random_uniform(&random, -5.0, 5.0));
    expect_back(costa, p, sample_inverted(&random, k));
  }
}

/* Every parameter of every law: not a number, infinite, below or above its range. The line has the law, the parameter
 * and the value. */
TAC_TEST(values_out_of_range_are_refused) {
  for (int i = 0; i < law_count(); ++i) {
    tacRandom random = tac_random_seed(1);
    for (int n = 0; n < law_at(i)->parameter_count; ++n) {
      const tacHyperParameter *q = &law_at(i)->parameters[n];
      double p[TAC_HYPER_MOST_PARAMETERS], below = q->at_least ? q->above - 1.0 : q->above;
      sample_parameters(law_at(i), &random, p);
      tac_test_ok(tac_hyper_law_check(law_at(i), p, &error), error);
      double wrong[] = {NAN, INFINITY, -INFINITY, below, q->most + 1.0};
      for (int k = 0; k < (int)(sizeof wrong / sizeof *wrong); ++k) {
        char value[32];
        snprintf(value, sizeof value, "%g", p[n] = wrong[k]);
        tac_test_refused(tac_hyper_law_check(law_at(i), p, &error), TAC_ERR_ARGUMENT, error, law_at(i)->name);
        ck_assert_ptr_nonnull(strstr(error.text, q->name));
        ck_assert_ptr_nonnull(strstr(error.text, value));
        ck_assert_ptr_nonnull(strstr(error.text, "must be"));
      }
    }
  }
}

TAC_TEST(parameters_without_meaning_are_refused) {
  static const struct {
    const char *law;
    double p[TAC_HYPER_MOST_PARAMETERS];
    const char *says;
  } wrong[] = {
      {"neo-hookean", {1.0, 0.0}, "k0"},
      {"st-venant-kirchhoff", {0.0, 1.0}, "mu"},
      {"mooney-rivlin", {0.0, 0.0, 1.0}, "c1 + c2 is 0"},
      {"boyce-arruda", {1.0, 1.0, 1.0}, "lambda_m (stretch at which chains lock) is 1;"},
      {"ogden", {1.0, -2.0, 0.0, 2.0, 0.0, 2.0, 1.0}, "mu1 alpha1 is -2 Pa"},
      {"ogden", {0.0, -2.0, 0.0, 2.0, 0.0, 2.0, 1.0}, "mu_i alpha_i is 0 Pa"},
      {"ogden", {1.0, 2.0, 3.0, 0.0, 0.0, 2.0, 1.0}, "alpha2 is 0 with mu2 = 3 Pa;"},
      {"veronda-westmann", {1.0, 0.3, 1.0}, "c2 (how fast it hardens) is 0.3;"},
      {"costa", {1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0}, "b_nn"},
      {"corotational", {1.0, 0.5}, "poisson (Poisson's ratio) is 0.5;"},
      {"corotational", {1.0, -1.0}, "poisson"},
  };
  for (int i = 0; i < (int)(sizeof wrong / sizeof *wrong); ++i) {
    const tacHyperLaw *law = tac_hyper_law_find(wrong[i].law, &error);
    ck_assert_ptr_nonnull(law);
    tac_test_refused(tac_hyper_law_check(law, wrong[i].p, &error), TAC_ERR_ARGUMENT, error, wrong[i].says);
  }
}

TAC_TEST(a_mistyped_law_has_its_nearest_named) {
  ck_assert_ptr_null(tac_hyper_law_find("neo-hokean", &error));
  ck_assert_ptr_nonnull(strstr(error.text, "did you mean neo-hookean?"));
  for (int i = 0; i < law_count(); ++i) {
    ck_assert_ptr_nonnull(strstr(error.text, law_at(i)->name));
    ck_assert_ptr_eq(tac_hyper_law_find(law_at(i)->name, NULL), law_at(i));
  }
  ck_assert_ptr_null(tac_hyper_law_find("", NULL));
}

TAC_TEST(axes_that_are_not_orthonormal_are_refused) {
  tacRandom random = tac_random_seed(3);
  tacMat3 axes = random_rotation(&random), wrong = axes;
  tac_test_ok(tac_hyper_axes_check(&axes, &error), error);
  for (int i = 0; i < 3; ++i) wrong.m[i][1] = 2.0 * axes.m[i][1];
  tac_test_refused(tac_hyper_axes_check(&wrong, &error), TAC_ERR_ARGUMENT, error,
                   "the sheet axis has length 2; the "
                   "axes of a material must have "
                   "length 1");
  for (int i = 0; i < 3; ++i) wrong.m[i][1] = 0.8 * axes.m[i][1] + 0.6 * axes.m[i][2];
  tac_test_refused(tac_hyper_axes_check(&wrong, &error), TAC_ERR_ARGUMENT, error,
                   "the sheet and normal axes have the dot product 0.6; the axes of a material must be orthogonal");
  wrong.m[0][0] = NAN;
  ck_assert_int_eq(tac_hyper_axes_check(&wrong, &error), TAC_ERR_ARGUMENT);
}

/* Laws are not fused: all widths have the same bits, and it does not matter which lane is which. */
TAC_TEST(every_width_gives_the_same_law) {
  for (int i = 0; i < law_count(); ++i) {
    tacRandom random = tac_random_seed(171 + (uint64_t)i);
    for (int k = 0; k < 30; ++k) {
      double p[TAC_HYPER_MOST_PARAMETERS], c[6][TAC_HYPER_LANES], j[TAC_HYPER_LANES];
      double i1[TAC_HYPER_LANES], i2[TAC_HYPER_LANES];
      tacVolumeEnergy u[3];
      sample_parameters(law_at(i), &random, p);
      for (int l = 0; l < TAC_HYPER_LANES; ++l) {
        j[l] = tac_random_uniform(&random, -0.5, 2.0);
        tacMat3 f = sample_gradient(&random, 5.0, j[l]), right = tac_mat3_mul(tac_mat3_transpose(f), f);
        const double six[6] = {right.m[0][0], right.m[1][1], right.m[2][2],
                               right.m[1][2], right.m[2][0], right.m[0][1]};
        for (int n = 0; n < 6; ++n) c[n][l] = six[n];
        i1[l] = six[0] + six[1] + six[2];
        i2[l] =
            six[0] * six[1] + six[1] * six[2] + six[2] * six[0] - six[3] * six[3] - six[4] * six[4] - six[5] * six[5];
      }
      tacStrainEnergy strain[3];
      tacInvariantEnergy invariant[3];
      memset(strain, 0, sizeof strain);
      memset(invariant, 0, sizeof invariant);
      memset(u, 0, sizeof u);
      for (int w = 0; w < 3; ++w) {
        tac_lanes_limit(2 << w);
        if (law_at(i)->strain != NULL) law_at(i)->strain(p, (const double(*)[TAC_HYPER_LANES])c, j, &strain[w]);
        if (law_at(i)->invariants != NULL) law_at(i)->invariants(p, i1, i2, j, &invariant[w]);
        if (law_at(i)->volume != NULL) law_at(i)->volume(p[law_at(i)->k0], j, &u[w]);
      }
      for (int w = 1; w < 3; ++w) {
        ck_assert_msg(memcmp(&strain[w], &strain[0], sizeof strain[0]) == 0, "%s", law_at(i)->name);
        ck_assert_msg(memcmp(&invariant[w], &invariant[0], sizeof invariant[0]) == 0, "%s", law_at(i)->name);
        ck_assert_msg(memcmp(&u[w], &u[0], sizeof u[0]) == 0, "%s", law_at(i)->name);
      }
      /* the lanes turned round by one */
      double turned[6][TAC_HYPER_LANES], turned_j[TAC_HYPER_LANES];
      for (int l = 0; l < TAC_HYPER_LANES; ++l) {
        for (int n = 0; n < 6; ++n) turned[n][l] = c[n][(l + 1) % TAC_HYPER_LANES];
        turned_j[l] = j[(l + 1) % TAC_HYPER_LANES];
      }
      if (law_at(i)->strain == NULL) continue;
      law_at(i)->strain(p, (const double(*)[TAC_HYPER_LANES])turned, turned_j, &strain[1]);
      for (int l = 0; l < TAC_HYPER_LANES; ++l) {
        const int from = (l + 1) % TAC_HYPER_LANES;
        ck_assert_double_eq(strain[1].w[l], strain[0].w[from]);
        for (int n = 0; n < 36; ++n)
          ck_assert_double_eq(strain[1].tangent[n / 6][n % 6][l], strain[0].tangent[n / 6][n % 6][from]);
      }
    }
  }
}
