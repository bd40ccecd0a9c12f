/* Energy stored in moving bodies: given by a hand in one contact, and recoverable in a later one.
 *
 *   E = elastic + kinetic - m g.x,   of a body; above its minimum so far
 *
 * A tool may recover the energy of the bodies that it touches, of bodies that touch these, and of the springs of point
 * tools between them. Kinds that do not report their energy count as zero. */
#pragma once

#include "world/world_parts.h"

/* All bodies are at their start. */
void tac_store_reset(tacWorld *world);
/* Tick, at the end of a step: updates the tools' stored energy. */
void tac_store_measure(tacWorld *world, const tacToolOutput *outputs);
