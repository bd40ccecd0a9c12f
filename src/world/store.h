/* What bodies that move by themselves hold: energy that a hand gave them in one contact, and may get back in a later one.
 *
 *   E = elastic + kinetic - m g.x,   of a body; above the least of it so far
 *
 * What a tool may get of it is that of the bodies that it touches, and of those that touch these, with the springs of
 * point tools between them. Kinds that do not know what they hold count for nothing. */
#pragma once

#include "world/world_parts.h"

/* All bodies are where they begin. */
void tac_store_reset(tacWorld *world);
/* Tick, at the end of a step: into the tools. */
void tac_store_measure(tacWorld *world, const tacToolOutput *outputs);
