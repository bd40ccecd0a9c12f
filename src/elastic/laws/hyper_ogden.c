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
#include <string.h>
#include "base/lanes.h"
#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"

enum { MU1, ALPHA1, MU2, ALPHA2, MU3, ALPHA3, K0, COUNT };
enum { PAIRS = 3, LANES = TAC_HYPER_LANES };

#define STRETCH_LEAST 0.1
static const double ALPHA_LEAST = 0.5; /* what goes on below the least stretch would have less energy than rest */

static tacStatus check(const double *p, tacError *error) {
  double sum = 0.0;
  for (int i = 0; i < PAIRS; ++i) {
    double mu = p[MU1 + 2 * i], alpha = p[ALPHA1 + 2 * i];
    if (mu != 0.0 && fabs(alpha) < ALPHA_LEAST)
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "ogden: alpha%d is %g with mu%d = %g Pa; its magnitude must be at least %g", i + 1, alpha,
                           i + 1, mu, ALPHA_LEAST);
    if (mu * alpha < 0.0)
      return tac_error_set(
          error, TAC_ERR_ARGUMENT,
          "ogden: mu%d alpha%d is %g Pa; each product must be at least 0, or the energy has no minimum", i + 1, i + 1,
          mu * alpha);
    sum += mu * alpha;
  }
  if (sum > 0.0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "ogden: the sum of mu_i alpha_i is %g Pa; it is twice the shear modulus and must be above 0",
                       sum);
}

static void moduli(const double *p, double *shear, double *bulk) {
  *shear = 0.5 * (p[MU1] * p[ALPHA1] + p[MU2] * p[ALPHA2] + p[MU3] * p[ALPHA3]);
  *bulk = p[K0];
}

/* ---- eigenvectors ---- */

/* Makes c_pq zero by a turn in the plane of the axes p and q; r is the third. */
TAC_LANES_BODY void rotate(double *restrict pp, double *restrict qq, double *restrict pq, double *restrict pr,
                           double *restrict qr, double (*restrict v)[3][LANES], int p, int q) {
  double cosine[LANES], sine[LANES];
  TAC_EACH_LANE (l) {
    double d = qq[l] - pp[l], twice = 2.0 * pq[l], size = fabs(d) + sqrt(d * d + twice * twice);
    double t = (d < 0.0 ? -twice : twice) / (size > 0.0 ? size : 1.0), c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    double moved = t * pq[l], first = pr[l], second = qr[l];
    pp[l] -= moved;
    qq[l] += moved;
    pq[l] = 0.0;
    pr[l] = c * first - s * second;
    qr[l] = s * first + c * second;
    cosine[l] = c;
    sine[l] = s;
  }
  for (int k = 0; k < 3; ++k)
    TAC_EACH_LANE (l) {
      double first = v[k][p][l], second = v[k][q][l];
      v[k][p][l] = cosine[l] * first - sine[l] * second;
      v[k][q][l] = sine[l] * first + cosine[l] * second;
    }
}

/* V with columns n_a, by Jacobi's method until all lanes are diagonal, and eigenvalues by them: never worse than C's
 * rounding. */
TAC_LANES_BODY void find_eigenvectors(const double c[6][LANES], double (*restrict v)[3][LANES],
                                      double (*restrict value)[LANES]) {
  enum { MOST_SWEEPS = 12 };
  double at[6][LANES];
  memcpy(at, c, sizeof at);
  for (int k = 0; k < 3; ++k)
    for (int a = 0; a < 3; ++a)
      TAC_EACH_LANE (l) v[k][a][l] = k == a ? 1.0 : 0.0;
  for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
    double left[LANES], most = 0.0; /* how far they are from diagonal, beyond rounding */
    TAC_EACH_LANE (l) {
      double off = at[3][l] * at[3][l] + at[4][l] * at[4][l] + at[5][l] * at[5][l];
      left[l] = off - 1e-32 * (at[0][l] * at[0][l] + at[1][l] * at[1][l] + at[2][l] * at[2][l]);
    }
    TAC_EACH_LANE (l) most = left[l] > most ? left[l] : most;
    if (!(most > 0.0)) break;
    rotate(at[0], at[1], at[5], at[4], at[3], v, 0, 1);
    rotate(at[1], at[2], at[3], at[5], at[4], v, 1, 2);
    rotate(at[0], at[2], at[4], at[5], at[3], v, 0, 2);
  }
  for (int a = 0; a < 3; ++a)
    TAC_EACH_LANE (l) {
      double x = v[0][a][l], y = v[1][a][l], z = v[2][a][l];
      value[a][l] = x * (c[0][l] * x + c[5][l] * y + c[4][l] * z) + y * (c[5][l] * x + c[1][l] * y + c[3][l] * z) +
                    z * (c[4][l] * x + c[3][l] * y + c[2][l] * z);
    }
}

