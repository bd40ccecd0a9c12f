#include <tactus/servo.h>

#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/clock.h"
#include "dive_path.h"
#include "math/geometry/quat.h"
#include "servo/ramp.h"
#include "test.h"
#include "wall_world.h"

/* ---- what the tests share ---- */

static const double period = 0.001;
static tacRecorder recorder;

static tacWorld wall(int tool_count) {
  return (tacWorld){.period = period, .tool_count = tool_count, .stiffness = 1000.0, .bad_at = -1};
}

static tacServoDef quick_def(void) {
  tacServoDef def = tac_servo_def_default();
  def.real_time = false;
  def.ramp_in = 0.0;
  def.passivity = false;
  return def;
}

/* A device that plays `state_at` and keeps what is written to it. */
typedef struct Script {
  tacDeviceHealth (*state_at)(struct Script *script, int tick, tacDeviceState *state);
  int event; /* tick at which something happens */
  int tick;
  tacVec3 written[WALL_MOST_RECORDS], torque;
  atomic_int write_count;
} Script;

static Script scripts[2];

enum { PATIENCE = 600000 }; /* ms, for what never comes */

static tacDeviceHealth script_read(void *self, tacDeviceState *state) {
  Script *script = self;
  return script->state_at(script, script->tick++, state);
}

static void script_write(void *self, tacVec3 force, tacVec3 torque) {
  Script *script = self;
  ck_assert_int_lt(script->write_count, WALL_MOST_RECORDS);
  script->written[script->write_count++] = force;
  script->torque = torque;
}

static void script_close(void *self) {
  (void)self;
}

static const tacDeviceDriver script_driver = {.abi = TAC_DEVICE_ABI,
                                              .name = "script",
                                              .summary = "",
                                              .close = script_close,
                                              .read = script_read,
                                              .write = script_write};

static tacDevice script_open(int index, int event,
                             tacDeviceHealth (*state_at)(Script *script, int tick, tacDeviceState *state)) {
  memset(&scripts[index], 0, sizeof scripts[index]);
  scripts[index].state_at = state_at;
  scripts[index].event = event;
  return (tacDevice){.driver = &script_driver,
                     .self = &scripts[index],
                     .info = {.name = "script", .dof = 3, .force_limit = 8.0, .stiffness_limit = 3000.0}};
}

/* Two millimetres within the wall: 2 N. */
static tacDeviceHealth press(Script *script, int tick, tacDeviceState *state) {
  (void)script;
  (void)tick;
  *state = (tacDeviceState){.position = {0.0, 0.0, -0.002}, .orientation = {1.0, 0.0, 0.0, 0.0}};
  return TAC_DEVICE_FINE;
}

static tacServoReport run(tacWorld *world, int count, tacDevice *devices, const tacWorkspaceDef *workspaces,
                          const tacServoDef *def, char *fault, size_t size) {
  tacServo *servo = NULL;
  tacError error;
  recorder.count = 0;
  tac_test_ok(tac_servo_create(world, count, devices, workspaces, def, &recorder, &servo, &error), error);
  tac_test_ok(tac_servo_start(servo, &error), error);
  for (int i = 0; tac_servo_running(servo); ++i) {
    ck_assert_msg(i < PATIENCE, "the servo does not end");
    usleep(1000);
  }
  tac_servo_stop(servo);
  tacServoReport report = tac_servo_report(servo);
  if (fault != NULL) tac_servo_fault_text(servo, fault, size);
  ck_assert_int_eq(report.ticks, recorder.count);
  tac_servo_destroy(servo);
  return report;
}

static double size_of(tacVec3 a) {
  return tac_vec3_norm(a);
}

/* ---- faults ---- */

static tacDeviceHealth lose(Script *script, int tick, tacDeviceState *state) {
  if (tick < script->event) return press(script, tick, state);
  memset(state, 0xff, sizeof *state);
  return TAC_DEVICE_LOST;
}

static tacDeviceHealth send_nan(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  if (tick >= script->event) state->position.y = NAN;
  return TAC_DEVICE_FINE;
}

static tacDeviceHealth send_long_quaternion(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  if (tick >= script->event) state->orientation[2] = 0.1;
  return TAC_DEVICE_FINE;
}

static tacDeviceHealth jump(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  if (tick >= script->event) state->position.z -= 1.0;
  return TAC_DEVICE_FINE;
}

static tacDeviceHealth fall_silent(Script *script, int tick, tacDeviceState *state) {
  if (tick < script->event) return press(script, tick, state);
  return TAC_DEVICE_LATE;
}

static tacDeviceHealth talk_nonsense(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  return tick < script->event ? TAC_DEVICE_FINE : (tacDeviceHealth)77;
}

/* The force falls to zero without ever growing, over the time of the ramp, on both devices. */
static void check_ramp_out(int fault_tick, int ramp_ticks) {
  for (int d = 0; d < 2; ++d) {
    const Script *s = &scripts[d];
    ck_assert_int_eq(s->write_count, fault_tick + ramp_ticks);
    ck_assert_double_eq_tol(size_of(s->written[fault_tick - 1]), 2.0, 1e-12);
    for (int i = fault_tick; i < s->write_count; ++i) {
      double before = size_of(s->written[i - 1]), now = size_of(s->written[i]);
      ck_assert(now < before);
      ck_assert_double_lt(before - now, 2.0 * 1.6 / ramp_ticks);
      ck_assert_double_eq(s->written[i].x, 0.0);
    }
    ck_assert_double_eq(size_of(s->written[s->write_count - 1]), 0.0);
  }
}

