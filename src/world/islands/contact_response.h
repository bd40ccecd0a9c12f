/* Free motion and compliance at contacts, for bodies with step compliance or static compliance.
 *
 * Step compliance. The sites of a body are contacts, external forces and point tools, in this order. Point tools are
 * springs (body/step_response.h).
 *
 * Static compliance. At the start of a step, the contact and tool forces of the previous step displace the body.
 * Contacts are detected on this displaced surface. But W f is the total displacement from rest, where W is the
 * compliance between contacts. So W times the previous forces is subtracted from the free motion. The displacement
 * itself is not subtracted, since the symmetric W matches it only approximately. With this rule, gaps refer to the
 * displaced surface, and W gives their change. The error of W vanishes while the forces are constant.
 *
 * Compliances between sites are kept over many steps (body/compliance_memory.h). */
#pragma once

#include "world/world_parts.h"

/* Prepares all bodies with step compliance for their first step. Call in the load phase, and after a reset. */
void tac_contact_response_prepare(tacWorld *world);
/* Returns the number of bytes that a step needs in the arena. Load phase. */
size_t tac_contact_response_room(const tacWorld *world);

/* Forces on a body with static compliance, in the body's frame. */
typedef struct tacPresses {
  int count;
  tacSite sites[TAC_WORLD_MOST_PRESSES + TAC_MOST_TOOLS];
  tacVec3 forces[TAC_WORLD_MOST_PRESSES + TAC_MOST_TOOLS];
} tacPresses;

/* Adds the forces of point tools from `outputs`. `back` rotates vectors from the world frame to the body's frame. */
void tac_presses_add_tools(tacPresses *to, const tacWorld *world, int body, tacQuat back, int tool_count,
                           const tacToolOutput *outputs);
/* Adds the forces of contacts with bodies and with the floor. Stops when `to` has `most` forces. */
void tac_presses_add_contacts(tacPresses *to, const tacWorld *world, int body, int most);

/* Displaces all bodies with static compliance that may have contacts with bodies. Call before contact detection. Tick
 * phase, as all functions below. */
void tac_contact_response_displace(tacWorld *world);
/* Returns the displacement of a surface site, m, body's frame. Zero if the body has no static compliance or no
 * contacts. */
tacVec3 tac_contact_response_displacement(const tacWorldBody *body, const tacSite *site);
/* Computes the displacement of a surface site by W times the previous forces, m, body's frame. */
tacVec3 tac_contact_response_displacement_by_w(const tacWorld *world, int body, const tacSite *site);

/* Starts the step of all bodies with step compliance. Call after contact detection and before the contacts are solved.
 * True if a body can recompute its motion after a first solve (tac_contact_response_again). */
bool tac_contact_response_begin(tacWorld *world, tacTickReport *report);
/* Lets bodies with `move_again` recompute their motion under the estimated contact forces, from their full equations.
 * Call after tac_island_estimate. */
void tac_contact_response_again(tacWorld *world);
/* Ends the step of all bodies with step compliance. Call after the final solve. */
void tac_contact_response_end(tacWorld *world, tacTickReport *report);

/* Returns the motion of the point of a tick force in this step, m, world frame. The body must have step compliance.
 * Call before tac_contact_response_end. */
tacVec3 tac_contact_response_tick_motion(const tacWorld *world, const tacPush *push);

/* True if the body has static compliance or step compliance. */
static inline bool tac_contact_response_is(const tacWorldBody *body) {
  return tac_world_body_complies(body) || tac_world_body_yields(body);
}
/* Computes the free motion of one side of a contact, m, world frame. False if the response has no site for this
 * contact. */
bool tac_contact_response_motion(const tacWorld *world, const tacSetContact *c, int side, tacVec3 *motion);
/* Computes the compliance C between two contact sites on the same body, m/N, body's frame. False if C is unknown. */
bool tac_contact_response_compliance(const tacWorld *world, const tacSetContact *at, int at_side,
                                     const tacSetContact *by, int by_side, tacMat3 *c);