/* ---- powers ---- */

/* phi(c) = c^q and its derivatives at three places; below `least` as its parabola there. */
typedef struct Powers {
  double held[3][LANES], log[3][LANES], first_held[3][LANES]; /* at the place or the least, whichever is more */
  double value[3][LANES], first[3][LANES], second[3][LANES];
} Powers;

static const double C_LEAST = STRETCH_LEAST * STRETCH_LEAST;

TAC_LANES_BODY void find_powers(double q, const double c[3][LANES], Powers *restrict at) {
  for (int a = 0; a < 3; ++a)
    TAC_EACH_LANE (l) {
      double held = c[a][l] < C_LEAST ? C_LEAST : c[a][l], d = c[a][l] - held, by = 1.0 / held;
      double log = tac_elementary_log(held), value = tac_elementary_exp(q * log), first = q * value * by;
      double second = (q - 1.0) * first * by;
      at->held[a][l] = held;
      at->log[a][l] = log;
      at->first_held[a][l] = first;
      at->value[a][l] = value + d * (first + 0.5 * d * second);
      at->first[a][l] = first + d * second;
      at->second[a][l] = second;
    }
}

/* sinh(x) / x of y = x^2 <= 9. */
TAC_LANES_BODY double sinh_share(double y) {
  static const int factors[] = {29 * 28, 27 * 26, 25 * 24, 23 * 22, 21 * 20, 19 * 18, 17 * 16,
                                15 * 14, 13 * 12, 11 * 10, 9 * 8,   7 * 6,   5 * 4,   3 * 2};
  double sum = 1.0;
  for (int k = 0; k < 14; ++k) sum = 1.0 + sum * y * (1.0 / factors[k]);
  return sum;
}

/* (phi'(b) - phi'(a)) / (b - a) for each pair of the three. With n = q - 1 and 2 d = ln b - ln a,
 *     b^n - a^n = 2 (a b)^(n/2) sinh(n d),
 * whose quotient is (a b)^((n - 1)/2) sinh(n d) / sinh(d): no cancellation where a and b are near. Where they are far
 * apart the difference itself has none. Between a place below the least and one above, the share of the way. */
TAC_LANES_BODY void find_divided(double q, const double c[3][LANES], const Powers *restrict at,
                                 double (*restrict divided)[LANES]) {
  static const double APART = 0.2; /* of d: b is 1.5 a, and n d at most 2.8 */
  double n = q - 1.0;
  for (int k = 0; k < 3; ++k) {
    const double *restrict ca = c[(k + 1) % 3], *restrict cb = c[(k + 2) % 3];
    const double *restrict ha = at->held[(k + 1) % 3], *restrict hb = at->held[(k + 2) % 3];
    const double *restrict fa = at->first_held[(k + 1) % 3], *restrict fb = at->first_held[(k + 2) % 3];
    const double *restrict la = at->log[(k + 1) % 3], *restrict lb = at->log[(k + 2) % 3];
    double least = n * q * tac_elementary_exp((q - 2.0) * tac_elementary_log(C_LEAST));
    TAC_EACH_LANE (l) {
      double d = 0.5 * (lb[l] - la[l]), size = fabs(d), held = size > APART ? APART : size;
      double near =
          n * sqrt(fa[l] / ha[l]) * sqrt(fb[l] / hb[l]) * sinh_share(n * n * held * held) / sinh_share(held * held);
      double way = hb[l] - ha[l], far = (fb[l] - fa[l]) / (size > APART ? way : 1.0);
      double between = cb[l] - ca[l], share = way / (between == 0.0 ? 1.0 : between); /* that is above the least */
      double above = size > APART ? far : near;
      bool both = (ca[l] >= C_LEAST) & (cb[l] >= C_LEAST);
      divided[k][l] = both ? above : share * above + (1.0 - share) * least;
    }
  }
}

