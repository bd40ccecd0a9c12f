/* 3 x 3 matrices, row-major: m[row][column]. */
#pragma once

#include <float.h>
#include "math/geometry/vec3.h"

typedef struct tacMat3 {
  double m[3][3];
} tacMat3;

static inline tacMat3 tac_mat3_zero(void) {
  return (tacMat3){{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
}
static inline tacMat3 tac_mat3_diagonal(double x, double y, double z) {
  return (tacMat3){{{x, 0.0, 0.0}, {0.0, y, 0.0}, {0.0, 0.0, z}}};
}
static inline tacMat3 tac_mat3_identity(void) {
  return tac_mat3_diagonal(1.0, 1.0, 1.0);
}
static inline tacMat3 tac_mat3_from_columns(tacVec3 a, tacVec3 b, tacVec3 c) {
  return (tacMat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}
static inline tacVec3 tac_mat3_column(tacMat3 a, int column) {
  return tac_vec3(a.m[0][column], a.m[1][column], a.m[2][column]);
}
static inline tacMat3 tac_mat3_add(tacMat3 a, tacMat3 b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a.m[i][j] += b.m[i][j];
  return a;
}
static inline tacMat3 tac_mat3_sub(tacMat3 a, tacMat3 b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a.m[i][j] -= b.m[i][j];
  return a;
}
static inline tacMat3 tac_mat3_scale(double s, tacMat3 a) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a.m[i][j] *= s;
  return a;
}
static inline tacMat3 tac_mat3_transpose(tacMat3 a) {
  return (tacMat3){
      {{a.m[0][0], a.m[1][0], a.m[2][0]}, {a.m[0][1], a.m[1][1], a.m[2][1]}, {a.m[0][2], a.m[1][2], a.m[2][2]}}};
}
static inline tacMat3 tac_mat3_mul(tacMat3 a, tacMat3 b) {
  tacMat3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
  return c;
}
static inline tacVec3 tac_mat3_mul_vec(tacMat3 a, tacVec3 v) {
  return tac_vec3(a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                  a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                  a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z);
}
/* a b^T */
static inline tacMat3 tac_mat3_outer(tacVec3 a, tacVec3 b) {
  return tac_mat3_from_columns(tac_vec3_scale(b.x, a), tac_vec3_scale(b.y, a), tac_vec3_scale(b.z, a));
}
/* The matrix of v -> a x v. */
static inline tacMat3 tac_mat3_skew(tacVec3 a) {
  return (tacMat3){{{0.0, -a.z, a.y}, {a.z, 0.0, -a.x}, {-a.y, a.x, 0.0}}};
}
static inline double tac_mat3_trace(tacMat3 a) {
  return a.m[0][0] + a.m[1][1] + a.m[2][2];
}
static inline double tac_mat3_det(tacMat3 a) {
  return tac_vec3_dot(tac_mat3_column(a, 0), tac_vec3_cross(tac_mat3_column(a, 1), tac_mat3_column(a, 2)));
}
/* Largest |entry|; NaN where an entry is NaN. */
static inline double tac_mat3_max_abs(tacMat3 a) {
  double largest = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double size = fabs(a.m[i][j]);
      if (!(size <= largest)) largest = size;
      if (isnan(largest)) return largest;
    }
  return largest;
}
/* Frobenius norm. */
static inline double tac_mat3_norm(tacMat3 a) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += a.m[i][j] * a.m[i][j];
  return sqrt(sum);
}

/* Returns false, and leaves `inverse` alone, where A is not finite or its determinant cannot be told from zero: it is
 * below the rounding error of its own six products. That test does not change when rows or columns are scaled. */
static inline bool tac_mat3_inverse(tacMat3 a, tacMat3 *inverse) {
  double largest = tac_mat3_max_abs(a);
  if (!(largest > 0.0) || !isfinite(largest)) return false;
  double scale = 1.0;
  if (!(largest > 1e-20 && largest < 1e20)) { /* det might over- or underflow */
    int exponent;
    frexp(largest, &exponent);
    scale = ldexp(1.0, exponent < -1000 ? 1000 : -exponent); /* a power of two: products with it are exact */
    a = tac_mat3_scale(scale, a);
  }
  tacMat3 cofactor; /* transposed */
  double det = 0.0, permanent = 0.0;
  for (int i = 0; i < 3; ++i) {
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      double p = a.m[i1][j1] * a.m[i2][j2], q = a.m[i1][j2] * a.m[i2][j1];
      cofactor.m[j][i] = p - q;
      if (i == 0) {
        det += a.m[0][j] * (p - q);
        permanent += fabs(a.m[0][j]) * (fabs(p) + fabs(q));
      }
    }
  }
  if (!(fabs(det) > 8.0 * DBL_EPSILON * permanent)) return false;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) cofactor.m[i][j] = cofactor.m[i][j] / det * scale;
  if (!isfinite(tac_mat3_max_abs(cofactor))) return false;
  *inverse = cofactor;
  return true;
}
