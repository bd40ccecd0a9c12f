#include "body/frame.h"

#include <math.h>
#include <string.h>

/* Number of iterations of the midpoint rule. Each iteration divides the error of the orientation by about 2 / (rotation
 * angle per step). */
enum { MIDPOINT_STEPS = 4 };

bool tac_frame_set_inertia(tacFrame *frame, const tacInertia *inertia) {
  tacMat3 moments;
  memcpy(moments.m, inertia->moments, sizeof moments.m);
  tacMat3 inverse;
  if (!(inertia->mass > 0.0 && isfinite(inertia->mass)) || !tac_vec3_finite(inertia->centre) ||
      !tac_mat3_inverse(moments, &inverse))
    return false;
  for (int i = 0; i < 3; ++i) /* positive definite moments have a positive diagonal */
    if (!(moments.m[i][i] > 0.0 && isfinite(moments.m[i][i]))) return false;
  frame->mass = inertia->mass;
  frame->centre = inertia->centre;
  frame->moments = moments;
  frame->inverse = inverse;
  return true;
}

static tacMat3 turned(tacQuat orientation, tacMat3 a) {
  tacMat3 turn = tac_quat_to_mat3(orientation);
  return tac_mat3_mul(turn, tac_mat3_mul(a, tac_mat3_transpose(turn)));
}

/* Returns R A R^T v, with the rotation R of `orientation`. */
static tacVec3 turned_mul(tacQuat orientation, const tacMat3 *a, tacVec3 v) {
  tacVec3 inside = tac_mat3_mul_vec(*a, tac_quat_rotate(tac_quat_conjugate(orientation), v));
  return tac_quat_rotate(orientation, inside);
}

void tac_frame_equation(const tacFrame *frame, double h, double matrix[6][6], double load[6]) {
  tacMat3 moments = turned(frame->orientation, frame->moments);
  double per = 1.0 / h, per2 = per * per;
  memset(matrix, 0, 36 * sizeof(double));
  for (int i = 0; i < 3; ++i) {
    matrix[i][i] = per2 * frame->mass;
    for (int j = 0; j < 3; ++j) matrix[3 + i][3 + j] = per2 * moments.m[i][j];
  }
  tacVec3 push = tac_vec3_mad(tac_vec3_scale(per * frame->mass, frame->linear), frame->mass, frame->gravity);
  tacVec3 spin = tac_vec3_scale(per, tac_mat3_mul_vec(moments, frame->angular));
  push = tac_vec3_add(push, frame->force);
  spin = tac_vec3_add(spin, frame->torque);
  memcpy(load, (double[6]){push.x, push.y, push.z, spin.x, spin.y, spin.z}, 6 * sizeof *load);
}

void tac_frame_place(tacFrame *frame, tacVec3 about, tacQuat orientation) {
  frame->orientation = tac_quat_normalise(orientation);
  frame->position = tac_vec3_sub(about, tac_quat_rotate(frame->orientation, frame->about));
}

bool tac_frame_advance(tacFrame *frame, double h, const double motion[6], double speed_most, double turn_most) {
  tacVec3 way = tac_vec3(motion[0], motion[1], motion[2]), turn = tac_vec3(motion[3], motion[4], motion[5]);
  if (!(tac_vec3_norm(way) <= speed_most * h) || !(tac_vec3_norm(turn) <= turn_most)) return false;
  tacVec3 about = tac_vec3_add(tac_frame_about(frame), way), omega = tac_vec3_scale(1.0 / h, turn);
  tacVec3 momentum = turned_mul(frame->orientation, &frame->moments, omega);
  for (int i = 0; i < MIDPOINT_STEPS; ++i) {
    tacQuat half = tac_quat_from_rotation_vector(tac_vec3_scale(0.5 * h, omega));
    omega = turned_mul(tac_quat_mul(half, frame->orientation), &frame->inverse, momentum);
  }
  tacQuat next =
      tac_quat_normalise(tac_quat_mul(tac_quat_from_rotation_vector(tac_vec3_scale(h, omega)), frame->orientation));
  tacVec3 angular = turned_mul(next, &frame->inverse, momentum);
  if (!isfinite(tac_quat_norm(next)) || !tac_vec3_finite(about) || !tac_vec3_finite(angular)) return false;
  tac_frame_place(frame, about, next);
  frame->linear = tac_vec3_scale(1.0 / h, way);
  frame->angular = angular;
  return true;
}

double tac_frame_energy(const tacFrame *frame) {
  tacVec3 spin = turned_mul(frame->orientation, &frame->moments, frame->angular);
  return 0.5 * frame->mass * tac_vec3_norm2(frame->linear) + 0.5 * tac_vec3_dot(frame->angular, spin);
}

tacVec3 tac_frame_momentum(const tacFrame *frame) {
  return tac_vec3_scale(frame->mass, frame->linear);
}

tacVec3 tac_frame_angular_momentum(const tacFrame *frame) {
  tacVec3 centre = tac_frame_to_world(frame, frame->centre);
  return tac_vec3_add(tac_vec3_cross(centre, tac_frame_momentum(frame)),
                      turned_mul(frame->orientation, &frame->moments, frame->angular));
}
