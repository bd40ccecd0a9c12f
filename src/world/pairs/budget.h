/* Time budget for the contact pairs of a world.
 *
 * Each step measures the computation time of every pair. A sample is the time per unit of cost (tacTraversalReport) on
 * this machine. The estimate of this time follows the median of the last three samples. The estimate increases quickly
 * and decreases slowly, so it stays slightly above the mean. A single interrupted step has no effect.
 *
 * The budget is divided by need. A pair that omits no nodes gets its measured time plus a margin. All other pairs
 * get equal parts of the remaining budget.
 *
 * Measured times do not change a step directly. The cost limits are parameters of the pairs (`nodes`). The thread that
 * steps the world changes at most one of these parameters between two steps (tac_world_keep_budget). A recording
 * contains the changes, so a replay needs no clock. */
#pragma once

#include "world/world_parts.h"

/* Measures the speed of every pair and gives each pair an equal part of the budget. Does nothing without a budget. Load
 * phase. */
void tac_budget_prepare(tacWorld *world);

/* Returns the time of the world's clock, ns; 0 without a budget. Tick phase, as all functions below. */
static inline int64_t tac_budget_clock(const tacWorld *world) {
  return world->budget > 0.0 ? world->clock() : 0;
}

/* Updates the estimated times per unit of cost from the measured times of the pairs. Call at the end of a step. */
void tac_budget_learn(tacWorld *world);

/* Chooses a pair and computes its new cost limit. The chosen pair is the one that exceeds its part of the budget most.
 * If no pair exceeds its part, it is the pair farthest below. False if no limit changes, or if there was no step since
 * the last call. */
bool tac_budget_change(tacWorld *world, int *pair, double *nodes);
