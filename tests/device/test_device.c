/* TAC_TEST_MODULES is the folder of the drivers that the build made: examples/device_circle.c, broken_driver.c. */
#include <sys/stat.h>
#include <tactus/base.h>
#include <tactus/device.h>
#include "device/device.h"
#include "device/driver_file.h"
#include "test.h"

TAC_TEST(the_example_driver_moves_on_its_circle) {
  tacDevice device;
  tac_test_ok(tac_device_load(TAC_TEST_MODULES "/device_circle.so", "0.05 1", 0.001, &device, &error), error);
  ck_assert_str_eq(device.info.name, "circle");
  ck_assert_int_eq(device.info.dof, 3);
  for (int i = 0; i <= 1000; ++i) {
    tacDeviceState state;
    ck_assert_int_eq(device.driver->read(device.self, &state), TAC_DEVICE_FINE);
    double angle = 2.0 * 3.14159265358979323846 * i / 1000.0;
    ck_assert_double_eq_tol(state.position.x, 0.05 * cos(angle), 1e-12);
    ck_assert_double_eq_tol(state.position.y, 0.05 * sin(angle), 1e-12);
    device.driver->write(device.self, (tacVec3){0.0, 0.0, 1.0}, (tacVec3){0.0, 0.0, 0.0});
  }
  tac_device_close(&device);
  ck_assert_ptr_null(device.driver);
  ck_assert_ptr_null(device.library);
}

TAC_TEST(options_reach_the_driver_and_its_error_is_returned) {
  tacDevice device;
  tac_test_ok(tac_device_load(TAC_TEST_MODULES "/device_circle.so", NULL, 0.001, &device, &error), error);
  tac_device_close(&device);
  tac_test_refused(tac_device_load(TAC_TEST_MODULES "/device_circle.so", "huge", 0.001, &device, &error),
                   TAC_ERR_ARGUMENT, error, "device_circle.so: circle: options \"huge\": must be RADIUS");
  ck_assert_ptr_null(device.driver);
  ck_assert_ptr_null(device.library);
}

TAC_TEST(broken_drivers_are_refused_with_what_is_wrong) {
  const struct {
    const char *file;
    tacStatus status;
    const char *message;
  } cases[] = {
      {"broken_abi.so", TAC_ERR_VERSION,
       "broken_abi.so: the driver was built for device ABI 999, but this library "
       "has ABI 1"},
      {"broken_symbol.so", TAC_ERR_FORMAT, "the function `const tacDeviceDriver *tac_device_driver(void)` is missing"},
      {"broken_table.so", TAC_ERR_FORMAT, "`write` is NULL in the driver's table"},
      {"broken_open.so", TAC_ERR_FILE, "broken_open.so: broken: cannot open the device (the driver gave no reason)"},
      {"broken_info.so", TAC_ERR_ARGUMENT, "broken_info.so: device info: force_limit must be positive"},
      {"absent.so", TAC_ERR_FILE, "absent.so: cannot load this driver: "}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char path[1024];
    tacDevice device;
    error = (tacError){0};
    snprintf(path, sizeof path, "%s/%s", TAC_TEST_MODULES, cases[i].file);
    ck_assert_int_eq(tac_device_load(path, "", 0.001, &device, &error), cases[i].status);
    ck_assert_msg(strstr(error.text, cases[i].message) != NULL, "%s: \"%s\"", cases[i].file, error.text);
    ck_assert_ptr_null(device.driver);
    ck_assert_ptr_null(device.library);
  }
}

TAC_TEST(files_other_than_shared_objects_are_refused) {
  TAC_FREED(tac_device_close, tacDevice, device);
  ck_assert_int_eq(tac_device_load("", "", 0.001, &device, &error), TAC_ERR_ARGUMENT);
  tac_test_refused(tac_device_load("/dev/null", "", 0.001, &device, &error), TAC_ERR_FILE, error,
                   "/dev/null: cannot load this driver");
}

/* Names are looked for in the folder that the environment has, before all others. */
TAC_TEST(a_driver_is_found_by_its_name) {
  tacDriverFile files[3];
  setenv("TACTUS_DRIVERS", TAC_TEST_MODULES, 1);
  tacDevice device = tac_test_made(tacDevice, tac_device_load("device_circle", NULL, 0.001, &made, &error));
  ck_assert_str_eq(device.info.name, "circle");
  char text[8] = "x";
  tac_device_trouble(&device, text, sizeof text);
  ck_assert_str_eq(text, ""); /* it tells of none */
  tac_device_close(&device);
  int count = tac_device_drivers(3, files);
  ck_assert_int_gt(count, 3); /* more than fit, of which the first are there in order */
  for (int i = 0; i < 3; ++i) ck_assert_int_eq(access(files[i].path, R_OK), 0);
  ck_assert_str_lt(files[0].name, files[1].name);
  ck_assert_str_lt(files[1].name, files[2].name);
  tac_test_refused(tac_device_load("no_such_driver", NULL, 0.001, &device, &error), TAC_ERR_FILE, error,
                   "unknown driver no_such_driver");
  ck_assert_ptr_nonnull(strstr(error.text, TAC_TEST_MODULES));
  setenv("TACTUS_DRIVERS", "/nowhere", 1);
  ck_assert_int_eq(tac_device_load("device_circle", NULL, 0.001, &device, &error), TAC_ERR_FILE);
  unsetenv("TACTUS_DRIVERS");
}

