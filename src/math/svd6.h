/* Singular value decomposition of a 6 x 6 matrix: A = sum over i of s[i] u[i] v[i]^T. Safe in a tick: no allocation,
 * bounded loops. */
#ifndef TAC_MATH_SVD6_H
#define TAC_MATH_SVD6_H

typedef struct tacSvd6 {
  double s[6];             /* descending, not negative */
  double u[6][6], v[6][6]; /* u[i], v[i]: unit vectors at right angles to each other */
} tacSvd6;

/* Row-major, not changed. Errors are a few units of rounding times s[0], for any finite A; u[i] is zero where s[i] is.
 * Where A is not finite, s is NaN, u and v are the identity. */
void tac_svd6(double a[6][6], tacSvd6 *svd);

#endif
