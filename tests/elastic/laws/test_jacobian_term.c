#include "elastic/laws/jacobian_term.h"

#include <float.h>
#include "elastic/laws/exponential_term.h"
#include "test.h"

typedef tacJacobianTerm (*TermFn)(double j);
static tacJacobianTerm falling(double j) {
  return tac_jacobian_power(-10.0 / 3.0, j);
}
static tacJacobianTerm rooted(double j) {
  double root = tac_jacobian_root(j);
  return tac_jacobian_power_from(root * root, -2.0 / 3.0, j);
}
static tacJacobianTerm exponential(double j) { /* of what is like J: the seam is at TAC_JACOBIAN_LEAST too */
  tacExponentialTerm e = tac_exponential_term(TAC_EXPONENT_MOST - (j - TAC_JACOBIAN_LEAST));
  return (tacJacobianTerm){e.f, -e.f1, e.f2};
}
static const TermFn terms[] = {
    falling, rooted, tac_jacobian_log_square, tac_jacobian_log_product, tac_jacobian_barrier, exponential};
enum { TERMS = sizeof terms / sizeof *terms };

TAC_TEST(terms_match_their_formulas) {
  for (double j = 0.1; j < 5.0; j += 0.1) {
    ck_assert_double_eq_tol(falling(j).f, pow(j, -10.0 / 3.0), 1e-12 * falling(j).f);
    ck_assert_double_eq_tol(rooted(j).f, pow(j, -2.0 / 3.0), 1e-12 * rooted(j).f);
    ck_assert_double_eq_tol(tac_jacobian_log_square(j).f, 0.5 * log(j) * log(j), 1e-12);
    ck_assert_double_eq_tol(tac_jacobian_log_product(j).f, j * log(j) - j + 1.0, 1e-12);
    ck_assert_double_eq(tac_jacobian_barrier(j).f, 0.0);
  }
  ck_assert_double_eq_tol(tac_jacobian_barrier(-0.9).f, 1.0, 1e-12);
  for (double x = -5.0; x < 30.0; x += 0.5)
    ck_assert_double_eq_tol(tac_exponential_term(x).f, exp(x), 4.0 * DBL_EPSILON * exp(x));
}

/* Derivatives against central differences on both sides of the seam, and nothing jumps over it. */
TAC_TEST(derivatives_are_exact_and_continuous_at_the_seam) {
  for (int t = 0; t < TERMS; ++t) {
    for (double j = -3.03; j < 3.0; j += 0.07) {
      double h = 1e-5;
      if (fabs(j - TAC_JACOBIAN_LEAST) < 2.0 * h) continue;
      tacJacobianTerm at = terms[t](j), less = terms[t](j - h), more = terms[t](j + h);
      double size = 1.0 + fabs(at.f) + fabs(at.f1) + fabs(at.f2);
      ck_assert_double_eq_tol(at.f1, (more.f - less.f) / (2.0 * h), 1e-6 * size);
      ck_assert_double_eq_tol(at.f2, (more.f1 - less.f1) / (2.0 * h), 1e-6 * size);
    }
    tacJacobianTerm above = terms[t](TAC_JACOBIAN_LEAST), below = terms[t](TAC_JACOBIAN_LEAST - 1e-9);
    ck_assert_double_eq_tol(above.f, below.f, 1e-6 * fabs(above.f) + 1e-12);
    ck_assert_double_eq_tol(above.f1, below.f1, 1e-6 * fabs(above.f1) + 1e-12);
    ck_assert_double_eq_tol(above.f2, below.f2, 1e-6 * fabs(above.f2) + 1e-7);
  }
}

/* What resists compression resists inversion the more. */
TAC_TEST(terms_resist_inversion) {
  static const TermFn resisting[] = {falling, rooted, tac_jacobian_log_square, tac_jacobian_log_product,
                                     tac_jacobian_barrier};
  for (int t = 0; t < (int)(sizeof resisting / sizeof *resisting); ++t)
    for (double j = 0.09; j > -100.0; j -= 0.1) {
      ck_assert_double_lt(resisting[t](j).f1, 0.0);
      ck_assert_double_lt(resisting[t](j - 0.1).f1, resisting[t](j).f1);
    }
}
