/* The orientation of a device whose library gives a matrix. */
#pragma once

#include <math.h>
#include "math/geometry/quat.h"

/* A unit quaternion w, x, y, z; no numbers where the matrix is no rotation, which the guard then stops. */
static inline void tac_device_frame_orientation(tacMat3 frame, double orientation[4]) {
  tacQuat q = tac_quat_from_mat3(frame);
  bool rotation = fabs(tac_mat3_det(frame) - 1.0) < 0.01;
  orientation[0] = rotation ? q.w : (double)NAN;
  orientation[1] = q.x;
  orientation[2] = q.y;
  orientation[3] = q.z;
}
