/* A tool with one or two pads that take hold of patches of a body (James and Pai 2001, sections 4 and 5), with force
 * and torque.
 *
 * The device leads the tool, and a virtual coupling pulls its pads after it, without inertia: in each tick the pads
 * go where coupling and body balance, by one Newton step (K_c + K) d = K_c toward - (f, tau). K is the answer of all
 * its pads' vertices, f and tau what holds them. For motions without a turn that is exact: what the hand feels is
 * the capacitance matrix in series with the coupling. All pads of a body are in one matrix, solved once a tick. */
#pragma once

#include "world/world_parts.h"

/* Load phase: `first` of its pads among those of the body. */
void tac_pad_tool_set(tacPadTool *pad, const tacPadToolDef *def, int first, double period);

/* Tick. A good input. */
static inline void tac_pad_tool_take(tacPadTool *pad, const tacToolInput *input, tacQuat turn) {
  pad->device = (tacGrasp){input->position, tac_quat_normalise(turn)};
  pad->grab = input->grab;
  pad->lifted = input->lifted;
}
/* Takes hold, moves and lets go, for bodies as they are; `frame` is theirs. */
void tac_pad_tools_settle(tacWorld *world, tacTickReport *report);
/* Adds what all pads will do to a body once they balance with their couplings, about a place (world), and how that answers the motion
 * (dx, dtheta) of the body; and what they do. */
void tac_pad_tools_pull(const tacWorld *world, int body, tacVec3 about, double wrench[6], double stiffness[6][6]);
void tac_pad_tools_held(const tacWorld *world, int body, tacVec3 about, double wrench[6]);
void tac_pad_tool_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);
/* Lets go; as if the tool had not been in the scene before. */
void tac_pad_tool_free(tacWorld *world, int tool);
