/* Builds the local problem (world/rates/local_problem.h) after a step of the world: contacts that tools have or may
 * soon have, and the compliance of everything but the tools.
 *
 * A body with coordinates responds by the equations of its next step, A d = b + J^T f, where its other contacts are
 * springs to fixed places: C = J A^-1 J^T, and J d / H is its velocity under the present forces. So a local problem is
 * too stiff by the bodies beyond those touched, until the next step. Springs of many points (world/pairs/pair.h) become
 * a few clusters, each with the sum of their forces and stiffness. */
#pragma once

#include "world/rates/local_problem.h"

/* A tick force of the step: of a contact of the previous problem, on its first side. */
typedef struct tacLocalPost {
  uint64_t key;
  int32_t body[2];
  tacVec3 place; /* world, on the second side */
  tacVec3 force; /* N */
} tacLocalPost;

/* After a step. `before`: [body], frames at its start. `past`: contacts of the problem that ticks solve meanwhile;
 * overwritten by those of this problem. */
void tac_local_build(tacWorld *world, const tacFrame *before, int post_count, const tacLocalPost *posts,
                     tacLocalPast *past, tacLocalProblem *problem, tacTickReport *report);
/* Load phase: bytes needed in the world's arena. */
size_t tac_local_build_room(const tacWorld *world);
