/* Adaptation of the level of detail of contact pairs to a time budget. */
#pragma once

#include <tactus/world.h>

/* Adjusts the cost limit `nodes` of at most one pair to the time budget of the world. Writes the index and the new
 * value of this parameter. False if no limit changes, or if the world has no budget. Tick phase; call between two
 * steps, from the thread that steps.
 *
 * Sealing the world measures the computation time of nodes and contacts and sets the first limits. Later limits follow
 * from measured step times. Measured times have no other effect on a world. So a recording of these parameter values is
 * sufficient to reproduce a run. */
bool tac_world_keep_budget(tacWorld *world, int *parameter, double *value);
