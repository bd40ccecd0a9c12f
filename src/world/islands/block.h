/* Blocks: groups of bodies that springs connect in a step, and their equations of motion.
 *
 * Point tools, penalty pairs and virtual couplings are springs between the coordinates of bodies and their frames.
 * Connected coordinates form a block, which has one system of equations A d = b. d is the motion in a step, and A = L
 * L^T is factored by Cholesky's method. A typical block contains a held body and the body that it deforms (Barbic 2007,
 * 4.2). */
#pragma once

#include "world/world_parts.h"

/* Starts a step: selects the bodies that step, and their moving coordinates. Tick phase, as all functions below except
 * tac_block_room. */
void tac_block_begin(tacWorld *world);
/* Assembles and factors the equations of all blocks. Computes the free motion: the motion without the forces of
 * contacts solved by the contact laws. */
void tac_block_free_motion(tacWorld *world, tacTickReport *report);
/* Copies the pending impulses of all bodies (tacBodyMoves.pending) to the arena. Call before tac_block_free_motion.
 * NULL if the arena is too small. */
double *tac_block_pending(tacWorld *world);
/* Restores the bodies and their pending impulses to the start of the step. Call after the contacts are solved, if the
 * step must be solved again. */
void tac_block_take_back(tacWorld *world, const double *pending);
/* Moves the bodies by the motion of their blocks. Last call of a step. */
void tac_block_finish(tacWorld *world, tacTickReport *report);

enum { TAC_BLOCK_MOST_MOVES = TAC_BODY_MOST_COORDINATES + 7 }; /* limit for one body */
/* Returns the number of moving coordinates of a body: six for a moving frame, one for the angle of its tool's jaws, and
 * its generalized coordinates. A jaw uses the first seven coordinates of the body that carries the jaw. */
static inline int tac_block_moves(const tacWorldBody *body) {
  return body->moves.frame + body->size;
}
/* Writes the Jacobian J, [3][moves]: motion of a site per moving coordinate, in world axes. `at`: position of the site,
 * world frame. */
void tac_block_jacobian(const tacWorldBody *body, const tacSite *site, tacVec3 at, double *j);
/* Add J^T f to `load`, and J^T K J to `matrix`. J is [3][n]; `stride` is the length of a matrix row. */
void tac_block_add_force(int n, const double *j, const double force[3], double *load);
void tac_block_add_spring(int n, const double *j, const tacMat3 *k, double *matrix, size_t stride);

/* Memory that blocks need in the world's arena, as an upper bound. Load phase. */
typedef struct tacBlockRoom {
  size_t doubles;
  size_t largest;     /* number of coordinates of the largest block */
  size_t coordinates; /* total number of coordinates of all blocks */
} tacBlockRoom;
tacBlockRoom tac_block_room(const tacWorld *world);
