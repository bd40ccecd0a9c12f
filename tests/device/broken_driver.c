/* Drivers that are broken in one way each, chosen by a definition. */
#include <stddef.h>
#include <tactus/device.h>

static tacStatus broken_open(const char *options, double period, void **device, tacDeviceInfo *info, tacError *error) {
  (void)options;
  (void)period;
  (void)error;
  *device = NULL;
  *info = (tacDeviceInfo){.name = "broken", .dof = 3, .force_limit = 1.0, .stiffness_limit = 1000.0};
#if defined(BROKEN_OPEN)
  return TAC_ERR_FILE; /* and does not say why */
#elif defined(BROKEN_INFO)
  info->force_limit = -1.0;
#endif
  return TAC_OK;
}

static void broken_close(void *device) {
  (void)device;
}

static tacDeviceHealth broken_read(void *device, tacDeviceState *state) {
  (void)device;
  (void)state;
  return TAC_DEVICE_LOST;
}

#ifndef BROKEN_TABLE
static void broken_write(void *device, tacVec3 force, tacVec3 torque) {
  (void)device;
  (void)force;
  (void)torque;
}
#else
#define broken_write NULL
#endif

#ifdef BROKEN_ABI
#define ABI 999u
#else
#define ABI TAC_DEVICE_ABI
#endif

static const tacDeviceDriver driver = {ABI,          "broken",    "is broken", broken_open,
                                       broken_close, broken_read, broken_write};

#ifdef BROKEN_SYMBOL
#define tac_device_driver tac_device_diver
#endif

TAC_API const tacDeviceDriver *tac_device_driver(void);

const tacDeviceDriver *tac_device_driver(void) {
  return &driver;
}
