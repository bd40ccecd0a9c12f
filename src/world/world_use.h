/* Who uses a world: it has one state and no lock, so one loop alone may step it. */
#pragma once

#include <tactus/world.h>

/* Any thread. False where it is used already; who got true ends the use. */
bool tac_world_use_begin(tacWorld *world);
void tac_world_use_end(tacWorld *world);
