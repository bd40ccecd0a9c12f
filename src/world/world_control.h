/* Adapts the level of detail of contact to a time budget. */
#pragma once

#include <tactus/world.h>

/* If the world has a budget: sets `nodes` of at most one pair, from step times measured on this machine, and returns
 * the index and value of that parameter. Call between two steps, from the thread that steps, as a servo does. False:
 * nothing was set. Sealing the world measures the cost of nodes and contacts and sets all limits. Measured time has no
 * other effect on a world, so recording these values is enough to reproduce the run. Tick. */
bool tac_world_keep_budget(tacWorld *world, int *parameter, double *value);
