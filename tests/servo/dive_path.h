/* A path that dives twice below z = 0 and comes back. */
#pragma once

#include <tactus/device.h>
#include "test.h"

static inline tacTrajectory *dive_path(double depth, double duration) {
  tacTrajectoryPoint points[5] = {{.time = 0.0, .position = {0.0, 0.0, 0.01}},
                                  {.time = 0.25 * duration, .position = {0.01, 0.0, -depth}},
                                  {.time = 0.5 * duration, .position = {0.02, 0.01, 0.01}},
                                  {.time = 0.75 * duration, .position = {0.01, 0.01, -depth}},
                                  {.time = duration, .position = {0.0, 0.0, 0.01}}};
  for (int i = 0; i < 5; ++i) points[i].orientation[0] = 1.0;
  return tac_test_made(tacTrajectory *, tac_trajectory_create(5, points, true, &made, &error));
}