TAC_TEST(every_fault_of_a_device_ramps_all_forces_to_zero_and_says_why) {
  const struct {
    tacDeviceHealth (*state_at)(Script *script, int tick, tacDeviceState *state);
    tacFault fault;
    int after; /* ticks from the event to the fault */
    const char *text;
  } cases[] = {
      {lose, TAC_FAULT_DEVICE_LOST, 0, "device 1 (script) was lost at 0.300 s"},
      {send_nan, TAC_FAULT_DEVICE_NOT_FINITE, 0, "sent a state that is not finite"},
      {send_long_quaternion, TAC_FAULT_DEVICE_NOT_FINITE, 0, "no unit quaternion"},
      {jump, TAC_FAULT_DEVICE_JUMPED, 0, "device 1 (script) jumped 1 m in one tick (at most 5 m/s) at 0.300 s"},
      {fall_silent, TAC_FAULT_DEVICE_LATE, 20, "sent no new state for 21 ticks (at most 20) at 0.320 s"},
      {talk_nonsense, TAC_FAULT_DEVICE_LOST, 0, "was lost"}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    tacWorld world = wall(2);
    tacDevice first = script_open(0, 0, press), second = script_open(1, 300, cases[c].state_at);
    tacDevice devices[2] = {first, second};
    tacServoDef def = quick_def();
    char text[256];
    tacServoReport report = run(&world, 2, devices, NULL, &def, text, sizeof text);
    int fault_tick = 300 + cases[c].after;
    ck_assert_int_eq(report.fault, cases[c].fault);
    ck_assert_int_eq(report.fault_device, 1);
    ck_assert_int_eq(report.fault_tick, fault_tick);
    ck_assert_msg(strstr(text, cases[c].text) != NULL, "%s", text);
    check_ramp_out(fault_tick, 50);
    ck_assert_int_eq(world.steps, fault_tick); /* the world rests from the fault on */
    for (int i = 0; i < recorder.count; ++i)
      ck_assert_int_eq((recorder.records[i].flags & TAC_TICK_FAULT) != 0, i >= fault_tick);
  }
}

/* Nor does the other device get another force, whichever comes first. A torque counts as a force does, also for devices that have none. */
TAC_TEST(a_force_or_torque_that_is_not_finite_never_reaches_the_device) {
  for (int c = 0; c < 8; ++c) {
    int bad = c % 2;
    tacWorld world = wall(2);
    world.bad_at = 300;
    world.bad_from = bad;
    world.bad_torque = c / 2 % 2 == 1;
    tacDevice first = script_open(0, 0, press), second = script_open(1, 0, press);
    tacDevice devices[2] = {first, second};
    for (int d = 0; c >= 4 && d < 2; ++d) {
      devices[d].info.dof = 6;
      devices[d].info.torque_limit = 0.2;
    }
    tacServoDef def = quick_def();
    char text[256];
    tacServoReport report = run(&world, 2, devices, NULL, &def, text, sizeof text);
    ck_assert_int_eq(report.fault, TAC_FAULT_FORCE_NOT_FINITE);
    ck_assert_int_eq(report.fault_device, bad);
    ck_assert_int_eq(report.fault_tick, 300);
    ck_assert_ptr_nonnull(strstr(text, "would have got a force that is not finite at 0.300 s"));
    check_ramp_out(300, 50);
    for (int i = 0; i < recorder.count; ++i)
      for (int d = 0; d < 2; ++d) {
        const tacToolRecord *r = &recorder.records[i].tool[d];
        ck_assert(tac_vec3_finite(r->output.force) && tac_vec3_finite(r->output.torque));
        ck_assert(tac_vec3_finite(r->written) && tac_vec3_finite(r->written_torque));
      }
  }
}

static tacDeviceHealth stutter(Script *script, int tick, tacDeviceState *state) {
  if (tick % 20 != 0) return TAC_DEVICE_LATE;
  press(script, tick, state);
  state->position.x = 0.09 * (tick / 20 % 2); /* 4.5 m/s over the 20 ticks */
  return tick < script->event ? TAC_DEVICE_FINE : TAC_DEVICE_DONE;
}

TAC_TEST(a_device_may_be_late_for_a_while_and_move_meanwhile) {
  tacWorld world = wall(1);
  tacDevice device = script_open(0, 1000, stutter);
  tacServoDef def = quick_def();
  tacServoReport report = run(&world, 1, &device, NULL, &def, NULL, 0);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  ck_assert_int_eq(report.ticks, 1050);
}

/* ---- orderly runs ---- */

static tacDeviceHealth finish(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  return tick < script->event ? TAC_DEVICE_FINE : TAC_DEVICE_DONE;
}

TAC_TEST(the_end_of_a_trajectory_is_no_fault) {
  tacWorld world = wall(2);
  tacDevice first = script_open(0, 0, press), second = script_open(1, 300, finish);
  tacDevice devices[2] = {first, second};
  tacServoDef def = quick_def();
  char text[256];
  tacServoReport report = run(&world, 2, devices, NULL, &def, text, sizeof text);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  ck_assert_str_eq(text, "");
  check_ramp_out(300, 50);
  ck_assert_int_eq(world.steps, report.ticks); /* every tick can be replayed */
  for (int i = 0; i < recorder.count; ++i) ck_assert_uint_eq(recorder.records[i].flags & TAC_TICK_FAULT, 0u);
}

TAC_TEST(a_run_lasts_its_duration_ramps_included) {
  tacWorld world = wall(1);
  tacDevice device = script_open(0, 0, press);
  tacServoDef def = quick_def();
  def.duration = 1.0;
  def.ramp_in = 0.2;
  tacServoReport report = run(&world, 1, &device, NULL, &def, NULL, 0);
  ck_assert_int_eq(report.ticks, 1000);
  for (int i = 0; i < 1000; ++i) {
    double expected = 2.0 * tac_ramp((i + 1) / 200.0) * (1.0 - tac_ramp((i - 949) / 50.0));
    ck_assert_double_eq_tol(scripts[0].written[i].z, expected, 1e-12);
  }
  ck_assert_double_eq_tol(report.force_max[0], 2.0, 1e-12);
  ck_assert_double_eq_tol(report.penetration_max[0], 0.002, 1e-12);
  ck_assert_int_eq(report.contact_ticks, 1000);
  ck_assert_int_eq(report.limited_force + report.limited_rate, 0);
  ck_assert_double_eq(report.work[0], 0.0); /* nothing moves */
  ck_assert_double_gt(report.compute_p50, 0.0);
  ck_assert(report.compute_p50 <= report.compute_p99 && report.compute_p99 <= report.compute_p999 &&
            report.compute_p999 <= report.compute_max);
  ck_assert_double_eq(report.late_max, 0.0);
  ck_assert_str_eq(report.remark, "");
}

