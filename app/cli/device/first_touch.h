/* The first touch of a device: states, axes, workspace, then gentle forces, with a verdict and lines for a scene. */
#pragma once

#include <stdbool.h>
#include "app/cli/device/device_loop.h"

typedef struct tacFirstTouchDef {
  const char *name, *options; /* of the driver, for the scene's lines; options may be NULL */
  bool yes;                   /* goes on without asking */
  bool quick;                 /* a third of the time for each step */
  int late_limit;             /* ticks */
  double timeout;             /* s to wait for a motion */
} tacFirstTouchDef;

/* Returns the program's exit status: 1 where something is not as it should be. */
int tac_first_touch(const tacFirstTouchDef *def, tacDeviceLoop *loop);
