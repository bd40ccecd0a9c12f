/* A fingertip on a body with inertia: the patch that it presses, and the spring between the two.
 *
 * The patch is centred at a point x of the surface at rest, and lies at p(x) = sum w_i(x) (x_i + o_i), x_i being vertices as they are now and o_i
 * what makes the mean of a curved patch lie on the surface (body/fingertip.h). The fingertip at y pulls it by f = K(x) s, s = y - p(x), where
 * K^-1 is what the body does not resolve of its dent, along the normal and across it. With the body at rest a slide changes only what the spring
 * holds, E = s.K s / 2, by -g.dx with
 *
 *     g = (dp/dx)^T f + f.(dC/dx) f / 2,   C = K^-1.
 *
 * Friction acts on g: the patch sticks while |g| <= mu N, and slides along it otherwise, only as far as E falls. So sliding takes energy and
 * never gives any. */
#pragma once

#include "world/world_parts.h"

/* N/s: beyond its tool's motion a contact slides so far that its force changes by about this. */
#define TAC_SLIDE_RATE 100.0
/* m: a tool found no deeper in a body, beside what both moved, has just entered it */
#define TAC_MOST_ENTRY 2e-3

/* Whether the tool presses patches of this body. */
static inline bool tac_fingertip_presses(const tacWorldBody *body, const tacWorldTool *tool) {
  return tool->tip > 0 && body->fingers.tips != NULL;
}

/* N/m: the largest stiffness of the spring on a body. */
double tac_fingertip_most_stiffness(const tacWorldBody *body);

/* Of a tool that touches a body with inertia, at a point or with its tip: takes hold, lets go, and notes whether it has come out (depth <= 0) or in
 * again. `motion`: of the tool in the step, m. True: the contact ends, since the tool is out and its force, which pulled the spring by `pulled`,
 * is gone within `reach`, m. */
bool tac_touch_ends(tacWorldTool *tool, double depth, double motion, tacVec3 pulled, double reach);
/* `to`, or as much of the way there from `from` as `most` allows. */
tacVec3 tac_touch_towards(tacVec3 from, tacVec3 to, double most);

/* Load phase. */
tacStatus tac_fingertip_prepare(tacWorld *world, tacError *error);
void tac_fingertip_forget(const tacWorld *world, tacWorldBody *body);

/* Tick. m: how far the tool is from the patch at a place, along its normal; negative inside. */
double tac_fingertip_distance(const tacWorld *world, int body, int tool, tacSurfacePoint at);
/* The patch at a place becomes the tool's, with its normal, its place and its spring, whose compliance is `soft`. */
void tac_fingertip_place(tacWorld *world, int body, int tool, tacSurfacePoint at, tacDent *soft);
/* Unit, world: along which the patch at a place pushes the tool without friction, under the force that it has. */
tacVec3 tac_fingertip_axis(const tacWorld *world, int body, int tool, tacSurfacePoint at);
/* Moves a place such that its patch lies across its normal where `target` does, world. */
void tac_fingertip_follow(const tacWorld *world, int body, int tool, tacVec3 target, tacSurfacePoint *at);
/* The contact begins at point.at. */
void tac_fingertip_begin(tacWorld *world, int body, int tool);
/* The contact for the body as it is. */
void tac_fingertip_settle(tacWorld *world, int body, int tool);
