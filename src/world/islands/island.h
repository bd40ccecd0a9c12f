/* Islands: groups of blocks that contacts with laws connect, and the forces of these contacts.
 *
 * With the factors A = L L^T of its blocks, an island's contacts see W = sum Z Z^T, Z = (L^-1 J^T)^T, plus the
 * compliance of bodies without coordinates. Each force is computed once. It acts on both bodies at the same place, in
 * opposite directions. */
#pragma once

#include "world/world_parts.h"

/* Tick, after the blocks' free motion: a first estimate of the contact forces; nothing moves. */
void tac_island_estimate(tacWorld *world);
/* Final solve: computes the contact forces and the motion of the blocks under these forces. */
void tac_island_solve(tacWorld *world, tacTickReport *report);

/* Rotates a compliance between two contacts of a body from the body's frame to the contacts' axes. */
tacMat3 tac_island_turned(const tacWorldBody *body, const tacMat3 *compliance, const tacVec3 at[3],
                          const tacVec3 by[3]);

/* Load phase: bytes that a step needs in the world's arena, including blocks. */
size_t tac_island_room(const tacWorld *world);
