/* The servo in real time, and what other threads ask of it. */
#include <tactus/servo.h>
#include "base/clock.h"
#include "script_device.h"
#include "servo/servo.h"

TAC_TEST_AROUND(begin, end)

/* ---- time ---- */

static int copy_forces(tacVec3 *forces) {
  for (int i = 0; i < recorder.count; ++i) forces[i] = recorder.records[i].tool[0].written;
  return recorder.count;
}

TAC_TEST(real_time_and_free_runs_give_the_same_bits) {
  static tacVec3 forces[3][WALL_MOST_RECORDS];
  int counts[3];
  for (int i = 0; i < 3; ++i) {
    open_operator("omni", dive_path(0.012, 0.4));
    def.real_time = i == 2;
    def.passivity = true;
    def.speed_limit = 1e6; /* a machine that pauses is no fault here */
    tacServoReport report = run(&device, NULL);
    ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
    if (i == 2) ck_assert_double_ge(report.seconds, 0.4);
    counts[i] = copy_forces(forces[i]);
  }
  for (int i = 1; i < 3; ++i) {
    ck_assert_int_eq(counts[i], counts[0]);
    ck_assert_mem_eq(forces[i], forces[0], sizeof *forces[0] * (size_t)counts[0]);
  }
}

TAC_TEST(a_running_servo_gives_snapshots_and_stops_on_request) {
  device = script_open(0, 0, press);
  def = tac_servo_def_default();
  def.ramp_in = 0.01;
  TAC_CREATE(tacServo, servo, tac_servo_create(&world, 1, &device, NULL, &def, NULL, &servo, &error));
  ck_assert(!tac_servo_running(servo));
  ck_assert_int_eq(tac_servo_snapshot(servo)->tool_count, 0);
  tac_test_ok(tac_servo_start(servo, &error), error);
  ck_assert_int_eq(tac_servo_start(servo, &error), TAC_ERR_ARGUMENT);
  int64_t last = 0;
  for (int i = 0; last < 100; ++i) {
    const tacSnapshot *snapshot = tac_servo_snapshot(servo);
    ck_assert_int_ge(snapshot->tick, last);
    last = snapshot->tick;
    ck_assert_msg(i < TIMEOUT, "no snapshots come");
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
  ck_assert(report.late_p50 > 0.0 && report.late_p50 <= report.late_p99 && report.late_p99 <= report.late_p999 &&
            report.late_p999 <= report.late_max);
  ck_assert_double_eq(tac_vec3_norm(scripts[0].written[scripts[0].write_count - 1]), 0.0);
  ck_assert_double_gt(report.force_max[0], 1.9);
}

/* Number i of the state is the tick's plus 1 + i: what belongs together comes together. */
TAC_TEST(snapshots_and_the_recorder_have_the_state_of_their_tick) {
  world.state_size = WALL_STATE;
  device = script_open(0, 0, press);
  def.real_time = true;
  memset(&recorder, 0, sizeof recorder);
  TAC_OWN(tacServo, servo) = create_with(&device, NULL);
  ck_assert_ptr_null(tac_servo_snapshot(servo)->state); /* of no tick */
  tac_test_ok(tac_servo_start(servo, &error), error);
  int64_t last = 0;
  for (int i = 0; last < 200; ++i) {
    const tacSnapshot *snapshot = tac_servo_snapshot(servo);
    last = snapshot->tick;
    if (snapshot->tool_count > 0)
      for (int k = 0; k < WALL_STATE; ++k) ck_assert_double_eq(snapshot->state[k], (double)(last + 1 + k));
    ck_assert_msg(i < TIMEOUT, "no snapshots come");
    usleep(100);
  }
  tac_servo_stop(servo);
  ck_assert_int_ge(recorder.count, 200);
  ck_assert_int_eq(recorder.state_count, recorder.count);
  for (int i = 0; i < recorder.count; ++i)
    ck_assert_double_eq(recorder.state_sums[i], WALL_STATE * (i + 1.0) + WALL_STATE * (WALL_STATE - 1) / 2);
}

/* What a step leaves behind comes as a whole, of ticks that come after the question; W where it is asked for. */
TAC_TEST(contacts_are_delivered_on_request) {
  world = wall(2);
  tacDevice devices[2];
  for (int d = 0; d < 2; ++d) devices[d] = script_open(d, 0, press);
  def.real_time = true;
  TAC_CREATE(tacServo, servo, tac_servo_create(&world, 2, devices, NULL, &def, NULL, &servo, &error));
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
    ck_assert_msg(i < TIMEOUT, "no contacts come");
    usleep(1500);
  }
}

