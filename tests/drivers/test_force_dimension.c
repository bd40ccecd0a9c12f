#define DRIVER "force_dimension"
#define STAND_IN TAC_TEST_MODULES "/stand_in_dhd.so"     /* for the vendor's library */
#define OLD_STAND_IN TAC_TEST_MODULES "/stand_in_old.so" /* lacks a function */
#define VARIABLE "TACTUS_DHD_LIBRARY"

#include "device/device.h"
#include "vendor_checks.h"

TAC_TEST_AROUND(begin, NULL)

TAC_TEST(a_lost_device_stops_the_force_and_reports_the_vendors_text) {
  faults(STAND_IN_GONE, 0.0, BENCH_PATIENT, TAC_FAULT_DEVICE_LOST, "device 0 (omega.3) was lost at ");
  faults(STAND_IN_GONE, 0.0, BENCH_PATIENT, TAC_FAULT_DEVICE_LOST, ": communication failure; ");
}

TAC_TEST(a_device_without_new_states_is_late) {
  faults(STAND_IN_STILL, 0.0, 500, TAC_FAULT_DEVICE_LATE, "sent no new state for 501 ticks");
}

TAC_TEST(a_device_that_jumps_or_sends_nan_is_stopped) {
  check_jumps_and_numbers();
}

TAC_TEST(the_force_ends_with_the_servo) {
  check_end();
}

TAC_TEST(device_info_and_state_are_read) {
  stand->grips = true;
  stand->gripper = 0.1;
  stand->buttons = 3;
  turn_and_move();
  Bench bench = bench_open(DRIVER, "index=1; force_limit=20");
  ck_assert_int_eq(stand_in_look(stand).asked_index, 1);
  ck_assert_str_eq(bench.device.info.name, "sigma.7");
  ck_assert_int_eq(bench.device.info.dof, 6);
  ck_assert_double_eq(bench.device.info.force_limit, 20.0);
  ck_assert_double_eq(bench.device.info.torque_limit, 0.4);
  tacDeviceState state = read_turned(&bench);
  ck_assert_uint_eq(state.buttons, TAC_BUTTON_GRAB | TAC_BUTTON_INDEX | TAC_BUTTON_GRIP(204)); /* 255 * 0.8 */
  const tacVec3 none = {0.0, 0.0, 0.0}, torque = {0.1, 0.0, -0.05};
  BENCH_UNTIL((bench.device.driver->write(bench.device.self, none, torque), stand_in_look(stand).torque[0] == 0.1));
  ck_assert_double_eq(stand_in_look(stand).torque[2], -0.05);
  bench_end(&bench);

  begin(); /* without a wrist */
  bench = bench_open(DRIVER, "force_limit=2.5, stiffness_limit=600");
  ck_assert_str_eq(bench.device.info.name, "omega.3");
  ck_assert_int_eq(bench.device.info.dof, 3);
  ck_assert_double_eq(bench.device.info.torque_limit, 0.0);
  ck_assert_double_eq(bench.device.info.force_limit, 2.5);
  ck_assert_double_eq(bench.device.info.stiffness_limit, 600.0);
  BENCH_UNTIL((bench.device.driver->write(bench.device.self, torque, torque), stand_in_look(stand).force[0] == 0.1));
  ck_assert_double_eq(stand_in_look(stand).torque[0], 0.0);
  bench_end(&bench);
}

TAC_TEST(missing_libraries_and_devices_are_reported) {
  unsetenv(VARIABLE);
  refuses("", "the Force Dimension SDK was not found: no libdrd.so.3, libdhd.so.3, libdrd.so, libdhd.so");
  refuses("", "get it from forcedimension.com/software/sdk, or name the file with TACTUS_DHD_LIBRARY or library=");
  refuses("library=/nowhere/libdhd.so", "/nowhere/libdhd.so: cannot load the option library: ");
  refuses("library=" OLD_STAND_IN,
          "lacks the function dhdSetForceAndTorqueAndGripperForce; use a newer version of the Force Dimension SDK");
  setenv(VARIABLE, "/elsewhere/libdhd.so", 1);
  refuses("", "cannot load the library named by TACTUS_DHD_LIBRARY: /elsewhere/libdhd.so");
  begin();
  refuses("libary=x", "options: \"libary=x\" is unknown; an option begins with one of library=, index=");
  refuses("index=twelve", "index is twelve; it must be a number from 0 to 15");
  stand->fault = STAND_IN_ABSENT;
  refuses("", "cannot open a device: no device found (0 found)");
  stand->fault = STAND_IN_MUTE;
  refuses("", "the device does not respond: communication failure");
  ck_assert_int_eq(stand->opens, stand->closes);
}

TAC_TEST(a_probe_opens_nothing) {
  tacDeviceProbe probe;
  char summary[128];
  tac_test_ok(tac_device_probe(TAC_TEST_DRIVERS "/force_dimension.so", "", &probe, summary, &error), error);
  ck_assert(probe.ready);
  ck_assert_str_eq(probe.needs, STAND_IN);
  ck_assert_int_eq(probe.count, 2);
  ck_assert_str_eq(probe.found[1], "index=1");
  ck_assert_int_eq(stand->opens, 0);
  ck_assert_ptr_nonnull(strstr(summary, "omega"));
  unsetenv(VARIABLE);
  tac_test_ok(tac_device_probe(TAC_TEST_DRIVERS "/force_dimension.so", "", &probe, NULL, &error), error);
  ck_assert(!probe.ready);
  ck_assert_ptr_nonnull(strstr(probe.needs, "the Force Dimension SDK was not found"));
}

TAC_TEST(the_library_that_an_option_names_needs_permission) {
  check_permission();
}
