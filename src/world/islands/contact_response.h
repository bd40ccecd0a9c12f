/* How bodies respond to contacts in a step, beside coordinates: their free motion where contacts are, and their compliance there.
 *
 * A body that answers as the compliance of a step gets all of its sites at once: those of contacts first, then pushes from outside, then
 * point tools. Forces of tools are springs, f = f0 - K d: they are eliminated, so that contacts meet a body that is held by them. Then
 *     motion = free + sum C f,
 * f being whole forces, not their change.
 *
 * A body that answers as a compliance, without a state, is displaced as a step begins by the forces of contacts and point tools of the step
 * before. Contacts are looked for on the surface where it is, and what W f says is displacement in all, from rest: of a contact's free
 * motion what W makes of those forces is taken off. That is not the displacement itself, which W, being symmetric, meets but nearly: gaps
 * are where the surface is, W says how they change, and what it says wrong is gone when forces rest. Its compliances between places are
 * kept from step to step, in a table with one place for each hash. */
#pragma once

#include "world/world_parts.h"

/* Load phase: room for so many contacts of bodies that answer as a compliance. */
tacStatus tac_contact_response_create(int contacts, tacComplianceMemory **memory, tacError *error);
void tac_contact_response_destroy(tacComplianceMemory *memory); /* NULL is allowed */
/* After a body's stiffness was changed: nothing is known any more. NULL is allowed. */
void tac_contact_response_forget(tacComplianceMemory *memory);
/* Load phase, and after a reset: bodies get ready for their first step. */
void tac_contact_response_prepare(tacWorld *world);
/* Load phase: bytes of the arena. */
size_t tac_contact_response_room(const tacWorld *world);

/* Forces on a body that answers as a compliance, body's frame. */
typedef struct tacPresses {
  int count;
  tacSite sites[TAC_WORLD_MOST_PRESSES + TAC_MOST_TOOLS];
  tacVec3 forces[TAC_WORLD_MOST_PRESSES + TAC_MOST_TOOLS];
} tacPresses;

/* Adds what point tools do, as their outputs tell it; `back` turns into the body's frame. */
void tac_presses_add_tools(tacPresses *to, const tacWorld *world, int body, tacQuat back, int tool_count,
                           const tacToolOutput *outputs);
/* Adds what contacts with bodies and the floor do, while there are fewer than `most` forces. */
void tac_presses_add_contacts(tacPresses *to, const tacWorld *world, int body, int most);

/* Tick, before contacts are looked for: displaces all bodies that have room for it. */
void tac_contact_response_displace(tacWorld *world);
/* m, body's frame: of a place on the surface; zero where the body does not comply or has no contacts. */
tacVec3 tac_contact_response_displacement(const tacWorldBody *body, const tacSite *site);
/* The same as W says it. */
tacVec3 tac_contact_response_displacement_by_w(const tacWorld *world, int body, const tacSite *site);

/* After contacts were found, and before they are solved. True: a body will know better how it moves once they have been. */
bool tac_contact_response_begin(tacWorld *world, tacTickReport *report);
/* After they were solved for the first time (tac_island_estimate): bodies that know better by their equations compute how they move under
 * these forces. */
void tac_contact_response_again(tacWorld *world);
/* After they were, for good. */
void tac_contact_response_end(tacWorld *world, tacTickReport *report);

/* Before `end`: how far the place of a force that ticks have told goes in the step, on a body that answers as the compliance of one; world frame. */
tacVec3 tac_contact_response_tick_motion(const tacWorld *world, const tacPush *told);

/* Whether it answers so. */
static inline bool tac_contact_response_is(const tacWorldBody *body) {
  return tac_world_body_complies(body) || tac_world_body_yields(body);
}
/* The free motion of one side of a contact, world frame; false: there was no room for it. */
bool tac_contact_response_motion(const tacWorld *world, const tacSetContact *c, int side, tacVec3 *motion);
/* C between sides of two contacts that are of one body, m/N, body's frame; false: it is not known. */
bool tac_contact_response_compliance(const tacWorld *world, const tacSetContact *at, int at_side,
                                     const tacSetContact *by, int by_side, tacMat3 *c);
