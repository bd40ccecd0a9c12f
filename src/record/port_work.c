#include "record/port_work.h"
#include <tactus/recording.h>
#include "math/geometry/quat.h"

static tacVec3 sane(tacVec3 a) {
  return tac_vec3_norm2(a) < 1e18 ? a : tac_vec3(0.0, 0.0, 0.0);
}

double tac_port_work(const tacToolRecord *a, const tacToolRecord *b) {
  double work = tac_vec3_dot(sane(a->written), tac_vec3_sub(sane(b->device.position), sane(a->device.position)));
  tacVec3 torque = sane(a->written_torque);
  if (tac_vec3_norm2(torque) == 0.0) return work; /* orientations of 3-dof devices need not mean anything */
  tacQuat turn =
      tac_quat_mul(tac_quat_of(b->device.orientation), tac_quat_conjugate(tac_quat_of(a->device.orientation)));
  return work + tac_vec3_dot(torque, tac_quat_to_rotation_vector(tac_quat_normalise(turn)));
}
