#include "mesh/query/triangle_point.h"

#include "math/geometry/vec3.h"

static tacVec3 closest_on_segment(tacVec3 a, tacVec3 b, tacVec3 p) {
  tacVec3 ab = tac_vec3_sub(b, a);
  double length2 = tac_vec3_norm2(ab);
  double t = length2 > 0.0 ? tac_vec3_dot(tac_vec3_sub(p, a), ab) / length2 : 0.0;
  return tac_vec3_mad(a, t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t, ab);
}

tacVec3 tac_triangle_closest(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 p) {
  tacVec3 ab = tac_vec3_sub(b, a), bc = tac_vec3_sub(c, b), ca = tac_vec3_sub(a, c);
  tacVec3 n = tac_vec3_cross(ab, tac_vec3_scale(-1.0, ca));
  double n2 = tac_vec3_norm2(n);
  /* Inside the prism over the triangle the closest point is the projection; the tests fail where n is zero. */
  if (n2 > 0.0 && tac_vec3_dot(tac_vec3_cross(n, ab), tac_vec3_sub(p, a)) > 0.0 &&
      tac_vec3_dot(tac_vec3_cross(n, bc), tac_vec3_sub(p, b)) > 0.0 &&
      tac_vec3_dot(tac_vec3_cross(n, ca), tac_vec3_sub(p, c)) > 0.0)
    return tac_vec3_mad(p, -tac_vec3_dot(tac_vec3_sub(p, a), n) / n2, n);
  tacVec3 best = closest_on_segment(a, b, p);
  double best2 = tac_vec3_norm2(tac_vec3_sub(best, p));
  const tacVec3 others[2] = {closest_on_segment(b, c, p), closest_on_segment(c, a, p)};
  for (int i = 0; i < 2; ++i) {
    double d2 = tac_vec3_norm2(tac_vec3_sub(others[i], p));
    if (d2 < best2) {
      best2 = d2;
      best = others[i];
    }
  }
  return best;
}

/* Van Oosterom and Strackee 1983. */
double tac_triangle_solid_angle(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 p) {
  a = tac_vec3_sub(a, p);
  b = tac_vec3_sub(b, p);
  c = tac_vec3_sub(c, p);
  double la = tac_vec3_norm(a), lb = tac_vec3_norm(b), lc = tac_vec3_norm(c);
  double numerator = tac_vec3_dot(a, tac_vec3_cross(b, c));
  double denominator = la * lb * lc + tac_vec3_dot(a, b) * lc + tac_vec3_dot(b, c) * la + tac_vec3_dot(c, a) * lb;
  return 2.0 * atan2(numerator, denominator);
}
