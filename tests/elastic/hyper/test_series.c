#include "elastic/hyper/series.h"

#include "test.h"

enum { ORDER = 24, STRIDE = 3 };
typedef tacVectorPair Series[(ORDER + 1) * STRIDE]; /* coefficients are STRIDE apart */

static double sum(const tacVectorPair *a, double t, int lane) {
  double value = 0.0;
  for (int p = ORDER; p >= 0; --p) value = t * value + a[p * STRIDE][lane];
  return value;
}

/* Two quartics without a zero near 0: their series are those of the functions there, so that sums at a small t agree
 * with the functions of the sums, to t^25 of some 1e-18. */
TAC_TEST(coefficients_are_those_of_the_functions) {
  const double given[5][2] = {{1.5, 0.7}, {0.8, -0.6}, {-0.5, 0.9}, {0.3, 0.2}, {0.2, -0.4}};
  Series a = {0}, power = {0}, logarithm = {0}, quotient = {0}, product = {0};
  for (int p = 0; p < 5; ++p) a[p * STRIDE] = (tacVectorPair){given[p][0], given[p][1]};
  for (int l = 0; l < 2; ++l) {
    power[0][l] = pow(a[0][l], -2.0 / 3.0);
    logarithm[0][l] = log(a[0][l]);
    quotient[0][l] = logarithm[0][l] / a[0][l];
    product[0][l] = a[0][l] * logarithm[0][l];
  }
  for (int p = 1; p <= ORDER; ++p) {
    power[p * STRIDE] = tac_series_power(a, -2.0 / 3.0, power, STRIDE, p);
    logarithm[p * STRIDE] = tac_series_logarithm(a, logarithm, STRIDE, p);
    quotient[p * STRIDE] = tac_series_quotient(logarithm[p * STRIDE], a, quotient, STRIDE, p);
    product[p * STRIDE] =
        tac_series_inner(a, logarithm, STRIDE, p) + a[0] * logarithm[p * STRIDE] + a[p * STRIDE] * logarithm[0];
  }
  for (int l = 0; l < 2; ++l)
    for (double t = -0.1; t <= 0.1; t += 0.05) {
      double value = sum(a, t, l);
      ck_assert_double_eq_tol(sum(power, t, l), pow(value, -2.0 / 3.0), 1e-13);
      ck_assert_double_eq_tol(sum(logarithm, t, l), log(value), 1e-13);
      ck_assert_double_eq_tol(sum(quotient, t, l), log(value) / value, 1e-13);
      ck_assert_double_eq_tol(sum(product, t, l), log(value) * value, 1e-13);
    }
}
