/* Checks and probes of a driver, and the reason for which a device was lost. */
#pragma once

#include <tactus/device.h>

/* Returns TAC_ERR_VERSION if the driver has another ABI, and TAC_ERR_FORMAT if a member that an open device needs is NULL. `name` begins
 * the message. */
tacStatus tac_device_driver_check(const char *name, const tacDeviceDriver *driver, tacError *error);

/* Loads a driver (`path` as above) and asks what it finds, without opening a device. `summary` (may be NULL) is the
 * driver's own. A driver that cannot be asked is ready, and says so in `needs`. */
tacStatus tac_device_probe(const char *path, const char *options, tacDeviceProbe *probe, char summary[128],
                           tacError *error);

/* Why the device was lost, in the driver's words, to stand after a colon; "" where it does not say. Not in ticks. */
void tac_device_trouble(const tacDevice *device, char *text, size_t size);
