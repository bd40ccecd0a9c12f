#include "mesh/query/triangle_box.h"

#include "math/geometry/vec3.h"

/* The projections on `axis` of a triangle (relative to the box's centre) and the box do not overlap. A zero axis separates
 * nothing. */
static bool separates(tacVec3 axis, tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 half) {
  double pa = tac_vec3_dot(axis, a), pb = tac_vec3_dot(axis, b), pc = tac_vec3_dot(axis, c);
  double reach = half.x * fabs(axis.x) + half.y * fabs(axis.y) + half.z * fabs(axis.z);
  return fmin(pa, fmin(pb, pc)) > reach || fmax(pa, fmax(pb, pc)) < -reach;
}

bool tac_triangle_intersects_box(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 centre, tacVec3 half) {
  a = tac_vec3_sub(a, centre);
  b = tac_vec3_sub(b, centre);
  c = tac_vec3_sub(c, centre);
  const tacVec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const tacVec3 sides[3] = {tac_vec3_sub(b, a), tac_vec3_sub(c, b), tac_vec3_sub(a, c)};
  for (int i = 0; i < 3; ++i)
    if (separates(units[i], a, b, c, half)) return false;
  if (separates(tac_vec3_cross(sides[0], sides[1]), a, b, c, half)) return false;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (separates(tac_vec3_cross(units[i], sides[j]), a, b, c, half)) return false;
  return true;
}
