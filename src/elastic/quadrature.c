#include "elastic/quadrature.h"

#include <string.h>
#include "elastic/brick8.h"
#include "elastic/element.h"
#include "elastic/tet4.h"
#include "math/vec3.h"

#define GAUSS 0.57735026918962576451 /* 1 / sqrt 3 */

int tac_quadrature_points(const tacVolMesh *mesh, int element, tacQuadraturePoint points[TAC_MOST_QUADRATURE_POINTS]) {
  const int *v = tac_element_vertices(mesh, element);
  tacVec3 corners[8];
  for (int c = 0; c < tac_element_corner_count(mesh, element); ++c) corners[c] = mesh->vertices[v[c]];
  if (element < mesh->tet_count) {
    tacTet4 tet;
    if (!tac_tet4_init(corners, &tet)) return 0;
    points[0].weight = tet.volume;
    memcpy(points[0].gradient, tet.gradient, sizeof tet.gradient);
    return 1;
  }
  if (!tac_brick8_usable(corners)) return 0;
  for (int g = 0; g < 8; ++g) {
    tacVec3 local = tac_vec3(g & 1 ? GAUSS : -GAUSS, g & 2 ? GAUSS : -GAUSS, g & 4 ? GAUSS : -GAUSS);
    if (!tac_brick8_gradients(corners, local, points[g].gradient, &points[g].weight)) return 0;
  }
  return 8;
}
