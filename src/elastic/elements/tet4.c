#include "elastic/elements/tet4.h"

#include "math/geometry/vec3.h"

bool tac_tet4_init(const tacVec3 corners[4], tacTet4 *tet) {
  tacVec3 a = tac_vec3_sub(corners[1], corners[0]), b = tac_vec3_sub(corners[2], corners[0]),
          c = tac_vec3_sub(corners[3], corners[0]);
  tacVec3 normal[3] = {tac_vec3_cross(b, c), tac_vec3_cross(c, a), tac_vec3_cross(a, b)};
  double determinant = tac_vec3_dot(normal[0], a);
  if (!(determinant > 1e-12 * tac_vec3_norm(a) * tac_vec3_norm(b) * tac_vec3_norm(c))) return false;
  tet->volume = determinant / 6.0;
  tet->gradient[0] = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < 3; ++i) {
    tet->gradient[i + 1] = tac_vec3_scale(1.0 / determinant, normal[i]);
    tet->gradient[0] = tac_vec3_sub(tet->gradient[0], tet->gradient[i + 1]);
  }
  return tac_vec3_finite(tet->gradient[0]);
}

void tac_tet4_mass(const tacTet4 *tet, double density, double m[4][4]) {
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) m[a][b] = density * tet->volume * (a == b ? 0.1 : 0.05);
}

void tac_tet4_lumped(const tacTet4 *tet, double density, double m[4]) {
  for (int a = 0; a < 4; ++a) m[a] = 0.25 * density * tet->volume;
}
