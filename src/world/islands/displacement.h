/* How far bodies that answer as a compliance are displaced as a step begins: by the forces of contacts and point tools of the step before.
 * Contacts are looked for on the surface where it is, and what W f says is displacement in all, from rest: of a contact's free motion
 * what W makes of those forces is taken off. That is not the displacement itself, which W, being symmetric, meets but nearly: gaps
 * are where the surface is, W says how they change, and what it says wrong is gone when forces rest. */
#pragma once

#include "world/world_parts.h"

/* Forces on a body that answers as a compliance, body's frame. */
typedef struct tacPresses {
  int count;
  tacSite sites[TAC_WORLD_MOST_PRESSES + TAC_MOST_TOOLS];
  tacVec3 forces[TAC_WORLD_MOST_PRESSES + TAC_MOST_TOOLS];
} tacPresses;

/* Adds what point tools do, as their outputs tell it; `back` turns into the body's frame. */
void tac_presses_add_tools(tacPresses *to, int body, tacQuat back, int tool_count, const tacToolOutput *outputs);
/* Adds what contacts with bodies and the floor do, while there are fewer than `most` forces. */
void tac_presses_add_contacts(tacPresses *to, const tacWorld *world, int body, int most);

/* Tick, before contacts are looked for: of all bodies that have room for it. */
void tac_displacement_follow(tacWorld *world);
/* m, body's frame: of a place on the surface; zero where the body does not comply or has no contacts. */
tacVec3 tac_displacement_at(const tacWorldBody *body, const tacSite *site);
/* The same as W says it. */
tacVec3 tac_displacement_by_compliance(const tacWorld *world, int body, const tacSite *site);
