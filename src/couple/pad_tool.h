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

#include <tactus/tool.h>
#include "body/frame.h"
#include "body/pads.h"
#include "couple/coupling.h"

/* Limits of a tool with pads: pads of one tool, and vertices that one pad holds. */
enum { TAC_PAD_TOOL_MOST_PADS = 2, TAC_PAD_MOST_VERTICES = 32 };
typedef struct tacPadTool {
  int body;  /* index of the body that the pads may hold; -1 if the tool has no pads */
  int first; /* index of the tool's first pad among all pads on the body */
  int count; /* number of pads */
  tacPadToolDef def;
  tacCouplingDef coupling;
  tacPadPose places[TAC_PAD_TOOL_MOST_PADS]; /* poses of the pads in the tool's frame */
  /* frame of the body in this tick; frame of the body when `stiffness` was last computed */
  tacFrame frame, felt_on;
  tacGrasp device, proxy; /* tool pose commanded by the device; pose of the tool's pads */
  bool grab, lifted;      /* values of `grab` and `lifted` in the last valid input */
  bool wanted;            /* true if the input of the previous tick commanded the pads to hold */
  /* true if the pad must grip the body as soon as the pad's previous contact has ended */
  bool due[TAC_PAD_TOOL_MOST_PADS];
  bool taken[TAC_PAD_TOOL_MOST_PADS];    /* true if the pad grips the body and moves with the proxy */
  tacPadPose at[TAC_PAD_TOOL_MOST_PADS]; /* last pose of the pad while gripping, body's frame */
  bool loaded;                           /* true while a pad holds the body or its load fades */
  /* true if the tool was lifted, so that the hand does not feel the fading load */
  bool apart;
  int slipping;           /* number of vertices that slip under the pads */
  tacVec3 about;          /* reference point of `wrench` and `stiffness`, m, world frame */
  tacWrench wrench;       /* force and torque of the pads, N and N m */
  double stiffness[6][6]; /* stiffness matrix of the pads for a motion of the body */
} tacPadTool;

/* Pads of all tools on a body. */
typedef struct tacPadGrip {
  const tacPads *table;  /* grip functions of the body's kind */
  tacPatchGrip *patches; /* state of the pads on the body */
} tacPadGrip;

/* Initialises a tool. `first`: index of the tool's first pad among all pads on the body. `period`: length of a tick, s.
 * Load phase. */
void tac_pad_tool_set(tacPadTool *pad, const tacPadToolDef *def, int first, double period);

/* Stores a valid input. `turn`: orientation in the input. Tick phase, like all functions below. */
static inline void tac_pad_tool_take(tacPadTool *pad, const tacToolInput *input, tacQuat turn) {
  pad->device = (tacGrasp){input->position, tac_quat_normalise(turn)};
  pad->grab = input->grab;
  pad->lifted = input->lifted;
}
/* Moves the pads for the present frame of the body (tacPadTool.frame). The pads grip and release as the hand commands.
 * Call before tacPads.step. */
void tac_pad_tool_lead(tacPadTool *pad, tacPadGrip grip, double period, tacTickReport *report);
/* Computes the load of the tool's pads on the body, and the stiffness of this load. Call after tacPads.step. */
void tac_pad_tool_feel(tacPadTool *pad, tacPadGrip grip);
/* Both functions add the load of the pads on the body to `wrench`, about the point `about` (world). tac_pad_tool_pull
 * adds the load that is predicted for the equilibrium of pads and coupling. This function also adds the stiffness of
 * the load for the body's motion (dx, dtheta). tac_pad_tool_held adds the present load. */
void tac_pad_tool_pull(const tacPadTool *pad, tacVec3 about, double wrench[6], double stiffness[6][6]);
void tac_pad_tool_held(const tacPadTool *pad, tacVec3 about, double wrench[6]);
/* Writes the pose of the pads, the force on the hand and the contact to `output`. */
void tac_pad_tool_describe(const tacPadTool *pad, tacToolOutput *output, tacTickReport *report);
/* Releases the pads and resets the tool to its initial state. */
void tac_pad_tool_free(tacPadTool *pad, tacPadGrip grip, double period);
