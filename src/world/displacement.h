/* How far bodies that answer as a compliance are displaced as a step begins: by the forces of contacts and point tools of the step before.
 * Contacts are looked for on the surface where it is, and what W f says is displacement in all, from rest: of a contact's free motion
 * that at the start is taken off. */
#ifndef TAC_WORLD_DISPLACEMENT_H
#define TAC_WORLD_DISPLACEMENT_H

#include "world/world_parts.h"

/* Tick, before contacts are looked for: of all bodies that have room for it. */
void tac_displacement_follow(tacWorld *world);
/* m, body's frame: of a place on the surface; zero where the body does not comply or has no contacts. */
tacVec3 tac_displacement_at(const tacWorldBody *body, const tacSite *site);

#endif
