/* A device that presses down for half a second and then has the fault that the options name (tired: is lost after five). Gets forces that are not finite:
 * aborts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/device.h>

static struct {
  char fault[32];
  double period;
  int tick;
} faulty;

/* The first that runs of a shared object. */
static __attribute__((constructor)) void begin(void) {
  if (getenv("FAULTY_SPEAKS") != NULL) fputs("faulty: its code runs\n", stderr);
}

static tacStatus faulty_open(const char *options, double period, void **device, tacDeviceInfo *info, tacError *error) {
  (void)error;
  snprintf(faulty.fault, sizeof faulty.fault, "%s", options);
  faulty.period = period;
  *device = &faulty;
  *info = (tacDeviceInfo){.name = "faulty",
                          .dof = 3,
                          .workspace = {{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}},
                          .force_limit = 8.0,
                          .stiffness_limit = 2000.0};
  return TAC_OK;
}

static void faulty_close(void *device) {
  (void)device;
}

static tacDeviceHealth faulty_read(void *device, tacDeviceState *state) {
  (void)device;
  double time = faulty.tick++ * faulty.period;
  memset(state, 0, sizeof *state);
  state->position.z = 0.06 - 0.016 * fmin(1.0, time / 0.4);
  state->orientation[0] = 1.0;
  if (strcmp(faulty.fault, "buttons") == 0)
    state->buttons = ~(TAC_BUTTON_INDEX | TAC_BUTTON_GRAB | TAC_BUTTON_LIFT); /* those that nobody knows */
  if (strcmp(faulty.fault, "far") == 0) state->position.z = 1e300;
  if (time < 0.5) return TAC_DEVICE_FINE;
  if (strcmp(faulty.fault, "lost") == 0) return TAC_DEVICE_LOST;
  if (strcmp(faulty.fault, "tired") == 0 && time > 5.0) return TAC_DEVICE_LOST;
  if (strcmp(faulty.fault, "health") == 0) return (tacDeviceHealth)77;
  if (strcmp(faulty.fault, "late") == 0) {
    state->position.z = NAN; /* nobody looks at it */
    return TAC_DEVICE_LATE;
  }
  if (strcmp(faulty.fault, "hiccup") == 0) return time < 0.515 ? TAC_DEVICE_LATE : TAC_DEVICE_FINE;
  if (strcmp(faulty.fault, "nan") == 0) state->position.y = NAN;
  if (strcmp(faulty.fault, "quaternion") == 0) state->orientation[0] = 0.0;
  if (strcmp(faulty.fault, "jump") == 0) state->position.x = 1.0;
  return TAC_DEVICE_FINE;
}

static void faulty_write(void *device, tacVec3 force, tacVec3 torque) {
  (void)device;
  if (!isfinite(force.x + force.y + force.z) || !isfinite(torque.x + torque.y + torque.z)) abort();
}

static const tacDeviceDriver driver = {
    TAC_DEVICE_ABI, "faulty", "has the fault of its options", faulty_open, faulty_close, faulty_read, faulty_write};

TAC_API const tacDeviceDriver *tac_device_driver(void);

const tacDeviceDriver *tac_device_driver(void) {
  return &driver;
}
