/* Tools of a world that have pads (couple/pad_tool.h). Tick phase. */
#pragma once

#include "world/world_parts.h"

/* Updates the pads of all tools for the present state of the bodies: pads grip, move and release. */
void tac_pad_tools_settle(tacWorld *world, tacTickReport *report);
/* Both functions add the load of all pads on a body to `wrench`, about the point `about` (world); see tac_pad_tool_pull
 * and tac_pad_tool_held. */
void tac_pad_tools_pull(const tacWorld *world, int body, tacVec3 about, double wrench[6], double stiffness[6][6]);
void tac_pad_tools_held(const tacWorld *world, int body, tacVec3 about, double wrench[6]);
/* Releases the pads of a tool and resets the tool to its initial state. Does nothing for a tool without pads. */
void tac_pad_tools_free(tacWorld *world, int tool);
