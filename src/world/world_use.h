/* Exclusive use of a world. A world has one state and no lock, so only one loop may step it. */
#pragma once

#include <tactus/world.h>

/* Begins the use of a world. False if another loop uses the world. If true, the caller must call
 * tac_world_use_end later. Any thread. */
bool tac_world_use_begin(tacWorld *world);
void tac_world_use_end(tacWorld *world);
