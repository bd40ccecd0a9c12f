#include <tactus/servo.h>

#include <sys/mman.h>
#include <sys/syscall.h>
#include "device/operator.h"
#include "math/geometry/quat.h"
#include "script_device.h"
#include "servo/servo.h"

TAC_TEST_AROUND(begin, end)

/* ---- faults ---- */

static tacDeviceHealth lose(Script *script, int tick, tacDeviceState *state) {
  if (tick < script->event) return press(script, tick, state);
  memset(state, 0xff, sizeof *state);
  return TAC_DEVICE_LOST;
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

/* The force falls to zero without ever growing, over the time of the ramp, on both devices. */
static void check_ramp_out(int fault_tick, int ramp_ticks) {
  for (int d = 0; d < 2; ++d) {
    const Script *s = &scripts[d];
    ck_assert_int_eq(s->write_count, fault_tick + ramp_ticks);
    ck_assert_double_eq_tol(tac_vec3_norm(s->written[fault_tick - 1]), 2.0, 1e-12);
    for (int i = fault_tick; i < s->write_count; ++i) {
      double before = tac_vec3_norm(s->written[i - 1]), now = tac_vec3_norm(s->written[i]);
      ck_assert(now < before);
      ck_assert_double_lt(before - now, 2.0 * 1.6 / ramp_ticks);
      ck_assert_double_eq(s->written[i].x, 0.0);
    }
    ck_assert_double_eq(tac_vec3_norm(s->written[s->write_count - 1]), 0.0);
  }
}

/* What is a fault, the guard says (test_guard). */
TAC_TEST(a_fault_of_one_device_ramps_all_forces_to_zero_and_is_reported) {
  const struct {
    StateAt *state_at;
    tacFault fault;
    int after; /* ticks from the event to the fault */
    const char *text;
  } cases[] = {
      {lose, TAC_FAULT_DEVICE_LOST, 0, "device 1 (script) was lost at 0.300 s"},
      {jump, TAC_FAULT_DEVICE_JUMPED, 0, "device 1 (script) jumped 1 m in one tick (at most 5 m/s) at 0.300 s"},
      {fall_silent, TAC_FAULT_DEVICE_LATE, 20, "sent no new state for 21 ticks (at most 20) at 0.320 s"}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    world = wall(2);
    tacDevice first = script_open(0, 0, press), second = script_open(1, 300, cases[c].state_at);
    tacDevice devices[2] = {first, second};
    def = quick_def();
    tacServoReport report = run(devices, NULL);
    int fault_tick = 300 + cases[c].after;
    ck_assert_int_eq(report.fault, cases[c].fault);
    ck_assert_int_eq(report.fault_device, 1);
    ck_assert_int_eq(report.fault_tick, fault_tick);
    ck_assert_msg(strstr(fault_text, cases[c].text) != NULL, "%s", fault_text);
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
    world = wall(2);
    world.bad_at = 300;
    world.bad_from = bad;
    world.bad_torque = c / 2 % 2 == 1;
    tacDevice first = script_open(0, 0, press), second = script_open(1, 0, press);
    tacDevice devices[2] = {first, second};
    for (int d = 0; c >= 4 && d < 2; ++d) {
      devices[d].info.dof = 6;
      devices[d].info.torque_limit = 0.2;
    }
    def = quick_def();
    tacServoReport report = run(devices, NULL);
    ck_assert_int_eq(report.fault, TAC_FAULT_FORCE_NOT_FINITE);
    ck_assert_int_eq(report.fault_device, bad);
    ck_assert_int_eq(report.fault_tick, 300);
    ck_assert_ptr_nonnull(strstr(fault_text, "would have received a force that is NaN or infinite at 0.300 s"));
    check_ramp_out(300, 50);
    for (int i = 0; i < recorder.count; ++i)
      for (int d = 0; d < 2; ++d) {
        const tacToolRecord *r = &recorder.records[i].tool[d];
        ck_assert(tac_vec3_finite(r->output.force) && tac_vec3_finite(r->output.torque));
        ck_assert(tac_vec3_finite(r->written) && tac_vec3_finite(r->written_torque));
      }
  }
}

/* ---- orderly runs ---- */

static tacDeviceHealth finish(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  return tick < script->event ? TAC_DEVICE_FINE : TAC_DEVICE_DONE;
}

TAC_TEST(the_end_of_a_trajectory_is_no_fault) {
  world = wall(2);
  tacDevice first = script_open(0, 0, press), second = script_open(1, 300, finish);
  tacDevice devices[2] = {first, second};
  tacServoReport report = run(devices, NULL);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  ck_assert_str_eq(fault_text, "");
  check_ramp_out(300, 50);
  ck_assert_int_eq(world.steps, report.ticks); /* every tick can be replayed */
  int limited = 0;
  for (int i = 0; i < recorder.count; ++i) {
    ck_assert_uint_eq(recorder.records[i].flags & TAC_TICK_FAULT, 0u);
    limited += (recorder.records[i].flags & TAC_TICK_LIMITED_RATE) != 0;
  }
  ck_assert_int_eq(limited, 3); /* without a ramp in, 2 N are reached in steps of 0.5 N */
  ck_assert_int_eq(report.limited_rate, limited);
}

static tacDeviceHealth begin_late(Script *script, int tick, tacDeviceState *state) {
  if (tick == 0) return TAC_DEVICE_LATE;
  return press(script, tick, state);
}

TAC_TEST(a_device_that_is_late_at_first_is_recorded_at_the_start_without_rotation) {
  def.duration = 0.1;
  ck_assert_int_eq(run_script(0, begin_late).fault, TAC_FAULT_NONE);
  const tacDeviceState *read = &recorder.records[0].tool[0].device;
  const double none[4] = {1.0, 0.0, 0.0, 0.0};
  ck_assert_double_eq(tac_vec3_norm(read->position), 0.0);
  ck_assert_mem_eq(read->orientation, none, sizeof none);
}

TAC_TEST(a_run_lasts_its_duration_ramps_included) {
  def.duration = 1.0;
  def.ramp_in = 0.2;
  tacServoReport report = run_script(0, press);
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
  tac_test_ok(tac_device_replay_open(dive_path(0.01, 0.5), false, period, &device, &error), error);
  tacWorkspaceDef workspace = tac_workspace_def_default();
  tacQuat r = tac_quat_from_axis_angle(tac_vec3(0.3, -1.0, 0.4), 0.7);
  tac_quat_put(r, workspace.orientation);
  workspace.scale = 2.0;
  workspace.centre = tac_vec3(0.0, 0.01, -0.005);
  tacServoReport report = run(&device, &workspace);
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
}

static tacDeviceHealth reposition(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  if (tick >= 200 && tick < 400) state->buttons = TAC_BUTTON_INDEX;
  if (tick >= 200) state->position.x = 1e-3 * fmin(tick - 200, 200);
  if (tick >= 100 && tick < 150) state->buttons = TAC_BUTTON_GRAB;
  return tick < script->event ? TAC_DEVICE_FINE : TAC_DEVICE_DONE;
}

TAC_TEST(indexing_rests_the_tool_and_fades_the_force) {
  run_script(600, reposition);
  for (int i = 10; i < 600; ++i) {
    const tacTickRecord *r = &recorder.records[i];
    ck_assert_double_eq_tol(r->tool[0].position.x, 0.0, 1e-15);
    ck_assert_int_eq((r->flags & TAC_TICK_INDEXING) != 0, i >= 200 && i < 400);
    ck_assert_int_eq(r->tool[0].grab, i >= 100 && i < 150);
    double size = tac_vec3_norm(r->tool[0].written);
    if (i < 200 || i >= 420) ck_assert_double_eq_tol(size, 2.0, 1e-9);
    if (i >= 220 && i < 400) ck_assert_double_lt(size, 1e-9);
    ck_assert_double_lt(fabs(size - tac_vec3_norm(recorder.records[i - 1].tool[0].written)), 0.101);
  }
}

/* ---- energy ---- */

static tacServoReport run_operator(const char *preset, bool passivity, double *true_work) {
  open_operator(preset, dive_path(0.018, 2.0));
  def.passivity = passivity;
  tacServoReport report = run(&device, NULL);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  ck_assert_int_gt(report.contact_ticks, 300);
  *true_work = tac_device_operator_work(&device);
  return report;
}

/* The observer sums the read positions; the operator integrates where its handle really was. */
TAC_TEST(the_reported_energy_is_that_of_the_operator) {
  for (int i = 0; i < tac_operator_preset_count(); ++i)
    for (int passivity = 0; passivity < 2; ++passivity) {
      world = wall(1);
      world.torque = 0.02;
      double true_work;
      tacServoReport report = run_operator(tac_operator_preset_name(i), passivity, &true_work);
      ck_assert_double_gt(report.work[0], 0.01);
      ck_assert_double_eq_tol(report.energy_absorbed[0], true_work, 0.01 * report.work[0]);
    }
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
TAC_TEST(memory_is_locked_only_on_request) {
  for (int asked = 0; asked < 2; ++asked) {
    world = wall(1);
    device = script_open(0, 0, press);
    def = tac_servo_def_default();
    def.duration = 0.01;
    if (asked) def.lock_memory = true;
    long before = locked_memory();
    tacServo *servo = tac_test_made(tacServo *, tac_servo_create(&world, 1, &device, NULL, &def, NULL, &made, &error));
    tac_test_ok(tac_servo_start(servo, &error), error);
    wait_for_end(servo);
    tac_servo_destroy(servo);
    ck_assert_int_eq(lock_count, asked);
    if (!asked) ck_assert_int_eq(locked_memory(), before);
  }
  munlockall();
}

/* ---- refusals ---- */

TAC_TEST(impossible_servos_are_refused) {
  device = script_open(0, 0, press);
  tacDevice closed = {0}, weak = device;
  weak.info.force_limit = 0.0;
  def = tac_servo_def_default();
  tacServoDef quick = def, slow = def, endless = def;
  quick.rate = 2000.0;
  slow.rate = 100.0;
  endless.ramp_out = NAN;
  tacWorkspaceDef flat = tac_workspace_def_default(), unturned = {.scale = 1.0};
  flat.scale = 0.0;
  const struct {
    int count;
    tacDevice *device;
    const tacWorkspaceDef *workspace;
    const tacServoDef *def;
    const char *text; /* that the error has */
  } cases[] = {{0, &device, NULL, &def, "servo: there are 0 devices for 1 tools; each tool needs one device"},
               {1, &closed, NULL, &def, "servo: device 0 is not open; open it first"},
               {1, &weak, NULL, &def, ""},
               {1, &device, NULL, &quick,
                "servo: the rate is 2000 Hz; it must be 1 / the world's period of 0.001 s, which is "
                "1000 Hz"},
               {1, &device, NULL, &slow, ""},
               {1, &device, NULL, &endless, ""},
               {1, &device, &flat, &def, ""},
               {1, &device, &unturned, &def, ""}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    tacServo *servo = NULL;
    ck_assert_int_eq(tac_servo_create(&world, cases[c].count, cases[c].device, cases[c].workspace, cases[c].def, NULL,
                                      &servo, &error),
                     TAC_ERR_ARGUMENT);
    if (cases[c].text[0] != 0) ck_assert_str_eq(error.text, cases[c].text);
    ck_assert_ptr_null(servo);
  }
}

TAC_TEST(missing_parts_are_named_without_a_crash) {
  tacWorld open = wall(1);
  open.open = true;
  device = script_open(0, 0, press);
  tacServo *servo = NULL;
  def = tac_servo_def_default();
  const struct {
    tacWorld *world;
    tacDevice *devices;
    const tacServoDef *def;
    tacServo **servo;
    const char *text;
  } cases[] = {{NULL, &device, &def, &servo, "tac_servo_create: `world` is NULL"},
               {&world, NULL, &def, &servo, "tac_servo_create: `devices` is NULL"},
               {&world, &device, NULL, &servo, "tac_servo_create: `def` is NULL"},
               {&world, &device, &def, NULL, "tac_servo_create: `servo` is NULL"},
               {&open, &device, &def, &servo, "servo: the world is not sealed; call tac_world_seal first"}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    tacStatus status =
        tac_servo_create(cases[c].world, 1, cases[c].devices, NULL, cases[c].def, NULL, cases[c].servo, &error);
    ck_assert_int_eq(status, TAC_ERR_ARGUMENT);
    ck_assert_str_eq(error.text, cases[c].text);
    ck_assert_ptr_null(servo);
    ck_assert_int_eq(
        tac_servo_create(cases[c].world, 1, cases[c].devices, NULL, cases[c].def, NULL, cases[c].servo, NULL),
        TAC_ERR_ARGUMENT);
  }
  ck_assert_int_eq(tac_servo_start(NULL, &error), TAC_ERR_ARGUMENT);
  ck_assert(!world.used);
}

/* From its creation to its end, whether it ran or not; one that was refused leaves no trace. */
TAC_TEST(a_world_belongs_to_one_servo_at_a_time) {
  device = script_open(0, 0, press);
  tacServoDef wrong = def;
  wrong.force_rate = -1.0;
  tacServo *first = NULL, *second = NULL;
  ck_assert_int_eq(tac_servo_create(&world, 1, &device, NULL, &wrong, NULL, &first, &error), TAC_ERR_ARGUMENT);
  ck_assert_str_eq(error.text, "servo: device 0 (script): guard: force_rate is -1 N/s; it must be 0 to 1e+09");
  tac_test_ok(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &first, &error), error);
  for (int running = 0; running < 2; ++running) {
    ck_assert_int_eq(tac_servo_create(&world, 1, &device, NULL, &def, NULL, &second, &error), TAC_ERR_ARGUMENT);
    ck_assert_str_eq(error.text, "servo: another servo uses this world; stop or destroy it first");
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
TAC_TEST(limits_and_error_estimate_are_reported_with_their_worst_tick) {
  world.trusted = 0.02;
  world.pulls = 0.01;
  def.duration = 0.6;
  tacServoReport r = run_script(0, sink);
  ck_assert_int_eq(r.ticks, 600);
  ck_assert_int_eq(r.force_limit[0].ticks, 150);
  ck_assert_int_eq(r.force_limit[0].worst_tick, 549);
  ck_assert_double_eq_tol(r.force_limit[0].worst, 10.981, 1e-9);
  ck_assert_int_eq(r.rate_limit[0].ticks, 0);
  ck_assert_int_eq(r.coupling_limit[0].ticks, 100);
  ck_assert_int_eq(r.error_estimate_count, 1);
  ck_assert_int_eq(r.error_estimates[0].ticks, 500);
  ck_assert_int_eq(r.error_estimates[0].much, 300);
  ck_assert_int_eq(r.error_estimates[0].worst_tick, 599);
  ck_assert_double_eq_tol(r.error_estimates[0].worst, 0.011981 / 0.02, 1e-12);
  for (int i = 0; i < recorder.count; ++i) {
    uint32_t limits = (i >= 400 && i < 550 ? TAC_LIMIT_FORCE : 0) | (i >= 500 ? TAC_LIMIT_COUPLING : 0);
    ck_assert_uint_eq(recorder.records[i].tool[0].limits, limits);
  }
}
