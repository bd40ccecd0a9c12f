/* A tool that holds a body: the device leads one copy of it, and a virtual coupling pulls the other, which is in contact (Barbic 2007,
 * chapter 4). The coupling is what the body's frame has for a mass and a force: six equations of its block. */
#ifndef TAC_WORLD_HELD_BODY_H
#define TAC_WORLD_HELD_BODY_H

#include "world/world_parts.h"

/* Load phase: mass and moments, of the body's own inertia, or else of a ball as large as its surface and of the tool's mass. */
tacCouplingDef tac_held_body_coupling(const tacBodyToolDef *def, const tacBody *body);

/* Tick, below. */
void tac_held_body_reset(tacWorld *world, int tool);
/* The device's pose from an input that is good. */
void tac_held_body_take(tacWorld *world, int tool, tacVec3 position, tacQuat turn);
/* Whether the body follows its tool in this tick: not where that is lifted. */
bool tac_held_body_follows(tacWorld *world, int tool);
/* A m = load + contacts, for the motion m (dx, dtheta) about the grasp. Returns what A and the contacts' stiffness, but no load, are to
 * be divided by: the share of its motion that static damping lets it take. */
double tac_held_body_equation(tacWorld *world, int tool, double matrix[6][6], double load[6]);
/* The share of what the coupling alone does, `pull`, that keeps a motion within the limits of its speed; 1: it is. */
double tac_held_body_hold_back(const tacWorld *world, int tool, const double pull[6], const double motion[6]);
/* Moves the body so, within the limits of its speed. */
void tac_held_body_move(tacWorld *world, int tool, double motion[6], tacTickReport *report);
void tac_held_body_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);

#endif