/* The device's z is the scene's -y, twice as long; the force comes back along the device's z, unscaled. */
TAC_TEST(states_and_forces_are_mapped_and_recorded) {
  tacWorld world = wall(1);
  tacDevice device;
  tacError error;
  tac_test_ok(tac_device_replay_open(dive_path(0.01, 0.5), false, period, &device, &error), error);
  tacWorkspaceDef workspace = tac_workspace_def_default();
  tacQuat r = tac_quat_from_axis_angle(tac_vec3(0.3, -1.0, 0.4), 0.7);
  memcpy(workspace.orientation, (double[]){r.w, r.x, r.y, r.z}, sizeof workspace.orientation);
  workspace.scale = 2.0;
  workspace.centre = tac_vec3(0.0, 0.01, -0.005);
  tacServoDef def = quick_def();
  tacServoReport report = run(&world, 1, &device, &workspace, &def, NULL, 0);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  for (int i = 0; i < 500; ++i) {
    const tacToolRecord *t = &recorder.records[i].tool[0];
    tacVec3 x = tac_vec3_mad(workspace.centre, 2.0, tac_quat_rotate(r, t->device.position));
    ck_assert_double_lt(tac_vec3_distance(t->position, x), 1e-14);
    tacVec3 force = tac_vec3(0.0, 0.0, 1000.0 * fmax(0.0, -x.z));
    ck_assert_double_lt(tac_vec3_distance(t->output.force, force), 1e-10);
    ck_assert_double_lt(tac_vec3_distance(t->written, tac_quat_rotate(tac_quat_conjugate(r), force)), 1e-10);
    ck_assert_int_eq(recorder.records[i].tick, i);
  }
  tac_device_close(&device);
}

static tacDeviceHealth reposition(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  if (tick >= 200 && tick < 400) state->buttons = TAC_BUTTON_INDEX;
  if (tick >= 200) state->position.x = 1e-3 * fmin(tick - 200, 200);
  if (tick >= 100 && tick < 150) state->buttons = TAC_BUTTON_GRAB;
  return tick < script->event ? TAC_DEVICE_FINE : TAC_DEVICE_DONE;
}

TAC_TEST(indexing_rests_the_tool_and_fades_the_force) {
  tacWorld world = wall(1);
  tacDevice device = script_open(0, 600, reposition);
  tacServoDef def = quick_def();
  run(&world, 1, &device, NULL, &def, NULL, 0);
  for (int i = 10; i < 600; ++i) {
    const tacTickRecord *r = &recorder.records[i];
    ck_assert_double_eq_tol(r->tool[0].position.x, 0.0, 1e-15);
    ck_assert_int_eq((r->flags & TAC_TICK_INDEXING) != 0, i >= 200 && i < 400);
    ck_assert_int_eq(r->tool[0].grab, i >= 100 && i < 150);
    double size = size_of(r->tool[0].written);
    if (i < 200 || i >= 420) ck_assert_double_eq_tol(size, 2.0, 1e-9);
    if (i >= 220 && i < 400) ck_assert_double_lt(size, 1e-9);
    ck_assert_double_lt(fabs(size - size_of(recorder.records[i - 1].tool[0].written)), 0.101);
  }
}

static tacDeviceHealth dive_at_once(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  state->position.z = tick < 100 ? 0.001 : fmax(-0.02, 0.001 - 0.0005 * (tick - 100));
  return tick < script->event ? TAC_DEVICE_FINE : TAC_DEVICE_DONE;
}

TAC_TEST(forces_are_limited_in_length_and_change_and_counted) {
  tacWorld world = wall(1);
  world.stiffness = 20000.0; /* the device renders 3000 N/m and 8 N */
  tacDevice device = script_open(0, 300, dive_at_once);
  tacServoDef def = quick_def();
  tacServoReport report = run(&world, 1, &device, NULL, &def, NULL, 0);
  ck_assert_double_eq_tol(report.force_max[0], 8.0, 1e-9);
  ck_assert_int_gt(report.limited_force, 100);
  ck_assert_int_gt(report.limited_rate, 0);
  for (int i = 1; i < 300; ++i) {
    double moved =
        tac_vec3_distance(recorder.records[i].tool[0].device.position, recorder.records[i - 1].tool[0].device.position);
    ck_assert_double_le(tac_vec3_distance(scripts[0].written[i], scripts[0].written[i - 1]),
                        0.5 + 3000.0 * moved + 1e-9);
  }
}

/* ---- energy ---- */

static tacServoReport run_operator(const char *preset, tacWorld *world, bool passivity, double *true_work) {
  tacOperatorDef operator;
  tacDevice device;
  tacError error;
  tac_test_ok(tac_operator_def_preset(preset, &operator, & error), error);
  tac_test_ok(tac_device_operator_open(&operator, dive_path(0.018, 2.0), period, &device, &error), error);
  tacServoDef def = quick_def();
  def.passivity = passivity;
  tacServoReport report = run(world, 1, &device, NULL, &def, NULL, 0);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  ck_assert_int_gt(report.contact_ticks, 300);
  *true_work = tac_device_operator_work(&device);
  tac_device_close(&device);
  return report;
}

