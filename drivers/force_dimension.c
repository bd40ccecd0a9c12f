/* The devices of Force Dimension (omega, delta, sigma, lambda) and the Novint Falcon, through the vendor's library, whose
 * functions are declared here as its documentation has them. Options: library=, index=, force_limit=, stiffness_limit=. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "base/clock.h"
#include "base/error.h"
#include "drivers/device_frame.h"
#include "drivers/driver_life.h"
#include "drivers/driver_options.h"
#include "drivers/vendor_library.h"

enum { TIMEGUARD = 1, MOST_ERRORS = 5 }; /* a state that is no newer than the last; errors in a row that we live with */
static const double grip_open = 0.5;     /* rad between the fingers of an open gripper */

static struct {
  int (*count)(void);
  int (*open)(void);
  int (*open_index)(char index);
  int (*close)(char id);
  const char *(*error_text)(void);
  const char *(*system_name)(char id);
  bool (*has_wrist)(char id);
  bool (*has_active_wrist)(char id);
  bool (*has_gripper)(char id);
  int (*pose)(double *x, double *y, double *z, double matrix[3][3], char id);
  int (*gripper_angle)(double *radians, char id);
  unsigned (*buttons)(char id);
  int (*enable_force)(unsigned char on, char id);
  int (*set_force)(double fx, double fy, double fz, double tx, double ty, double tz, double gripper, char id);
} dhd;

static const tacVendorFunction functions[] = {{"dhdGetDeviceCount", &dhd.count},
                                              {"dhdOpen", &dhd.open},
                                              {"dhdOpenID", &dhd.open_index},
                                              {"dhdClose", &dhd.close},
                                              {"dhdErrorGetLastStr", &dhd.error_text},
                                              {"dhdGetSystemName", &dhd.system_name},
                                              {"dhdHasWrist", &dhd.has_wrist},
                                              {"dhdHasActiveWrist", &dhd.has_active_wrist},
                                              {"dhdHasGripper", &dhd.has_gripper},
                                              {"dhdGetPositionAndOrientationFrame", &dhd.pose},
                                              {"dhdGetGripperAngleRad", &dhd.gripper_angle},
                                              {"dhdGetButtonMask", &dhd.buttons},
                                              {"dhdEnableForce", &dhd.enable_force},
                                              {"dhdSetForceAndTorqueAndGripperForce", &dhd.set_force}};

/* libdrd holds all of libdhd. */
static const tacVendorLibrary sdk = {"the Force Dimension SDK",
                                     "forcedimension.com/software/sdk",
                                     "TACTUS_DHD_LIBRARY",
                                     {"libdrd.so.3", "libdhd.so.3", "libdrd.so", "libdhd.so", NULL},
                                     functions,
                                     (int)(sizeof functions / sizeof *functions)};

/* What is stated for the families, on the safe side; the last is for those that are not known. Radius and height of the
 * workspace, mm; the origin is in its middle. */
static const struct {
  const char *word;
  double force, torque, stiffness, radius, height;
} families[] = {{"omega", 12.0, 0.0, 3000.0, 80.0, 110.0}, {"delta", 20.0, 0.2, 3000.0, 200.0, 260.0},
                {"sigma", 20.0, 0.4, 3000.0, 95.0, 130.0}, {"lambda", 20.0, 0.2, 3000.0, 120.0, 170.0},
                {"falcon", 8.0, 0.0, 1500.0, 50.0, 100.0}, {"", 3.0, 0.1, 1000.0, 40.0, 80.0}};

typedef struct {
  tacDriverLink link;
  void *library;
  int id; /* -1: none */
  bool wrist, active_wrist, gripper;
  int errors; /* in a row */
  int64_t period;
  char path[512];
  double index, force_limit, stiffness_limit; /* as the options have it; negative, 0: not given */
} Device;

static tacStatus read_options(void *device, const char *options, tacError *error) {
  Device *d = device;
  const tacDriverOption table[] = {{"library", d->path, sizeof d->path, NULL, 0.0, 0.0},
                                   {"index", NULL, 0, &d->index, 0.0, 15.0},
                                   {"force_limit", NULL, 0, &d->force_limit, 0.1, 40.0},
                                   {"stiffness_limit", NULL, 0, &d->stiffness_limit, 10.0, 20000.0}};
  d->id = -1;
  d->index = -1.0;
  return tac_driver_options_read(options, (int)(sizeof table / sizeof *table), table, error);
}

/* The first button grabs, the second indexes; a gripper closes jaws. */
static uint32_t buttons_of(const Device *d) {
  unsigned mask = dhd.buttons((char)d->id);
  uint32_t buttons = (mask & 1u ? TAC_BUTTON_GRAB : 0u) | (mask & 2u ? TAC_BUTTON_INDEX : 0u);
  double angle = grip_open;
  if (d->gripper && dhd.gripper_angle(&angle, (char)d->id) >= 0 && angle < grip_open)
    buttons |= TAC_BUTTON_GRIP(angle > 0.0 ? (int)(255.0 * (1.0 - angle / grip_open)) : 255);
  return buttons;
}

