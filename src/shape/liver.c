#include "shape/liver.h"

/* In millimetres; a scale makes the stated length exact. */
#define SCALE (230.0 / 228.608546)
double tac_liver(tacVec3 p) {
  p = tac_vec3_scale(1000.0 / SCALE, p);
  double right = tac_implicit_ellipsoid(p, tac_vec3(-44.0, 0.0, -8.0), tac_vec3(58.0, 54.0, 72.0));
  double middle = tac_implicit_ellipsoid(p, tac_vec3(-8.0, -2.0, 14.0), tac_vec3(76.0, 54.0, 46.0));
  double left = tac_implicit_ellipsoid(p, tac_vec3(52.0, -8.0, 26.0), tac_vec3(74.0, 46.0, 22.0));
  double f = tac_implicit_union(tac_implicit_union(right, middle, 30.0), left, 30.0);
  double bed = tac_implicit_ellipsoid(p, tac_vec3(45.0, 12.0, -78.0), tac_vec3(125.0, 105.0, 78.0));
  f = tac_implicit_difference(f, bed, 14.0);
  double notch = tac_implicit_ellipsoid(p, tac_vec3(14.0, -62.0, 8.0), tac_vec3(6.0, 26.0, 60.0));
  f = tac_implicit_difference(f, notch, 6.0);
  double caudate = tac_implicit_ellipsoid(p, tac_vec3(-4.0, 26.0, -6.0), tac_vec3(14.0, 17.0, 16.0));
  f = tac_implicit_union(f, caudate, 6.0);
  double gallbladder = tac_implicit_cone(p, tac_vec3(-26.0, -46.0, -27.0), tac_vec3(-10.0, -12.0, -12.0), 12.0, 6.5);
  f = tac_implicit_union(f, gallbladder, 3.0);
  double cava = tac_implicit_capsule(p, tac_vec3(-16.0, 44.0, -30.0), tac_vec3(-12.0, 42.0, 62.0), 11.0);
  return 0.001 * SCALE * tac_implicit_union(f, cava, 6.0);
}
