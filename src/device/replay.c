#include <stdio.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "device/trajectory.h"

TAC_OWNED_TYPE(tacTrajectory, tac_trajectory_destroy)

typedef struct {
  tacTrajectory *trajectory;
  double period;
  int64_t tick; /* of the next read */
  bool repeats;
} Replay;

static void replay_close(void *self) {
  Replay *replay = self;
  tac_trajectory_destroy(replay->trajectory);
  free(replay);
}

static tacDeviceHealth replay_read(void *self, tacDeviceState *state) {
  Replay *replay = self;
  double time = (double)replay->tick++ * replay->period;
  tac_trajectory_at(replay->trajectory, tac_trajectory_wrap(replay->trajectory, replay->repeats, time), state, NULL);
  return replay->repeats || time < tac_trajectory_duration(replay->trajectory) ? TAC_DEVICE_FINE : TAC_DEVICE_DONE;
}

static void replay_write(void *self, tacVec3 force, tacVec3 torque) {
  (void)self;
  (void)force;
  (void)torque;
}

static const tacDeviceDriver replay_driver = {.abi = TAC_DEVICE_ABI,
                                              .name = "replay",
                                              .summary = "plays a trajectory, whatever the forces",
                                              .close = replay_close,
                                              .read = replay_read,
                                              .write = replay_write};

tacStatus tac_device_replay_open(tacTrajectory *trajectory, bool repeats, double period, tacDevice *device,
                                 tacError *error) {
  TAC_OWN(tacTrajectory, owned) = trajectory;
  TAC_REQUIRE(error, device);
  *device = (tacDevice){0};
  TAC_REQUIRE(error, trajectory);
  if (!isfinite(period) || !(period > 0.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "replay: the period is %g s; it must be positive", period);
  if (repeats) TAC_TRY(tac_trajectory_check_closed(trajectory, error));
  Replay *replay = NULL;
  TAC_TRY(TAC_ARRAY(replay, 1, "a replay", error));
  *replay = (Replay){.trajectory = tac_give(&owned), .period = period, .repeats = repeats};
  device->driver = &replay_driver;
  device->self = replay;
  /* Nothing feels the forces: limits wide enough not to hide what the world computes. */
  device->info = (tacDeviceInfo){.dof = 6,
                                 .workspace = tac_trajectory_bounds(trajectory),
                                 .force_limit = 100.0,
                                 .torque_limit = 10.0,
                                 .stiffness_limit = 10000.0};
  snprintf(device->info.name, sizeof device->info.name, "replay");
  return TAC_OK;
}
