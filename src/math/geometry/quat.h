/* Quaternions w + x i + y j + z k. Those that stand for rotations are of unit length; q and -q are the same rotation. */
#pragma once

#include "math/geometry/mat3.h"

typedef struct tacQuat {
  double w, x, y, z;
} tacQuat;

static inline tacQuat tac_quat(double w, double x, double y, double z) {
  return (tacQuat){w, x, y, z};
}
/* From and to w, x, y, z, as public structs have them. */
static inline tacQuat tac_quat_of(const double q[4]) {
  return tac_quat(q[0], q[1], q[2], q[3]);
}
static inline void tac_quat_put(tacQuat q, double to[4]) {
  to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z;
}
static inline tacQuat tac_quat_identity(void) {
  return tac_quat(1.0, 0.0, 0.0, 0.0);
}
static inline tacVec3 tac_quat_imaginary(tacQuat q) {
  return tac_vec3(q.x, q.y, q.z);
}
/* The rotation b followed by the rotation a. */
static inline tacQuat tac_quat_mul(tacQuat a, tacQuat b) {
  return tac_quat(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}
/* The inverse rotation. */
static inline tacQuat tac_quat_conjugate(tacQuat q) {
  return tac_quat(q.w, -q.x, -q.y, -q.z);
}
static inline double tac_quat_dot(tacQuat a, tacQuat b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline double tac_quat_norm(tacQuat q) {
  return sqrt(tac_quat_dot(q, q));
}
/* a u + b v */
static inline tacQuat tac_quat_combine(double a, tacQuat u, double b, tacQuat v) {
  return tac_quat(a * u.w + b * v.w, a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z);
}
/* The identity where q is zero or not finite. */
static inline tacQuat tac_quat_normalise(tacQuat q) {
  double n = tac_quat_norm(q);
  return n > 0.0 && isfinite(n) ? tac_quat(q.w / n, q.x / n, q.y / n, q.z / n) : tac_quat_identity();
}
/* v + 2 w (u x v) + 2 u x (u x v) with u the imaginary part. */
static inline tacVec3 tac_quat_rotate(tacQuat q, tacVec3 v) {
  tacVec3 u = tac_quat_imaginary(q);
  tacVec3 t = tac_vec3_scale(2.0, tac_vec3_cross(u, v));
  return tac_vec3_add(tac_vec3_mad(v, q.w, t), tac_vec3_cross(u, t));
}
/* Turn by `angle` radians about `axis`, of any length; the identity where the axis is zero. */
static inline tacQuat tac_quat_from_axis_angle(tacVec3 axis, double angle) {
  tacVec3 u = tac_vec3_scale(sin(0.5 * angle), tac_vec3_unit(axis));
  return tac_vec3_norm2(axis) > 0.0 ? tac_quat(cos(0.5 * angle), u.x, u.y, u.z) : tac_quat_identity();
}
/* Turn by |r| radians about r. Needs no series at 0: where |r| is so small that its square loses digits,
 * sin(|r|/2) / |r| is 1/2 whatever the digits. */
static inline tacQuat tac_quat_from_rotation_vector(tacVec3 r) {
  double angle = tac_vec3_norm(r);
  tacVec3 u = tac_vec3_scale(angle > 0.0 ? sin(0.5 * angle) / angle : 0.5, r);
  return tac_quat(cos(0.5 * angle), u.x, u.y, u.z);
}
/* The shortest rotation vector, of length at most pi. The arctangent of both parts is accurate at 0 and at pi, where
 * an arccosine or arcsine alone loses half of the digits. */
static inline tacVec3 tac_quat_to_rotation_vector(tacQuat q) {
  if (q.w < 0.0) q = tac_quat(-q.w, -q.x, -q.y, -q.z);
  tacVec3 u = tac_quat_imaginary(q);
  double n = tac_vec3_norm(u);
  return tac_vec3_scale(n > 0.0 ? 2.0 * atan2(n, q.w) / n : 2.0, u);
}
static inline tacMat3 tac_quat_to_mat3(tacQuat q) {
  double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  double xy = q.x * q.y, yz = q.y * q.z, zx = q.z * q.x;
  double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return (tacMat3){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (zx + wy)},
                    {2.0 * (xy + wz), 1.0 - 2.0 * (zz + xx), 2.0 * (yz - wx)},
                    {2.0 * (zx - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}
/* Of a rotation matrix. Divides by the largest of the four components, which is at least 1/2 (Shepperd 1978). */
static inline tacQuat tac_quat_from_mat3(tacMat3 r) {
  double trace = tac_mat3_trace(r);
  int i = r.m[1][1] > r.m[0][0] ? 1 : 0;
  if (r.m[2][2] > r.m[i][i]) i = 2;
  tacQuat q;
  if (trace > r.m[i][i]) {
    q = tac_quat(1.0 + trace, r.m[2][1] - r.m[1][2], r.m[0][2] - r.m[2][0], r.m[1][0] - r.m[0][1]);
  } else {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double u[3];
    u[i] = 1.0 + r.m[i][i] - r.m[j][j] - r.m[k][k];
    u[j] = r.m[i][j] + r.m[j][i];
    u[k] = r.m[i][k] + r.m[k][i];
    q = tac_quat(r.m[k][j] - r.m[j][k], u[0], u[1], u[2]);
  }
  return tac_quat_normalise(q);
}
/* At constant angular velocity from a (t = 0) to b (t = 1), the shorter way. */
static inline tacQuat tac_quat_slerp(tacQuat a, tacQuat b, double t) {
  if (tac_quat_dot(a, b) < 0.0) b = tac_quat(-b.w, -b.x, -b.y, -b.z);
  double apart = tac_quat_norm(tac_quat_combine(1.0, a, -1.0, b));
  double together = tac_quat_norm(tac_quat_combine(1.0, a, 1.0, b));
  double angle = 2.0 * atan2(apart, together); /* accurate where arccos(a . b) is not: at small angles */
  double sine = sin(angle);
  tacQuat q = sine > 1e-8 ? tac_quat_combine(sin((1.0 - t) * angle) / sine, a, sin(t * angle) / sine, b)
                          : tac_quat_combine(1.0 - t, a, t, b);
  return tac_quat_normalise(q);
}
