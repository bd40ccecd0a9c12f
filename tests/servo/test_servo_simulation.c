/* A servo with a world that is simulated slower than it is rendered. */
#include <tactus/servo.h>
#include "script_device.h"

TAC_TEST_AROUND(begin, end)

enum { EVERY = 10, LATE = 3, TICKS = 200 };

static tacDeviceHealth rest(Script *script, int tick, tacDeviceState *state) {
  (void)script, (void)tick;
  *state = (tacDeviceState){.orientation = {1.0, 0.0, 0.0, 0.0}};
  return TAC_DEVICE_FINE;
}

static tacServo *create(int late, bool real_time) {
  world.every = EVERY;
  world.late = late;
  device = script_open(0, 0, rest);
  def = tac_servo_def_default();
  def.real_time = real_time;
  def.priority = 0;
  def.duration = 1e-3 * TICKS;
  return create_with(&device, NULL);
}

/* Steps that are there in time, and some that are late: a flag a step, and the report counts both. */
TAC_TEST(missed_deadlines_are_flagged_and_counted) {
  for (int late = 0; late <= LATE; late += LATE) {
    TAC_OWN(tacServo, servo) = create(late, false);
    tac_test_ok(tac_servo_start(servo, &error), error);
    wait_for_end(servo);
    tac_servo_stop(servo);
    tacServoReport report = tac_servo_report(servo);
    ck_assert_int_eq(report.ticks, TICKS);
    ck_assert_int_eq(recorder.count, TICKS);
    for (int i = 0; i < TICKS; ++i)
      ck_assert_int_eq((recorder.records[i].flags & TAC_TICK_TAKEN) != 0, i >= EVERY && i % EVERY == late);
    ck_assert_int_eq(report.taken, TICKS / EVERY - 1);
    ck_assert_int_eq(report.overdue, late * (TICKS / EVERY - 1));
  }
}

/* From the world's reset on, until nobody steps it any more; runs that need not be in time have no thread. */
TAC_TEST(the_simulation_has_a_thread_only_in_real_time) {
  for (int real_time = 0; real_time < 2; ++real_time) {
    begin();
    world.steps = 77;
    tacServo *servo = create(0, real_time != 0);
    ck_assert_int_eq(world.starts, 0);
    tac_test_ok(tac_servo_start(servo, &error), error);
    ck_assert_int_eq(world.starts, real_time);
    ck_assert_int_eq(world.steps_at_start, 0);
    tac_servo_stop(servo);
    ck_assert_int_eq(world.stops, real_time);
    tac_servo_destroy(servo);
    ck_assert_int_eq(world.stops, real_time);
  }
}

TAC_TEST(a_simulation_that_cannot_start_is_an_error) {
  world.refuses = true;
  tacServo *servo = create(0, true);
  ck_assert_int_eq(tac_servo_start(servo, &error), TAC_ERR_MEMORY);
  ck_assert_str_eq(error.text, "no thread for the bodies");
  ck_assert(!tac_servo_running(servo));
  tac_servo_destroy(servo);
  ck_assert_int_eq(world.steps, 0);
  ck_assert_int_eq(world.stops, 0);
  ck_assert(!world.used);
}
