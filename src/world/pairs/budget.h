/* Time budget of the pairs of a world.
 *
 * Each step measures the time of every pair. Seconds per unit of cost (tacTraversalReport) are a sample of the cost on
 * this machine. The estimate follows the median of the last three samples, quickly upward and slowly downward. So it
 * stays slightly above the mean, and a single interrupted step does not count. The budget is shared by need: a pair
 * that omits nothing gets what it takes plus a margin; the others share the rest equally.
 *
 * Measured times do not change a step directly. Limits are parameters of the pairs (`nodes`). The thread that steps the
 * world sets them (tac_world_keep_budget), at most one between two steps. So a recording holds them and a replay needs
 * no clock. */
#pragma once

#include "world/world_parts.h"

/* Load phase: measures every pair and gives each an equal share. Does nothing without a budget. */
void tac_budget_prepare(tacWorld *world);

/* Tick phase, as all below. ns; 0 without a budget. */
static inline int64_t tac_budget_clock(const tacWorld *world) {
  return world->budget > 0.0 ? world->clock() : 0;
}

/* At the end of a step: learns from the times of its pairs. */
void tac_budget_learn(tacWorld *world);

/* Chooses the pair whose limit changes, and the new limit: the pair farthest above its share, else the one farthest
 * below. False: none, or no step since the last call. */
bool tac_budget_change(tacWorld *world, int *pair, double *nodes);
