/* Bytes as a trajectory: an error, or a path that is finite at every moment. */
#include <stdlib.h>
#include "device/trajectory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tacTrajectory *trajectory = NULL;
  tacError error = {.text = ""};
  tacStatus status = tac_trajectory_parse("fuzz", data, size, &trajectory, &error);
  if ((status == TAC_OK) != (trajectory != NULL) || (status != TAC_OK && error.text[0] == 0)) abort();
  if (trajectory == NULL) return 0;
  double duration = tac_trajectory_duration(trajectory);
  for (int i = -1; i <= 17; ++i) {
    tacTrajectoryMotion motion;
    tac_trajectory_motion(trajectory, duration * i / 16.0, &motion);
    if (!tac_vec3_finite(motion.position) || !tac_vec3_finite(motion.velocity) || !tac_vec3_finite(motion.spin) ||
        fabs(tac_quat_norm(motion.orientation) - 1.0) > 1e-9)
      abort();
  }
  tac_trajectory_check_closed(trajectory, &error);
  tac_trajectory_destroy(trajectory);
  return 0;
}
