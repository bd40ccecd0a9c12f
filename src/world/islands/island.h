/* Islands: groups of blocks that contacts connect, and the solution of these contacts with the contact laws.
 *
 * Let A = L L^T be the factored matrix of a block, J the Jacobian of the contacts, and Z = (L^-1 J^T)^T. The Delassus
 * operator W of an island is the sum of Z Z^T over its blocks. Bodies without coordinates add their compliance to W. A
 * contact force acts at one point on both bodies, in opposite directions. */
#pragma once

#include "world/world_parts.h"

/* Computes a first estimate of the contact forces; nothing moves. Call after tac_block_free_motion. Tick phase. */
void tac_island_estimate(tacWorld *world);
/* Computes the contact forces, and adds the resulting motion to the motion of the blocks. Tick phase. */
void tac_island_solve(tacWorld *world, tacTickReport *report);

/* Rotates the compliance between two contacts on one body from the body's frame to the axes `at` and `by` of the
 * contacts. */
tacMat3 tac_island_turned(const tacWorldBody *body, const tacMat3 *compliance, const tacVec3 at[3],
                          const tacVec3 by[3]);

/* Returns the number of bytes that a step needs in the world's arena, including the blocks. Load phase. */
size_t tac_island_room(const tacWorld *world);
