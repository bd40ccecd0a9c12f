#define DRIVER "openhaptics"
#define STAND_IN TAC_TEST_MODULES "/stand_in_hd.so"       /* for the vendor's library */
#define OTHER_LIBRARY TAC_TEST_MODULES "/stand_in_dhd.so" /* another vendor's */
#define VARIABLE "TACTUS_HD_LIBRARY"

#include "device/device.h"
#include "vendor_checks.h"

TAC_TEST_AROUND(begin, NULL)

TAC_TEST(a_lost_device_stops_the_force_and_reports_the_vendors_text) {
  faults(STAND_IN_GONE, 0.0, BENCH_PATIENT, TAC_FAULT_DEVICE_LOST, ": Communication error; ");
}

TAC_TEST(a_stopped_scheduler_makes_the_device_late) {
  faults(STAND_IN_STILL, 0.0, 500, TAC_FAULT_DEVICE_LATE, "sent no new state for 501 ticks");
}

TAC_TEST(a_device_that_jumps_or_sends_nan_is_stopped) {
  check_jumps_and_numbers();
}

TAC_TEST(a_non_rotation_frame_is_stopped) {
  Bench bench = bench_open(DRIVER, "");
  bench_start(&bench, BENCH_PATIENT);
  STAND_IN_LOCKED(stand, stand->frame[1][1] = 0.0);
  bench_fault(&bench, TAC_FAULT_DEVICE_NOT_FINITE, "not a unit quaternion");
}

TAC_TEST(the_force_ends_with_the_servo) {
  check_end();
}

TAC_TEST(warm_motors_are_no_loss) {
  tacDeviceState state;
  Bench bench = bench_open(DRIVER, "");
  stand_in_fail(stand, STAND_IN_WARM);
  for (int i = 0; i < 20; ++i) BENCH_UNTIL(bench.device.driver->read(bench.device.self, &state) == TAC_DEVICE_FINE);
  bench_end(&bench);
}

TAC_TEST(device_info_and_state_are_read) {
  stand->buttons = 2;
  turn_and_move();
  Bench bench = bench_open(DRIVER, "device=Default Device");
  ck_assert_str_eq(bench.device.info.name, "Touch");
  ck_assert_int_eq(bench.device.info.dof, 6);
  ck_assert_double_eq(bench.device.info.force_limit, 3.3);
  ck_assert_double_eq_tol(bench.device.info.torque_limit, 0.18, 1e-12);
  ck_assert_double_eq_tol(bench.device.info.stiffness_limit, 500.0, 1e-9);
  ck_assert_double_eq_tol(bench.device.info.workspace.upper.y, 0.12, 1e-12);
  tacDeviceState state = read_turned(&bench);
  ck_assert_uint_eq(state.buttons, TAC_BUTTON_INDEX);
  const tacVec3 none = {0.0, 0.0, 0.0}, torque = {0.1, 0.0, -0.05};
  BENCH_UNTIL((bench.device.driver->write(bench.device.self, none, torque),
               fabs(stand_in_look(stand).torque[0] - 100.0) < 1e-9)); /* mN m */
  bench_end(&bench);
}

TAC_TEST(missing_libraries_and_devices_are_reported) {
  unsetenv(VARIABLE);
  refuses("", "OpenHaptics was not found: no libHD.so");
  refuses("library=" OTHER_LIBRARY, "lacks the function hdInitDevice; use a newer version of OpenHaptics");
  begin();
  refuses("device=Left", "cannot open the device: Device fault (HD error 0x0300, internal -42)");
  stand->fault = STAND_IN_ABSENT;
  refuses("", "cannot open the device: Device fault");
  stand->fault = STAND_IN_MUTE;
  refuses("", "cannot read the device: Communication error");
  ck_assert_int_eq(stand->opens, stand->closes);
  ck_assert(!stand->enabled);
}

TAC_TEST(a_probe_names_the_connected_device) {
  tacDeviceProbe probe;
  tac_test_ok(tac_device_probe(TAC_TEST_DRIVERS "/openhaptics.so", "", &probe, NULL, &error), error);
  ck_assert(probe.ready);
  ck_assert_int_eq(probe.count, 1);
  ck_assert_str_eq(probe.found[0], "Touch");
  ck_assert_int_eq(stand->opens, stand->closes);
  stand->fault = STAND_IN_ABSENT;
  tac_test_ok(tac_device_probe(TAC_TEST_DRIVERS "/openhaptics.so", "", &probe, NULL, &error), error);
  ck_assert(probe.ready);
  ck_assert_int_eq(probe.count, 0);
}

TAC_TEST(the_library_that_an_option_names_needs_permission) {
  check_permission();
}
