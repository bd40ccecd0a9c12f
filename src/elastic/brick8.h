/* The 8-node brick with trilinear shape functions N_c on the local cube [-1, 1]^3 (mesh/brick_map.h). */
#ifndef TAC_ELASTIC_BRICK8_H
#define TAC_ELASTIC_BRICK8_H

#include <stdbool.h>
#include <tactus/volmesh.h>

/* Gradients (1/m) of the shape functions at local coordinates, and the determinant (m^3) of the map; false where the brick
 * is inverted there, or flat to within 1e-12. */
bool tac_brick8_gradients(const tacVec3 corners[8], tacVec3 local, tacVec3 gradient[8], double *determinant);

/* Whether the map keeps its orientation at every corner and every integration point. */
bool tac_brick8_usable(const tacVec3 corners[8]);

/* The others require a usable brick. */

/* K = \int B^T C B dV with 2 x 2 x 2 Gauss points, N/m: rows and columns 3 c + axis. */
void tac_brick8_stiffness(const tacVec3 corners[8], const double c[6][6], double k[24][24]);
/* \int density N_a N_b dV, kg: the same for each axis. Exact for every shape: with 3 x 3 x 3 Gauss points, since the
 * integrand has degree 4 in each local coordinate. */
void tac_brick8_mass(const tacVec3 corners[8], double density, double m[8][8]);
/* Its row sums, \int density N_a dV. */
void tac_brick8_lumped(const tacVec3 corners[8], double density, double m[8]);
/* epsilon = B u at local coordinates, for displacements (m) of the corners; false where tac_brick8_gradients is. */
bool tac_brick8_strain(const tacVec3 corners[8], tacVec3 local, const double u[8][3], double strain[6]);

#endif
