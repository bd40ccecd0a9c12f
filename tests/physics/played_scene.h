/* A scene played by its own operators, not in real time, and recorded. */
#pragma once

#include <tactus/scene.h>

#include "scene/scene.h"
#include "test.h"

typedef struct Played {
  int tools;
  tacDevice devices[TAC_MOST_TOOLS];
  tacServoDef def;
  tacServoReport report;
  tacRecording *recording;
} Played;

/* For `seconds`, without a fault, a refused step or a lost record. */
static inline Played play_scene(const tacScene *scene, tacWorld *world, const char *name, double seconds) {
  Played played = {.tools = tac_scene_tool_count(scene), .def = tac_scene_servo(scene)};
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  tac_test_ok(tac_scene_devices(scene, played.devices, workspaces, &error), error);
  played.def.real_time = false;
  played.def.duration = seconds;
  const char *path = tac_test_path(name);
  tacRecordingInfo info = {.scene_path = tac_scene_path(scene), .scene = tac_scene_text(scene), .program = "test"};
  tacRecorder *recorder = tac_test_made(tacRecorder *, tac_recorder_open_world(path, world, &info, &made, &error));
  tacServo *servo;
  tac_test_ok(tac_servo_create(world, played.tools, played.devices, workspaces, &played.def, recorder, &servo, &error),
              error);
  tac_test_ok(tac_servo_start(servo, &error), error);
  while (tac_servo_running(servo)) usleep(1000);
  tac_servo_stop(servo);
  played.report = tac_servo_report(servo);
  tac_servo_destroy(servo);
  ck_assert_int_eq(played.report.fault, TAC_FAULT_NONE);
  ck_assert_int_eq(played.report.ticks, (int64_t)llround(seconds / tac_world_period(world)));
  ck_assert_int_eq(played.report.refused, 0);
  int64_t lost = tac_test_made(int64_t, tac_recorder_close(recorder, &made, &error));
  ck_assert_int_eq(lost, 0);
  tac_test_ok(tac_recording_open(path, &played.recording, &error), error);
  return played;
}

static inline void end_played(Played *played) {
  tac_recording_close(played->recording);
  for (int t = 0; t < played->tools; ++t) tac_device_close(&played->devices[t]);
}
