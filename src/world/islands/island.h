/* Blocks that contacts which obey laws join in a tick, and the forces of these contacts.
 *
 * With the factors A = L L^T of its blocks an island's contacts see W = sum Z Z^T, Z = (L^-1 J^T)^T, and the compliance of bodies without
 * coordinates. Their forces are made once and act on both bodies, opposite, at one place. */
#pragma once

#include "world/world_parts.h"

/* Tick, after the blocks' free motion: the forces of contacts as they seem to be; nothing moves. */
void tac_island_estimate(tacWorld *world);
/* For good: the forces, and the blocks' motion under them. */
void tac_island_solve(tacWorld *world, tacTickReport *report);

/* A compliance between two contacts of a body, from the body's frame to theirs. */
tacMat3 tac_island_turned(const tacWorldBody *body, const tacMat3 *compliance, const tacVec3 at[3],
                          const tacVec3 by[3]);

/* Load phase: room that a step needs in the world's arena, bytes; that of blocks is in it. */
size_t tac_island_room(const tacWorld *world);
