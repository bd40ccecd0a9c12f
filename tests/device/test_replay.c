#include <tactus/device.h>
#include "test.h"

static tacTrajectory *make_path(bool closed) {
  tacTrajectoryPoint p[4] = {{.time = 0.0},
                             {.time = 0.1, .position = {0.01, 0.0, 0.0}},
                             {.time = 0.15, .position = {0.01, 0.02, 0.0}, .buttons = TAC_BUTTON_GRAB},
                             {.time = 0.2, .position = {closed ? 0.0 : 0.01, 0.0, 0.0}}};
  for (int i = 0; i < 4; ++i) p[i].orientation[0] = 1.0;
  return tac_test_made(tacTrajectory *, tac_trajectory_create(4, p, true, &made, &error));
}

TAC_TEST(plays_the_trajectory_independent_of_forces_and_ends) {
  TAC_OWN(tacTrajectory, same) = make_path(false);
  tacDevice device = tac_test_made(tacDevice, tac_device_replay_open(make_path(false), false, 0.001, &made, &error));
  ck_assert_double_eq(device.info.workspace.upper.y, 0.02);
  for (int i = 0; i < 300; ++i) {
    tacDeviceState state, expected;
    tacDeviceHealth health = device.driver->read(device.self, &state);
    tac_trajectory_at(same, i * 0.001, &expected, NULL);
    ck_assert_mem_eq(&state.position, &expected.position, sizeof state.position);
    ck_assert_uint_eq(state.buttons, expected.buttons);
    ck_assert_int_eq(health, i * 0.001 < 0.2 ? TAC_DEVICE_FINE : TAC_DEVICE_DONE);
    device.driver->write(device.self, (tacVec3){1e3, NAN, 0.0}, (tacVec3){0.0, 0.0, 0.0});
  }
  tac_device_close(&device);
  ck_assert_ptr_null(device.driver);
  tac_device_close(&device);
}

TAC_TEST(repeats_without_a_jump) {
  TAC_FREED(tac_device_close, tacDevice, device);
  tac_test_ok(tac_device_replay_open(make_path(true), true, 0.001, &device, &error), error);
  tacVec3 last = {0.0, 0.0, 0.0};
  for (int i = 0; i < 1000; ++i) {
    tacDeviceState state;
    ck_assert_int_eq(device.driver->read(device.self, &state), TAC_DEVICE_FINE);
    ck_assert_double_lt(hypot(state.position.x - last.x, state.position.y - last.y), 1e-3);
    last = state.position;
  }
}

TAC_TEST(an_open_trajectory_does_not_repeat) {
  tacDevice device;
  tac_test_refused(tac_device_replay_open(make_path(false), true, 0.001, &device, &error), TAC_ERR_ARGUMENT, error,
                   "must end where it starts, but its ends are 0.01 m");
  ck_assert_ptr_null(device.driver);
  ck_assert_int_eq(tac_device_replay_open(make_path(false), false, 0.0, &device, &error), TAC_ERR_ARGUMENT);
}
