/* Time budget of the pairs of a world.
 *
 * Each step measures the time of every pair. The time per unit of cost (tacTraversalReport) is a sample of the speed of
 * this machine. The estimate follows the median of the last three samples, quickly upward and slowly downward. So it
 * stays slightly above the mean, and a single interrupted step has no effect. The budget is shared by need: a pair that
 * omits no contacts gets its measured time plus a margin. The other pairs share the rest equally.
 *
 * Measured times do not change a step directly. Limits are parameters of the pairs (`nodes`). The thread that steps the
 * world sets them (tac_world_keep_budget), at most one between two steps. A recording contains these values, so a
 * replay needs no clock. */
#pragma once

#include "world/world_parts.h"

/* Load phase: measures every pair and gives each pair an equal share. Does nothing without a budget. */
void tac_budget_prepare(tacWorld *world);

/* Time of the world's clock, ns; 0 without a budget. Tick phase, as all functions below. */
static inline int64_t tac_budget_clock(const tacWorld *world) {
  return world->budget > 0.0 ? world->clock() : 0;
}

/* At the end of a step: learns from the times of its pairs. */
void tac_budget_learn(tacWorld *world);

/* Chooses the pair whose limit changes, and the new limit. It is the pair farthest above its share; if none is above,
 * the pair farthest below. False: no limit changes, or no step was taken since the last call. */
bool tac_budget_change(tacWorld *world, int *pair, double *nodes);
