/* Broad phase: finds all pairs of bodies whose bounding balls overlap.
 *
 * Balls are kept in hash grids, one per range of radii (a factor of four), with cells as wide as the largest ball of
 * the range. A ball checks 27 cells of each grid of balls as large as itself or larger. A range with few balls (the
 * ground, a table) uses a list instead, which is compared with all balls. The list also holds balls too far away for
 * cell numbers. Time is proportional to bodies and pairs unless balls crowd into few cells, and at most quadratic in
 * bodies.
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
  const tacBodyPair *pairs; /* [count] ascending by a, then by b; valid until the next search */
  int count;
  int lost; /* pairs beyond the capacity; which ones depends on the balls alone */
} tacBroadPhasePairs;

/* For bodies 0 to body_most - 1, and at most `pair_most` pairs. A body has no pairs until its ball is set. By default
 * it moves, with category 1 and mask ~0. */
tacStatus tac_broad_phase_create(int body_most, int pair_most, tacBroadPhase **phase, tacError *error);
void tac_broad_phase_destroy(tacBroadPhase *phase); /* NULL is allowed */
TAC_OWNED_TYPE(tacBroadPhase, tac_broad_phase_destroy)

/* Ball containing the body and any margin the caller wants, m. An infinite radius overlaps everything; a negative or
 * NaN radius, or a centre that is not finite, nothing. */
void tac_broad_phase_set_ball(tacBroadPhase *phase, int body, tacVec3 centre, double radius);
/* Two bodies can pair if at least one moves and each mask has a bit of the other's category. */
void tac_broad_phase_set_filter(tacBroadPhase *phase, int body, bool moves, uint32_t category, uint32_t mask);

tacBroadPhasePairs tac_broad_phase_find(tacBroadPhase *phase);
