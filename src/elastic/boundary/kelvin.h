/* Kelvin's solution: an unbounded isotropic elastic solid under a point force.
 *
 * r = y - x points from the loaded point x to the point y of the boundary, R = |r|, n is the unit normal at y. The first
 * index of U and T is the direction of the force at x, the second that of the displacement or traction at y. */
#pragma once

#include <tactus/base.h>

typedef struct tacKelvin {
  double shear;   /* modulus, Pa */
  double poisson; /* - */
  double u;       /* 1 / (16 pi shear (1 - poisson)), 1/Pa */
  double t;       /* 1 / (8 pi (1 - poisson)) */
} tacKelvin;

/* Young's modulus in Pa, positive; Poisson's ratio in (-1, 1/2). */
tacKelvin tac_kelvin(double young, double poisson);

/* U_ij = u ((3 - 4 nu) delta_ij + R,i R,j) / R, in m/N, and
 * T_ij = -t (dR/dn ((1 - 2 nu) delta_ij + 3 R,i R,j) - (1 - 2 nu) (R,i n_j - R,j n_i)) / R^2, in 1/m^2, the traction on the
 * side that n points away from, are integrated over triangles (elastic/boundary/triangle_integral.h).
 *
 * The stress at x inside a body is the integral of D p - S u over its boundary, with traction p and displacement u. Rows:
 * xx yy zz yz zx xy; columns: components of p (1/m^2) and u (Pa/m^3). */
void tac_kelvin_stress_of_traction(const tacKelvin *kelvin, tacVec3 r, double d[6][3]);
void tac_kelvin_stress_of_displacement(const tacKelvin *kelvin, tacVec3 r, tacVec3 n, double s[6][3]);
