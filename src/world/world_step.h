/* One step of a world.
 *
 * All functions belong to the tick phase and need a sealed world. */
#pragma once

#include "world/world_parts.h"

/* Returns the bodies whose threads have a finished result (bits of tacTickReport.renewed). Call at the start of a step
 * and pass the bits to tac_world_renew. The step then uses the results of these bodies. */
uint32_t tac_world_renewal(tacWorld *world);
void tac_world_renew(tacWorld *world, uint32_t renewed);

/* Runs instead of tac_world_advance in the first step if steps are longer than ticks. There are no tick forces yet, so
 * the function only finds the bodies that point tools touch, and nothing moves. */
void tac_world_look(tacWorld *world, const tacToolInput *inputs, tacTickReport *report);
void tac_world_advance(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report);
/* Resets the world to its state after sealing. */
void tac_world_restart(tacWorld *world);