/* ---- sums of them ---- */

/* g = sum_a phi(c_a), or of the cofactors k_a = c_b c_c: first derivatives by c_a, second ones (xx, yy, zz, yz, zx,
 * xy), and the divided differences (g_a - g_b) / (c_a - c_b) of yz, zx, xy. */
typedef struct Sum {
  double g[LANES], first[3][LANES], second[6][LANES], divided[3][LANES];
} Sum;

TAC_LANES_BODY void sum_stretches(double q, const double c[3][LANES], Sum *restrict sum) {
  Powers at;
  find_powers(q, c, &at);
  find_divided(q, c, &at, sum->divided);
  memcpy(sum->first, at.first, sizeof at.first);
  memcpy(sum->second, at.second, sizeof at.second);
  memset(sum->second + 3, 0, 3 * sizeof *sum->second);
  TAC_EACH_LANE (l) sum->g[l] = at.value[0][l] + at.value[1][l] + at.value[2][l];
}

/* With k_b - k_d = c_a (c_d - c_b): (g_b - g_d) / (c_b - c_d) = c_a^2 (phi'(k_b) - phi'(k_d)) / (k_b - k_d) -
 * phi'(k_a). */
TAC_LANES_BODY void sum_areas(double q, const double c[3][LANES], Sum *restrict sum) {
  Powers at;
  double k[3][LANES];
  for (int a = 0; a < 3; ++a)
    TAC_EACH_LANE (l) k[a][l] = c[(a + 1) % 3][l] * c[(a + 2) % 3][l];
  find_powers(q, (const double(*)[LANES])k, &at);
  find_divided(q, (const double(*)[LANES])k, &at, sum->divided);
  TAC_EACH_LANE (l) sum->g[l] = at.value[0][l] + at.value[1][l] + at.value[2][l];
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    TAC_EACH_LANE (l) {
      sum->first[a][l] = at.first[b][l] * c[d][l] + at.first[d][l] * c[b][l];
      sum->second[a][l] = at.second[b][l] * c[d][l] * c[d][l] + at.second[d][l] * c[b][l] * c[b][l];
      sum->second[3 + a][l] = at.second[a][l] * k[a][l] + at.first[a][l];
      sum->divided[a][l] = c[a][l] * c[a][l] * sum->divided[a][l] - at.first[a][l];
    }
  }
}

/* ---- the law ---- */

/* All sums in one, times mu / alpha and the powers of J. */
typedef struct Total {
  double first[3][LANES], first_by_j[3][LANES], second[6][LANES], divided[3][LANES];
} Total;

TAC_LANES_BODY void add_pair(double mu, double alpha, const double c[3][LANES], const double *restrict j,
                             Total *restrict total, tacStrainEnergy *restrict out) {
  const double m = mu / alpha, power = alpha > 0.0 ? -alpha / 3.0 : 2.0 * alpha / 3.0;
  double f[LANES], f1[LANES];
  Sum sum;
  if (alpha > 0.0)
    sum_stretches(0.5 * alpha, c, &sum);
  else
    sum_areas(-0.5 * alpha, c, &sum);
  TAC_EACH_LANE (l) {
    tacJacobianTerm term = tac_jacobian_power(power, j[l]);
    f[l] = m * term.f;
    f1[l] = m * term.f1;
    out->w[l] += m * (term.f * sum.g[l] - 3.0);
    out->wj[l] += m * term.f1 * sum.g[l];
    out->wjj[l] += m * term.f2 * sum.g[l];
  }
  for (int a = 0; a < 3; ++a)
    TAC_EACH_LANE (l) {
      total->first[a][l] += f[l] * sum.first[a][l];
      total->first_by_j[a][l] += f1[l] * sum.first[a][l];
      total->divided[a][l] += f[l] * sum.divided[a][l];
    }
  for (int n = 0; n < 6; ++n)
    TAC_EACH_LANE (l) total->second[n][l] += f[l] * sum.second[n][l];
}

