/* A step of a world, and its report. */
#pragma once

#include <tactus/world.h>

static inline tacTickReport step_world(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs) {
  tacTickReport report;
  tac_world_step(world, inputs, outputs, &report);
  return report;
}
