/* A tool that holds a body: the device leads one copy of it, and a virtual coupling pulls the other, which is in contact (Barbic 2007,
 * chapter 4). The coupling is what the body's frame has for a mass and a force: six equations of its block. */
#pragma once

#include "world/world_parts.h"

/* Load phase: mass and moments, of the body's own inertia, or else of a ball as large as its surface and of the tool's mass. */
tacCouplingDef tac_held_body_coupling(const tacBodyToolDef *def, const tacBody *body);

/* Tick, below. */
void tac_held_body_reset(tacWorld *world, int tool);
/* The device's pose from an input that is good; `start`: the orientation of the body's frame at the start. `grip`: 0 to 1, to
 * where jaws are led. */
void tac_held_body_take(tacHeldBody *held, double period, tacQuat start, tacVec3 position, tacQuat turn, double grip);
/* Of a tool with a reach, after its input and before it is taken: takes hold of the body as it lies, or lets go. Returns whether the body is
 * held. */
typedef struct tacHeldLies {
  const tacBodySurface *surface;
  const tacBody *body; /* its vertices are asked for */
  const tacFrame *frame;
  tacQuat start; /* its orientation at the start */
} tacHeldLies;
bool tac_held_body_reach(tacHeldBody *held, const tacHeldLies *lies, double period, const tacToolInput *input);
/* Whether the body follows its tool in this tick: not where that is lifted. */
bool tac_held_body_follows(tacHeldBody *held, tacFrame *frame, double period, bool lifted);
/* Coordinates of a tool: six, and the angle of its jaws. */
enum { TAC_HELD_MOST = 7 };
static inline int tac_held_body_size(const tacHeldBody *held) {
  return held->jaw_count > 0 ? 7 : 6;
}
/* A m = load + contacts, for the motion m (dx, dtheta, dangle) about the grasp. */
void tac_held_body_equation(const tacHeldBody *held, const tacFrame *frame, double period,
                            double matrix[TAC_HELD_MOST][TAC_HELD_MOST], double load[TAC_HELD_MOST]);
/* Moves `frame` to where contacts are seen in a step: to where the body will be, by the way of its device, so that normals are those of the
 * step's end. With A of the last step's own equations and K of its contacts, B = (A + K)^-1 A of a way is let through, if contacts stay where
 * they are. They go along with a body that slides, and so what K resists of a slide is not there. Each of three rounds takes B of what is left
 * of the way: all but (1 - B)^3, little of what contacts resist by more than the coupling, and nearly all of what they resist by less.
 * Nothing of the way where the device stops, turns round or begins to move: friction holds the body there. Nor through a trocar, nor where it
 * touched nothing. */
void tac_held_body_go_ahead(tacHeldBody *held, double period, tacFrame *frame);
/* Keeps a step's equations with its contacts, A + K, [6][stride], for the next one; met.own has A. */
void tac_held_body_set_met(tacHeldBody *held, const double *whole, size_t stride);
/* Static damping (4.8): how many times stiffer a step takes the springs of the body's contacts, 1 / (1 - alpha); 1 of a dynamic coupling.
 * It damps how the body moves against what it touches: a body that slides follows its device. */
double tac_held_body_stiffening(const tacHeldBody *held);
/* Moves the body so, within the limits of its speed. */
void tac_held_body_move(tacHeldBody *held, tacFrame *frame, double period, double motion[TAC_HELD_MOST],
                        tacTickReport *report);
/* Where a jaw is, on a body that is at `frame`, and how it moves; about the grasp, too. */
void tac_held_body_jaw(const tacHeldBody *held, int jaw, const tacFrame *frame, tacFrame *place);
/* J: kinetic energy of the body with its coupling; none of a static one, which has no mass. */
double tac_held_body_energy(const tacHeldBody *held, const tacFrame *frame);
/* Where the body is, and what the hand feels. */
void tac_held_body_feel(const tacHeldBody *held, const tacFrame *frame, tacQuat start, bool lifted,
                        tacToolOutput *output);
/* The same, and what it touches. */
void tac_held_body_describe(tacWorld *world, int tool, tacToolOutput *output, tacTickReport *report);
