/* The functions of OpenHaptics' HD library that the driver uses, with a scheduler that calls a thousand times a second. */
#include <stdatomic.h>
#include <time.h>
#include "stand_in.h"

typedef struct {
  unsigned code;
  int internal;
  unsigned device;
} HDErrorInfo;

static StandIn device = STAND_IN_REST;
static unsigned last_error; /* under device.lock */

/* The scheduler: one callback. */
static unsigned (*callback)(void *context);
static void *context;
static pthread_t thread;
static atomic_bool runs;
static bool started;

static void raise_error(unsigned code) {
  STAND_IN_LOCKED(&device, last_error = code);
}

static void *schedule(void *unused) {
  (void)unused;
  while (atomic_load(&runs)) {
    nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    if (stand_in_look(&device).fault != STAND_IN_STILL && callback != NULL && callback(context) == 0) callback = NULL;
  }
  return NULL;
}

STAND_IN_EXPORT(StandIn *stand_in(void)) {
  last_error = 0;
  return &device;
}

STAND_IN_EXPORT(unsigned hdInitDevice(const char *name)) {
  StandInFault fault = stand_in_look(&device).fault;
  if (fault == STAND_IN_ABSENT || (name != NULL && strcmp(name, "Default Device") != 0)) {
    raise_error(0x0300);
    return 0xFFFFFFFFu;
  }
  STAND_IN_LOCKED(&device, ++device.opens);
  return 7;
}

STAND_IN_EXPORT(void hdDisableDevice(unsigned handle)) {
  (void)handle;
  STAND_IN_LOCKED(&device, ++device.closes);
}

STAND_IN_EXPORT(void hdMakeCurrentDevice(unsigned handle)) {
  (void)handle;
}

STAND_IN_EXPORT(void hdBeginFrame(unsigned handle)) {
  StandInFault fault = stand_in_look(&device).fault;
  if (handle != 7) raise_error(0x0104);
  if (fault == STAND_IN_GONE || fault == STAND_IN_MUTE) raise_error(0x0302);
  if (fault == STAND_IN_WARM) raise_error(0x0200);
}

STAND_IN_EXPORT(void hdEndFrame(unsigned handle)) {
  (void)handle;
}

static void enable(unsigned capability, bool on) {
  STAND_IN_LOCKED(&device, if (capability == 0x4000) device.enabled = on);
}

STAND_IN_EXPORT(void hdEnable(unsigned capability)) {
  enable(capability, true);
}

STAND_IN_EXPORT(void hdDisable(unsigned capability)) {
  enable(capability, false);
}

STAND_IN_EXPORT(void hdGetDoublev(unsigned name, double *values)) {
  StandIn s = stand_in_look(&device);
  const double box[6] = {-160.0, -60.0, -35.0, 160.0, 120.0, 35.0};
  if (name == 0x2052) { /* the transform: columns, mm */
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row) values[4 * column + row] = s.frame[row][column];
    for (int i = 0; i < 3; ++i) values[12 + i] = 1e3 * s.position[i];
    values[3] = values[7] = values[11] = 0.0;
    values[15] = 1.0;
  } else if (name == 0x2551) {
    memcpy(values, box, sizeof box);
  } else if (name == 0x2604) {
    *values = 3.3;
  } else if (name == 0x2602) {
    *values = 0.5;
  } else if (name == 0x2622) {
    *values = 180.0;
  } else {
    raise_error(0x0100);
  }
}

STAND_IN_EXPORT(void hdGetIntegerv(unsigned name, int *values)) {
  StandIn s = stand_in_look(&device);
  if (name == 0x2000)
    *values = (int)s.buttons;
  else if (name == 0x2554)
    *values = s.turns ? 6 : 3;
  else
    raise_error(0x0100);
}

STAND_IN_EXPORT(void hdSetDoublev(unsigned name, const double *values)) {
  pthread_mutex_lock(&device.lock);
  if (name == 0x2700 || name == 0x2701)
    memcpy(name == 0x2700 ? device.force : device.torque, values, sizeof device.force);
  else
    last_error = 0x0100;
  ++device.sets;
  pthread_mutex_unlock(&device.lock);
}

STAND_IN_EXPORT(const char *hdGetString(unsigned name)) {
  return name == 0x2501 ? "Touch" : NULL;
}

STAND_IN_EXPORT(HDErrorInfo hdGetError(void)) {
  pthread_mutex_lock(&device.lock);
  HDErrorInfo error = {.code = last_error, .internal = last_error != 0 ? -42 : 0};
  last_error = 0;
  pthread_mutex_unlock(&device.lock);
  return error;
}

STAND_IN_EXPORT(const char *hdGetErrorString(unsigned code)) {
  return code == 0x0302 ? "Communication error" : code == 0x0300 ? "Device fault" : "Another error";
}

STAND_IN_EXPORT(unsigned hdCheckCalibration(void)) {
  return 0x5000;
}

STAND_IN_EXPORT(void hdUpdateCalibration(unsigned style)) {
  (void)style;
}

STAND_IN_EXPORT(unsigned long hdScheduleAsynchronous(unsigned (*function)(void *), void *data,
                                                     unsigned short priority)) {
  (void)priority;
  callback = function;
  context = data;
  return 11;
}

STAND_IN_EXPORT(void hdUnschedule(unsigned long handle)) {
  if (handle == 11) callback = NULL;
}

STAND_IN_EXPORT(void hdStartScheduler(void)) {
  atomic_store(&runs, true);
  started = pthread_create(&thread, NULL, schedule, NULL) == 0;
}

STAND_IN_EXPORT(void hdStopScheduler(void)) {
  atomic_store(&runs, false);
  if (started) pthread_join(thread, NULL);
  started = false;
}
