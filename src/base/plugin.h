/* Shared objects with code for this process: the internal side of <tactus/base.h>. Load phase. */
#pragma once

#include <tactus/base.h>
#include "base/error.h"

/* Loads `path` if tac_plugin_set allows it, and names it in the log before its code runs. The bytes of which the host
 * got the checksum are those that are loaded. `what` is for errors: "this driver".
 *
 * `installed` is NULL, or the canonical path of a file that is part of the installation and that others cannot change:
 * it is loaded without permission. */
tacStatus tac_plugin_open(const char *path, const char *what, const char *installed, void **library, tacError *error);

/* The type of tac_plugin_open, for drivers: they are not linked with this library. A driver that loads files which its options
 * name exports `void tac_driver_set_plugin_open(tacPluginOpenFn open)`, which is called before the driver is used. */
typedef tacStatus (*tacPluginOpenFn)(const char *path, const char *what, const char *installed, void **library,
                                     tacError *error);