/* The observer sums the read positions; the operator integrates where its handle really was. */
TAC_TEST(the_reported_energy_is_that_of_the_operator) {
  for (int i = 0; i < tac_operator_preset_count(); ++i)
    for (int passivity = 0; passivity < 2; ++passivity) {
      tacWorld world = wall(1);
      world.torque = 0.02;
      double true_work;
      tacServoReport report = run_operator(tac_operator_preset_name(i), &world, passivity, &true_work);
      ck_assert_double_gt(report.work[0], 0.01);
      ck_assert_double_eq_tol(report.energy_absorbed[0], true_work, 0.01 * report.work[0]);
    }
}

TAC_TEST(a_late_force_generates_no_energy_under_control) {
  tacWorld active = wall(1), tamed = wall(1);
  active.delay = tamed.delay = 4;
  double work;
  tacServoReport free_run = run_operator("premium-3", &active, false, &work);
  tacServoReport controlled = run_operator("premium-3", &tamed, true, &work);
  ck_assert_double_lt(free_run.energy_least[0], -0.03 * free_run.work[0]);
  ck_assert_int_eq(free_run.damped, 0);
  ck_assert_double_gt(controlled.energy_least[0], -0.02 * controlled.work[0]);
  ck_assert_double_lt(controlled.written[0].all, 0.5 * free_run.written[0].all);
  ck_assert_int_gt(controlled.damped, 0);
}

/* ---- time ---- */

static int copy_forces(tacVec3 *forces) {
  for (int i = 0; i < recorder.count; ++i) forces[i] = recorder.records[i].tool[0].written;
  return recorder.count;
}

TAC_TEST(real_time_and_free_runs_give_the_same_bits) {
  static tacVec3 forces[3][WALL_MOST_RECORDS];
  int counts[3];
  for (int i = 0; i < 3; ++i) {
    tacOperatorDef operator;
    tacDevice device;
    tacError error;
    tacWorld world = wall(1);
    tac_test_ok(tac_operator_def_preset("omni", &operator, & error), error);
    tac_test_ok(tac_device_operator_open(&operator, dive_path(0.012, 0.4), period, &device, &error), error);
    tacServoDef def = quick_def();
    def.real_time = i == 2;
    def.passivity = true;
    def.speed_limit = 1e6; /* a machine that pauses is no fault here */
    tacServoReport report = run(&world, 1, &device, NULL, &def, NULL, 0);
    ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
    if (i == 2) ck_assert_double_ge(report.seconds, 0.4);
    counts[i] = copy_forces(forces[i]);
    tac_device_close(&device);
  }
  for (int i = 1; i < 3; ++i) {
    ck_assert_int_eq(counts[i], counts[0]);
    ck_assert_mem_eq(forces[i], forces[0], sizeof *forces[0] * (size_t)counts[0]);
  }
}

TAC_TEST(a_running_servo_shows_snapshots_and_stops_when_asked) {
  tacWorld world = wall(1);
  tacDevice device = script_open(0, 0, press);
  tacServoDef def = tac_servo_def_default();
  def.ramp_in = 0.01;
  tacServo *servo = NULL;
  tacError error;
  tac_test_ok(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &servo, &error), error);
  ck_assert(!tac_servo_running(servo));
  ck_assert_int_eq(tac_servo_snapshot(servo)->tool_count, 0);
  tac_test_ok(tac_servo_start(servo, &error), error);
  ck_assert_int_eq(tac_servo_start(servo, &error), TAC_ERR_ARGUMENT);
  int64_t last = 0;
  for (int i = 0; last < 100; ++i) {
    const tacSnapshot *snapshot = tac_servo_snapshot(servo);
    ck_assert_int_ge(snapshot->tick, last);
    last = snapshot->tick;
    ck_assert_msg(i < PATIENCE, "no snapshots come");
    usleep(1000);
  }
  ck_assert(tac_servo_running(servo));
  ck_assert_double_eq(tac_servo_snapshot(servo)->position[0].z, -0.002);
  tac_servo_stop(servo);
  tac_servo_stop(servo);
  ck_assert(!tac_servo_running(servo));
  tacServoReport report = tac_servo_report(servo);
  ck_assert_int_ge(report.ticks, 150);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  ck_assert_double_gt(report.late_max, 0.0);
  ck_assert_double_eq(size_of(scripts[0].written[scripts[0].write_count - 1]), 0.0);
  ck_assert_double_gt(report.force_max[0], 1.9);
  tac_servo_destroy(servo);
}

/* Number i of the state is the tick's plus 1 + i: what belongs together comes together. */
TAC_TEST(snapshots_and_the_recorder_have_the_state_of_their_tick) {
  tacWorld world = wall(1);
  world.state_size = WALL_STATE;
  tacDevice device = script_open(0, 0, press);
  tacServoDef def = quick_def();
  def.real_time = true;
  tacServo *servo = NULL;
  tacError error;
  memset(&recorder, 0, sizeof recorder);
  tac_test_ok(tac_servo_create(&world, 1, &device, NULL, &def, &recorder, &servo, &error), error);
  ck_assert_ptr_null(tac_servo_snapshot(servo)->state); /* of no tick */
  tac_test_ok(tac_servo_start(servo, &error), error);
  int64_t last = 0;
  for (int i = 0; last < 200; ++i) {
    const tacSnapshot *snapshot = tac_servo_snapshot(servo);
    last = snapshot->tick;
    if (snapshot->tool_count > 0)
      for (int k = 0; k < WALL_STATE; ++k) ck_assert_double_eq(snapshot->state[k], (double)(last + 1 + k));
    ck_assert_msg(i < 600000, "no snapshots come");
    usleep(100);
  }
  tac_servo_stop(servo);
  ck_assert_int_ge(recorder.count, 200);
  ck_assert_int_eq(recorder.state_count, recorder.count);
  for (int i = 0; i < recorder.count; ++i)
    ck_assert_double_eq(recorder.state_sums[i], WALL_STATE * (i + 1.0) + WALL_STATE * (WALL_STATE - 1) / 2);
  tac_servo_destroy(servo);
}

