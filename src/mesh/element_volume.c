#include "mesh/element_volume.h"

#include "math/geometry/vec3.h"
#include "mesh/brick_map.h"

/* The determinant is quadratic in each local coordinate, so that two Gauss points a direction integrate it exactly. */
static double brick_volume(const tacVec3 corners[8]) {
  double gauss = sqrt(1.0 / 3.0), sum = 0.0;
  for (int c = 0; c < 8; ++c) {
    const double *s = tac_brick_corner[c];
    tacVec3 columns[3];
    tac_brick_jacobian(corners, tac_vec3(gauss * s[0], gauss * s[1], gauss * s[2]), columns);
    sum += tac_brick_determinant(columns);
  }
  return sum;
}

double tac_element_volume(const tacVolMesh *mesh, int element) {
  if (element < mesh->tet_count) {
    const int *v = mesh->tets[element].v;
    return tac_vec3_triple(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]], mesh->vertices[v[3]]) /
           6.0;
  }
  const int *v = mesh->bricks[element - mesh->tet_count].v;
  tacVec3 corners[8];
  /* Relative to one corner, so that the place of the mesh does not cost digits. */
  for (int c = 0; c < 8; ++c) corners[c] = tac_vec3_sub(mesh->vertices[v[c]], mesh->vertices[v[0]]);
  return brick_volume(corners);
}
