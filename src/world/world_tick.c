/* A tick of a world: a step of all of it, or where that takes longer, of its tools alone. */
#include "world/simulation.h"
#include "world/world_show.h"
#include "world/world_step.h"

void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report) {
  if (world == NULL || !world->sealed) { /* nothing to step; outputs are there to be read all the same */
    *report = (tacTickReport){.refused = 1};
    for (int t = 0; world != NULL && outputs != NULL && t < world->tool_count; ++t)
      outputs[t] = (tacToolOutput){.proxy_orientation = {1.0, 0.0, 0.0, 0.0}};
  } else if (world->simulation != NULL) {
    tac_simulation_tick(world->simulation, inputs, outputs, report);
  } else {
    tac_world_advance(world, inputs, outputs, report);
  }
}

void tac_world_reset(tacWorld *world) {
  if (world == NULL || !world->sealed) return; /* it is as it was made */
  if (world->simulation != NULL) tac_simulation_settle(world->simulation);
  tac_world_restart(world);
  if (world->simulation != NULL) tac_simulation_reset(world->simulation);
}

void tac_world_state(const tacWorld *world, double *state) {
  if (world->simulation != NULL)
    tac_simulation_state(world->simulation, state);
  else
    tac_world_show_state(world, state);
}

tacStatus tac_world_start_simulation(tacWorld *world, tacError *error) {
  if (world == NULL || !world->sealed)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "there is no world, or it is not sealed");
  return world->simulation != NULL ? tac_simulation_start(world->simulation, error) : TAC_OK;
}

void tac_world_stop_simulation(tacWorld *world) {
  if (world != NULL && world->simulation != NULL) tac_simulation_stop(world->simulation);
}

void tac_world_tell_taking(tacWorld *world, bool take) {
  if (world != NULL && world->simulation != NULL) tac_simulation_tell(world->simulation, take);
}

double tac_world_tool_jaw_angle(const tacWorld *world, int tool) {
  if (tool < 0 || tool >= world->tool_count) return 0.0;
  return world->simulation != NULL ? tac_simulation_jaw_angle(world->simulation, tool) : world->tools[tool].held.angle;
}
