/* A fingertip on a body with inertia: its contact patch and the spring between the two.
 *
 * The patch is centred at a point x of the rest surface, and lies at p(x) = sum w_i(x) (x_i + o_i). x_i are the present
 * vertices; o_i puts the mean of a curved patch on the surface (body/fingertip.h). The fingertip at y pulls it by f =
 * K(x) s, s = y - p(x). K^-1 is the part of the dent that the body does not resolve, along the normal and across it.
 * With the body at rest, sliding by dx changes only the energy of the spring, E = s.K s / 2, by -g.dx with
 *
 *     g = (dp/dx)^T f + f.(dC/dx) f / 2,   C = K^-1.
 *
 * Friction acts on g: the patch sticks while |g| <= mu N, otherwise slides along it, only as far as E falls. So sliding
 * dissipates energy and never creates any. */
#pragma once

#include "world/world_parts.h"

/* N/s: beyond its tool's motion a contact slides so far that its force changes by about this rate. */
#define TAC_SLIDE_RATE 100.0
/* m: a tool at most this deep in a body, beyond the motion of both, has just entered it. */
#define TAC_MOST_ENTRY 2e-3

/* Whether the tool presses patches of this body. */
static inline bool tac_fingertip_presses(const tacWorldBody *body, const tacWorldTool *tool) {
  return tool->tip > 0 && body->fingers.tips != NULL;
}

/* N/m: maximum stiffness of the spring on a body. */
double tac_fingertip_most_stiffness(const tacWorldBody *body);

/* For a tool that touches a body with inertia, at a point or with its tip: grabs, releases, and tracks whether it left
 * the body (depth <= 0) or entered again. `motion`: of the tool in the step, m. True: the contact ends, since the tool
 * is outside and its force, which stretched the spring by `pulled`, vanishes within `reach`, m. */
bool tac_touch_ends(tacWorldTool *tool, double depth, double motion, tacVec3 pulled, double reach);
/* `to`, at most `most` away from `from`. */
tacVec3 tac_touch_towards(tacVec3 from, tacVec3 to, double most);

/* Load phase. */
tacStatus tac_fingertip_prepare(tacWorld *world, tacError *error);
void tac_fingertip_forget(const tacWorld *world, tacWorldBody *body);

/* Tick. m: distance of the tool from the patch at a place, along its normal; negative inside. */
double tac_fingertip_distance(const tacWorld *world, int body, int tool, tacSurfacePoint at);
/* Gives the tool the patch at a place: normal, position, and its spring, whose compliance is `soft`. */
void tac_fingertip_place(tacWorld *world, int body, int tool, tacSurfacePoint at, tacDent *soft);
/* Unit, world: direction in which the patch at a place pushes the tool without friction, under its present force. */
tacVec3 tac_fingertip_axis(const tacWorld *world, int body, int tool, tacSurfacePoint at);
/* Moves a place such that the tangential position of its patch matches `target`, world. */
void tac_fingertip_follow(const tacWorld *world, int body, int tool, tacVec3 target, tacSurfacePoint *at);
/* Starts the contact at point.at. */
void tac_fingertip_begin(tacWorld *world, int body, int tool);
/* Updates the contact for the present body. */
void tac_fingertip_settle(tacWorld *world, int body, int tool);
