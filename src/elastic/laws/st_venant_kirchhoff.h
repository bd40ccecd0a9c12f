/* The law of St. Venant and Kirchhoff (Barbic 2007, equation 2.5): Psi = lambda / 2 (tr E)^2 + mu E : E with Green's strain
 * E = (C - I) / 2. Its stress by E, its derivatives by the invariants I1 and I2 of C, and its tangent between two shape functions. */
#pragma once

#include "math/geometry/mat3.h"

typedef struct tacLame {
  double lambda, mu; /* Pa */
} tacLame;

/* S = lambda tr E I + 2 mu E; strain with engineering shears, in the order of elastic/elements/strain.h. */
static inline void tac_st_venant_kirchhoff_stress(tacLame law, const double strain[6], double stress[6]) {
  double pressure = law.lambda * (strain[0] + strain[1] + strain[2]);
  for (int k = 0; k < 3; ++k) stress[k] = pressure + 2.0 * law.mu * strain[k];
  for (int k = 3; k < 6; ++k) stress[k] = law.mu * strain[k];
}

/* Psi = lambda / 8 (I1 - 3)^2 + mu / 4 (I1^2 - 2 I1 - 2 I2 + 3), its first derivatives by I1 and I2 and the second by I1; others are 0. */
typedef struct tacLameEnergy {
  double w, w1, w2, w11;
} tacLameEnergy;

static inline tacLameEnergy tac_st_venant_kirchhoff_energy(tacLame law, double i1, double i2) {
  double trace = i1 - 3.0, squares = (i1 - 2.0) * i1 - 2.0 * i2 + 3.0; /* 2 tr E, 4 E : E */
  return (tacLameEnergy){.w = 0.125 * law.lambda * trace * trace + 0.25 * law.mu * squares,
                         .w1 = 0.25 * law.lambda * trace + 0.5 * law.mu * (i1 - 1.0),
                         .w2 = -0.5 * law.mu,
                         .w11 = 0.25 * law.lambda + 0.5 * law.mu};
}

/* k += B_a^T C B_b = lambda h_a h_b^T + mu h_b h_a^T + mu (g_a . g_b) F F^T, with h = F g of two shape gradients g. `law`: times the
 * weight of the point; square: its mu times F F^T; dot: g_a . g_b. */
static inline void tac_st_venant_kirchhoff_add(tacLame law, const double a[3], const double b[3], double dot,
                                               const tacMat3 *square, double k[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) k[i][j] += a[i] * (law.lambda * b[j]) + law.mu * b[i] * a[j] + dot * square->m[i][j];
}
