/* Adapts the level of detail of contact to the time that a step may take. */
#pragma once

#include <tactus/world.h>

/* Where the world has a budget: sets the `nodes` of at most one pair, by what the steps before took on this machine, and
 * tells which parameter that is and what it is now. Between any two steps, from the thread that steps, as a servo does.
 * False: nothing was set. Sealing the world has measured what nodes and contacts cost and has set all; time reaches a
 * world in no other way, so who keeps what is told here can have the same steps again. Tick. */
bool tac_world_keep_budget(tacWorld *world, int *parameter, double *value);
