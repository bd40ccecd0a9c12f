/* Shared objects with code for this process: the internal side of <tactus/base.h>. Load phase. */
#pragma once

#include <tactus/base.h>
#include "base/error.h"

/* Names `path` in the log, unless it is there already, then opens it. `what` is for errors: "this driver". */
tacStatus tac_plugin_open(const char *path, const char *what, void **library, tacError *error);
