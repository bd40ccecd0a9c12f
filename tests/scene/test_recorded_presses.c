/* What presses a compliant body is recorded with triangles' numbers: between two stored states it is that of the first. */
#include <tactus/scene.h>
#include "test.h"
#include "world/world_parts.h"

static const char text[] =
    "tactus: 1\nname: stroked\nmethod: signorini\nbodies:\n"
    "  - {name: kidney, kind: green, method: boundary-elements, surface: {shape: kidney, vertices: 300}, mask: 8 mm,\n"
    "     material: {young: 20 kPa, poisson: 0.45, density: 1050 kg/m3}, fixed: [{below: {axis: y, at: -15 mm}}],\n"
    "     points: {count: 1000, levels: 2, resolution: 32}}\n"
    "  - {name: ball, kind: rigid, analytic: [{sphere: {centre: [0, 0, 0], radius: 10 mm}}], position: [0, 40 mm, 0]}\n"
    "contacts:\n  - {points: kidney, field: ball}\n"
    "tools:\n  - name: hand\n    kind: body\n    body: ball\n    coupling: {stiffness: 600 N/m}\n"
    "    device: {kind: operator, path: [{at: [0, 40 mm, 0]}, {at: [0, 24 mm, 0], after: 0.3 s},\n"
    "      {at: [0, 24 mm, 15 mm], after: 0.5 s}]}\n";

TAC_TEST(triangles_are_whole_between_states) {
  tacError error = {0};
  char path[512], command[300];
  const char *folder = tac_test_own_folder();
  snprintf(path, sizeof path, "%s/stroked.tacrec", folder);
  tacScene *scene;
  tacWorld *world;
  tac_test_ok(tac_scene_parse(text, "test.yaml", &scene, &error), error);
  tac_test_ok(tac_scene_bake(scene, folder, false, NULL, NULL, &error), error);
  tac_test_ok(tac_scene_world(scene, &world, &error), error);
  tacDevice devices[TAC_MOST_TOOLS] = {0};
  tacWorkspaceDef workspaces[TAC_MOST_TOOLS];
  tac_test_ok(tac_scene_devices(scene, devices, workspaces, &error), error);
  tacServoDef def = tac_scene_servo(scene);
  def.real_time = false;
  def.duration = 1.0;
  tacRecordingInfo info = {.scene_path = "test.yaml", .scene = text, .program = "test"};
  tacRecorder *recorder;
  tac_test_ok(tac_recorder_open_world(path, world, &info, &recorder, &error), error);
  tacServo *servo;
  tac_test_ok(tac_servo_create(world, 1, devices, workspaces, &def, recorder, &servo, &error), error);
  tac_test_ok(tac_servo_start(servo, &error), error);
  while (tac_servo_running(servo)) usleep(1000);
  tac_servo_destroy(servo);
  int64_t lost;
  tac_test_ok(tac_recorder_close(recorder, &lost, &error), error);

  tacRecording *recording;
  tac_test_ok(tac_recording_open(path, &recording, &error), error);
  double *state = tac_test_alloc((size_t)tac_world_state_size(world) * sizeof *state);
  int first = world->bodies[0].press_state, changes = 0;
  double last = 0.0;
  ck_assert_int_ge(first, 0);
  for (int64_t i = 0; i < tac_recording_tick_count(recording); ++i) {
    tacSnapshot snapshot;
    tac_test_ok(tac_recording_snapshot(recording, world, i, state, &snapshot, &error), error);
    for (int k = 0; k < world->most_presses; ++k)
      ck_assert_double_eq(state[first + 7 * k], round(state[first + 7 * k]));
    changes += state[first] != last;
    last = state[first];
  }
  ck_assert_int_gt(changes, 1); /* it was stroked over several */
  tac_recording_close(recording);
  tac_device_close(&devices[0]);
  tac_world_destroy(world);
  tac_scene_destroy(scene);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  ck_assert_int_eq(system(command), 0);
}
