/* Tool with one or two pads that grip patches of a body (James and Pai 2001, sections 4 and 5). The hand feels force
 * and torque.
 *
 * The device moves the tool. A virtual coupling without inertia pulls the pads towards the tool. In each tick the pads
 * move by d to the equilibrium of coupling and body, in one Newton step:
 *
 *     (K_c + K) d = K_c toward - (f, tau).
 *
 * K_c is the stiffness of the coupling, and `toward` the motion from the pads to the tool. f and tau are the force and
 * torque of the pads on the body. K is the stiffness of the body for a common motion of all pads of the tool. Without
 * rotation the step is exact: the hand feels the capacitance matrix in series with the coupling. All pads on a body use
 * one capacitance matrix, which is solved once per tick. */
#pragma once

#include "world/world_parts.h"

/* Initialises a tool. `first`: index of the tool's first pad among all pads on the body. `period`: length of a tick, s.
 * Load phase. */
void tac_pad_tool_set(tacPadTool *pad, const tacPadToolDef *def, int first, double period);

/* Stores a valid input. `turn`: orientation in the input. Tick phase, like all functions below. */
static inline void tac_pad_tool_take(tacPadTool *pad, const tacToolInput *input, tacQuat turn) {
  pad->device = (tacGrasp){input->position, tac_quat_normalise(turn)};
  pad->grab = input->grab;
  pad->lifted = input->lifted;
}
/* Updates the pads of all tools for the present state of the bodies: pads grip, move and release. */
void tac_pad_tools_settle(tacWorld *world, tacTickReport *report);
/* Both functions add the load of all pads on a body to `wrench`, about the point `about` (world). tac_pad_tools_pull
 * adds the load that is predicted for the equilibrium of pads and couplings. This function also adds the stiffness of
 * the load for the body's motion (dx, dtheta). tac_pad_tools_held adds the present load. */
void tac_pad_tools_pull(const tacWorld *world, int body, tacVec3 about, double wrench[6], double stiffness[6][6]);
void tac_pad_tools_held(const tacWorld *world, int body, tacVec3 about, double wrench[6]);
void tac_pad_tool_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);
/* Releases the pads and resets the tool to its initial state. */
void tac_pad_tool_free(tacWorld *world, int tool);
