/* Ogden (1972): Psi = sum_i mu_i / alpha_i (J^(-alpha_i / 3) sum_a c_a^(alpha_i / 2) - 3) + k0 / 2 (ln J)^2, up to
 * three pairs, with c_a the eigenvalues of C, squares of the principal stretches. 2 (shear modulus) = sum mu_i alpha_i.
 *
 * Where alpha < 0 it is computed of the eigenvalues k_a = c_b c_c of C's cofactors: c_a^(alpha / 2) J^(-alpha / 3) is
 * k_a^(-alpha / 2) J^(2 alpha / 3), a power of J that falls, so that going on below TAC_JACOBIAN_LEAST it pushes an
 * inverted element back (alpha = -2 is the second term of Mooney-Rivlin).
 *
 * An isotropic function g(c_1, c_2, c_3) has dg/dC = sum g_a n_a n_a^T with the eigenvectors n_a, and the derivative of
 * that along H is sum g_ab (n_b . H n_b) n_a n_a^T + sum_{a != b} d_ab (n_a . H n_b) n_a n_b^T with divided differences
 * d_ab = (g_a - g_b) / (c_a - c_b). They are computed without cancellation, so that it does not matter which stretches,
 * or how nearly, are equal.
 *
 * Powers of c and k go on below STRETCH_LEAST^2 as their parabolas: an element that is pressed flat has finite stresses
 * too. */
#include <math.h>
#include "elastic/hyper_volume.h"
#include "math/svd3.h"

enum { MU1, ALPHA1, MU2, ALPHA2, MU3, ALPHA3, K0, COUNT };
enum { PAIRS = 3 };

static const double STRETCH_LEAST = 0.1;
static const double ALPHA_LEAST = 0.5; /* what goes on below the least stretch would have less energy than rest */

static tacStatus check(const double *p, tacError *error) {
  double sum = 0.0;
  for (int i = 0; i < PAIRS; ++i) {
    double mu = p[MU1 + 2 * i], alpha = p[ALPHA1 + 2 * i];
    if (mu != 0.0 && fabs(alpha) < ALPHA_LEAST)
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "ogden: alpha%d is %g with mu%d = %g Pa; it has to be at least %g in size", i + 1, alpha,
                           i + 1, mu, ALPHA_LEAST);
    if (mu * alpha < 0.0)
      return tac_error_set(
          error, TAC_ERR_ARGUMENT,
          "ogden: mu%d alpha%d is %g Pa; a pair below 0 has no least energy: each has to be at least 0", i + 1, i + 1,
          mu * alpha);
    sum += mu * alpha;
  }
  if (sum > 0.0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "ogden: the sum of mu_i alpha_i is %g Pa; twice the shear modulus has to be above 0", sum);
}

static void moduli(const double *p, double *shear, double *bulk) {
  *shear = 0.5 * (p[MU1] * p[ALPHA1] + p[MU2] * p[ALPHA2] + p[MU3] * p[ALPHA3]);
  *bulk = p[K0];
}

static void volume(const double *p, const double *j, double *u, double *uj, double *ujj) {
  tac_hyper_volume_log_square(p[K0], j, u, uj, ujj);
}

/* phi(c) = c^q with its derivatives. */
typedef struct Power {
  double c, value, first, second;
} Power;

static Power get_power(double q, double c) {
  double value = pow(c, q), first = q * value / c;
  return (Power){c, value, first, (q - 1.0) * first / c};
}

/* Below `least` as its parabola there. */
static Power power_continue(const Power *least, double q, double c) {
  if (c >= least->c) return get_power(q, c);
  double d = c - least->c;
  return (Power){c, least->value + d * (least->first + 0.5 * d * least->second), least->first + d * least->second,
                 least->second};
}

/* (phi'(b) - phi'(a)) / (b - a) of places that are not below the least, a <= b. Where they are near, by
 * b^n - a^n = a^n expm1(n ln(b / a)), which has no cancellation. */
static double power_divided(double q, const Power *a, const Power *b) {
  double r = (b->c - a->c) / a->c;
  if (r > 0.5) return (b->first - a->first) / (b->c - a->c);
  return r > 0.0 ? a->first / a->c * expm1((q - 1.0) * log1p(r)) / r : a->second;
}

/* The same wherever they are. */
static double power_difference(const Power *least, double q, const Power *a, const Power *b) {
  if (a->c > b->c) return power_difference(least, q, b, a);
  if (b->c <= least->c) return least->second;
  if (a->c >= least->c) return power_divided(q, a, b);
  double above = (b->c - least->c) / (b->c - a->c); /* the share of the way */
  return above * power_divided(q, least, b) + (1.0 - above) * least->second;
}

/* V with columns n_a, and eigenvalues by them: never worse than C's rounding. */
static tacMat3 eigenvectors(const double c[6], double value[3]) {
  tacMat3 full = {{{c[0], c[5], c[4]}, {c[5], c[1], c[3]}, {c[4], c[3], c[2]}}};
  tacMat3 v = tac_svd3(full).v;
  for (int a = 0; a < 3; ++a) {
    tacVec3 n = tac_mat3_column(v, a);
    value[a] = tac_vec3_dot(n, tac_mat3_mul_vec(full, n));
  }
  return v;
}

/* g = sum_a phi(c_a), or of the cofactors k_a = c_b c_c: first derivatives by c_a, second ones (xx, yy, zz, yz, zx,
 * xy), and the divided differences (g_a - g_b) / (c_a - c_b) of yz, zx, xy. */
typedef struct Sum {
  double g, first[3], second[6], divided[3];
} Sum;

