/* A tool with one or two pads that grip patches of a body (James and Pai 2001, sections 4 and 5), with force and
 * torque.
 *
 * The device moves the tool. A virtual coupling pulls the pads towards the tool, without inertia. In each tick the pads
 * move to the equilibrium of coupling and body, by one Newton step (K_c + K) d = K_c toward - (f, tau). K is the
 * stiffness matrix of the vertices of all pads of the tool; f and tau are the force and torque that hold them. Without
 * rotation the step is exact: the hand feels the capacitance matrix in series with the coupling. All pads of a body
 * share one matrix, solved once per tick. */
#pragma once

#include "world/world_parts.h"

/* Load phase. `first`: index of the tool's first pad among all pads of the body. */
void tac_pad_tool_set(tacPadTool *pad, const tacPadToolDef *def, int first, double period);

/* Tick. Stores a valid input. */
static inline void tac_pad_tool_take(tacPadTool *pad, const tacToolInput *input, tacQuat turn) {
  pad->device = (tacGrasp){input->position, tac_quat_normalise(turn)};
  pad->grab = input->grab;
  pad->lifted = input->lifted;
}
/* Grips, moves and releases all pads, for the present state of the bodies. */
void tac_pad_tools_settle(tacWorld *world, tacTickReport *report);
/* Adds the load of all pads on a body about the point `about` (world). tac_pad_tools_pull adds the predicted load at
 * equilibrium with the couplings, and its stiffness for the body's motion (dx, dtheta). tac_pad_tools_held adds the
 * real load. */
void tac_pad_tools_pull(const tacWorld *world, int body, tacVec3 about, double wrench[6], double stiffness[6][6]);
void tac_pad_tools_held(const tacWorld *world, int body, tacVec3 about, double wrench[6]);
void tac_pad_tool_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);
/* Releases the pads and resets the tool to its initial state. */
void tac_pad_tool_free(tacWorld *world, int tool);
