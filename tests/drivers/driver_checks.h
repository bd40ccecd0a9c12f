/* What every driver must do, shown with a stand-in for its device. */
#pragma once

#include "driver_bench.h"
#include "stand_in.h"

static inline bool is_without_force(StandIn *stand) {
  StandIn s = stand_in_look(stand);
  return s.force[0] == 0.0 && s.force[1] == 0.0 && s.force[2] == 0.0;
}

/* A hand 2 mm in the wall feels 2 N; then what happens to the device (`jump`, m, or a fault of its own) ends in this fault,
 * and in no force. */
static inline void check_fault(StandIn *stand, const char *name, const char *options, StandInFault happens, double jump,
                               int late_limit, tacFault fault, const char *says) {
  stand_in_move(stand, 0.0, 0.0, -0.002);
  Bench bench = bench_open(name, options);
  bench_start(&bench, late_limit);
  BENCH_UNTIL(fabs(stand_in_look(stand).force[2] - 2.0) < 1e-9);
  if (jump != 0.0) stand_in_move(stand, jump, 0.0, 0.0);
  stand_in_fail(stand, happens);
  bench_fault(&bench, fault, says);
}

/* Forces of a servo that stands still end by themselves, and come back when it goes on; what is no number is no force. */
static inline void check_watchdog(StandIn *stand, const char *name, const char *options) {
  const tacVec3 force = {0.0, 1.5, 0.0}, none = {0.0, 0.0, 0.0};
  Bench bench = bench_open(name, options);
  const tacDeviceDriver *driver = bench.device.driver;
  BENCH_UNTIL((driver->write(bench.device.self, force, none), stand_in_look(stand).force[1] == 1.5));
  BENCH_UNTIL(stand_in_look(stand).force[1] == 0.0); /* nobody writes */
  int sets = stand_in_look(stand).sets;
  BENCH_UNTIL(stand_in_look(stand).sets > sets); /* and the device is still talked to */
  BENCH_UNTIL((driver->write(bench.device.self, force, none), stand_in_look(stand).force[1] == 1.5));
  BENCH_UNTIL((driver->write(bench.device.self, (tacVec3){0.0, NAN, 0.0}, none), is_without_force(stand)));
  BENCH_UNTIL((driver->write(bench.device.self, force, none), stand_in_look(stand).force[1] == 1.5));
  tac_device_close(&bench.device); /* with a force on the hand */
  BENCH_UNTIL(is_without_force(stand));
}
