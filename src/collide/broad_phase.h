/* Which bodies may meet: all pairs whose balls do.
 *
 * Balls are kept in hash grids, one for each range of radii (a factor of four), with cells as wide as the largest ball
 * of the range: a ball looks at 27 cells of each grid of balls as large as itself or larger. Where a range has few
 * balls (the ground, a table) they are in a list instead and are compared with all others, as are balls too far away
 * for cells to have numbers. So time is proportional to bodies and pairs where balls do not pile up in few cells, and
 * to the square of bodies at most.
 *
 * Creation is for the load phase. Everything else is for any phase: no allocation, and the same input gives the same
 * pairs in the same order. One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>
#include "base/error.h"
#include "base/memory/owned.h"

typedef struct tacBroadPhase tacBroadPhase;

typedef struct tacBodyPair {
  int a, b; /* a < b */
} tacBodyPair;

typedef struct tacBroadPhasePairs {
  const tacBodyPair *pairs; /* [count] ascending by a, then by b; until the next search */
  int count;
  int lost; /* pairs beyond the capacity; which ones is decided by the balls alone */
} tacBroadPhasePairs;

/* For bodies 0 to body_most - 1, and at most `pair_most` pairs. A body meets nothing until its ball is set; it moves,
 * and has category 1 and mask ~0. */
tacStatus tac_broad_phase_create(int body_most, int pair_most, tacBroadPhase **phase, tacError *error);
void tac_broad_phase_destroy(tacBroadPhase *phase); /* NULL is allowed */
TAC_OWNED_TYPE(tacBroadPhase, tac_broad_phase_destroy)

/* The ball that holds the body, with whatever margin the caller wants, m. An infinite radius meets everything; a
 * radius that is negative or NaN, or a centre that is not finite, nothing. */
void tac_broad_phase_set_ball(tacBroadPhase *phase, int body, tacVec3 centre, double radius);
/* Two bodies pair where one of them moves and each one's mask has a bit of the other's category. */
void tac_broad_phase_set_filter(tacBroadPhase *phase, int body, bool moves, uint32_t category, uint32_t mask);

tacBroadPhasePairs tac_broad_phase_find(tacBroadPhase *phase);
