/* What drivers of a vendor's library must do, with a stand-in for that library. Suites define DRIVER, STAND_IN and VARIABLE, which
 * names the library, before they include this, and say TAC_TEST_AROUND(begin, NULL). */
#pragma once

#include "driver_checks.h"

static StandIn *stand;

static void begin(void) {
  setenv(VARIABLE, STAND_IN, 1);
  stand = stand_in_of(STAND_IN);
}

static inline void faults(StandInFault happens, double jump, int late_limit, tacFault fault, const char *says) {
  begin();
  check_fault(stand, DRIVER, "", happens, jump, late_limit, fault, says);
  ck_assert(is_without_force(stand));
  ck_assert(!stand->enabled);
  ck_assert_int_eq(stand->opens, stand->closes);
}

static inline void check_jumps_and_numbers(void) {
  faults(STAND_IN_FINE, 1000.0, BENCH_PATIENT, TAC_FAULT_DEVICE_JUMPED, "jumped 1e+03 m");
  faults(STAND_IN_FINE, (double)NAN, BENCH_PATIENT, TAC_FAULT_DEVICE_NOT_FINITE, "NaN or infinite");
}

static inline void check_end(void) {
  check_watchdog(stand, DRIVER, "");
  ck_assert(!stand->enabled);
}

static inline void refuses(const char *options, const char *says) {
  const char *text = bench_refusal(DRIVER, options);
  ck_assert_msg(strstr(text, says) != NULL, "\"%s\" lacks \"%s\"", text, says);
}

/* Copies a module into the folder of the test. */
static inline const char *copy_module(const char *module) {
  const char *path = tac_test_path("vendor.so");
  FILE *from = fopen(module, "rb"), *to = fopen(path, "wb");
  ck_assert(from != NULL && to != NULL);
  for (int byte; (byte = getc(from)) != EOF;) putc(byte, to);
  fclose(from);
  fclose(to);
  return path;
}

static inline bool decide(const char *path, const char *checksum, tacError *reason, void *answer) {
  (void)checksum;
  if (strstr(path, "vendor.so") == NULL) return true; /* the driver */
  snprintf(reason->text, sizeof reason->text, "not this one");
  ck_assert_int_eq(truncate(path, 0), 0); /* what was read for the decision is what is loaded */
  return *(bool *)answer;
}

/* The library that the option names is loaded if the host allows it, from the bytes that the host was asked about. */
static inline void check_permission(void) {
  char options[1200];
  bool answer = false;
  tacDeviceProbe probe;
  setenv(VARIABLE, "/nowhere/vendor.so", 1);
  snprintf(options, sizeof options, "library=%s", copy_module(STAND_IN));
  tac_plugin_set(decide, &answer);
  refuses(options, "vendor.so: cannot load the option library: not this one");
  copy_module(STAND_IN);
  tac_test_ok(tac_device_probe(TAC_TEST_DRIVERS "/" DRIVER ".so", options, &probe, NULL, &error), error);
  ck_assert(!probe.ready);
  ck_assert_ptr_nonnull(strstr(probe.needs, "not this one"));
  answer = true;
  copy_module(STAND_IN);
  Bench bench = bench_open(DRIVER, options);
  bench_end(&bench);
}

/* A quarter turn about z, and a place. */
static inline void turn_and_move(void) {
  const double quarter[3][3] = {{0.0, -1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
  memcpy(stand->frame, quarter, sizeof quarter);
  stand->turns = true;
  stand_in_move(stand, 0.01, -0.02, 0.03);
}

static inline tacDeviceState read_turned(Bench *bench) {
  tacDeviceState state;
  BENCH_UNTIL(bench->device.driver->read(bench->device.self, &state) == TAC_DEVICE_FINE);
  ck_assert_double_eq_tol(state.position.y, -0.02, 1e-12);
  ck_assert_double_eq_tol(state.orientation[0], sqrt(0.5), 1e-12);
  ck_assert_double_eq_tol(state.orientation[3], sqrt(0.5), 1e-12);
  return state;
}
