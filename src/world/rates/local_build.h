/* Construction of the local problem (couple/local_problem.h) after a step of the bodies. The problem contains the
 * contacts of tools that act or may act soon, and the compliance of the touched bodies without the tools.
 *
 * A body with coordinates responds by the equations of its next step of length H, A d = b + J^T f. In A, contacts of
 * the body that ticks do not solve are springs to fixed places. Then C = J A^-1 J^T, and J d / H is the velocity at the
 * contacts under the present forces. Bodies that tools do not touch do not move until the next step, so the local
 * problem is stiffer than the bodies.
 *
 * The springs of many points (world/pairs/pair.h) are combined into a few clusters. The force and the stiffness of a
 * cluster are sums over its springs. */
#pragma once

#include "couple/local_problem.h"
#include "world/world_parts.h"

/* Tick force: mean force of the ticks on the first side of a contact of the previous problem. */
typedef struct tacLocalPost {
  uint64_t key;
  int32_t body[2];
  tacVec3 place; /* position of the second side, world */
  tacVec3 force; /* force on the first side, N */
} tacLocalPost;

/* Builds the problem. `before` [body]: frames at the start of the step. `posts`: tick forces of the step. `past`:
 * contacts of the problem that ticks solved during the step; the function replaces them by the contacts of the new
 * problem. Call after a step. */
void tac_local_build(tacWorld *world, const tacFrame *before, int post_count, const tacLocalPost *posts,
                     tacLocalPast *past, tacLocalProblem *problem, tacTickReport *report);
/* Returns the number of bytes that tac_local_build needs in the world's arena. Load phase. */
size_t tac_local_build_room(const tacWorld *world);
