/* Ogden (1972): Psi = sum_i mu_i / alpha_i (J^(-alpha_i / 3) sum_a c_a^(alpha_i / 2) - 3) + k0 / 2 (ln J)^2, up to three pairs, with c_a
 * the eigenvalues of C, squares of the principal stretches. 2 (shear modulus) = sum mu_i alpha_i.
 *
 * With phi(c) = c^(alpha / 2) and eigenvectors n_a: d tr phi / dC = sum phi'(c_a) n_a n_a^T, and its derivative along H is
 * sum_ab d_ab (n_a . H n_b) n_a n_b^T with the divided differences d_ab = (phi'(c_a) - phi'(c_b)) / (c_a - c_b), phi'' where they are
 * equal. They are computed without cancellation, so that it does not matter which of them, or how nearly, are equal.
 *
 * phi goes on below the stretch STRETCH_LEAST as its parabola: an element that is pressed flat has stresses too. */
#include <math.h>
#include "elastic/hyper_volume.h"
#include "math/svd3.h"

enum { MU1, ALPHA1, MU2, ALPHA2, MU3, ALPHA3, K0, COUNT };
enum { PAIRS = 3 };

static const double STRETCH_LEAST = 0.05;

static tacStatus check(const double *p, tacError *error) {
  double sum = 0.0;
  for (int i = 0; i < PAIRS; ++i) {
    double mu = p[MU1 + 2 * i], alpha = p[ALPHA1 + 2 * i];
    if (mu != 0.0 && alpha == 0.0)
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "ogden: alpha%d is 0 with mu%d = %g Pa; an exponent has to be another number", i + 1, i + 1,
                           mu);
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

/* c^q and what goes on below `least`. */
typedef struct Power {
  double q, least;
  double f1, f2; /* derivatives at `least` */
} Power;

static Power get_power(double q) {
  double least = STRETCH_LEAST * STRETCH_LEAST, at = pow(least, q);
  return (Power){q, least, q * at / least, q * (q - 1.0) * at / (least * least)};
}

static double power_value(const Power *k, double c) {
  double d = c - k->least;
  return d >= 0.0 ? pow(c, k->q) : pow(k->least, k->q) + d * (k->f1 + 0.5 * d * k->f2);
}

static double power_first(const Power *k, double c) {
  double d = c - k->least;
  return d >= 0.0 ? k->q * pow(c, k->q - 1.0) : k->f1 + d * k->f2;
}

/* Of the first derivative q c^(q - 1) between two places that are not below `least`; q (q - 1) c^(q - 2) where they are one:
 * b^n - a^n = a^n expm1(n ln(b / a)) for a <= b has no cancellation. */
static double power_divided(const Power *k, double a, double b) {
  double low = fmin(a, b), high = fmax(a, b), n = k->q - 1.0, r = (high - low) / low;
  if (r < 1e-300) return k->q * n * pow(low, n - 1.0);
  return k->q * pow(low, n - 1.0) * expm1(n * log1p(r)) / r;
}

static double power_second(const Power *k, double a, double b) {
  double low = fmin(a, b), high = fmax(a, b);
  if (high <= k->least) return k->f2;
  if (low >= k->least) return power_divided(k, low, high);
  double above = (high - k->least) / (high - low); /* the share of the way */
  return above * power_divided(k, k->least, high) + (1.0 - above) * k->f2;
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

static void strain(const double *p, const tacMat3 *axes, const double c[6], double j, tacStrainEnergy *out) {
  static const int row[6] = {0, 1, 2, 1, 2, 0}, col[6] = {0, 1, 2, 2, 0, 1};
  (void)axes;
  *out = (tacStrainEnergy){0};
  double at[3], first[3] = {0}, first_by_j[3] = {0}, second[6] = {0};
  tacMat3 v = eigenvectors(c, at);
  for (int i = 0; i < PAIRS; ++i) {
    double mu = p[MU1 + 2 * i], alpha = p[ALPHA1 + 2 * i];
    if (mu == 0.0) continue;
    Power k = get_power(0.5 * alpha);
    tacJacobianTerm f = tac_jacobian_power(-alpha / 3.0, j);
    double m = mu / alpha, sum = 0.0;
    for (int a = 0; a < 3; ++a) {
      double derivative = power_first(&k, at[a]);
      sum += power_value(&k, at[a]);
      first[a] += m * f.f * derivative;
      first_by_j[a] += m * f.f1 * derivative;
    }
    for (int n = 0; n < 6; ++n) second[n] += m * f.f * power_second(&k, at[row[n]], at[col[n]]);
    out->w += m * (f.f * sum - 3.0);
    out->wj += m * f.f1 * sum;
    out->wjj += m * f.f2 * sum;
  }
  for (int n = 0; n < 6; ++n) { /* sym(n_a n_b^T), plain components */
    double basis[6];
    for (int k = 0; k < 6; ++k)
      basis[k] = 0.5 * (v.m[row[k]][row[n]] * v.m[col[k]][col[n]] + v.m[row[k]][col[n]] * v.m[col[k]][row[n]]);
    double weight = n < 3 ? 4.0 * second[n] : 8.0 * second[n]; /* ab and ba */
    for (int k = 0; k < 6; ++k) {
      if (n < 3) {
        out->stress[k] += 2.0 * first[n] * basis[k];
        out->stress_by_j[k] += 2.0 * first_by_j[n] * basis[k];
      }
      for (int l = 0; l < 6; ++l) out->tangent[k][l] += weight * basis[k] * basis[l];
    }
  }
}

const tacHyperLaw tac_hyper_ogden = {
    .name = "ogden",
    .about = "sum mu_i/alpha_i (J^(-alpha_i/3) sum_a lambda_a^alpha_i - 3) + k0/2 (ln J)^2",
    .parameter_count = COUNT,
    .parameters = {[MU1] = {"mu1", "Pa", "of the first pair", -INFINITY, INFINITY, false, NAN},
                   [ALPHA1] = {"alpha1", "", "exponent of the first pair", -20.0, 20.0, true, NAN},
                   [MU2] = {"mu2", "Pa", "of the second pair", -INFINITY, INFINITY, false, 0.0},
                   [ALPHA2] = {"alpha2", "", "exponent of the second pair", -20.0, 20.0, true, 2.0},
                   [MU3] = {"mu3", "Pa", "of the third pair", -INFINITY, INFINITY, false, 0.0},
                   [ALPHA3] = {"alpha3", "", "exponent of the third pair", -20.0, 20.0, true, 2.0},
                   [K0] = {"k0", "Pa", "bulk modulus", 0.0, INFINITY, false, NAN}},
    .check = check,
    .moduli = moduli,
    .volume = volume,
    .strain = strain};
