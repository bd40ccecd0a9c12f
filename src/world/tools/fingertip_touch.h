/* Contact of a fingertip with a body that has inertia: the contact patch on the body, and the spring between fingertip
 * and patch.
 *
 * The patch is centred at a point x of the rest surface. The position of the patch is p(x) = sum w_i(x) (x_i + o_i),
 * with the weights w_i, the present vertices x_i, and the offsets o_i (tacFingertip.sag). A fingertip at y pulls the
 * patch by the force f = K(x) s, with the stretch s = y - p(x). The compliance C = K^-1 of the spring is the compliance
 * of the dent that the body does not resolve. C has a normal and a tangential value.
 *
 * If the patch slides by dx and the body rests, only the energy of the spring, E = s.K s / 2, changes. E changes by
 * -g.dx with
 *
 *     g = (dp/dx)^T f + f.(dC/dx) f / 2.
 *
 * Friction acts on g: the patch sticks while |g| <= mu N, for the friction coefficient mu and the normal force N.
 * Otherwise the patch slides along g while E decreases. So sliding dissipates energy and never creates energy. */
#pragma once

#include "world/world_parts.h"

/* Rate of force change by which a contact may slide, in addition to the motion of the tool, N/s. */
#define TAC_SLIDE_RATE 100.0
/* Maximum depth of a tool that has just entered a body, m; the motion of tool and body in the step is added. */
#define TAC_MOST_ENTRY 2e-3

/* Returns true if the tool touches the body with contact patches; false if it touches the body at points. */
static inline bool tac_fingertip_presses(const tacWorldBody *body, const tacWorldTool *tool) {
  return tool->tip > 0 && body->fingers.tips != NULL;
}

/* Returns the maximum stiffness of the spring between a fingertip and a body, N/m. */
double tac_fingertip_most_stiffness(const tacWorldBody *body);

/* Updates the contact state of a tool that touches a body with inertia, at a point or with a fingertip. The tool may
 * grab, release, leave the body (depth <= 0) or enter the body again. `motion`: motion of the tool relative to the
 * contact in the step, m. `pulled`: stretch of the spring, m. Returns true if the contact ends. It ends if the tool is
 * outside, and the tool has just released or `pulled` is at most `reach` (m) long. */
bool tac_touch_ends(tacWorldTool *tool, double depth, double motion, tacVec3 pulled, double reach);
/* Returns `to` if the distance between `from` and `to` is at most `most`. Otherwise returns the point at the distance
 * `most` from `from` in the direction of `to`. */
tacVec3 tac_touch_towards(tacVec3 from, tacVec3 to, double most);

/* Prepares all bodies for the fingertips of the world. Load phase. */
tacStatus tac_fingertip_prepare(tacWorld *world, tacError *error);
/* Frees the fingertip data of a body. Load phase. */
void tac_fingertip_forget(const tacWorld *world, tacWorldBody *body);

/* Returns the distance of the tool from the patch at the surface point `at`, along the normal of the patch, m; negative
 * inside the body. Tick phase, like all functions below. */
double tac_fingertip_distance(const tacWorld *world, int body, int tool, tacSurfacePoint at);
/* Computes the patch at the surface point `at`. Stores the patch and its normal, position and spring for the tool.
 * `soft` receives the compliance of the spring. */
void tac_fingertip_place(tacWorld *world, int body, int tool, tacSurfacePoint at, tacDent *soft);
/* Returns the unit direction (world) in which the patch at `at` would push the tool without friction, at the present
 * normal force. */
tacVec3 tac_fingertip_axis(const tacWorld *world, int body, int tool, tacSurfacePoint at);
/* Moves the surface point `at` until the position of the patch matches `target` (world) in the tangential plane. */
void tac_fingertip_follow(const tacWorld *world, int body, int tool, tacVec3 target, tacSurfacePoint *at);
/* Starts the contact of the tool at the surface point tacWorldTool.point.at. */
void tac_fingertip_begin(tacWorld *world, int body, int tool);
/* Updates the contact of the tool for the present state of the body. */
void tac_fingertip_settle(tacWorld *world, int body, int tool);
