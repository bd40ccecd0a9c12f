/* The 4-node tetrahedron with linear shape functions N_c: strain and stress are constant in it. Stiff in bending and for
 * Poisson's ratios near 0.5, as every element of its kind. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>

typedef struct tacTet4 {
  double volume;       /* m^3 */
  tacVec3 gradient[4]; /* of N_c, 1/m */
} tacTet4;

/* False where it is inverted, or flat to within 1e-12 of the product of the edges at corner 0. */
bool tac_tet4_init(const tacVec3 corners[4], tacTet4 *tet);

/* \int density N_a N_b dV = density V (1 + delta_ab) / 20, kg: the same for each axis. */
void tac_tet4_mass(const tacTet4 *tet, double density, double m[4][4]);
/* Its row sums, density V / 4. */
void tac_tet4_lumped(const tacTet4 *tet, double density, double m[4]);
