/* Bodies that answer as the compliance of a step: where forces act on each in this step, how these places move and give way.
 *
 * Of a body's sites, those of contacts come first, then pushes from outside, then point tools. Forces of tools are springs,
 * f = f0 - K d: they are eliminated, so that contacts meet a body that is held by them. What is told of contacts is then
 *     motion = free + sum C f,
 * f being whole forces, not their change. */
#pragma once

#include "world/world_parts.h"

/* Load phase, and after a reset: bodies get ready for their first step. */
void tac_yielding_prepare(tacWorld *world);

/* Tick: after contacts were found, and before they are solved. True: a body will know better how it moves once they have been. */
bool tac_yielding_begin(tacWorld *world, tacTickReport *report);
/* After they were solved for the first time (tac_island_estimate): bodies that know better by their equations tell how they move under
 * these forces. */
void tac_yielding_again(tacWorld *world);
/* After they were, for good. */
void tac_yielding_end(tacWorld *world, tacTickReport *report);

/* The free motion of the site `index` of a body, world frame. */
tacVec3 tac_yielding_motion(const tacWorldBody *body, int index);
/* C(at, by), m/N, body's frame. */
tacMat3 tac_yielding_compliance(const tacWorldBody *body, int at, int by);

/* Holds the sites [first, count) of a compliance c [3 count][3 count] by springs k [count - first] (N/m) to what does not move: c of the
 * sites before becomes C_LL - C_LS G C_SL with G = (1 + K C_SS)^-1 K, [3 (count - first)] squared, symmetric. False, unchanged, where
 * there is no room in the arena. */
bool tac_yielding_hold(int count, int first, double *c, const tacMat3 *k, double *g, tacArena *arena);

/* Load phase: bytes of the arena. */
size_t tac_yielding_room(const tacWorld *world);
