/* What a gradient of a shape function makes of strains: the 6 x 3 block B_c of the matrix B in epsilon = B u, with strains
 * in the order xx, yy, zz, yz, zx, xy and engineering shear strains, as in <tactus/material.h>. */
#pragma once

#include <math.h>
#include <stddef.h>
#include "math/geometry/vec3.h"

/* strain += B_c u_c */
static inline void tac_strain_add(tacVec3 gradient, const double u[3], double strain[6]) {
  strain[0] += gradient.x * u[0];
  strain[1] += gradient.y * u[1];
  strain[2] += gradient.z * u[2];
  strain[3] += gradient.z * u[1] + gradient.y * u[2];
  strain[4] += gradient.z * u[0] + gradient.x * u[2];
  strain[5] += gradient.y * u[0] + gradient.x * u[1];
}

/* stress = C strain */
static inline void tac_strain_stress(const double c[6][6], const double strain[6], double stress[6]) {
  for (int i = 0; i < 6; ++i) {
    stress[i] = 0.0;
    for (int j = 0; j < 6; ++j) stress[i] += c[i][j] * strain[j];
  }
}

/* Von Mises' measure of a stress. */
static inline double tac_strain_von_mises(const double s[6]) {
  double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* k += scale B^T C B for `count` shape functions; k is (3 count) x (3 count), of which only the blocks (a, b) with a <= b
 * are touched. */
static inline void tac_strain_add_stiffness(int count, const tacVec3 *gradient, const double c[6][6], double scale,
                                            double *k) {
  int size = 3 * count;
  for (int b = 0; b < count; ++b) {
    double cb[3][6]; /* columns of scale C B_b */
    tacVec3 g = tac_vec3_scale(scale, gradient[b]);
    for (int i = 0; i < 6; ++i) {
      cb[0][i] = g.x * c[i][0] + g.z * c[i][4] + g.y * c[i][5];
      cb[1][i] = g.y * c[i][1] + g.z * c[i][3] + g.x * c[i][5];
      cb[2][i] = g.z * c[i][2] + g.y * c[i][3] + g.x * c[i][4];
    }
    for (int a = 0; a <= b; ++a) {
      tacVec3 h = gradient[a];
      for (int j = 0; j < 3; ++j) {
        double *at = k + (size_t)(3 * a) * (size_t)size + 3 * b + j;
        at[0] += h.x * cb[j][0] + h.z * cb[j][4] + h.y * cb[j][5];
        at[size] += h.y * cb[j][1] + h.z * cb[j][3] + h.x * cb[j][5];
        at[2 * size] += h.z * cb[j][2] + h.y * cb[j][3] + h.x * cb[j][4];
      }
    }
  }
}

/* Copies the triangle above the diagonal below it. */
static inline void tac_strain_mirror(int size, double *k) {
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < i; ++j) k[(size_t)i * (size_t)size + j] = k[(size_t)j * (size_t)size + i];
}
