/* A tool that holds a body: the device leads one copy of it, and a virtual coupling pulls the other, which is in contact (Barbic 2007,
 * chapter 4). */
#ifndef TAC_WORLD_HELD_BODY_H
#define TAC_WORLD_HELD_BODY_H

#include "world/world_parts.h"

/* Load phase: chooses lever and moments from the body's surface. */
tacCouplingDef tac_held_body_coupling(const tacBodyToolDef *def, const tacTriMesh *surface);

/* Tick, below. */
void tac_held_body_reset(tacWorld *world, int tool);
/* The device's pose from an input that is good. */
void tac_held_body_take(tacWorld *world, int tool, tacVec3 position, tacQuat turn);
/* Moves the body under coupling and contact, and tells the pairs. With `joint`, what it touches and deforms goes first, as if the tool's
 * equations were eliminated from one system of 6 + r unknowns. */
void tac_held_body_step(tacWorld *world, int tool, int *budget, tacTickReport *report);
void tac_held_body_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);

/* Where the body's grasp is. */
tacGrasp tac_held_body_grasp(const tacWorld *world, int tool);
/* For reduced bodies that are solved together with the tool: A^-1 M for the tool's 6 x 6 equations A, in place. The last of the columns of
 * M [6][columns] is set to their right-hand side, the wrench, before. False where A is not safely regular. */
bool tac_held_body_eliminate(tacWorld *world, int tool, int columns, double *m);

#endif
