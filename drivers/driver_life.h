/* How our drivers' devices are opened, closed and probed, which is the same for all of them, and the tables that a driver exports. */
#pragma once

#include "drivers/driver_link.h"

/* Functions of a driver. Its device is a struct that begins with its tacDriverLink; it is zeroed at first. */
typedef struct tacDriverLife {
  size_t size; /* of the device */
  /* Sets what is not zero at first, then reads the options. `end` is called after it in any case. */
  tacStatus (*options)(void *device, const char *options, tacError *error);
  /* Connects, tells the first state to the link, which is open, and starts the thread. */
  tacStatus (*begin)(void *device, double period, tacDeviceInfo *info, tacError *error);
  void (*end)(void *device); /* the thread has stopped */
  /* Looks for devices without opening one; on failure the error says what is needed. */
  tacStatus (*probe)(void *device, tacDeviceProbe *probe, tacError *error);
} tacDriverLife;

tacStatus tac_driver_open(const tacDriverLife *life, const char *options, double period, void **device,
                          tacDeviceInfo *info, tacError *error);
void tac_driver_close(const tacDriverLife *life, void *device);
void tac_driver_probe(const tacDriverLife *life, const char *options, tacDeviceProbe *probe);

/* The two functions that a driver exports, and their tables. */
#define TAC_DRIVER_EXPORT(name, summary, life)                                                                  \
  static tacStatus driver_open(const char *options, double period, void **device, tacDeviceInfo *info,          \
                               tacError *error) {                                                               \
    return tac_driver_open(&(life), options, period, device, info, error);                                      \
  }                                                                                                             \
  static void driver_close(void *device) {                                                                      \
    tac_driver_close(&(life), device);                                                                          \
  }                                                                                                             \
  static void driver_probe(const char *options, tacDeviceProbe *probe) {                                        \
    tac_driver_probe(&(life), options, probe);                                                                  \
  }                                                                                                             \
  TAC_API const tacDeviceDriver *tac_device_driver(void);                                                       \
  TAC_API const tacDeviceExtras *tac_device_extras(void);                                                       \
  const tacDeviceDriver *tac_device_driver(void) {                                                              \
    static const tacDeviceDriver driver = {                                                                     \
        TAC_DEVICE_ABI, name, summary, driver_open, driver_close, tac_driver_link_read, tac_driver_link_write}; \
    return &driver;                                                                                             \
  }                                                                                                             \
  const tacDeviceExtras *tac_device_extras(void) {                                                              \
    static const tacDeviceExtras extras = {TAC_DEVICE_ABI, driver_probe, tac_driver_link_trouble};              \
    return &extras;                                                                                             \
  }
