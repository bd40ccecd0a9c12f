/* Arithmetic on tacVec3. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <tactus/base.h>

static inline tacVec3 tac_vec3(double x, double y, double z) {
  return (tacVec3){x, y, z};
}
static inline tacVec3 tac_vec3_add(tacVec3 a, tacVec3 b) {
  return tac_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline tacVec3 tac_vec3_sub(tacVec3 a, tacVec3 b) {
  return tac_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline tacVec3 tac_vec3_scale(double s, tacVec3 a) {
  return tac_vec3(s * a.x, s * a.y, s * a.z);
}
/* a + s b */
static inline tacVec3 tac_vec3_mad(tacVec3 a, double s, tacVec3 b) {
  return tac_vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
/* a + t (b - a) */
static inline tacVec3 tac_vec3_mix(tacVec3 a, tacVec3 b, double t) {
  return tac_vec3_mad(a, t, tac_vec3_sub(b, a));
}
static inline double tac_vec3_dot(tacVec3 a, tacVec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline tacVec3 tac_vec3_cross(tacVec3 a, tacVec3 b) {
  return tac_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double tac_vec3_norm2(tacVec3 a) {
  return tac_vec3_dot(a, a);
}
static inline double tac_vec3_norm(tacVec3 a) {
  return sqrt(tac_vec3_norm2(a));
}
static inline double tac_vec3_distance(tacVec3 a, tacVec3 b) {
  return tac_vec3_norm(tac_vec3_sub(a, b));
}
/* Unit vector along `a`; zero where `a` is zero. */
static inline tacVec3 tac_vec3_unit(tacVec3 a) {
  double n = tac_vec3_norm(a);
  return n > 0.0 ? tac_vec3_scale(1.0 / n, a) : tac_vec3(0.0, 0.0, 0.0);
}
static inline tacVec3 tac_vec3_min(tacVec3 a, tacVec3 b) {
  return tac_vec3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
static inline tacVec3 tac_vec3_max(tacVec3 a, tacVec3 b) {
  return tac_vec3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
static inline bool tac_vec3_finite(tacVec3 a) {
  return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
/* Six times the signed volume of the tetrahedron a b c d. */
static inline double tac_vec3_triple(tacVec3 a, tacVec3 b, tacVec3 c, tacVec3 d) {
  return tac_vec3_dot(tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(c, a)), tac_vec3_sub(d, a));
}

static inline tacBox tac_box_empty(void) {
  return (tacBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}
static inline tacBox tac_box_add(tacBox box, tacVec3 p) {
  return (tacBox){tac_vec3_min(box.lower, p), tac_vec3_max(box.upper, p)};
}
static inline tacBox tac_box_join(tacBox a, tacBox b) {
  return (tacBox){tac_vec3_min(a.lower, b.lower), tac_vec3_max(a.upper, b.upper)};
}
static inline tacBox tac_box_expand(tacBox box, double by) {
  return (tacBox){tac_vec3_sub(box.lower, tac_vec3(by, by, by)), tac_vec3_add(box.upper, tac_vec3(by, by, by))};
}
static inline tacVec3 tac_box_size(tacBox box) {
  return tac_vec3_sub(box.upper, box.lower);
}
static inline tacVec3 tac_box_centre(tacBox box) {
  return tac_vec3_mix(box.lower, box.upper, 0.5);
}
static inline double tac_box_longest(tacBox box) {
  tacVec3 s = tac_box_size(box);
  return fmax(s.x, fmax(s.y, s.z));
}
