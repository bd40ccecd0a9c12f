#include "world/tools/pad_tools.h"

static tacPadGrip grip_of(const tacWorld *world, int body) {
  const tacWorldBody *b = &world->bodies[body];
  return (tacPadGrip){b->body.table->pads, b->grip.patches};
}

void tac_pad_tools_settle(tacWorld *world, tacTickReport *report) {
  for (int t = 0; t < world->tool_count; ++t) {
    tacPadTool *pad = &world->tools[t].pad;
    if (pad->body >= 0) tac_pad_tool_lead(pad, grip_of(world, pad->body), world->tick_period, report);
  }
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    if (body->grip.patches != NULL) body->body.table->pads->step(body->grip.patches, body->body.self);
  }
  for (int t = 0; t < world->tool_count; ++t) {
    tacPadTool *pad = &world->tools[t].pad;
    if (pad->body >= 0) tac_pad_tool_feel(pad, grip_of(world, pad->body));
  }
}

void tac_pad_tools_pull(const tacWorld *world, int body, tacVec3 about, double wrench[6], double stiffness[6][6]) {
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].pad.body == body) tac_pad_tool_pull(&world->tools[t].pad, about, wrench, stiffness);
}

void tac_pad_tools_held(const tacWorld *world, int body, tacVec3 about, double wrench[6]) {
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].pad.body == body) tac_pad_tool_held(&world->tools[t].pad, about, wrench);
}

void tac_pad_tools_free(tacWorld *world, int t) {
  tacPadTool *pad = &world->tools[t].pad;
  if (pad->body >= 0) tac_pad_tool_free(pad, grip_of(world, pad->body), world->tick_period);
}
