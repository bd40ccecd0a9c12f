/* Builds the local problem (world/rates/local_problem.h) after a step of the world. It contains the present and soon
 * possible contacts of tools, and the compliance of their surroundings without the tools.
 *
 * A body with coordinates responds by the equations of its next step, A d = b + J^T f. Its other contacts are springs
 * to fixed places in A. Then C = J A^-1 J^T, and J d / H is its velocity under the present forces. Bodies that tools do
 * not touch do not yield until the next step, so a local problem is too stiff. Springs of many points
 * (world/pairs/pair.h) become a few clusters. Each cluster has the summed force and stiffness of its springs. */
#pragma once

#include "world/rates/local_problem.h"

/* A tick force of the step: force on the first side of a contact of the previous problem. */
typedef struct tacLocalPost {
  uint64_t key;
  int32_t body[2];
  tacVec3 place; /* position of the second side, world */
  tacVec3 force; /* N */
} tacLocalPost;

/* Call after a step. `before`: [body], frames at the start of the step. `past`: contacts of the problem that ticks
 * solved during the step; overwritten by the contacts of the new problem. */
void tac_local_build(tacWorld *world, const tacFrame *before, int post_count, const tacLocalPost *posts,
                     tacLocalPast *past, tacLocalProblem *problem, tacTickReport *report);
/* Load phase: bytes needed in the world's arena. */
size_t tac_local_build_room(const tacWorld *world);
