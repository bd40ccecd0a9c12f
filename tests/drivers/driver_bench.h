/* A driver in the real servo, with its guard, on a wall (z < 0, 1 N/mm). TAC_TEST_DRIVERS is the folder of the drivers. */
#pragma once

#include <time.h>
#include "servo/guard.h"
#include "servo/wall_world.h"
#include "test.h"

enum { BENCH_PATIENT = 100000 }; /* a late limit that no machine reaches: for tests of something else */

typedef struct Bench {
  tacDevice device;
  tacWorld world;
  tacServo *servo;
} Bench;

static inline Bench bench_open(const char *name, const char *options) {
  char path[1024];
  Bench bench = {.world = {.period = 0.001, .tool_count = 1, .stiffness = 1000.0, .bad_at = -1}};
  snprintf(path, sizeof path, "%s/%s.so", TAC_TEST_DRIVERS, name);
  tac_test_ok(tac_device_load(path, options, 0.001, &bench.device, &error), error);
  return bench;
}

/* The words with which a driver refuses to open. */
static inline const char *bench_refusal(const char *name, const char *options) {
  char path[1024];
  tacDevice device;
  error = (tacError){.text = ""};
  snprintf(path, sizeof path, "%s/%s.so", TAC_TEST_DRIVERS, name);
  ck_assert_int_ne(tac_device_load(path, options, 0.001, &device, &error), TAC_OK);
  ck_assert_ptr_null(device.library);
  return error.text;
}

static inline void bench_start(Bench *bench, int late_limit) {
  tacServoDef def = tac_servo_def_default();
  def.real_time = true;
  def.priority = 0;
  def.ramp_in = 0.01;
  def.late_limit = late_limit;
  tac_test_ok(tac_servo_create(&bench->world, 1, &bench->device, NULL, &def, NULL, &bench->servo, &error), error);
  tac_test_ok(tac_servo_start(bench->servo, &error), error);
}

static inline void bench_pause(void) {
  nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Waits for a condition, five minutes at most. */
#define BENCH_UNTIL(condition)                                           \
  do {                                                                   \
    int waited_ = 0;                                                     \
    while (!(condition) && ++waited_ < 300000) bench_pause();            \
    ck_assert_msg(waited_ < 300000, "waited in vain until " #condition); \
  } while (0)

static inline void bench_end(Bench *bench) {
  tac_servo_destroy(bench->servo);
  tac_device_close(&bench->device);
}

/* Waits until the servo has stopped by itself, and closes all; asserts the fault and what is said of it. */
static inline void bench_fault(Bench *bench, tacFault fault, const char *says) {
  char text[600];
  BENCH_UNTIL(!tac_servo_running(bench->servo));
  tacServoReport report = tac_servo_report(bench->servo);
  tac_servo_fault_text(bench->servo, text, sizeof text);
  ck_assert_msg(report.fault == fault, "%s, not %s: %s", tac_fault_name(report.fault), tac_fault_name(fault), text);
  ck_assert_msg(strstr(text, says) != NULL, "\"%s\" lacks \"%s\"", text, says);
  ck_assert_ptr_nonnull(strstr(text, "the forces were ramped to zero"));
  bench_end(bench);
}
