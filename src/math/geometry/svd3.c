#include "math/geometry/svd3.h"

/* One-sided Jacobi (Hestenes 1958): rotations V from the right make the columns of B = A V orthogonal; their lengths are the
 * singular values and their directions U. Nothing is squared but lengths, so that small singular values and their
 * vectors keep their digits, which they lose in an eigenvalue decomposition of A^T A. */

enum { MOST_SWEEPS = 20 }; /* five are enough for nearly every matrix */

/* B is scaled to a largest entry in [1/2, 1) where that is possible: columns shorter than this are zero beside it, and longer ones have squares
 * that do not underflow. */
static const double tiny = 1e-140;

/* Below this cosine, squared, columns are orthogonal: a few times the rounding error of a product of three terms. */
static const double orthogonal2 = 1e-30;

/* A direction at a right angle to the unit vector u. */
static tacVec3 perpendicular(tacVec3 u) {
  double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z);
  tacVec3 axis = x <= y && x <= z ? tac_vec3(1, 0, 0) : y <= z ? tac_vec3(0, 1, 0) : tac_vec3(0, 0, 1);
  return tac_vec3_unit(tac_vec3_cross(u, axis));
}

/* Turns columns p and q of b and v by the angle that makes b's orthogonal. Returns false where they are already. */
static bool make_orthogonal(tacVec3 *b_p, tacVec3 *b_q, tacVec3 *v_p, tacVec3 *v_q) {
  double pp = tac_vec3_norm2(*b_p), qq = tac_vec3_norm2(*b_q), pq = tac_vec3_dot(*b_p, *b_q);
  if (pq * pq <= orthogonal2 * pp * qq || fabs(pq) <= tiny) return false;
  double zeta = (qq - pp) / (2.0 * pq);
  double t = copysign(1.0, zeta) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
  double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
  tacVec3 b = *b_p, v = *v_p;
  *b_p = tac_vec3_mad(tac_vec3_scale(c, b), -s, *b_q);
  *b_q = tac_vec3_mad(tac_vec3_scale(s, b), c, *b_q);
  *v_p = tac_vec3_mad(tac_vec3_scale(c, v), -s, *v_q);
  *v_q = tac_vec3_mad(tac_vec3_scale(s, v), c, *v_q);
  return true;
}

/* Puts the longer column first. One of the two changes sign, which keeps det V = +1. */
static void put_longer_first(tacVec3 *b_p, tacVec3 *b_q, tacVec3 *v_p, tacVec3 *v_q) {
  if (tac_vec3_norm2(*b_p) >= tac_vec3_norm2(*b_q)) return;
  tacVec3 b = *b_p, v = *v_p;
  *b_p = *b_q;
  *v_p = *v_q;
  *b_q = tac_vec3_scale(-1.0, b);
  *v_q = tac_vec3_scale(-1.0, v);
}

tacSvd3 tac_svd3_rotations(tacMat3 a) {
  tacSvd3 svd = {tac_mat3_identity(), {0.0, 0.0, 0.0}, tac_mat3_identity()};
  double largest = tac_mat3_max_abs(a);
  if (!isfinite(largest)) {
    svd.s[0] = svd.s[1] = svd.s[2] = NAN;
    return svd;
  }
  if (largest == 0.0) return svd;

  int exponent;
  frexp(largest, &exponent);
  if (exponent < -1000) exponent = -1000; /* the inverse of a subnormal scale would overflow */
  if (exponent > 1023) exponent = 1023;   /* so would the scale */
  double scale = ldexp(1.0, exponent), inverse = ldexp(1.0, -exponent);
  tacVec3 b[3], v[3];
  for (int j = 0; j < 3; ++j) {
    b[j] = tac_vec3_scale(inverse, tac_mat3_column(a, j));
    v[j] = tac_mat3_column(svd.v, j);
  }
  for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
    bool turned = make_orthogonal(&b[0], &b[1], &v[0], &v[1]);
    turned |= make_orthogonal(&b[0], &b[2], &v[0], &v[2]);
    turned |= make_orthogonal(&b[1], &b[2], &v[1], &v[2]);
    if (!turned) break;
  }
  put_longer_first(&b[0], &b[1], &v[0], &v[1]);
  put_longer_first(&b[1], &b[2], &v[1], &v[2]);
  put_longer_first(&b[0], &b[1], &v[0], &v[1]);

  /* The first two directions make U; the third follows from them, and so does the sign of s[2]. */
  tacVec3 u0 = tac_vec3_unit(b[0]);
  tacVec3 u1 = tac_vec3_norm(b[1]) > tiny ? tac_vec3_unit(b[1]) : perpendicular(u0);
  u1 = tac_vec3_unit(tac_vec3_mad(u1, -tac_vec3_dot(u0, u1), u0));
  tacVec3 u2 = tac_vec3_cross(u0, u1);
  svd.u = tac_mat3_from_columns(u0, u1, u2);
  svd.v = tac_mat3_from_columns(v[0], v[1], v[2]);
  svd.s[0] = scale * tac_vec3_norm(b[0]);
  svd.s[1] = scale * tac_vec3_norm(b[1]);
  svd.s[2] = scale * tac_vec3_dot(u2, b[2]);
  return svd;
}

tacSvd3 tac_svd3(tacMat3 a) {
  tacSvd3 svd = tac_svd3_rotations(a);
  if (svd.s[2] < 0.0) {
    svd.s[2] = -svd.s[2];
    for (int i = 0; i < 3; ++i) svd.u.m[i][2] = -svd.u.m[i][2];
  }
  return svd;
}
