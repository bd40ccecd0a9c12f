/* The devices of 3D Systems (Touch, Touch X, Phantom Omni, Desktop, Premium) through OpenHaptics' HD library, whose
 * functions and numbers are declared here as its documentation has them. The vendor's scheduler is the thread that
 * talks. Options: library=, device=. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "drivers/device_frame.h"
#include "drivers/driver_life.h"
#include "drivers/driver_options.h"
#include "drivers/vendor_library.h"

enum {
  CURRENT_BUTTONS = 0x2000,
  CURRENT_TRANSFORM = 0x2052,
  DEVICE_MODEL_TYPE = 0x2501,
  USABLE_WORKSPACE_DIMENSIONS = 0x2551,
  OUTPUT_DOF = 0x2554,
  CALIBRATION_STYLE = 0x2555,
  NOMINAL_MAX_STIFFNESS = 0x2602,
  NOMINAL_MAX_FORCE = 0x2604,
  NOMINAL_MAX_TORQUE_FORCE = 0x2622,
  CURRENT_FORCE = 0x2700,
  CURRENT_TORQUE = 0x2701,
  FORCE_OUTPUT = 0x4000,
  CALIBRATION_NEEDS_UPDATE = 0x5001,
  CALIBRATION_NEEDS_MANUAL_INPUT = 0x5002,
  FORCE_ERRORS = 0x0200, /* this class: warm motors, too fast, too strong; the device goes on */
  ERROR_CLASS = 0xFF00,
  CALLBACK_DONE = 0,
  CALLBACK_CONTINUE = 1,
  MOST_PRIORITY = 0xFFFF
};
#define INVALID_HANDLE 0xFFFFFFFFu

typedef struct {
  unsigned code;
  int internal;
  unsigned device;
} ErrorInfo;

static struct {
  unsigned (*init_device)(const char *name);
  void (*disable_device)(unsigned device);
  void (*make_current)(unsigned device);
  void (*begin_frame)(unsigned device);
  void (*end_frame)(unsigned device);
  void (*enable)(unsigned capability);
  void (*disable)(unsigned capability);
  void (*get_doubles)(unsigned name, double *values);
  void (*get_integers)(unsigned name, int *values);
  void (*set_doubles)(unsigned name, const double *values);
  const char *(*get_string)(unsigned name);
  ErrorInfo (*get_error)(void);
  const char *(*error_string)(unsigned code);
  unsigned (*check_calibration)(void);
  void (*update_calibration)(unsigned style);
  unsigned long (*schedule)(unsigned (*callback)(void *context), void *context, unsigned short priority);
  void (*unschedule)(unsigned long handle);
  void (*start_scheduler)(void);
  void (*stop_scheduler)(void);
} hd;

static const tacVendorFunction functions[] = {{"hdInitDevice", &hd.init_device},
                                              {"hdDisableDevice", &hd.disable_device},
                                              {"hdMakeCurrentDevice", &hd.make_current},
                                              {"hdBeginFrame", &hd.begin_frame},
                                              {"hdEndFrame", &hd.end_frame},
                                              {"hdEnable", &hd.enable},
                                              {"hdDisable", &hd.disable},
                                              {"hdGetDoublev", &hd.get_doubles},
                                              {"hdGetIntegerv", &hd.get_integers},
                                              {"hdSetDoublev", &hd.set_doubles},
                                              {"hdGetString", &hd.get_string},
                                              {"hdGetError", &hd.get_error},
                                              {"hdGetErrorString", &hd.error_string},
                                              {"hdCheckCalibration", &hd.check_calibration},
                                              {"hdUpdateCalibration", &hd.update_calibration},
                                              {"hdScheduleAsynchronous", &hd.schedule},
                                              {"hdUnschedule", &hd.unschedule},
                                              {"hdStartScheduler", &hd.start_scheduler},
                                              {"hdStopScheduler", &hd.stop_scheduler}};

static const tacVendorLibrary sdk = {"OpenHaptics",       "support.3dsystems.com (OpenHaptics for Linux)",
                                     "TACTUS_HD_LIBRARY", {"libHD.so", "libHD.so.3.4.0", "libHD.so.3", NULL},
                                     functions,           (int)(sizeof functions / sizeof *functions)};

typedef struct {
  tacDriverLink link;
  void *library;
  unsigned device;
  unsigned long scheduled;
  bool turns;
  char path[512], name[64];
} Device;

