/* What the pairs of a world may take of a step's time.
 *
 * Each step is measured: of every pair the seconds that it took, over its units of cost (tacTraversalReport), are a
 * sample of what one costs here and now. It follows the median of the last three, quickly where they are dearer and
 * slowly where they are cheaper, so that it stands a little above their mean and a single step that was interrupted
 * does not count. The budget is shared by need: a pair that leaves nothing out has what it takes and a little more, the
 * others what is left in equal parts.
 *
 * Nothing of that reaches a step by itself: limits are parameters of the pairs (`nodes`), and whoever steps the world
 * has them set (tac_world_keep_budget), at most one between two steps, so that a recording holds them and a replay needs
 * no clock. */
#pragma once

#include "world/world_parts.h"

/* Load phase: measures every pair, and gives each an equal part. Nothing where there is no budget. */
void tac_budget_prepare(tacWorld *world);

/* Tick, below. ns; 0 where there is no budget. */
static inline int64_t tac_budget_clock(const tacWorld *world) {
  return world->budget > 0.0 ? world->clock() : 0;
}

/* At the end of a step, whose times are those of its pairs. */
void tac_budget_learn(tacWorld *world);

/* Whose limit is to be another, and which: the pair that is farthest above what it is to have, or where none is, the one
 * that is farthest below. False: none, or no step was taken since it was last asked. */
bool tac_budget_change(tacWorld *world, int *pair, double *nodes);
