/* Where an element is integrated: one point in a tetrahedron; in a brick 2 or 3 Gauss points a side (elastic/elements/brick8.h), exact where it
 * is a box. */
#pragma once

#include <tactus/mesh.h>

enum { TAC_MOST_QUADRATURE_POINTS = 27 };

typedef struct tacQuadraturePoint {
  double weight;       /* m^3 */
  tacVec3 gradient[8]; /* of the corners' shape functions, 1/m */
} tacQuadraturePoint;

/* For what has this degree in the displacement gradient: 2 stiffness at rest, 3 its derivative, 4 energy and forces. Returns how many
 * points there are; 0 where the element is inverted or flat. */
int tac_quadrature_points(const tacVolMesh *mesh, int element, int degree,
                          tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS]);
