/* Blocks: groups of bodies that springs connect in a tick, and their equations of motion.
 *
 * Springs (of point tools and of penalty pairs) and couplings connect the coordinates of bodies, including frames.
 * Connected coordinates form a block: one system A d = b for the motion d of a step, with the Cholesky factor
 * A = L L^T. The usual case is the joint solve of a tool and the body it deforms (Barbic 2007, 4.2). */
#pragma once

#include "world/world_parts.h"

/* Tick phase; call in this order. Selects the bodies that step and their moving coordinates. */
void tac_block_begin(tacWorld *world);
/* Assembles equations with springs, factors them, and finds the motion without contacts that obey laws. */
void tac_block_free_motion(tacWorld *world, tacTickReport *report);
/* Copies the bodies' pending impulses (tacBodyMoves.pending) to the arena. Call before tac_block_free_motion. NULL: no
 * room. */
double *tac_block_pending(tacWorld *world);
/* Call after the contacts are solved, if the step must be solved again. Restores the bodies and their pending impulses
 * to the start of the step. */
void tac_block_take_back(tacWorld *world, const double *pending);
/* Moves the bodies by the motion of their blocks. */
void tac_block_finish(tacWorld *world, tacTickReport *report);

enum { TAC_BLOCK_MOST_MOVES = TAC_BODY_MOST_COORDINATES + 7 }; /* limit for one body */
/* Number of moving coordinates of a body: six for a moving frame, one for the angle of its tool's jaws, and its own
 * coordinates. A jaw uses the first seven coordinates of the body that carries it. */
static inline int tac_block_moves(const tacWorldBody *body) {
  return body->moves.frame + body->size;
}
/* Writes J [3][moves]: motion of a point of the body per coordinate, world axes. `at`: position of the site. */
void tac_block_jacobian(const tacWorldBody *body, const tacSite *site, tacVec3 at, double *j);
/* load += J^T f; matrix += J^T K J. J is [3][n]; rows of the matrix are `stride` numbers apart. */
void tac_block_add_force(int n, const double *j, const double force[3], double *load);
void tac_block_add_spring(int n, const double *j, const tacMat3 *k, double *matrix, size_t stride);

/* Load phase: maximum room that blocks need in the world's arena. */
typedef struct tacBlockRoom {
  size_t doubles;
  size_t largest;     /* number of coordinates of the largest block */
  size_t coordinates; /* number of coordinates of all blocks */
} tacBlockRoom;
tacBlockRoom tac_block_room(const tacWorld *world);
