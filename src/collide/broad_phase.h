/* Broad phase: finds all pairs of bodies whose bounding balls overlap.
 *
 * Balls are stored in hash grids, one grid per range of radii (a factor of four). The cells of a grid are as wide as
 * the diameter of its largest ball. Each ball is compared with the balls of 27 cells in its own grid and in each
 * coarser grid. If a range has few balls, for example the ground and a table, they are stored in a list instead. The
 * balls of the list are compared with all balls. The list also holds balls that are too far away for a cell number. The
 * time is proportional to the number of bodies and pairs, unless many balls are in few cells. The time is at most
 * quadratic in the number of bodies.
 *
 * Creation is for the load phase. All other functions are for any phase: they do not allocate, and the same input gives
 * the same pairs in the same order. Only one thread may use the object at a time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>
#include "base/error.h"
#include "base/memory/owned.h"

typedef struct tacBroadPhase tacBroadPhase;

typedef struct tacBodyPair {
  int a, b; /* body indices, a < b */
} tacBodyPair;

typedef struct tacBroadPhasePairs {
  const tacBodyPair *pairs; /* [count] pairs in ascending order of a, then of b; valid until the next search */
  int count;
  int lost; /* number of pairs omitted because the capacity is too small; the choice depends on the balls alone */
} tacBroadPhasePairs;

/* Creates a broad phase for the bodies 0 to body_most - 1 and at most `pair_most` pairs. A body has no pairs until its
 * ball is set. By default a body moves, has category 1, and has a mask with all bits set. */
tacStatus tac_broad_phase_create(int body_most, int pair_most, tacBroadPhase **phase, tacError *error);
void tac_broad_phase_destroy(tacBroadPhase *phase); /* NULL is allowed */
TAC_OWNED_TYPE(tacBroadPhase, tac_broad_phase_destroy)

/* Sets the ball that contains the body and a margin chosen by the caller, m. A ball with infinite radius overlaps all
 * balls. A ball overlaps nothing if its radius is negative or NaN, or if its centre is not finite. */
void tac_broad_phase_set_ball(tacBroadPhase *phase, int body, tacVec3 centre, double radius);
/* Two bodies can form a pair if at least one of them moves and each mask has a bit of the other body's category. */
void tac_broad_phase_set_filter(tacBroadPhase *phase, int body, bool moves, uint32_t category, uint32_t mask);

tacBroadPhasePairs tac_broad_phase_find(tacBroadPhase *phase);