/* What a step leaves behind comes as a whole, of ticks that come after the question; W where it is asked for. */
TAC_TEST(contacts_come_to_who_asks_for_them) {
  tacWorld world = wall(2);
  tacDevice devices[2];
  devices[0] = script_open(0, 0, press);
  devices[1] = script_open(1, 0, press);
  tacServoDef def = quick_def();
  def.real_time = true;
  tacServo *servo = NULL;
  tacError error;
  tac_test_ok(tac_servo_create(&world, 2, devices, NULL, &def, NULL, &servo, &error), error);
  ck_assert_int_eq(tac_servo_contacts(servo, false)->count, 0);
  tac_test_ok(tac_servo_start(servo, &error), error);
  int64_t last = -1;
  int coupled = 0, plain = 0;
  for (int i = 0; coupled < 20 || plain < 20; ++i) {
    const tacContactMoment *moment = tac_servo_contacts(servo, i % 2 == 0);
    ck_assert_int_ge(moment->tick, last);
    if (moment->count > 0 && moment->tick > last) {
      double steps = (double)moment->tick + 1.0;
      last = moment->tick;
      ck_assert_int_eq(moment->count, 2);
      for (int k = 0; k < 2; ++k) ck_assert_double_eq(moment->contacts[k].friction, steps);
      ck_assert(moment->coupled == 0 || moment->coupled == 2);
      for (int k = 0; k < 9 * moment->coupled * moment->coupled; ++k)
        ck_assert_double_eq(moment->delassus[k], steps + k);
      ++*(moment->coupled > 0 ? &coupled : &plain);
    }
    ck_assert_msg(i < 600000, "no contacts come");
    usleep(1500);
  }
  tac_servo_destroy(servo);
}

/* ---- wishes of another thread ---- */

static tacServoDef real_time_def(double ramp_out, double force_rate) {
  tacServoDef def = quick_def();
  def.real_time = true;
  def.ramp_out = ramp_out;
  def.force_rate = force_rate;
  return def;
}

static tacServo *start(tacWorld *world, tacDevice *device, const tacServoDef *def) {
  tacServo *servo = NULL;
  tacError error;
  recorder.count = 0;
  tac_test_ok(tac_servo_create(world, 1, device, NULL, def, &recorder, &servo, &error), error);
  tac_test_ok(tac_servo_start(servo, &error), error);
  return servo;
}

static tacServo *start_pressing(tacWorld *world, tacDevice *device, double ramp_out) {
  tacServoDef def = real_time_def(ramp_out, 1e9);
  *device = script_open(0, 0, press);
  return start(world, device, &def);
}

static void wait_for_tick(tacServo *servo, int64_t tick) {
  for (int i = 0; tac_servo_snapshot(servo)->tick < tick; ++i) {
    ck_assert_msg(i < PATIENCE, "the servo does not come to tick %ld", (long)tick);
    usleep(1000);
  }
}

/* Returns the last tick before it rests. */
static int64_t pause_it(tacServo *servo) {
  wait_for_tick(servo, 50);
  tac_servo_pause(servo, true);
  int64_t tick = -1;
  for (int i = 0, written = 0; scripts[0].write_count <= written + 120;
       ++i) { /* the ramp's ticks, then the loop goes on without */
    ck_assert_msg(i < PATIENCE, "the servo does not rest");
    int64_t now = tac_servo_snapshot(servo)->tick;
    if (now != tick) written = scripts[0].write_count;
    tick = now;
    usleep(1000);
  }
  return tick;
}

/* A paused loop counts, records and steps nothing, and its devices feel nothing; steps are counted one by one. */
TAC_TEST(a_paused_servo_rests_and_steps_as_asked) {
  tacWorld world = wall(1);
  tacDevice device;
  tacServo *servo = start_pressing(&world, &device, 0.01);
  int64_t tick = pause_it(servo);
  tac_servo_step(servo, 3);
  wait_for_tick(servo, tick + 3);
  usleep(50000);
  ck_assert_int_eq(tac_servo_snapshot(servo)->tick, tick + 3);
  ck_assert_double_eq(tac_servo_snapshot(servo)->output[0].force.z, 2.0); /* the world goes on feeling the tool */
  tac_servo_pause(servo, false);
  wait_for_tick(servo, tick + 100);
  tac_servo_stop(servo);
  tacServoReport report = tac_servo_report(servo);
  ck_assert_int_eq(report.ticks, recorder.count);
  for (int i = 0; i < recorder.count; ++i) ck_assert_int_eq(recorder.records[i].tick, i);
  ck_assert_double_eq(size_of(recorder.records[tick + 2].tool[0].written), 0.0);
  ck_assert_double_eq(size_of(recorder.records[tick + 50].tool[0].written), 2.0);
  ck_assert_int_gt(scripts[0].write_count, recorder.count + 100); /* it was written to in the pause as well */
  tac_servo_destroy(servo);
}

/* What is recorded ends with some tick, and the world goes on; paused or ended loops let go of their recorder as well. */
TAC_TEST(a_recording_ends_and_the_servo_goes_on) {
  for (int how = 0; how < 3; ++how) {
    tacWorld world = wall(1);
    tacDevice device;
    tacServo *servo = start_pressing(&world, &device, 0.01);
    wait_for_tick(servo, 20);
    if (how == 1) pause_it(servo);
    if (how == 2) tac_servo_stop(servo);
    tac_servo_end_recording(servo);
    int count = recorder.count;
    ck_assert_int_gt(count, 20);
    if (how == 1) tac_servo_pause(servo, false);
    if (how < 2) wait_for_tick(servo, tac_servo_snapshot(servo)->tick + 50);
    ck_assert_int_eq(recorder.count, count);
    for (int i = 0; i < count; ++i) ck_assert_int_eq(recorder.records[i].tick, i);
    tac_servo_end_recording(servo); /* twice is once */
    tac_servo_destroy(servo);
  }
}

