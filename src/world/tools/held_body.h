/* A tool that holds a body: the device moves one copy of it; a virtual coupling pulls the other copy, which is in
 * contact (Barbic 2007, chapter 4). The coupling gives the body's frame its mass and force: six equations of its
 * block. */
#pragma once

#include "world/world_parts.h"

/* Load phase: mass and moments from the body's inertia; without one, of a ball as large as its surface, with the tool's
 * mass. */
tacCouplingDef tac_held_body_coupling(const tacBodyToolDef *def, const tacBody *body);

/* Tick phase, as all below. */
void tac_held_body_reset(tacWorld *world, int tool);
/* Takes the device's pose from a valid input. `start`: orientation of the body's frame at the start. `grip`: target of
 * the jaws, 0 to 1. */
void tac_held_body_take(tacHeldBody *held, double period, tacQuat start, tacVec3 position, tacQuat turn, double grip);
/* For a tool with a reach, before its input is taken: grabs the body where it lies, or releases it. Returns whether the
 * body is held. */
typedef struct tacHeldLies {
  const tacBodySurface *surface;
  const tacBody *body; /* queried for its vertices */
  const tacFrame *frame;
  tacQuat start; /* orientation at the start */
} tacHeldLies;
bool tac_held_body_reach(tacHeldBody *held, const tacHeldLies *lies, double period, const tacToolInput *input);
/* Whether the body follows its tool in this tick: not while the tool is lifted. */
bool tac_held_body_follows(tacHeldBody *held, tacFrame *frame, double period, bool lifted);
/* Coordinates of a tool: six, plus the angle of its jaws. */
enum { TAC_HELD_MOST = 7 };
static inline int tac_held_body_size(const tacHeldBody *held) {
  return held->jaw_count > 0 ? 7 : 6;
}
/* Fills A m = load + contacts, for the motion m = (dx, dtheta, dangle) about the grasp. */
void tac_held_body_equation(const tacHeldBody *held, const tacFrame *frame, double period,
                            double matrix[TAC_HELD_MOST][TAC_HELD_MOST], double load[TAC_HELD_MOST]);
/* Moves `frame` to the predicted end pose, where the step looks for contacts, so that normals are those of its end.
 * With A of the last step's equations and K of its contacts, B = (A + K)^-1 A is the part of a motion that gets through
 * if contacts stay in place. Contacts move along with a sliding body, so K's resistance to sliding is not real. Three
 * rounds each apply B to the remaining motion. What remains is (1 - B)^3: little passes where contacts are stiffer than
 * the coupling, nearly all where they are softer. No prediction where the device stops, reverses or starts, since
 * friction holds the body there; nor through a trocar, nor if nothing was touched. */
void tac_held_body_go_ahead(tacHeldBody *held, double period, tacFrame *frame);
/* Keeps a step's equations with contacts, A + K, [6][stride], for the next step; met.own has A. */
void tac_held_body_set_met(tacHeldBody *held, const double *whole, size_t stride);
/* Static damping (4.8): factor on the stiffness of the body's contact springs in a step, 1 / (1 - alpha); 1 for a
 * dynamic coupling. It damps motion against what the body touches; a sliding body follows its device. */
double tac_held_body_stiffening(const tacHeldBody *held);
/* Moves the body by `motion`, within its speed limits. */
void tac_held_body_move(tacHeldBody *held, tacFrame *frame, double period, double motion[TAC_HELD_MOST],
                        tacTickReport *report);
/* Pose and velocity of a jaw of a body at `frame`; the velocity is about the grasp. */
void tac_held_body_jaw(const tacHeldBody *held, int jaw, const tacFrame *frame, tacFrame *place);
/* J: kinetic energy of the body with its coupling; 0 for a static coupling, which has no mass. */
double tac_held_body_energy(const tacHeldBody *held, const tacFrame *frame);
/* Output: pose of the body and force on the hand. */
void tac_held_body_feel(const tacHeldBody *held, const tacFrame *frame, tacQuat start, bool lifted,
                        tacToolOutput *output);
/* The same, with contacts. */
void tac_held_body_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);