TAC_TEST(a_driver_without_extras_is_probed_all_the_same) {
  tacDeviceProbe probe;
  char summary[128];
  tac_test_ok(tac_device_probe(TAC_TEST_MODULES "/device_circle.so", NULL, &probe, summary, &error), error);
  ck_assert(probe.ready);
  ck_assert_int_eq(probe.count, 0);
  ck_assert_str_eq(summary, "moves on a circle");
  ck_assert_int_eq(tac_device_probe(TAC_TEST_MODULES "/broken_abi.so", NULL, &probe, NULL, &error), TAC_ERR_VERSION);
}

static char logged[1200];

static void keep_line(tacLogLevel level, const char *text, void *user) {
  (void)level;
  (void)user;
  snprintf(logged, sizeof logged, "%s", text);
}

static bool allow_no_circles(const char *path, const char *checksum, tacError *reason, void *user) {
  ++*(int *)user;
  ck_assert_uint_eq(strlen(checksum), 64);
  if (strstr(path, "circle") == NULL) return true;
  snprintf(reason->text, sizeof reason->text, "no circles here");
  return false;
}

static bool allow_all(const char *path, const char *checksum, tacError *reason, void *user) {
  (void)path;
  (void)checksum;
  (void)reason;
  (void)user;
  return true;
}

/* Copies a driver into the folder of this test. The copy has other bytes at its end than any earlier copy, so no earlier
 * permission of this process is valid for it. */
static const char *copy_driver(const char *module, const char *name) {
  static int copies;
  FILE *from = fopen(module, "rb");
  const char *path = tac_test_path(name);
  FILE *to = fopen(path, "wb");
  for (int byte; (byte = getc(from)) != EOF;) putc(byte, to);
  fprintf(to, "copy %d", ++copies);
  fclose(from);
  fclose(to);
  return path;
}

TAC_TEST(plugin_policy_is_queried_for_every_driver) {
  char circle[1024], broken[1024], line[1200];
  snprintf(circle, sizeof circle, "%s", copy_driver(TAC_TEST_MODULES "/device_circle.so", "circle.so"));
  snprintf(broken, sizeof broken, "%s", copy_driver(TAC_TEST_MODULES "/broken_open.so", "broken.so"));
  snprintf(line, sizeof line, "loads %s, whose code becomes part of this program", broken);
  tacDevice device;
  int asked = 0;
  logged[0] = '\0';
  tac_log_set(keep_line, NULL);
  tac_plugin_set(allow_no_circles, &asked);
  tac_test_refused(tac_device_load(circle, NULL, 0.001, &device, &error), TAC_ERR_UNSUPPORTED, error,
                   "circle.so: cannot load this driver: no circles here");
  ck_assert_ptr_null(device.library);
  ck_assert_str_eq(logged, "");
  ck_assert_int_eq(asked, 1);
  tac_device_load(broken, NULL, 0.001, &device, &error);
  ck_assert_int_eq(asked, 2);
  ck_assert_str_eq(logged, line);
  tac_plugin_set(allow_all, NULL);
  tac_test_ok(tac_device_load(circle, NULL, 0.001, &device, &error), error);
  tac_device_close(&device);
  tac_log_set(NULL, NULL);
}

TAC_TEST(without_a_policy_no_file_is_loaded) {
  tacDevice device;
  tac_plugin_set(NULL, NULL);
  tac_test_refused(tac_device_load(TAC_TEST_MODULES "/device_circle.so", NULL, 0.001, &device, &error),
                   TAC_ERR_UNSUPPORTED, error, "until this program allows it with tac_plugin_set");
}

TAC_TEST(installed_drivers_need_no_permission_unless_others_can_write_them) {
  const char *path = copy_driver(TAC_TEST_MODULES "/device_circle.so", "circle.so");
  tacDevice device;
  setenv("TACTUS_DRIVERS", tac_test_own_folder(), 1);
  tac_plugin_set(NULL, NULL);
  chmod(path, 0644);
  tac_test_ok(tac_device_load("circle", NULL, 0.001, &device, &error), error);
  tac_device_close(&device);
  chmod(path, 0664);
  ck_assert_int_eq(tac_device_load("circle", NULL, 0.001, &device, &error), TAC_ERR_UNSUPPORTED);
  chmod(path, 0644);
  chmod(tac_test_own_folder(), 0777);
  ck_assert_int_eq(tac_device_load("circle", NULL, 0.001, &device, &error), TAC_ERR_UNSUPPORTED);
  ck_assert_int_eq(tac_device_load(path, NULL, 0.001, &device, &error), TAC_ERR_UNSUPPORTED);
  chmod(tac_test_own_folder(), 0700);
  tac_test_ok(tac_device_load(path, NULL, 0.001, &device, &error), error);
  tac_device_close(&device);
}

/* Replaces the file by one that is no library while the policy decides. */
static bool swap_and_allow(const char *path, const char *checksum, tacError *reason, void *user) {
  (void)checksum;
  (void)reason;
  (void)user;
  FILE *file = fopen(path, "r+b");
  fputs("no library", file);
  fclose(file);
  return true;
}

TAC_TEST(the_bytes_that_were_allowed_are_those_that_are_loaded) {
  const char *path = copy_driver(TAC_TEST_MODULES "/device_circle.so", "circle.so");
  tacDevice device;
  unsetenv("TACTUS_DRIVERS");
  tac_plugin_set(swap_and_allow, NULL);
  tac_test_ok(tac_device_load(path, NULL, 0.001, &device, &error), error);
  ck_assert_str_eq(device.info.name, "circle");
  tac_device_close(&device);
  ck_assert_int_eq(tac_device_load(path, NULL, 0.001, &device, &error), TAC_ERR_FILE);
}
