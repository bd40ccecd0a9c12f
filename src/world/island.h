/* The bodies that springs and contacts join in a tick, and their solve.
 *
 * Springs (of point tools, of pairs by penalty) and couplings join the coordinates of bodies, frames included, to a block: one
 * system A d = b for the motion d of a step. Contacts that obey laws join blocks to an island: with A = L L^T they see
 * W = sum Z Z^T, Z = (L^-1 J^T)^T, and the compliance of bodies without coordinates. Their forces are made once and act on both bodies,
 * opposite, at one place. The joint solve of a tool and what it deforms is the ordinary case of a block (Barbic 2007, 4.2). */
#ifndef TAC_WORLD_ISLAND_H
#define TAC_WORLD_ISLAND_H

#include "world/world_parts.h"

/* Tick, in this order. Which bodies step, and what moves of each. */
void tac_island_begin(tacWorld *world);
/* Blocks: equations with springs, factors, and the motion without contacts that obey laws. */
void tac_island_free_motion(tacWorld *world, tacTickReport *report);
/* The forces of contacts that obey laws, and the motion under them. */
void tac_island_solve(tacWorld *world, tacTickReport *report);
/* Bodies take their motion. */
void tac_island_finish(tacWorld *world, tacTickReport *report);

/* Load phase: room that a step needs in the world's arena, bytes. */
size_t tac_island_room(const tacWorld *world);

#endif
