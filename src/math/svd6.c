#include "math/svd6.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* One-sided Jacobi, as in svd3.c: rotations V from the right make the columns of B = A V orthogonal. Columns are kept
 * as rows here. */

enum { MOST_SWEEPS = 30 }; /* six or seven are usual */

static const double tiny = 1e-140;       /* beside a largest entry of about 1 */
static const double orthogonal2 = 1e-30; /* squared cosine below which columns are orthogonal */

static double dot(const double a[6], const double b[6]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

static void turn(double c, double s, double p[6], double q[6]) {
  for (int i = 0; i < 6; ++i) {
    double first = p[i];
    p[i] = c * first - s * q[i];
    q[i] = s * first + c * q[i];
  }
}

/* False where b_p and b_q are orthogonal already. */
static bool make_orthogonal(double b_p[6], double b_q[6], double v_p[6], double v_q[6]) {
  double pp = dot(b_p, b_p), qq = dot(b_q, b_q), pq = dot(b_p, b_q);
  if (pq * pq <= orthogonal2 * pp * qq || fabs(pq) <= tiny) return false;
  double zeta = (qq - pp) / (2.0 * pq);
  double t = copysign(1.0, zeta) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
  double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
  turn(c, s, b_p, b_q);
  turn(c, s, v_p, v_q);
  return true;
}

static void swap(double a[6], double b[6]) {
  double keep[6];
  memcpy(keep, a, sizeof keep);
  memcpy(a, b, sizeof keep);
  memcpy(b, keep, sizeof keep);
}

void tac_svd6(double a[6][6], tacSvd6 *svd) {
  double largest = 0.0;
  bool finite = true;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      largest = fmax(largest, fabs(a[i][j]));
      finite = finite && isfinite(a[i][j]);
      svd->v[i][j] = svd->u[i][j] = i == j;
    }
  int exponent = 0;
  frexp(finite ? largest : NAN, &exponent);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; finite && j < 6; ++j)
      svd->u[j][i] = ldexp(a[i][j], -exponent); /* squares neither over- nor underflow */
  bool turned = finite;
  for (int sweep = 0; sweep < MOST_SWEEPS && turned; ++sweep) {
    turned = false;
    for (int p = 0; p < 5; ++p)
      for (int q = p + 1; q < 6; ++q) turned |= make_orthogonal(svd->u[p], svd->u[q], svd->v[p], svd->v[q]);
  }
  for (int i = 0; i < 6; ++i) svd->s[i] = finite ? sqrt(dot(svd->u[i], svd->u[i])) : NAN;
  for (int i = 0; finite && i < 6; ++i) {
    int most = i;
    for (int j = i + 1; j < 6; ++j)
      if (svd->s[j] > svd->s[most]) most = j;
    if (most != i) {
      double keep = svd->s[i];
      svd->s[i] = svd->s[most];
      svd->s[most] = keep;
      swap(svd->u[i], svd->u[most]);
      swap(svd->v[i], svd->v[most]);
    }
    for (int j = 0; j < 6; ++j) svd->u[i][j] = svd->s[i] > tiny ? svd->u[i][j] / svd->s[i] : 0.0;
    svd->s[i] = svd->s[i] > tiny ? ldexp(svd->s[i], exponent) : 0.0;
  }
}