/* The operator's dive at a speed; its forces. */
static int dive_at(double speed, tacVec3 *forces, double *seconds) {
  tacOperatorDef operator;
  tacDevice device;
  tacError error;
  tacWorld world = wall(1);
  tacServo *servo = NULL;
  tac_test_ok(tac_operator_def_preset("omni", &operator, & error), error);
  tac_test_ok(tac_device_operator_open(&operator, dive_path(0.012, 0.1), period, &device, &error), error);
  tacServoDef def = quick_def();
  def.real_time = true;
  def.passivity = true;
  def.speed_limit = 1e6; /* a machine that pauses is no fault here */
  def.ramp_out = 0.01;
  recorder.count = 0;
  tac_test_ok(tac_servo_create(&world, 1, &device, NULL, &def, &recorder, &servo, &error), error);
  tac_servo_set_speed(servo, speed);
  tac_test_ok(tac_servo_start(servo, &error), error);
  while (tac_servo_running(servo)) usleep(1000);
  tac_servo_stop(servo);
  tacServoReport report = tac_servo_report(servo);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  *seconds = report.seconds;
  tac_servo_destroy(servo);
  tac_device_close(&device);
  return copy_forces(forces);
}

TAC_TEST(slow_motion_gives_the_same_bits_later) {
  static tacVec3 forces[2][WALL_MOST_RECORDS];
  double seconds[2];
  int full = dive_at(1.0, forces[0], &seconds[0]), slow = dive_at(0.2, forces[1], &seconds[1]);
  ck_assert_int_eq(slow, full);
  ck_assert_int_gt(full, 90);
  ck_assert_mem_eq(forces[1], forces[0], sizeof *forces[0] * (size_t)full);
  ck_assert_double_ge(seconds[1], 5.0 * 0.08); /* all but the ramp, which is at full speed */
}

/* Any speed is brought into its range, and who stops a slow loop does not wait for its ramp. */
TAC_TEST(a_slow_servo_stops_at_full_speed) {
  const double speeds[] = {0.0, -1.0, NAN, 1e-300, TAC_SERVO_LEAST_SPEED};
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; ++i) {
    tacWorld world = wall(1);
    tacDevice device;
    tacServo *servo = start_pressing(&world, &device, 0.5);
    wait_for_tick(servo, 20);
    tac_servo_set_speed(servo, speeds[i]);
    int64_t tick = tac_servo_snapshot(servo)->tick;
    wait_for_tick(servo, tick + 2); /* it goes on */
    int64_t before = tac_clock_now();
    tac_servo_stop(servo);
    ck_assert_double_lt(tac_clock_seconds(tac_clock_now() - before), 30.0); /* else 50 s */
    tac_servo_destroy(servo);
  }
}

/* Pauses, lets it step and go on; returns the tick before the steps. */
static int64_t pause_and_step(tacServo *servo, int steps) {
  int64_t tick = pause_it(servo);
  tac_servo_step(servo, steps);
  wait_for_tick(servo, tick + steps);
  tac_servo_pause(servo, false);
  wait_for_tick(servo, tick + steps + 50);
  tac_servo_stop(servo);
  return tick;
}

/* The limit on the change of a force holds into a pause, in it and out of it. */
TAC_TEST(a_pause_changes_forces_no_faster_than_allowed) {
  tacWorld world = wall(1);
  tacServoDef def = real_time_def(0.0, 500.0); /* 0.5 N a tick, of 2 N */
  tacDevice device = script_open(0, 0, press);
  tacServo *servo = start(&world, &device, &def);
  int64_t tick = pause_and_step(servo, 2);
  int unfelt = 0;
  for (int i = 1; i < scripts[0].write_count - 1; ++i) { /* the last one is the end */
    ck_assert_double_le(tac_vec3_distance(scripts[0].written[i], scripts[0].written[i - 1]), 0.5 + 1e-12);
    unfelt += size_of(scripts[0].written[i]) == 0.0;
  }
  ck_assert_int_gt(unfelt, 20);
  for (int i = 1; i <= 2; ++i) ck_assert_double_eq(size_of(recorder.records[tick + i].tool[0].written), 0.0);
  ck_assert_double_eq(size_of(recorder.records[tick + 40].tool[0].written), 2.0);
  tac_servo_destroy(servo);
}

/* Begins within the wall, which soon pushes it out a little: work that nobody did before. From then on it trembles. */
static tacDeviceHealth slip_and_tremble(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  state->position.z += 3e-4 * fmin(3.0, fmax(0.0, tick - script->event)) + 1e-6 * sin(0.3 * tick);
  return TAC_DEVICE_FINE;
}

/* The damper answers energy that was generated, but not in the steps of a pause. */
TAC_TEST(steps_are_without_the_dampers_force) {
  tacWorld world = wall(1);
  tacServoDef def = real_time_def(0.01, 1e6);
  def.passivity = true;
  tacDevice device = script_open(0, 30, slip_and_tremble);
  tacServo *servo = start(&world, &device, &def);
  int64_t tick = pause_and_step(servo, 20);
  ck_assert_int_gt(tac_servo_report(servo).damped, 0);
  for (int i = 1; i <= 20; ++i) ck_assert_double_eq(size_of(recorder.records[tick + i].tool[0].written), 0.0);
  ck_assert_double_eq(size_of(recorder.records[tick].tool[0].written), 0.0); /* nor is there one held in the pause */
  tac_servo_destroy(servo);
}

/* A parameter acts from the tick whose record holds it, one a tick; nonsense is ignored. What the world wants, to keep its
 * budget, is another such, where nobody else wants one. */
