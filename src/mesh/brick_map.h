/* The trilinear map of an 8-node brick from the local cube [-1, 1]^3. */
#pragma once

#include "math/geometry/vec3.h"

/* Local coordinates of the corners, in the order of tacBrick. */
static const double tac_brick_corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                              {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

/* Faces with corners counter-clockwise seen from outside. */
static const int tac_brick_face[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                         {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static inline void tac_brick_weights(tacVec3 local, double weights[8]) {
  for (int c = 0; c < 8; ++c) {
    const double *s = tac_brick_corner[c];
    weights[c] = 0.125 * (1.0 + s[0] * local.x) * (1.0 + s[1] * local.y) * (1.0 + s[2] * local.z);
  }
}

static inline tacVec3 tac_brick_point(const tacVec3 corners[8], tacVec3 local) {
  double weights[8];
  tacVec3 p = {0.0, 0.0, 0.0};
  tac_brick_weights(local, weights);
  for (int c = 0; c < 8; ++c) p = tac_vec3_mad(p, weights[c], corners[c]);
  return p;
}

/* Columns of the Jacobian: the derivatives of the point by each local coordinate. */
static inline void tac_brick_jacobian(const tacVec3 corners[8], tacVec3 local, tacVec3 columns[3]) {
  columns[0] = columns[1] = columns[2] = tac_vec3(0.0, 0.0, 0.0);
  for (int c = 0; c < 8; ++c) {
    const double *s = tac_brick_corner[c];
    double x = 1.0 + s[0] * local.x, y = 1.0 + s[1] * local.y, z = 1.0 + s[2] * local.z;
    columns[0] = tac_vec3_mad(columns[0], 0.125 * s[0] * y * z, corners[c]);
    columns[1] = tac_vec3_mad(columns[1], 0.125 * s[1] * x * z, corners[c]);
    columns[2] = tac_vec3_mad(columns[2], 0.125 * s[2] * x * y, corners[c]);
  }
}

static inline double tac_brick_determinant(const tacVec3 columns[3]) {
  return tac_vec3_dot(tac_vec3_cross(columns[0], columns[1]), columns[2]);
}
