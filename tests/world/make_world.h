/* A sealed world of one body and some point tools. */
#pragma once

#include <tactus/green.h>
#include <tactus/world.h>
#include "test.h"

static inline tacWorld *make_world(const tacGreenBodyDef *body, int tools) {
  tacError error = {0};
  tacWorldDef def = tac_world_def_default();
  tacWorld *world;
  tac_test_ok(tac_world_create(&def, &world, &error), error);
  tac_test_ok(tac_world_add_green(world, body, NULL, &error), error);
  for (int t = 0; t < tools; ++t) {
    char name[16];
    snprintf(name, sizeof name, "tool %d", t);
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){name}, NULL, &error), error);
  }
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}
