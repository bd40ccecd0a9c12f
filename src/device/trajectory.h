/* The internal side of trajectories: everything about a moment. */
#pragma once

#include <stddef.h>
#include <tactus/device.h>
#include "math/geometry/quat.h"

typedef struct tacTrajectoryMotion {
  tacVec3 position, velocity; /* m, m/s */
  tacQuat orientation;
  tacVec3 spin;     /* rad/s, device frame */
  uint32_t buttons; /* of the last point at or before the moment */
} tacTrajectoryMotion;

/* Any phase: one binary search, no allocation. */
void tac_trajectory_motion(const tacTrajectory *trajectory, double time, tacTrajectoryMotion *motion);
/* A trajectory of `bytes`, as in tac_trajectory_read; `name` is for messages. */
tacStatus tac_trajectory_parse(const char *name, const unsigned char *bytes, size_t size, tacTrajectory **trajectory,
                               tacError *error);
tacBox tac_trajectory_bounds(const tacTrajectory *trajectory);
/* What `repeats` needs: some duration, and an end that is where the start is. */
tacStatus tac_trajectory_check_closed(const tacTrajectory *trajectory, tacError *error);
/* The moment of `time` in a trajectory that repeats, or not. */
double tac_trajectory_wrap(const tacTrajectory *trajectory, bool repeats, double time);