/* ---- wishes of another thread ---- */

static tacServoDef real_time_def(double ramp_out, double force_rate) {
  tacServoDef made = quick_def();
  made.real_time = true;
  made.ramp_out = ramp_out;
  made.force_rate = force_rate;
  return made;
}

static tacServo *start_pressing(double ramp_out) {
  def = real_time_def(ramp_out, 1e9);
  device = script_open(0, 0, press);
  return start(&device);
}

static void wait_for_tick(tacServo *servo, int64_t tick) {
  for (int i = 0; tac_servo_snapshot(servo)->tick < tick; ++i) {
    ck_assert_msg(i < TIMEOUT, "the servo does not come to tick %ld", (long)tick);
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
    ck_assert_msg(i < TIMEOUT, "the servo does not rest");
    int64_t now = tac_servo_snapshot(servo)->tick;
    if (now != tick) written = scripts[0].write_count;
    tick = now;
    usleep(1000);
  }
  return tick;
}

/* A paused loop counts, records and steps nothing, and its devices feel nothing; steps are counted one by one. */
TAC_TEST(a_paused_servo_rests_and_steps_on_request) {
  TAC_OWN(tacServo, servo) = start_pressing(0.01);
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
  ck_assert_double_eq(tac_vec3_norm(recorder.records[tick + 2].tool[0].written), 0.0);
  ck_assert_double_eq(tac_vec3_norm(recorder.records[tick + 50].tool[0].written), 2.0);
  ck_assert_int_gt(scripts[0].write_count, recorder.count + 100); /* it was written to in the pause as well */
}

/* What is recorded ends with some tick, and the world goes on; paused or ended loops let go of their recorder as well. */
TAC_TEST(the_servo_continues_after_a_recording_ends) {
  for (int how = 0; how < 3; ++how) {
    world = wall(1);
    TAC_OWN(tacServo, servo) = start_pressing(0.01);
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
  }
}

/* The operator's dive at a speed; its forces. */
static int dive_at(double speed, tacVec3 *forces, double *seconds) {
  open_operator("omni", dive_path(0.012, 0.1));
  def.real_time = true;
  def.passivity = true;
  def.speed_limit = 1e6; /* a machine that pauses is no fault here */
  def.ramp_out = 0.01;
  TAC_OWN(tacServo, servo) = create_with(&device, NULL);
  tac_servo_set_speed(servo, speed);
  tac_test_ok(tac_servo_start(servo, &error), error);
  wait_for_end(servo);
  tac_servo_stop(servo);
  tacServoReport report = tac_servo_report(servo);
  ck_assert_int_eq(report.fault, TAC_FAULT_NONE);
  *seconds = report.seconds;
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
    world = wall(1);
    TAC_OWN(tacServo, servo) = start_pressing(0.5);
    wait_for_tick(servo, 20);
    tac_servo_set_speed(servo, speeds[i]);
    int64_t tick = tac_servo_snapshot(servo)->tick;
    wait_for_tick(servo, tick + 2); /* it goes on */
    int64_t before = tac_clock_now();
    tac_servo_stop(servo);
    ck_assert_double_lt(tac_clock_seconds(tac_clock_now() - before), 30.0); /* else 50 s */
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
  def = real_time_def(0.0, 500.0); /* 0.5 N a tick, of 2 N */
  device = script_open(0, 0, press);
  TAC_OWN(tacServo, servo) = start(&device);
  int64_t tick = pause_and_step(servo, 2);
  int unfelt = 0;
  for (int i = 1; i < scripts[0].write_count - 1; ++i) { /* the last one is the end */
    ck_assert_double_le(tac_vec3_distance(scripts[0].written[i], scripts[0].written[i - 1]), 0.5 + 1e-12);
    unfelt += tac_vec3_norm(scripts[0].written[i]) == 0.0;
  }
  ck_assert_int_gt(unfelt, 20);
  for (int i = 1; i <= 2; ++i) ck_assert_double_eq(tac_vec3_norm(recorder.records[tick + i].tool[0].written), 0.0);
  ck_assert_double_eq(tac_vec3_norm(recorder.records[tick + 40].tool[0].written), 2.0);
}

