/* The local problem (world/rates/local_problem.h) of a world that has just made a step: which contacts its tools have or may have soon, and how
 * everything but the tools gives way to them.
 *
 * A body with coordinates answers by its own equations of the next step, A d = b + J^T f, in which its contacts with others are springs to
 * what does not move: C = J A^-1 J^T, and J d / H is how fast it goes on under the forces as they are. So a local problem errs on
 * the stiff side, by the bodies beyond those that are touched, until the next step tells. Of springs of
 * many points (world/pairs/pair.h) a few clusters remain, each with the sum of its forces and stiffness. */
#pragma once

#include "world/rates/local_problem.h"

/* A force of the step that ticks have told: of a contact of the problem before, on its first side. */
typedef struct tacLocalPost {
  uint64_t key;
  int32_t body[2];
  tacVec3 place; /* world: of the second side */
  tacVec3 force; /* N */
} tacLocalPost;

/* After a step. `before`: [body], frames as it began; `past`: the contacts of the problem that ticks solve meanwhile, then those of this. */
void tac_local_build(tacWorld *world, const tacFrame *before, int post_count, const tacLocalPost *posts,
                     tacLocalPast *past, tacLocalProblem *problem, tacTickReport *report);
/* Load phase: bytes that it needs in the world's arena. */
size_t tac_local_build_room(const tacWorld *world);
