#include "elastic/elements/quadrature.h"

#include <string.h>
#include "elastic/elements/brick8.h"
#include "elastic/elements/tet4.h"

int tac_quadrature_points(const tacVolMesh *mesh, int element, int degree,
                          tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS]) {
  bool is_tet = element < mesh->tet_count;
  const int *v = is_tet ? mesh->tets[element].v : mesh->bricks[element - mesh->tet_count].v;
  tacVec3 corners[8];
  for (int c = 0; c < (is_tet ? 4 : 8); ++c) corners[c] = mesh->vertices[v[c]];
  if (is_tet) {
    tacTet4 tet;
    if (!tac_tet4_init(corners, &tet)) return 0;
    points[0].weight = tet.volume;
    memcpy(points[0].gradient, tet.gradient, sizeof tet.gradient);
    return 1;
  }
  if (!tac_brick8_usable(corners)) return 0;
  int side = tac_brick8_side(corners, degree), points_in = side * side * side;
  const int sides[3] = {side, side, side};
  for (int g = 0; g < points_in; ++g) {
    double weight, determinant;
    tacVec3 local = tac_brick8_point(sides, g, &weight);
    if (!tac_brick8_gradients(corners, local, points[g].gradient, &determinant)) return 0;
    points[g].weight = weight * determinant;
  }
  return points_in;
}