/* Begins within the wall, which soon pushes it out a little: work that nobody did before. From then on it trembles. */
static tacDeviceHealth slip_and_tremble(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  state->position.z += 3e-4 * fmin(3.0, fmax(0.0, tick - script->event)) + 1e-6 * sin(0.3 * tick);
  return TAC_DEVICE_FINE;
}

/* The damper answers energy that was generated, but not in the steps of a pause. */
TAC_TEST(steps_are_without_the_dampers_force) {
  def = real_time_def(0.01, 1e6);
  def.passivity = true;
  device = script_open(0, 30, slip_and_tremble);
  TAC_OWN(tacServo, servo) = start(&device);
  int64_t tick = pause_and_step(servo, 20);
  ck_assert_int_gt(tac_servo_report(servo).damped, 0);
  for (int i = 1; i <= 20; ++i) ck_assert_double_eq(tac_vec3_norm(recorder.records[tick + i].tool[0].written), 0.0);
  ck_assert_double_eq(tac_vec3_norm(recorder.records[tick].tool[0].written),
                      0.0); /* nor is there one held in the pause */
}

/* A parameter acts from the tick whose record holds it, one a tick; nonsense is ignored. What the world wants, to keep its
 * budget, is another such, where nobody else wants one. */
static void set_parameters(double wanted, int expected_changes, double expected_last) {
  world.wanted = wanted;
  TAC_OWN(tacServo, servo) = start_pressing(0.001);
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
}

TAC_TEST(parameters_are_set_between_ticks_and_recorded) {
  set_parameters(0.0, 2, 1500.0);
  set_parameters(700.0, 4, 700.0);
}

/* Samples say what the records say. */
TAC_TEST(samples_are_of_consecutive_ticks) {
  TAC_OWN(tacServo, servo) = start_pressing(0.001);
  static tacTickSample samples[1000];
  int count = 0;
  for (int i = 0; count < 300; ++i) {
    ck_assert_msg(i < TIMEOUT, "no samples come");
    count += tac_servo_samples(servo, 1000 - count, samples + count);
    usleep(1000);
  }
  tac_servo_stop(servo);
  for (int i = 0; i < count; ++i) {
    ck_assert_int_eq(samples[i].tick, i);
    ck_assert_int_eq(samples[i].contact_count, 1);
    ck_assert_float_eq(samples[i].force[0], (float)tac_vec3_norm(recorder.records[i].tool[0].written));
    ck_assert_float_eq(samples[i].asked[0], (float)tac_vec3_norm(recorder.records[i].tool[0].output.force));
    ck_assert_float_eq(samples[i].penetration[0], 0.002f);
    ck_assert_float_eq(samples[i].compute, (float)(1e-9 * (double)recorder.records[i].compute_ns));
  }
}

static tacDeviceHealth press_lifted(Script *script, int tick, tacDeviceState *state) {
  press(script, tick, state);
  if (tick >= script->event) state->buttons = TAC_BUTTON_LIFT;
  return TAC_DEVICE_FINE;
}

TAC_TEST(the_lift_button_reaches_the_world_and_the_record) {
  def.duration = 0.1;
  def.ramp_out = 0.001;
  run_script(50, press_lifted);
  for (int i = 0; i < 99; ++i) {
    ck_assert_int_eq(recorder.records[i].tool[0].lifted, i >= 50);
    ck_assert_double_eq(recorder.records[i].tool[0].output.force.z, i >= 50 ? 0.0 : 2.0);
  }
}

TAC_TEST(destroying_a_running_servo_stops_it) {
  device = script_open(0, 0, press);
  def = tac_servo_def_default();
  def.priority = 0;
  tacServo *servo = tac_test_made(tacServo *, tac_servo_create(&world, 1, &device, NULL, &def, NULL, &made, &error));
  tac_test_ok(tac_servo_start(servo, &error), error);
  tac_servo_destroy(servo);
  ck_assert_double_eq(tac_vec3_norm(scripts[0].written[scripts[0].write_count - 1]), 0.0);
  tac_servo_destroy(NULL);
}
