/* One step of a world: its stages, in order. */
#pragma once

#include "world/world_parts.h"

/* Tick phase, sealed world. */
/* Returns the bodies whose threads have a finished result at the start of this step: bits of tacTickReport.renewed. The
 * caller passes them to tac_world_renew before the step; these bodies then use the result. */
uint32_t tac_world_renewal(tacWorld *world);
void tac_world_renew(tacWorld *world, uint32_t renewed);

/* Replaces the first step if steps are longer than ticks, since tick forces do not exist yet. Nothing moves. */
void tac_world_look(tacWorld *world, const tacToolInput *inputs, tacTickReport *report);
void tac_world_advance(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report);
/* Restores the state after sealing. */
void tac_world_restart(tacWorld *world);

/* Whether an input is valid. Writes its orientation to `turn`; the orientation of a point tool is not checked. */
bool tac_tool_input_good(const tacToolInput *input, bool point, tacQuat *turn);
/* How far to close the jaws, 0 to 1, from either button. */
double tac_tool_input_grip(const tacToolInput *input);
bool tac_tool_output_finite(const tacToolOutput *output);