static void set_parameters(double wanted, int expected_changes, double expected_last) {
  tacWorld world = wall(1);
  world.wanted = wanted;
  tacDevice device;
  tacServo *servo = start_pressing(&world, &device, 0.001);
  wait_for_tick(servo, 20);
  ck_assert(!tac_servo_set_parameter(servo, 7, 1.0));
  ck_assert(tac_servo_set_parameter(servo, 0, -1.0));
  ck_assert(tac_servo_set_parameter(servo, 0, 500.0));
  ck_assert(tac_servo_set_parameter(servo, 0, 1500.0));
  wait_for_tick(servo, tac_servo_snapshot(servo)->tick + 50);
  tac_servo_stop(servo);
  double stiffness = 1000.0;
  int changes = 0;
  for (int i = 0; i < recorder.count - 1; ++i) { /* the last ones ramp out */
    const tacTickRecord *r = &recorder.records[i];
    if (r->parameter != 0) {
      ck_assert_int_eq(r->parameter, 1);
      stiffness = r->parameter_value;
      ++changes;
    }
    ck_assert_double_eq(r->tool[0].output.force.z, 0.002 * stiffness);
  }
  ck_assert_int_eq(changes, expected_changes);
  ck_assert_double_eq(stiffness, expected_last);
  tac_servo_destroy(servo);
}

TAC_TEST(parameters_are_set_between_ticks_and_recorded) {
  set_parameters(0.0, 2, 1500.0);
  set_parameters(700.0, 4, 700.0);
}

/* Samples say what the records say. */
TAC_TEST(samples_are_of_consecutive_ticks) {
  tacWorld world = wall(1);
  tacDevice device;
  tacServo *servo = start_pressing(&world, &device, 0.001);
  static tacTickSample samples[1000];
  int count = 0;
  for (int i = 0; count < 300; ++i) {
    ck_assert_msg(i < PATIENCE, "no samples come");
    count += tac_servo_samples(servo, 1000 - count, samples + count);
    usleep(1000);
  }
  tac_servo_stop(servo);
  for (int i = 0; i < count; ++i) {
    ck_assert_int_eq(samples[i].tick, i);
    ck_assert_int_eq(samples[i].contact_count, 1);
    ck_assert_float_eq(samples[i].force[0], (float)size_of(recorder.records[i].tool[0].written));
    ck_assert_float_eq(samples[i].asked[0], (float)size_of(recorder.records[i].tool[0].output.force));
    ck_assert_float_eq(samples[i].penetration[0], 0.002f);
    ck_assert_float_eq(samples[i].compute, (float)(1e-9 * (double)recorder.records[i].compute_ns));
  }
  tac_servo_destroy(servo);
}

static tacDeviceHealth press_lifted(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  if (tick >= script->event) state->buttons = TAC_BUTTON_LIFT;
  return TAC_DEVICE_FINE;
}

TAC_TEST(the_lift_button_reaches_the_world_and_the_record) {
  tacWorld world = wall(1);
  tacDevice device = script_open(0, 50, press_lifted);
  tacServoDef def = quick_def();
  def.duration = 0.1;
  def.ramp_out = 0.001;
  run(&world, 1, &device, NULL, &def, NULL, 0);
  for (int i = 0; i < 99; ++i) {
    ck_assert_int_eq(recorder.records[i].tool[0].lifted, i >= 50);
    ck_assert_double_eq(recorder.records[i].tool[0].output.force.z, i >= 50 ? 0.0 : 2.0);
  }
}

TAC_TEST(destroying_a_running_servo_stops_it) {
  tacWorld world = wall(1);
  tacDevice device = script_open(0, 0, press);
  tacServoDef def = tac_servo_def_default();
  def.priority = 0;
  tacServo *servo = NULL;
  tacError error;
  tac_test_ok(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &servo, &error), error);
  tac_test_ok(tac_servo_start(servo, &error), error);
  tac_servo_destroy(servo);
  ck_assert_double_eq(size_of(scripts[0].written[scripts[0].write_count - 1]), 0.0);
  tac_servo_destroy(NULL);
}

/* ---- memory ---- */

static int lock_count;

/* In place of the C library's. What sanitizers and emulation have mapped is more than a machine has. */
int mlockall(int flags) {
  ++lock_count;
  return tac_test_light() ? 0 : (int)syscall(SYS_mlockall, flags);
}

/* kB, VmLck of /proc/self/status. */
static long locked_memory(void) {
  char line[256];
  long locked = -1;
  FILE *file = fopen("/proc/self/status", "r");
  ck_assert_ptr_nonnull(file);
  while (locked < 0 && fgets(line, sizeof line, file) != NULL) sscanf(line, "VmLck: %ld", &locked);
  fclose(file);
  ck_assert_int_ge(locked, 0);
  return locked;
}

/* A host's memory is its own: locking all of it takes up to all that it has mapped, and never ends. */
TAC_TEST(memory_is_locked_where_it_is_asked_for_alone) {
  for (int asked = 0; asked < 2; ++asked) {
    tacWorld world = wall(1);
    tacDevice device = script_open(0, 0, press);
    tacServoDef def = tac_servo_def_default();
    def.duration = 0.01;
    if (asked) def.lock_memory = true;
    tacServo *servo = NULL;
    tacError error;
    long before = locked_memory();
    tac_test_ok(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &servo, &error), error);
    tac_test_ok(tac_servo_start(servo, &error), error);
    while (tac_servo_running(servo)) usleep(1000);
    tac_servo_destroy(servo);
    ck_assert_int_eq(lock_count, asked);
    if (!asked) ck_assert_int_eq(locked_memory(), before);
  }
  munlockall();
}

/* ---- refusals ---- */