/* Whether a state came; what the library says where it fails. */
static int read_state(const Device *d, tacDeviceState *state) {
  tacMat3 frame = tac_mat3_identity();
  *state = (tacDeviceState){.orientation = {1.0, 0.0, 0.0, 0.0}};
  int result = dhd.pose(&state->position.x, &state->position.y, &state->position.z, frame.m, (char)d->id);
  if (result < 0) return result;
  if (d->wrist) tac_device_frame_orientation(frame, state->orientation);
  state->buttons = buttons_of(d);
  return result;
}

static void exchange(Device *d) {
  tacDeviceState state;
  tacVec3 force, torque;
  int got = read_state(d, &state);
  if (got >= 0 && got != TIMEGUARD) tac_driver_link_report(&d->link, &state);
  tac_driver_link_force(&d->link, &force, &torque, NULL);
  if (!d->active_wrist) torque = (tacVec3){0.0, 0.0, 0.0};
  int set = dhd.set_force(force.x, force.y, force.z, torque.x, torque.y, torque.z, 0.0, (char)d->id);
  d->errors = got < 0 || set < 0 ? d->errors + 1 : 0;
  if (d->errors > MOST_ERRORS) tac_driver_link_lose(&d->link, "%s", dhd.error_text());
}

/* Twice as often as the servo, so that each of its ticks finds a new state. */
static void talk(void *context) {
  Device *d = context;
  for (int64_t next = tac_clock_now(); !tac_driver_link_stops(&d->link);) {
    exchange(d);
    int64_t now = tac_clock_now();
    next = next + d->period > now ? next + d->period : now;
    tac_clock_sleep_until(next);
  }
}

static void describe(const Device *d, tacDeviceInfo *info) {
  const char *name = dhd.system_name((char)d->id);
  if (name == NULL) name = "Force Dimension";
  int f = 0;
  while (families[f].word[0] != 0 && strcasestr(name, families[f].word) == NULL) ++f;
  double radius = 1e-3 * families[f].radius, half = 0.5e-3 * families[f].height;
  bool turns = d->active_wrist && families[f].torque > 0.0;
  *info = (tacDeviceInfo){.dof = turns ? 6 : 3,
                          .workspace = {{-radius, -radius, -half}, {radius, radius, half}},
                          .force_limit = d->force_limit > 0.0 ? d->force_limit : families[f].force,
                          .torque_limit = turns ? families[f].torque : 0.0,
                          .stiffness_limit = d->stiffness_limit > 0.0 ? d->stiffness_limit : families[f].stiffness};
  snprintf(info->name, sizeof info->name, "%s", name);
}

static tacStatus connect_device(Device *d, tacError *error) {
  int id = d->index >= 0.0 ? dhd.open_index((char)d->index) : dhd.open();
  if (id < 0)
    return tac_error_set(error, TAC_ERR_FILE, "cannot open %s: %s (%d found)",
                         d->index >= 0.0 ? "the device of this index" : "a device", dhd.error_text(), dhd.count());
  d->id = id;
  d->wrist = dhd.has_wrist((char)d->id);
  d->active_wrist = dhd.has_active_wrist((char)d->id);
  d->gripper = dhd.has_gripper((char)d->id);
  tacDeviceState state;
  if (dhd.enable_force(1, (char)d->id) < 0 || read_state(d, &state) < 0) {
    tac_error_set(error, TAC_ERR_FILE, "the device does not respond: %s", dhd.error_text());
    dhd.close((char)d->id);
    d->id = -1;
    return TAC_ERR_FILE;
  }
  tac_driver_link_report(&d->link, &state);
  return TAC_OK;
}

static tacStatus begin(void *device, double period, tacDeviceInfo *info, tacError *error) {
  Device *d = device;
  d->period = tac_clock_nanoseconds(0.5 * period);
  tacStatus status = tac_vendor_library_open(&sdk, d->path, &d->library, NULL, 0, error);
  if (status == TAC_OK) status = connect_device(d, error);
  if (status == TAC_OK) describe(d, info);
  return status == TAC_OK ? tac_driver_link_start(&d->link, "tac dhd", talk, d, error) : status;
}

static void end(void *device) {
  Device *d = device;
  if (d->id >= 0) {
    dhd.set_force(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, (char)d->id);
    dhd.enable_force(0, (char)d->id);
    dhd.close((char)d->id);
  }
  if (d->library != NULL) dlclose(d->library);
}

static tacStatus probe_devices(void *device, tacDeviceProbe *probe, tacError *error) {
  Device *d = device;
  tacStatus status = tac_vendor_library_open(&sdk, d->path, &d->library, probe->needs, sizeof probe->needs, error);
  if (status != TAC_OK) return status;
  probe->count = dhd.count();
  for (int i = 0; i < probe->count && i < TAC_DEVICE_MOST_FOUND; ++i)
    snprintf(probe->found[i], sizeof probe->found[i], "index=%d", i);
  return TAC_OK;
}

static const tacDriverLife life = {sizeof(Device), read_options, begin, end, probe_devices};
TAC_DRIVER_EXPORT("force_dimension", "Force Dimension omega, delta, sigma, lambda; Novint Falcon", life)