static Sum sum_stretches(double q, const double c[3]) {
  Sum sum = {0};
  Power least = get_power(q, STRETCH_LEAST * STRETCH_LEAST), at[3];
  for (int a = 0; a < 3; ++a) {
    at[a] = power_continue(&least, q, c[a]);
    sum.g += at[a].value;
    sum.first[a] = at[a].first;
    sum.second[a] = at[a].second;
  }
  for (int a = 0; a < 3; ++a) sum.divided[a] = power_difference(&least, q, &at[(a + 1) % 3], &at[(a + 2) % 3]);
  return sum;
}

/* With k_b - k_d = c_a (c_d - c_b): (g_b - g_d) / (c_b - c_d) = c_a^2 (phi'(k_b) - phi'(k_d)) / (k_b - k_d) -
 * phi'(k_a). */
static Sum sum_areas(double q, const double c[3]) {
  Sum sum = {0};
  Power least = get_power(q, STRETCH_LEAST * STRETCH_LEAST), at[3];
  for (int a = 0; a < 3; ++a) {
    at[a] = power_continue(&least, q, c[(a + 1) % 3] * c[(a + 2) % 3]);
    sum.g += at[a].value;
  }
  for (int a = 0; a < 3; ++a) {
    int b = (a + 1) % 3, d = (a + 2) % 3;
    sum.first[a] = at[b].first * c[d] + at[d].first * c[b];
    sum.second[a] = at[b].second * c[d] * c[d] + at[d].second * c[b] * c[b];
    sum.second[3 + a] = at[a].second * at[a].c + at[a].first;
    sum.divided[a] = c[a] * c[a] * power_difference(&least, q, &at[b], &at[d]) - at[a].first;
  }
  return sum;
}

static void strain(const double *p, const tacMat3 *axes, const double c[6], double j, tacStrainEnergy *out) {
  static const int row[6] = {0, 1, 2, 1, 2, 0}, col[6] = {0, 1, 2, 2, 0, 1};
  (void)axes;
  *out = (tacStrainEnergy){0};
  double at[3], first[3] = {0}, first_by_j[3] = {0}, second[6] = {0}, divided[3] = {0};
  tacMat3 v = eigenvectors(c, at);
  for (int i = 0; i < PAIRS; ++i) {
    double mu = p[MU1 + 2 * i], alpha = p[ALPHA1 + 2 * i];
    if (mu == 0.0) continue;
    tacJacobianTerm f = tac_jacobian_power(alpha > 0.0 ? -alpha / 3.0 : 2.0 * alpha / 3.0, j);
    Sum sum = alpha > 0.0 ? sum_stretches(0.5 * alpha, at) : sum_areas(-0.5 * alpha, at);
    double m = mu / alpha;
    for (int n = 0; n < 3; ++n) {
      first[n] += m * f.f * sum.first[n];
      first_by_j[n] += m * f.f1 * sum.first[n];
      divided[n] += m * f.f * sum.divided[n];
    }
    for (int n = 0; n < 6; ++n) second[n] += m * f.f * sum.second[n];
    out->w += m * (f.f * sum.g - 3.0);
    out->wj += m * f.f1 * sum.g;
    out->wjj += m * f.f2 * sum.g;
  }
  double basis[6][6]; /* sym(n_a n_b^T), plain components */
  for (int n = 0; n < 6; ++n)
    for (int k = 0; k < 6; ++k)
      basis[n][k] = 0.5 * (v.m[row[k]][row[n]] * v.m[col[k]][col[n]] + v.m[row[k]][col[n]] * v.m[col[k]][row[n]]);
  for (int k = 0; k < 6; ++k) {
    for (int a = 0; a < 3; ++a) {
      out->stress[k] += 2.0 * first[a] * basis[a][k];
      out->stress_by_j[k] += 2.0 * first_by_j[a] * basis[a][k];
    }
    for (int l = 0; l < 6; ++l) {
      double sum = 0.0;
      for (int n = 0; n < 6; ++n) {
        int a = row[n], b = col[n];
        sum += second[n] * (n < 3 ? basis[n][k] * basis[n][l] : basis[a][k] * basis[b][l] + basis[b][k] * basis[a][l]);
        if (n >= 3) sum += 2.0 * divided[n - 3] * basis[n][k] * basis[n][l];
      }
      out->tangent[k][l] = 4.0 * sum;
    }
  }
}

const tacHyperLaw tac_hyper_ogden = {
    .name = "ogden",
    .about = "sum mu_i/alpha_i (J^(-alpha_i/3) sum_a lambda_a^alpha_i - 3) + k0/2 (ln J)^2",
    .parameter_count = COUNT,
    .parameters = {[MU1] = {"mu1", "Pa", "of the first pair", -INFINITY, INFINITY, false, NAN},
                   [ALPHA1] = {"alpha1", "", "exponent of the first pair", -30.0, 30.0, true, NAN},
                   [MU2] = {"mu2", "Pa", "of the second pair", -INFINITY, INFINITY, false, 0.0},
                   [ALPHA2] = {"alpha2", "", "exponent of the second pair", -30.0, 30.0, true, 2.0},
                   [MU3] = {"mu3", "Pa", "of the third pair", -INFINITY, INFINITY, false, 0.0},
                   [ALPHA3] = {"alpha3", "", "exponent of the third pair", -30.0, 30.0, true, 2.0},
                   [K0] = {"k0", "Pa", "bulk modulus", 0.0, INFINITY, false, NAN}},
    .check = check,
    .moduli = moduli,
    .volume = volume,
    .strain = strain};