/* From the axes n_a to those of space: with B_n = sym(n_a n_b^T), S = 2 sum_a g_a B_a and
 * T = 4 sum_ab g_ab B_a x B_b + 8 sum_n d_n B_n x B_n, n: yz, zx, xy. */
TAC_LANES_BODY void turn_back(const double v[3][3][LANES], const Total *restrict total, tacStrainEnergy *restrict out) {
  static const int row[6] = {0, 1, 2, 1, 2, 0}, col[6] = {0, 1, 2, 2, 0, 1};
  double basis[6][6][LANES], by[6][6][LANES]; /* B_n; what it is multiplied with */
  for (int n = 0; n < 6; ++n)
    for (int k = 0; k < 6; ++k)
      TAC_EACH_LANE (l)
        basis[n][k][l] =
            0.5 * (v[row[k]][row[n]][l] * v[col[k]][col[n]][l] + v[row[k]][col[n]][l] * v[col[k]][row[n]][l]);
  for (int k = 0; k < 6; ++k) {
    TAC_EACH_LANE (l) {
      const double x = basis[0][k][l], y = basis[1][k][l], z = basis[2][k][l];
      out->stress[k][l] = 2.0 * (total->first[0][l] * x + total->first[1][l] * y + total->first[2][l] * z);
      out->stress_by_j[k][l] =
          2.0 * (total->first_by_j[0][l] * x + total->first_by_j[1][l] * y + total->first_by_j[2][l] * z);
      by[0][k][l] = 4.0 * (total->second[0][l] * x + total->second[5][l] * y + total->second[4][l] * z);
      by[1][k][l] = 4.0 * (total->second[5][l] * x + total->second[1][l] * y + total->second[3][l] * z);
      by[2][k][l] = 4.0 * (total->second[4][l] * x + total->second[3][l] * y + total->second[2][l] * z);
    }
    for (int n = 3; n < 6; ++n)
      TAC_EACH_LANE (l) by[n][k][l] = 8.0 * total->divided[n - 3][l] * basis[n][k][l];
  }
  for (int k = 0; k < 6; ++k)
    for (int m = 0; m <= k; ++m)
      TAC_EACH_LANE (l)
        out->tangent[k][m][l] = out->tangent[m][k][l] =
            ((basis[0][k][l] * by[0][m][l] + basis[1][k][l] * by[1][m][l]) +
             (basis[2][k][l] * by[2][m][l] + basis[3][k][l] * by[3][m][l])) +
            (basis[4][k][l] * by[4][m][l] + basis[5][k][l] * by[5][m][l]);
}

TAC_LANES_BODY void strain_lanes(const int doubles, const double *p, const double c[6][LANES], const double *restrict j,
                                 tacStrainEnergy *restrict out) {
  (void)doubles;
  double v[3][3][LANES], at[3][LANES];
  Total total;
  memset(&total, 0, sizeof total);
  memset(out->w, 0, sizeof out->w);
  memset(out->wj, 0, sizeof out->wj);
  memset(out->wjj, 0, sizeof out->wjj);
  find_eigenvectors(c, v, at);
  for (int i = 0; i < PAIRS; ++i)
    if (p[MU1 + 2 * i] != 0.0) add_pair(p[MU1 + 2 * i], p[ALPHA1 + 2 * i], (const double(*)[LANES])at, j, &total, out);
  turn_back((const double(*)[3][LANES])v, &total, out);
}
TAC_LANES_KERNEL(static, strain, (const double *p, const double c[6][LANES], const double *j, tacStrainEnergy *out), p,
                 c, j, out)

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
    .volume = tac_hyper_volume_log_square,
    .k0 = K0,
    .strain = strain};