/* The scheduler is one for all devices, and stands still while one of them comes or goes. */
static pthread_mutex_t scheduler = PTHREAD_MUTEX_INITIALIZER;
static int scheduled_count;

static tacStatus read_options(void *device, const char *options, tacError *error) {
  Device *d = device;
  const tacDriverOption table[] = {{"library", d->path, sizeof d->path, NULL, 0.0, 0.0},
                                   {"device", d->name, sizeof d->name, NULL, 0.0, 0.0}};
  d->device = INVALID_HANDLE;
  return tac_driver_options_read(options, (int)(sizeof table / sizeof *table), table, error);
}

/* Column by column, mm; in a frame. Button 1 grabs, button 2 indexes. */
static void read_state(tacDeviceState *state) {
  double m[16] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
  int mask = 0;
  hd.get_doubles(CURRENT_TRANSFORM, m);
  hd.get_integers(CURRENT_BUTTONS, &mask);
  *state = (tacDeviceState){.position = {1e-3 * m[12], 1e-3 * m[13], 1e-3 * m[14]},
                            .buttons = (mask & 1 ? TAC_BUTTON_GRAB : 0u) | (mask & 2 ? TAC_BUTTON_INDEX : 0u)};
  tacMat3 frame =
      tac_mat3_from_columns(tac_vec3(m[0], m[1], m[2]), tac_vec3(m[4], m[5], m[6]), tac_vec3(m[8], m[9], m[10]));
  tac_device_frame_orientation(frame, state->orientation);
}

static void write_force(Device *d) {
  tacVec3 force, torque;
  tac_driver_link_force(&d->link, &force, &torque, NULL);
  hd.set_doubles(CURRENT_FORCE, (double[]){force.x, force.y, force.z});
  if (d->turns) hd.set_doubles(CURRENT_TORQUE, (double[]){1e3 * torque.x, 1e3 * torque.y, 1e3 * torque.z}); /* mN m */
}

/* Once a tick of the vendor's scheduler, on its thread. */
static unsigned talk(void *context) {
  Device *d = context;
  tacDeviceState state;
  hd.begin_frame(d->device);
  read_state(&state);
  write_force(d);
  hd.end_frame(d->device);
  ErrorInfo error = hd.get_error();
  /* Motors that are warm or went too far are switched off by the device; it still knows where it is. */
  if (error.code == 0 || (error.code & ERROR_CLASS) == FORCE_ERRORS) {
    tac_driver_link_report(&d->link, &state);
    return CALLBACK_CONTINUE;
  }
  tac_driver_link_lose(&d->link, "%s", hd.error_string(error.code));
  return CALLBACK_DONE;
}

static tacStatus failure(const char *what, tacError *error) {
  ErrorInfo info = hd.get_error();
  if (info.code == 0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_FILE, "cannot %s: %s (HD error 0x%04x, internal %d)", what,
                       hd.error_string(info.code), info.code, info.internal);
}

static tacStatus calibrate(tacError *error) {
  unsigned calibration = hd.check_calibration();
  if (calibration == CALIBRATION_NEEDS_MANUAL_INPUT)
    return tac_error_set(
        error, TAC_ERR_FILE,
        "the device is not calibrated; put the stylus into its inkwell, or run the vendor's diagnostic");
  int style = 0;
  if (calibration != CALIBRATION_NEEDS_UPDATE) return TAC_OK;
  hd.get_integers(CALIBRATION_STYLE, &style);
  hd.update_calibration((unsigned)style);
  return failure("calibrate the device", error);
}

static void describe(Device *d, tacDeviceInfo *info) {
  double box[6] = {-0.08e3, -0.06e3, -0.035e3, 0.08e3, 0.06e3, 0.035e3}, force = 0.0, stiffness = 0.0, torque = 0.0;
  int dof = 3;
  hd.get_doubles(USABLE_WORKSPACE_DIMENSIONS, box);
  hd.get_doubles(NOMINAL_MAX_FORCE, &force);
  hd.get_doubles(NOMINAL_MAX_STIFFNESS, &stiffness); /* N/mm */
  hd.get_integers(OUTPUT_DOF, &dof);
  if (dof >= 6) hd.get_doubles(NOMINAL_MAX_TORQUE_FORCE, &torque); /* mN m */
  d->turns = dof >= 6 && torque > 0.0;
  *info = (tacDeviceInfo){
      .dof = d->turns ? 6 : 3,
      .workspace = {{1e-3 * box[0], 1e-3 * box[1], 1e-3 * box[2]}, {1e-3 * box[3], 1e-3 * box[4], 1e-3 * box[5]}},
      .force_limit = force,
      .torque_limit = d->turns ? 1e-3 * torque : 0.0,
      .stiffness_limit = 1e3 * stiffness};
  const char *model = hd.get_string(DEVICE_MODEL_TYPE);
  snprintf(info->name, sizeof info->name, "%s", model != NULL ? model : "OpenHaptics");
}

