/* Where the next step will see contacts: held bodies are moved there, by copies of what their tools know, and put back. */
#pragma once

#include "math/geometry/quat.h"
#include "world/world_parts.h"

/* `frames`: where they are. */
static inline void see_ahead(tacWorld *world, const tacToolInput *inputs, tacFrame frames[TAC_MOST_TOOLS],
                             tacTwist ahead[TAC_MOST_TOOLS]) {
  for (int t = 0; t < world->tool_count; ++t) {
    tacHeldBody held = world->tools[t].held;
    if (held.body < 0) continue;
    tacWorldBody *body = &world->bodies[held.body];
    frames[t] = body->frame;
    tac_held_body_take(&held, world->period, body->start.orientation, inputs[t].position,
                       tac_quat_normalise(tac_quat_of(inputs[t].orientation)), 0.0);
    tac_held_body_follows(&held, &body->frame, world->period, inputs[t].lifted);
    tac_held_body_go_ahead(&held, world->period, &body->frame);
    ahead[t] = held.ahead;
  }
}

static inline void see_back(tacWorld *world, const tacFrame frames[TAC_MOST_TOOLS]) {
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].held.body >= 0) world->bodies[world->tools[t].held.body].frame = frames[t];
}
