/* What every driver for a vendor's library must do, shown with a stand-in: `name` and `library` are the test's. */
#ifndef TAC_TESTS_VENDOR_CHECKS_H
#define TAC_TESTS_VENDOR_CHECKS_H

#include "driver_bench.h"
#include "stand_in.h"

static StandIn *stand;

static inline void vendor_begin(Bench *bench, const char *name, const char *library, int late_limit) {
  char options[1024];
  snprintf(options, sizeof options, "library=%s", library);
  stand = stand_in_of(library);
  stand_in_move(stand, 0.0, 0.0, -0.002);
  bench_open(bench, name, options);
  bench_start(bench, late_limit);
}

/* A hand 2 mm in the wall feels 2 N; then what happens to the device ends in this fault, and in no force. */
static inline void vendor_fault(const char *name, const char *library, StandInFault happens, double jump, int late_limit,
                                tacFault fault, const char *says) {
  Bench bench;
  vendor_begin(&bench, name, library, late_limit);
  BENCH_UNTIL(fabs(stand_in_look(stand).force[2] - 2.0) < 1e-9);
  ck_assert(stand_in_look(stand).enabled);
  if (jump != 0.0) stand_in_move(stand, jump, 0.0, 0.0);
  stand_in_fail(stand, happens);
  bench_fault(&bench, fault, says);
  StandIn after = stand_in_look(stand);
  for (int i = 0; i < 3; ++i) ck_assert_double_eq(after.force[i], 0.0);
  ck_assert(!after.enabled);
  ck_assert_int_eq(after.opens, after.closes);
}

/* Forces of a servo that stands still end by themselves, and come back when it goes on. */
static inline void vendor_watchdog(const char *name, const char *library) {
  Bench bench;
  char options[1024];
  const tacVec3 force = {0.0, 1.5, 0.0}, none = {0.0, 0.0, 0.0};
  snprintf(options, sizeof options, "library=%s", library);
  stand = stand_in_of(library);
  bench_open(&bench, name, options);
  const tacDeviceDriver *driver = bench.device.driver;
  BENCH_UNTIL((driver->write(bench.device.self, force, none), stand_in_look(stand).force[1] == 1.5));
  BENCH_UNTIL(stand_in_look(stand).force[1] == 0.0); /* nobody writes */
  int sets = stand_in_look(stand).sets;
  BENCH_UNTIL(stand_in_look(stand).sets > sets); /* and the device is still talked to */
  BENCH_UNTIL((driver->write(bench.device.self, force, none), stand_in_look(stand).force[1] == 1.5));
  driver->write(bench.device.self, (tacVec3){0.0, NAN, 0.0}, none);
  BENCH_UNTIL(stand_in_look(stand).force[1] == 0.0);
  bench_end(&bench);
}

#endif
