/* Tools that hold bodies of a world (couple/held_body.h). Tick phase. */
#pragma once

#include "world/world_parts.h"

/* Resets a tool to its initial state. */
void tac_held_tool_reset(tacWorld *world, int tool);
/* Moves the jaws of a tool to the poses that follow from the frame of the held body. */
void tac_held_tool_place_jaws(tacWorld *world, const tacHeldBody *held);
/* Writes the pose of the body, the force on the hand and the sum of the contacts to `output`. Also updates the weight
 * of static damping. */
void tac_held_tool_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);
