/* Response of bodies without dense equations to the contacts of a step: free motion and compliance at the contacts.
 *
 * A step-compliance body gets all its sites in one call: contacts, then external forces, then point tools. Tool forces
 * are springs, f = f0 - K d. They are eliminated, so the compliance at contacts includes the springs of the tools. Then
 *     motion = free + sum C f,
 * where f are total forces, not changes.
 *
 * A compliance body (no state) is displaced at the start of a step by the contact and point-tool forces of the previous
 * step. Contacts are detected on this displaced surface, but W f is the total displacement from rest. So W times the
 * previous forces is subtracted from the free motion of a contact. We do not subtract the displacement itself: the
 * symmetric W matches it only approximately. With W, gaps follow the surface, W gives their change, and the error of W
 * vanishes when forces are constant. Compliances between sites are kept across steps in a table with one entry per
 * hash. */
#pragma once

#include "world/world_parts.h"

/* Load phase: room for `contacts` contacts of compliance bodies. */
tacStatus tac_contact_response_create(int contacts, tacComplianceMemory **memory, tacError *error);
void tac_contact_response_destroy(tacComplianceMemory *memory); /* NULL is allowed */
/* Clears the table. Call after a body's stiffness changed. NULL is allowed. */
void tac_contact_response_forget(tacComplianceMemory *memory);
/* Load phase, and after a reset: prepares bodies for their first step. */
void tac_contact_response_prepare(tacWorld *world);
/* Load phase: bytes needed in the arena. */
size_t tac_contact_response_room(const tacWorld *world);

/* Forces on a compliance body, body's frame. */
typedef struct tacPresses {
  int count;
  tacSite sites[TAC_WORLD_MOST_PRESSES + TAC_MOST_TOOLS];
  tacVec3 forces[TAC_WORLD_MOST_PRESSES + TAC_MOST_TOOLS];
} tacPresses;

/* Adds the forces of point tools from their outputs; `back` rotates from the world into the body's frame. */
void tac_presses_add_tools(tacPresses *to, const tacWorld *world, int body, tacQuat back, int tool_count,
                           const tacToolOutput *outputs);
/* Adds the forces of contacts with bodies and the floor, up to `most` forces in total. */
void tac_presses_add_contacts(tacPresses *to, const tacWorld *world, int body, int most);

/* Tick, before contact detection: displaces all compliance bodies that have contacts with bodies. */
void tac_contact_response_displace(tacWorld *world);
/* Displacement of a surface site, m, body's frame; zero if the body is no compliance body or has no contacts. */
tacVec3 tac_contact_response_displacement(const tacWorldBody *body, const tacSite *site);
/* As tac_contact_response_displacement, computed from W. */
tacVec3 tac_contact_response_displacement_by_w(const tacWorld *world, int body, const tacSite *site);

/* Starts the step of step-compliance bodies. Call after detection, before the contacts are solved. True: a body can
 * recompute its motion after a first solve (tac_contact_response_again). */
bool tac_contact_response_begin(tacWorld *world, tacTickReport *report);
/* After the first solve (tac_island_estimate): bodies with `move_again` recompute their motion under the estimated
 * forces from their full equations. */
void tac_contact_response_again(tacWorld *world);
/* Ends the step of step-compliance bodies. Call after the final solve. */
void tac_contact_response_end(tacWorld *world, tacTickReport *report);

/* Motion in the step of the point where a tick force acts on a step-compliance body, world frame. Call before
 * tac_contact_response_end. */
tacVec3 tac_contact_response_tick_motion(const tacWorld *world, const tacPush *told);

/* Whether it is a compliance or step-compliance body. */
static inline bool tac_contact_response_is(const tacWorldBody *body) {
  return tac_world_body_complies(body) || tac_world_body_yields(body);
}
/* Free motion of one side of a contact, world frame. False: the response has no room for this site. */
bool tac_contact_response_motion(const tacWorld *world, const tacSetContact *c, int side, tacVec3 *motion);
/* Compliance C between two contact sites on the same body, m/N, body's frame. False: unknown. */
bool tac_contact_response_compliance(const tacWorld *world, const tacSetContact *at, int at_side,
                                     const tacSetContact *by, int by_side, tacMat3 *c);
