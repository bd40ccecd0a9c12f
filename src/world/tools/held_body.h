/* A tool that holds a body. The device moves one copy of the body. A virtual coupling connects it to a second copy,
 * which has contacts (Barbic 2007, chapter 4). The mass and force of the coupling give six equations of the body's
 * block, for its frame. */
#pragma once

#include "world/world_parts.h"

/* Load phase. Mass and moments of inertia are those of the body. For a body without inertia, they are those of a ball
 * as large as its surface, with the tool's mass. */
tacCouplingDef tac_held_body_coupling(const tacBodyToolDef *def, const tacBody *body);

/* Tick phase, as all below. */
void tac_held_body_reset(tacWorld *world, int tool);
/* Stores the device's pose from a valid input. `start`: initial orientation of the body's frame. `grip`: target closing
 * of the jaws, 0 to 1. */
void tac_held_body_take(tacHeldBody *held, double period, tacQuat start, tacVec3 position, tacQuat turn, double grip);
/* For a tool with a reach: grabs the body where it lies, or releases it. Returns whether the body is held. Call before
 * tac_held_body_take. */
typedef struct tacHeldLies {
  const tacBodySurface *surface;
  const tacBody *body; /* queried for its vertices */
  const tacFrame *frame;
  tacQuat start; /* initial orientation of the body */
} tacHeldLies;
bool tac_held_body_reach(tacHeldBody *held, const tacHeldLies *lies, double period, const tacToolInput *input);
/* Whether the body follows its tool in this tick; it does not while the tool is lifted. */
bool tac_held_body_follows(tacHeldBody *held, tacFrame *frame, double period, bool lifted);
/* Number of coordinates of a tool: six, plus one for the angle of its jaws. */
enum { TAC_HELD_MOST = 7 };
static inline int tac_held_body_size(const tacHeldBody *held) {
  return held->jaw_count > 0 ? 7 : 6;
}
/* Writes the matrix A and the load of A m = load + contacts, for the motion m = (dx, dtheta, dangle) about the
 * grasp. */
void tac_held_body_equation(const tacHeldBody *held, const tacFrame *frame, double period,
                            double matrix[TAC_HELD_MOST][TAC_HELD_MOST], double load[TAC_HELD_MOST]);
/* Moves `frame` to the predicted pose at the end of the step. The step detects contacts at this pose, so normals are
 * those at its end. With A of the last step's equations and K of its contacts, B = (A + K)^-1 A is the part of a motion
 * that contacts permit if they stay in place. Contacts move along with a sliding body, so K resists sliding too much.
 * Three rounds each apply B to the remaining motion; the share (1 - B)^3 remains. So contacts stiffer than the coupling
 * permit little of the motion, and softer contacts permit nearly all. The pose is not predicted where the device stops,
 * reverses or starts, since friction holds the body there. It is not predicted through a trocar or without contact. */
void tac_held_body_go_ahead(tacHeldBody *held, double period, tacFrame *frame);
/* Stores a step's equations with contacts, A + K, [6][stride], for the next step. met.own contains A. */
void tac_held_body_set_met(tacHeldBody *held, const double *whole, size_t stride);
/* Static damping (Barbic 2007, 4.8): factor 1 / (1 - alpha) on the stiffness of the body's contact springs in a step; 1
 * for a dynamic coupling. It damps motion against the touched bodies; a sliding body still follows its device. */
double tac_held_body_stiffening(const tacHeldBody *held);
/* Moves the body by `motion`, within its speed limits. */
void tac_held_body_move(tacHeldBody *held, tacFrame *frame, double period, double motion[TAC_HELD_MOST],
                        tacTickReport *report);
/* Pose and velocity of a jaw of a body at `frame`; the velocity is about the grasp. */
void tac_held_body_jaw(const tacHeldBody *held, int jaw, const tacFrame *frame, tacFrame *place);
/* Kinetic energy of the body with its coupling, J; 0 for a static coupling, which has no mass. */
double tac_held_body_energy(const tacHeldBody *held, const tacFrame *frame);
/* Writes the pose of the body and the force on the hand to `output`. */
void tac_held_body_feel(const tacHeldBody *held, const tacFrame *frame, tacQuat start, bool lifted,
                        tacToolOutput *output);
/* As tac_held_body_feel; also writes contacts. */
void tac_held_body_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);
