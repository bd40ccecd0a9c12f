/* The whole chain on scenes of the gallery: bake, world, operator, servo, recording, replay. */
#ifndef TAC_TESTS_PHYSICS_TOUCHED_SCENE_H
#define TAC_TESTS_PHYSICS_TOUCHED_SCENE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/scene.h>
#include <unistd.h>

#include "math/vec3.h"
#include "test.h"

static char folder[256];

static inline tacScene *open_scene(const char *name) {
  char path[512];
  tacError error = {0};
  tacScene *scene;
  snprintf(path, sizeof path, "%s/%s.yaml", TACTUS_SCENES, name);
  tac_test_ok(tac_scene_read(path, &scene, &error), error);
  tac_test_ok(tac_scene_bake(scene, folder, false, NULL, NULL, &error), error);
  return scene;
}

/* Presses and slides for `seconds` as the scene's operators do, and checks what must hold whatever the scene. */
static inline void touch(const char *name, double seconds) {
  tacError error = {0};
  tacScene *scene = open_scene(name);
  tacWorld *world;
  tac_test_ok(tac_scene_world(scene, &world, &error), error);
  tacDevice devices[TAC_MOST_TOOLS] = {0};
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  tac_test_ok(tac_scene_devices(scene, devices, workspaces, &error), error);
  int tools = tac_scene_tool_count(scene);
  tacServoDef def = tac_scene_servo(scene);
  def.real_time = false;
  def.duration = seconds;
  char path[512];
  snprintf(path, sizeof path, "%s/%s.tacrec", folder, name);
  tacRecordingInfo info = {.scene_path = tac_scene_path(scene), .scene = tac_scene_text(scene), .program = "test"};
  tacRecorder *recorder;
  tac_test_ok(tac_recorder_open_world(path, world, &info, &recorder, &error), error);
  tacServo *servo;
  tac_test_ok(tac_servo_create(world, tools, devices, workspaces, &def, recorder, &servo, &error), error);
  tac_test_ok(tac_servo_start(servo, &error), error);
  while (tac_servo_running(servo)) usleep(1000);
  tac_servo_stop(servo);
  tacServoReport report = tac_servo_report(servo);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  ck_assert_int_eq(report.ticks, (int64_t)llround(seconds / tac_world_period(world)));
  ck_assert_int_gt(report.contact_ticks, report.ticks / 5);
  ck_assert_int_eq(report.refused, 0);
  /* Contacts obey their laws in all but a few steps, in which the surface snaps away. */
  ck_assert_msg(report.saturated <= report.ticks / 500, "%s: %ld ticks saturated", name, (long)report.saturated);
  for (int t = 0; t < tools; ++t) {
    ck_assert_double_gt(report.force_max[t], 0.05);
    ck_assert_double_le(report.force_max[t], devices[t].info.force_limit * (1.0 + 1e-9));
    /* No energy comes out of the device port beyond 1 % of the work that went through it. */
    ck_assert_msg(report.energy_least[t] >= -0.01 * report.work[t], "%s, tool %d: %g J generated of %g J", name, t,
                  -report.energy_least[t], report.work[t]);
  }
  tac_servo_destroy(servo);
  int64_t lost;
  tac_test_ok(tac_recorder_close(recorder, &lost, &error), error);
  ck_assert_int_eq(lost, 0);

  /* From tick to tick a force changes by no more than the device's stiffness limit times its motion, and what the slowest fall of
   * a contact that snaps away takes. */
  tacRecording *recording;
  tac_test_ok(tac_recording_open(path, &recording, &error), error);
  ck_assert_int_eq(tac_recording_tick_count(recording), report.ticks);
  static tacTickRecord record, before;
  for (int64_t i = 0; i < report.ticks; ++i) {
    tac_test_ok(tac_recording_tick(recording, i, &record, &error), error);
    for (int t = 0; t < tools && i > 0; ++t) {
      double motion = tac_vec3_distance(record.tool[t].device.position, before.tool[t].device.position);
      double step = tac_vec3_distance(record.tool[t].written, before.tool[t].written);
      double bound = devices[t].info.stiffness_limit * motion + def.force_rate * tac_world_period(world);
      ck_assert_msg(step <= bound * (1.0 + 1e-9), "%s, tick %ld: %g N, bound %g N", name, (long)i, step, bound);
    }
    before = record;
  }
  tacReplayReport replay;
  tac_test_ok(tac_recording_replay(recording, world, NULL, &replay, &error), error);
  ck_assert_msg(replay.first_difference == -1, "%s: %s", name, replay.difference);
  tac_recording_close(recording);
  for (int t = 0; t < tools; ++t) tac_device_close(&devices[t]);
  tac_world_destroy(world);
  tac_scene_destroy(scene);
  remove(path);
}

/* Each of the scenes for so long; where tests are light, the first `light_count` of them for a few seconds. */
static inline void touch_scenes(int count, const char *const *names, double seconds, int light_count) {
  tac_test_folder(folder, sizeof folder);
  const char *only = getenv("TACTUS_TEST_SCENE");
  for (int i = 0; i < (tac_test_light() && only == NULL ? light_count : count); ++i)
    if (only == NULL || strcmp(only, names[i]) == 0) touch(names[i], tac_test_light() ? 4.0 : seconds);
  char command[300];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  ck_assert_int_eq(system(command), 0);
}

#endif
