/* A servo with a world that is simulated slower than it is rendered. */
#include <tactus/servo.h>

#include "test.h"
#include "wall_world.h"

enum { EVERY = 10, LATE = 3, TICKS = 200 };
static tacRecorder recorder;

static tacDeviceHealth read_rest(void *self, tacDeviceState *state) {
  (void)self;
  *state = (tacDeviceState){.orientation = {1.0, 0.0, 0.0, 0.0}};
  return TAC_DEVICE_FINE;
}

static void write_nothing(void *self, tacVec3 force, tacVec3 torque) {
  (void)self, (void)force, (void)torque;
}

static void close_nothing(void *self) {
  (void)self;
}

static const tacDeviceDriver rest_driver = {.abi = TAC_DEVICE_ABI,
                                            .name = "rest",
                                            .summary = "",
                                            .close = close_nothing,
                                            .read = read_rest,
                                            .write = write_nothing};

static tacWorld slow_world(int late) {
  return (tacWorld){.period = 0.001, .tool_count = 1, .stiffness = 1000.0, .bad_at = -1, .every = EVERY, .late = late};
}

static tacServo *create(tacWorld *world, tacDevice *device, bool real_time) {
  tacServoDef def = tac_servo_def_default();
  tacServo *servo = NULL;
  tacError error;
  *device = (tacDevice){.driver = &rest_driver,
                        .info = {.name = "rest", .dof = 3, .force_limit = 8.0, .stiffness_limit = 3000.0}};
  def.real_time = real_time;
  def.priority = 0;
  def.duration = 1e-3 * TICKS;
  recorder.count = 0;
  tac_test_ok(tac_servo_create(world, 1, device, NULL, &def, &recorder, &servo, &error), error);
  return servo;
}

/* Steps that are there in time, and some that are late: a flag a step, and the report counts both. */
TAC_TEST(what_a_tick_takes_is_flagged_and_counted) {
  for (int late = 0; late <= LATE; late += LATE) {
    tacWorld world = slow_world(late);
    tacDevice device;
    tacServo *servo = create(&world, &device, false);
    tacError error;
    tac_test_ok(tac_servo_start(servo, &error), error);
    for (int i = 0; tac_servo_running(servo); ++i) {
      ck_assert_msg(i < 600000, "the servo does not end");
      usleep(1000);
    }
    tac_servo_stop(servo);
    tacServoReport report = tac_servo_report(servo);
    ck_assert_int_eq(report.ticks, TICKS);
    ck_assert_int_eq(recorder.count, TICKS);
    for (int i = 0; i < TICKS; ++i)
      ck_assert_int_eq((recorder.records[i].flags & TAC_TICK_TAKEN) != 0, i >= EVERY && i % EVERY == late);
    ck_assert_int_eq(report.taken, TICKS / EVERY - 1);
    ck_assert_int_eq(report.overdue, late * (TICKS / EVERY - 1));
    tac_servo_destroy(servo);
  }
}

/* From the world's reset on, until nobody steps it any more; runs that need not be in time have no thread. */
TAC_TEST(the_simulation_has_a_thread_in_real_time_alone) {
  for (int real_time = 0; real_time < 2; ++real_time) {
    tacWorld world = slow_world(0);
    tacDevice device;
    tacError error;
    world.steps = 77;
    tacServo *servo = create(&world, &device, real_time != 0);
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
  tacWorld world = slow_world(0);
  tacDevice device;
  tacError error;
  world.refuses = true;
  tacServo *servo = create(&world, &device, true);
  ck_assert_int_eq(tac_servo_start(servo, &error), TAC_ERR_MEMORY);
  ck_assert_str_eq(error.text, "no thread for the bodies");
  ck_assert(!tac_servo_running(servo));
  tac_servo_destroy(servo);
  ck_assert_int_eq(world.steps, 0);
  ck_assert_int_eq(world.stops, 0);
  ck_assert(!world.used);
}
