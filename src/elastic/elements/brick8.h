/* The 8-node brick with trilinear shape functions N_c on the local cube [-1, 1]^3 (mesh/brick_map.h).
 *
 * Where it is integrated. Where the map is affine (a box, or a parallelepiped), the displacement gradient G has degree 1 in each local
 * coordinate, and n Gauss points a side are exact for degree 2 n - 1. So 2 are exact for what is quadratic in G, as the stiffness,
 * and cubic, as its derivative at rest; the energy of Green's strain is quartic and takes 3. In other bricks G is a quotient, and no
 * number of points is exact: they have 3 throughout, so that all that is made of one energy is integrated alike. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>

/* Gradients (1/m) of the shape functions at local coordinates, and the determinant (m^3) of the map; false where the brick
 * is inverted there, or flat to within 1e-12. */
bool tac_brick8_gradients(const tacVec3 corners[8], tacVec3 local, tacVec3 gradient[8], double *determinant);

/* Gauss point `index` of count[0] x count[1] x count[2], each 1 to 3, in local coordinates; its weight in the local cube, of volume 8. */
tacVec3 tac_brick8_point(const int count[3], int index, double *weight);
/* Whether the map is affine to within rounding. */
bool tac_brick8_is_affine(const tacVec3 corners[8]);
/* How many Gauss points a side integrate what has this degree in the displacement gradient, at most 4. */
int tac_brick8_side(const tacVec3 corners[8], int degree);

/* Whether the map keeps its orientation at every corner and every integration point. */
bool tac_brick8_usable(const tacVec3 corners[8]);

/* The others require a usable brick. */

/* \int density N_a N_b dV, kg: the same for each axis. Exact for every shape: with 3 x 3 x 3 Gauss points, since the
 * integrand has degree 4 in each local coordinate. */
void tac_brick8_mass(const tacVec3 corners[8], double density, double m[8][8]);
