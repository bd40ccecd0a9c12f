/* Bodies that springs join in a tick, and the equations of their motion.
 *
 * Springs (of point tools, of pairs by penalty) and couplings join the coordinates of bodies, frames included, to a block: one
 * system A d = b for the motion d of a step, with its Cholesky factor A = L L^T. The joint solve of a tool and what it deforms is
 * the ordinary case (Barbic 2007, 4.2). */
#pragma once

#include "world/world_parts.h"

/* Tick, in this order. Which bodies step, and what moves of each. */
void tac_block_begin(tacWorld *world);
/* Equations with springs, factors, and the motion without contacts that obey laws. */
void tac_block_free_motion(tacWorld *world, tacTickReport *report);
/* Before that: what others gave bodies for their later steps, from the arena; NULL: there is no room. */
double *tac_block_pending(tacWorld *world);
/* After contacts: bodies go back to where the step begins, which is to be solved again. */
void tac_block_take_back(tacWorld *world, const double *pending);
/* Bodies take the motion of their blocks. */
void tac_block_finish(tacWorld *world, tacTickReport *report);

enum { TAC_BLOCK_MOST_MOVES = TAC_BODY_MOST_COORDINATES + 7 }; /* of a body */
/* Coordinates of a body that move: six of its frame, where that does, the angle of its tool's jaws, where it has such, and its own. A jaw
 * has the first seven of the body that carries it. */
static inline int tac_block_moves(const tacWorldBody *body) {
  return body->moves.frame + body->size;
}
/* J [3][moves]: how a place of the body goes with them; axes of the world. `at`: where the site is. */
void tac_block_jacobian(const tacWorldBody *body, const tacSite *site, tacVec3 at, double *j);
/* load += J^T f, and matrix += J^T K J, J [3][n], of rows that are `stride` numbers apart. */
void tac_block_add_force(int n, const double *j, const double force[3], double *load);
void tac_block_add_spring(int n, const double *j, const tacMat3 *k, double *matrix, size_t stride);

/* Load phase: what blocks take of the world's arena at most. */
typedef struct tacBlockRoom {
  size_t doubles;
  size_t largest;     /* coordinates of one, */
  size_t coordinates; /* and of all */
} tacBlockRoom;
tacBlockRoom tac_block_room(const tacWorld *world);
