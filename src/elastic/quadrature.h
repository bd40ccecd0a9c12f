/* Where the energy of an element is integrated: one point in a tetrahedron, 2 x 2 x 2 Gauss points in a brick. */
#ifndef TAC_ELASTIC_QUADRATURE_H
#define TAC_ELASTIC_QUADRATURE_H

#include <tactus/volmesh.h>

enum { TAC_MOST_QUADRATURE_POINTS = 8 };

typedef struct tacQuadraturePoint {
  double weight;       /* m^3 */
  tacVec3 gradient[8]; /* of the corners' shape functions, 1/m */
} tacQuadraturePoint;

/* Returns how many points there are; 0 where the element is inverted or flat. */
int tac_quadrature_points(const tacVolMesh *mesh, int element, tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS]);

#endif