TAC_TEST(impossible_servos_are_refused) {
  tacWorld world = wall(1);
  tacDevice device = script_open(0, 0, press), closed = {0}, weak = device;
  weak.info.force_limit = 0.0;
  tacServo *servo = NULL;
  tacError error;
  tacServoDef good = tac_servo_def_default(), def = good;
  ck_assert_int_eq(tac_servo_create(&world, 0, &device, NULL, &good, NULL, &servo, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text, "servo: 0 devices for 1 tools: must be one a tool");
  ck_assert_int_eq(tac_servo_create(&world, 1, &closed, NULL, &good, NULL, &servo, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text, "servo: device 0 is not open");
  ck_assert_int_eq(tac_servo_create(&world, 1, &weak, NULL, &good, NULL, &servo, &error), TAC_ERR_ARGUMENT);
  def.rate = 2000.0;
  ck_assert_int_eq(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &servo, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text, "servo: rate 2000 Hz: must be 1 / the world's period of 0.001 s, which is 1000 Hz");
  def.rate = 100.0;
  ck_assert_int_eq(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &servo, &error), TAC_ERR_ARGUMENT);
  def = good;
  def.ramp_out = NAN;
  ck_assert_int_eq(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &servo, &error), TAC_ERR_ARGUMENT);
  tacWorkspaceDef workspace = tac_workspace_def_default();
  workspace.scale = 0.0;
  ck_assert_int_eq(tac_servo_create(&world, 1, &device, &workspace, &good, NULL, &servo, &error), TAC_ERR_ARGUMENT);
  workspace = (tacWorkspaceDef){.scale = 1.0};
  ck_assert_int_eq(tac_servo_create(&world, 1, &device, &workspace, &good, NULL, &servo, &error), TAC_ERR_ARGUMENT);
  ck_assert_ptr_null(servo);
}

TAC_TEST(what_is_missing_is_named_and_nothing_crashes) {
  tacWorld world = wall(1), open = wall(1);
  open.open = true;
  tacDevice device = script_open(0, 0, press);
  tacServo *servo = NULL;
  tacServoDef def = tac_servo_def_default();
  const struct {
    tacWorld *world;
    tacDevice *devices;
    const tacServoDef *def;
    tacServo **servo;
    const char *text;
  } cases[] = {{NULL, &device, &def, &servo, "servo: no world (NULL)"},
               {&world, NULL, &def, &servo, "servo: no devices (NULL)"},
               {&world, &device, NULL, &servo, "servo: no definition (NULL)"},
               {&world, &device, &def, NULL, "servo: there is no place to put it"},
               {&open, &device, &def, &servo, "servo: the world is not sealed: call tac_world_seal before"}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    tacError error;
    tacStatus status =
        tac_servo_create(cases[c].world, 1, cases[c].devices, NULL, cases[c].def, NULL, cases[c].servo, &error);
    ck_assert_int_eq(status, TAC_ERR_ARGUMENT);
    ck_assert_str_eq(error.text, cases[c].text);
    ck_assert_ptr_null(servo);
    ck_assert_int_eq(
        tac_servo_create(cases[c].world, 1, cases[c].devices, NULL, cases[c].def, NULL, cases[c].servo, NULL),
        TAC_ERR_ARGUMENT);
  }
  tacError error;
  ck_assert_int_eq(tac_servo_start(NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert(!world.used);
}

/* From its creation to its end, whether it ran or not; one that was refused leaves no trace. */
TAC_TEST(a_world_is_of_one_servo_at_a_time) {
  tacWorld world = wall(1);
  tacDevice device = script_open(0, 0, press);
  tacServoDef def = quick_def(), wrong = def;
  wrong.force_rate = -1.0;
  tacServo *first = NULL, *second = NULL;
  tacError error;
  ck_assert_int_eq(tac_servo_create(&world, 1, &device, NULL, &wrong, NULL, &first, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text, "servo: device 0 (script): guard: force_rate -1 N/s: must be 0 to 1e+09");
  tac_test_ok(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &first, &error), error);
  for (int running = 0; running < 2; ++running) {
    ck_assert_int_eq(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &second, &error), TAC_ERR_ARGUMENT);
    ck_assert_str_eq(error.text, "servo: another one uses this world: stop or destroy that before");
    if (running == 0) tac_test_ok(tac_servo_start(first, &error), error);
  }
  tac_servo_stop(first);
  tac_test_ok(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &second, &error), error);
  tac_servo_destroy(first);
  ck_assert(world.used); /* by the second */
  tac_servo_destroy(second);
  ck_assert(!world.used);
}

/* Deeper by 20 mm/s. */
static tacDeviceHealth sink(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  state->position.z = -2e-5 * tick - 1e-6;
  return TAC_DEVICE_FINE;
}

/* The wall pushes with more than the device's 8 N from tick 400 on, and the forces are ramped to zero from tick 550. */
TAC_TEST(limits_and_doubt_are_told_with_where_they_were_worst) {
  tacWorld world = wall(1);
  world.trusted = 0.02;
  world.pulls = 0.01;
  tacDevice device = script_open(0, 0, sink);
  tacServoDef def = quick_def();
  def.duration = 0.6;
  tacServoReport r = run(&world, 1, &device, NULL, &def, NULL, 0);
  ck_assert_int_eq(r.ticks, 600);
  ck_assert_int_eq(r.force_limit[0].ticks, 150);
  ck_assert_int_eq(r.force_limit[0].worst_tick, 549);
  ck_assert_double_eq_tol(r.force_limit[0].worst, 10.981, 1e-9);
  ck_assert_int_eq(r.rate_limit[0].ticks, 0);
  ck_assert_int_eq(r.coupling_limit[0].ticks, 100);
  ck_assert_int_eq(r.doubt_count, 1);
  ck_assert_int_eq(r.doubts[0].ticks, 500);
  ck_assert_int_eq(r.doubts[0].much, 300);
  ck_assert_int_eq(r.doubts[0].worst_tick, 599);
  ck_assert_double_eq_tol(r.doubts[0].worst, 0.011981 / 0.02, 1e-12);
  for (int i = 0; i < recorder.count; ++i) {
    uint32_t limits = (i >= 400 && i < 550 ? TAC_LIMIT_FORCE : 0) | (i >= 500 ? TAC_LIMIT_COUPLING : 0);
    ck_assert_uint_eq(recorder.records[i].tool[0].limits, limits);
  }
}
