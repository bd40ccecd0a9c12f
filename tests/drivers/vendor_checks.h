/* What drivers of a vendor's library must do, with a stand-in for that library. Suites define DRIVER and STAND_IN before they include
 * this, and say TAC_TEST_AROUND(begin, NULL). */
#pragma once

#include "driver_checks.h"

static StandIn *stand;

static void begin(void) {
  stand = stand_in_of(STAND_IN);
}

static inline void faults(StandInFault happens, double jump, int late_limit, tacFault fault, const char *says) {
  begin();
  check_fault(stand, DRIVER, "library=" STAND_IN, happens, jump, late_limit, fault, says);
  ck_assert(is_without_force(stand));
  ck_assert(!stand->enabled);
  ck_assert_int_eq(stand->opens, stand->closes);
}

static inline void check_jumps_and_numbers(void) {
  faults(STAND_IN_FINE, 1000.0, BENCH_PATIENT, TAC_FAULT_DEVICE_JUMPED, "jumped 1e+03 m");
  faults(STAND_IN_FINE, (double)NAN, BENCH_PATIENT, TAC_FAULT_DEVICE_NOT_FINITE, "NaN or infinite");
}

static inline void check_end(void) {
  check_watchdog(stand, DRIVER, "library=" STAND_IN);
  ck_assert(!stand->enabled);
}

static inline void refuses(const char *options, const char *says) {
  const char *text = bench_refusal(DRIVER, options);
  ck_assert_msg(strstr(text, says) != NULL, "\"%s\" lacks \"%s\"", text, says);
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
