/* A world has one state and no lock: only one loop may step it. */
#pragma once

#include <tactus/world.h>

/* Any thread. False: already in use. A caller that got true must end the use. */
bool tac_world_use_begin(tacWorld *world);
void tac_world_use_end(tacWorld *world);
