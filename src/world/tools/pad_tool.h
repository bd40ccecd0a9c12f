/* A tool with one or two pads that grip patches of a body (James and Pai 2001, sections 4 and 5), with force and
 * torque.
 *
 * The device moves the tool, and a virtual coupling pulls its pads after it, without inertia. In each tick the pads go
 * where coupling and body balance, by one Newton step (K_c + K) d = K_c toward - (f, tau). K is the stiffness matrix of
 * the vertices of all its pads; f and tau are the forces that hold them. Without rotation this is exact: the hand feels
 * the capacitance matrix in series with the coupling. All pads of a body share one matrix, solved once a tick. */
#pragma once

#include "world/world_parts.h"

/* Load phase. `first`: index of its first pad among those of the body. */
void tac_pad_tool_set(tacPadTool *pad, const tacPadToolDef *def, int first, double period);

/* Tick. Takes a valid input. */
static inline void tac_pad_tool_take(tacPadTool *pad, const tacToolInput *input, tacQuat turn) {
  pad->device = (tacGrasp){input->position, tac_quat_normalise(turn)};
  pad->grab = input->grab;
  pad->lifted = input->lifted;
}
/* Grips, moves and releases pads on the present bodies; `frame` is the body's. */
void tac_pad_tools_settle(tacWorld *world, tacTickReport *report);
/* Adds the predicted load of all pads on a body after they balance with their couplings, about a place (world), with
 * its stiffness for the body's motion (dx, dtheta); and the real load. */
void tac_pad_tools_pull(const tacWorld *world, int body, tacVec3 about, double wrench[6], double stiffness[6][6]);
void tac_pad_tools_held(const tacWorld *world, int body, tacVec3 about, double wrench[6]);
void tac_pad_tool_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);
/* Releases; as if the tool had never been in the scene. */
void tac_pad_tool_free(tacWorld *world, int tool);
