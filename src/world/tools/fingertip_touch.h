/* A fingertip on a body with inertia: its contact patch on the body, and the spring between fingertip and patch.
 *
 * The patch is centred at a point x of the rest surface. Its position is p(x) = sum w_i(x) (x_i + o_i). x_i are the
 * present vertices; o_i puts the mean of a curved patch on the surface (body/fingertip.h). The fingertip at y pulls the
 * patch by f = K(x) s, s = y - p(x). K^-1 is the part of the dent that the body does not resolve, along the normal and
 * tangential. With the body at rest, sliding by dx changes only the energy of the spring, E = s.K s / 2, by -g.dx with
 *
 *     g = (dp/dx)^T f + f.(dC/dx) f / 2,   C = K^-1.
 *
 * Friction acts on g: the patch sticks while |g| <= mu N. Otherwise it slides along g while E decreases. So sliding
 * dissipates energy and never creates energy. */
#pragma once

#include "world/world_parts.h"

/* N/s: rate of force change by which a contact may slide in addition to the motion of its tool. */
#define TAC_SLIDE_RATE 100.0
/* m: a tool has just entered a body if its depth is at most this value plus the motion of both. */
#define TAC_MOST_ENTRY 2e-3

/* Whether the tool presses patches of this body. */
static inline bool tac_fingertip_presses(const tacWorldBody *body, const tacWorldTool *tool) {
  return tool->tip > 0 && body->fingers.tips != NULL;
}

/* Maximum stiffness of the spring on a body, N/m. */
double tac_fingertip_most_stiffness(const tacWorldBody *body);

/* For a tool that touches a body with inertia, at a point or with a fingertip. Grabs and releases; detects whether the
 * tool left the body (depth <= 0) or entered again. `motion`: motion of the tool in the step, m. Returns true if the
 * contact ends: the tool is outside, and the spring's stretch `pulled` can be removed within `reach`, m. */
bool tac_touch_ends(tacWorldTool *tool, double depth, double motion, tacVec3 pulled, double reach);
/* The point `to`, moved towards `from` if it is more than `most` away from `from`. */
tacVec3 tac_touch_towards(tacVec3 from, tacVec3 to, double most);

/* Load phase. */
tacStatus tac_fingertip_prepare(tacWorld *world, tacError *error);
void tac_fingertip_forget(const tacWorld *world, tacWorldBody *body);

/* Tick. Distance of the tool from the patch at a place, along the patch normal, m; negative inside. */
double tac_fingertip_distance(const tacWorld *world, int body, int tool, tacSurfacePoint at);
/* Stores in the tool the normal, position and spring of the patch at a place. Writes the spring's compliance to
 * `soft`. */
void tac_fingertip_place(tacWorld *world, int body, int tool, tacSurfacePoint at, tacDent *soft);
/* Unit direction, world, in which the patch at a place pushes the tool without friction, under its present force. */
tacVec3 tac_fingertip_axis(const tacWorld *world, int body, int tool, tacSurfacePoint at);
/* Moves a place such that the tangential position of its patch matches `target`, world. */
void tac_fingertip_follow(const tacWorld *world, int body, int tool, tacVec3 target, tacSurfacePoint *at);
/* Starts the contact at point.at. */
void tac_fingertip_begin(tacWorld *world, int body, int tool);
/* Updates the contact for the present state of the body. */
void tac_fingertip_settle(tacWorld *world, int body, int tool);
