/* Devices that play scripts, in front of the wall of wall_world.h, and runs with them. Suites say TAC_TEST_AROUND(begin, end). */
#pragma once

#include <stdatomic.h>
#include <tactus/servo.h>
#include "dive_path.h"
#include "math/geometry/vec3.h"
#include "servo/ramp.h"
#include "test.h"
#include "wall_world.h"

static const double period = 0.001;
static tacRecorder recorder;

static inline tacWorld wall(int tool_count) {
  return (tacWorld){.period = period, .tool_count = tool_count, .stiffness = 1000.0, .bad_at = -1};
}

static inline tacServoDef quick_def(void) {
  tacServoDef def = tac_servo_def_default();
  def.real_time = false;
  def.ramp_in = 0.0;
  def.passivity = false;
  return def;
}

/* A device that plays `state_at` and keeps what is written to it. */
typedef struct Script Script;
typedef tacDeviceHealth StateAt(Script *script, int tick, tacDeviceState *state);

struct Script {
  StateAt *state_at;
  int event; /* tick at which something happens */
  int tick;
  tacVec3 written[WALL_MOST_RECORDS], torque;
  atomic_int write_count;
};

static Script scripts[2];

enum { TIMEOUT = 600000 }; /* ms, for what never comes */

static inline tacDeviceHealth script_read(void *self, tacDeviceState *state) {
  Script *script = self;
  return script->state_at(script, script->tick++, state);
}

static inline void script_write(void *self, tacVec3 force, tacVec3 torque) {
  Script *script = self;
  ck_assert_int_lt(script->write_count, WALL_MOST_RECORDS);
  script->written[script->write_count++] = force;
  script->torque = torque;
}

static inline void script_close(void *self) {
  (void)self;
}

static const tacDeviceDriver script_driver = {.abi = TAC_DEVICE_ABI,
                                              .name = "script",
                                              .summary = "",
                                              .close = script_close,
                                              .read = script_read,
                                              .write = script_write};

static inline tacDevice script_open(int index, int event, StateAt *state_at) {
  memset(&scripts[index], 0, sizeof scripts[index]);
  scripts[index].state_at = state_at;
  scripts[index].event = event;
  return (tacDevice){.driver = &script_driver,
                     .self = &scripts[index],
                     .info = {.name = "script", .dof = 3, .force_limit = 8.0, .stiffness_limit = 3000.0}};
}

/* Two millimetres within the wall: 2 N. */
static inline tacDeviceHealth press(Script *script, int tick, tacDeviceState *state) {
  (void)script;
  (void)tick;
  *state = (tacDeviceState){.position = {0.0, 0.0, -0.002}, .orientation = {1.0, 0.0, 0.0, 0.0}};
  return TAC_DEVICE_FINE;
}

/* What tests run: the world, the first script's device, and how. */
static tacWorld world;
static tacDevice device;
static tacServoDef def;
static char fault_text[256]; /* of the last run */

static void begin(void) {
  world = wall(1);
  def = quick_def();
  device = (tacDevice){0};
}

static void end(void) {
  tac_device_close(&device);
}

/* Of the world, with one device a tool; not started. */
static inline tacServo *create_with(tacDevice *devices, const tacWorkspaceDef *workspaces) {
  recorder.count = 0;
  return tac_test_made(tacServo *,
                       tac_servo_create(&world, world.tool_count, devices, workspaces, &def, &recorder, &made, &error));
}

static inline tacServo *start(tacDevice *devices) {
  tacServo *servo = create_with(devices, NULL);
  tac_test_ok(tac_servo_start(servo, &error), error);
  return servo;
}

static inline void wait_for_end(const tacServo *servo) {
  for (int i = 0; tac_servo_running(servo); ++i) {
    ck_assert_msg(i < TIMEOUT, "the servo does not end");
    usleep(1000);
  }
}

static inline tacServoReport run(tacDevice *devices, const tacWorkspaceDef *workspaces) {
  TAC_OWN(tacServo, servo) = create_with(devices, workspaces);
  tac_test_ok(tac_servo_start(servo, &error), error);
  wait_for_end(servo);
  tac_servo_stop(servo);
  tacServoReport report = tac_servo_report(servo);
  tac_servo_fault_text(servo, fault_text, sizeof fault_text);
  ck_assert_int_eq(report.ticks, recorder.count);
  return report;
}

/* With the first script. */
static inline tacServoReport run_script(int event, StateAt *state_at) {
  device = script_open(0, event, state_at);
  return run(&device, NULL);
}

static inline void open_operator(const char *preset, tacTrajectory *path) {
  tac_device_close(&device);
  tacOperatorDef hand = tac_test_made(tacOperatorDef, tac_operator_def_preset(preset, &made, &error));
  tac_test_ok(tac_device_operator_open(&hand, path, period, &device, &error), error);
}