/* The first state; `scheduler` is held and the vendor's stands still. */
static tacStatus connect_device(Device *d, tacDeviceInfo *info, tacError *error) {
  hd.get_error(); /* what was left there is not ours */
  d->device = hd.init_device(d->name[0] != 0 ? d->name : NULL);
  tacStatus status = failure("open the device", error);
  if (status == TAC_OK && d->device == INVALID_HANDLE)
    status = tac_error_set(error, TAC_ERR_FILE, "cannot open the device: no device has this name");
  if (status != TAC_OK) {
    d->device = INVALID_HANDLE;
    return status;
  }
  hd.make_current(d->device);
  status = calibrate(error);
  if (status != TAC_OK) return status;
  describe(d, info);
  hd.enable(FORCE_OUTPUT);
  status = failure("switch the forces on", error);
  tacDeviceState state;
  hd.begin_frame(d->device);
  read_state(&state);
  hd.end_frame(d->device);
  if (status == TAC_OK) status = failure("read the device", error);
  if (status == TAC_OK) tac_driver_link_report(&d->link, &state);
  return status;
}

/* The vendor's scheduler runs at 1 kHz. */
static tacStatus begin(void *device, double period, tacDeviceInfo *info, tacError *error) {
  (void)period;
  Device *d = device;
  tacStatus status = tac_vendor_library_open(&sdk, d->path, &d->library, NULL, 0, error);
  if (status != TAC_OK) return status;
  pthread_mutex_lock(&scheduler);
  if (scheduled_count > 0) hd.stop_scheduler();
  status = connect_device(d, info, error);
  if (status == TAC_OK) {
    d->scheduled = hd.schedule(talk, d, MOST_PRIORITY);
    ++scheduled_count;
  }
  if (scheduled_count > 0) hd.start_scheduler();
  if (status == TAC_OK) status = failure("start the scheduler", error);
  pthread_mutex_unlock(&scheduler);
  return status;
}

static void disconnect_device(Device *d) {
  pthread_mutex_lock(&scheduler);
  if (scheduled_count > 0) hd.stop_scheduler();
  if (d->scheduled != 0) {
    hd.unschedule(d->scheduled);
    --scheduled_count;
  }
  hd.make_current(d->device);
  hd.begin_frame(d->device);
  hd.set_doubles(CURRENT_FORCE, (double[]){0.0, 0.0, 0.0});
  hd.end_frame(d->device);
  hd.disable(FORCE_OUTPUT);
  hd.disable_device(d->device);
  if (scheduled_count > 0) hd.start_scheduler();
  pthread_mutex_unlock(&scheduler);
}

static void end(void *device) {
  Device *d = device;
  if (d->device != INVALID_HANDLE) disconnect_device(d);
  if (d->library != NULL) dlclose(d->library);
}

/* HD has no list of devices: the one that is named, or the default one, is opened and closed. */
static tacStatus probe_device(void *device, tacDeviceProbe *probe, tacError *error) {
  Device *d = device;
  tacStatus status = tac_vendor_library_open(&sdk, d->path, &d->library, probe->needs, sizeof probe->needs, error);
  if (status != TAC_OK) return status;
  pthread_mutex_lock(&scheduler);
  if (scheduled_count == 0) {
    hd.get_error();
    unsigned found = hd.init_device(d->name[0] != 0 ? d->name : NULL);
    if (hd.get_error().code == 0 && found != INVALID_HANDLE) {
      hd.make_current(found);
      const char *model = hd.get_string(DEVICE_MODEL_TYPE);
      snprintf(probe->found[0], sizeof probe->found[0], "%s", model != NULL ? model : "a device");
      probe->count = 1;
      hd.disable_device(found);
    }
  }
  pthread_mutex_unlock(&scheduler);
  return TAC_OK;
}

static const tacDriverLife life = {sizeof(Device), read_options, begin, end, probe_device};
TAC_DRIVER_EXPORT("openhaptics", "3D Systems Touch, Touch X, Phantom Omni and Premium", life)
