/* Checks of the device information that a driver states. */
#pragma once

#include <tactus/device.h>
#include "base/error.h"

/* Checks the information about a device and terminates its name. `where` begins the message. */
tacStatus tac_driver_info_check(const char *where, tacDeviceInfo *info, tacError *error);
/* Checks that the stated limits are those of a real device. A simulated hand may have any limits. */
tacStatus tac_driver_info_check_limits(const char *where, const tacDeviceInfo *info, tacError *error);
