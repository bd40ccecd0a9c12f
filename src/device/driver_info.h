/* What a driver tells about its device is checked before it is used. */
#pragma once

#include <tactus/device.h>
#include "base/error.h"

/* `where` is in front of the message. Also ends the name, whatever it holds. */
tacStatus tac_driver_info_check(const char *where, tacDeviceInfo *info, tacError *error);
