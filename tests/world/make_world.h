/* A sealed world of one body and some point tools, and runs that are repeated. */
#pragma once

#include <tactus/world.h>
#include "step_world.h"
#include "test.h"
#include "world/make_defs.h"

static inline tacWorld *make_world(const tacGreenBodyDef *body, int tools) {
  tacWorldDef def = tac_world_def_default();
  tacWorld *world = tac_test_made(tacWorld *, tac_world_create(&def, &made, &error));
  tac_test_ok(tac_world_add_green(world, body, NULL, &error), error);
  for (int t = 0; t < tools; ++t) {
    char name[16];
    snprintf(name, sizeof name, "tool %d", t);
    tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = name}, NULL, &error), error);
  }
  tac_test_ok(tac_world_seal(world, &error), error);
  return world;
}

/* From a reset the same inputs give the same bits: `hands` says what the tools do in a tick. The last outputs are left in `last`
 * [TAC_MOST_TOOLS]. */
static inline void check_repeats(tacWorld *world, int ticks, void (*hands)(int tick, tacToolInput *inputs),
                                 tacToolOutput *last) {
  tacToolOutput(*first)[TAC_MOST_TOOLS] = tac_test_alloc((size_t)ticks * sizeof *first);
  for (int run = 0; run < 2; ++run) {
    tac_world_reset(world);
    for (int i = 0; i < ticks; ++i) {
      tacToolInput inputs[TAC_MOST_TOOLS] = {0};
      hands(i, inputs);
      step_world(world, inputs, last);
      if (run == 0) memcpy(first[i], last, sizeof first[i]);
      for (int t = 0; t < tac_world_tool_count(world); ++t) {
        ck_assert_mem_eq(&first[i][t].force, &last[t].force, sizeof last[t].force);
        ck_assert_mem_eq(&first[i][t].proxy, &last[t].proxy, sizeof last[t].proxy);
      }
    }
  }
}
