/* Energy stored in moving bodies. A hand stores it in one contact and may recover it in a later contact.
 *
 * The stored energy of a body is its energy E above the minimum of E so far:
 *
 *   E = elastic + kinetic - m g.x
 *
 * A tool in contact may recover the energy of all moving bodies that contacts connect to it, and of the springs of
 * point tools on these bodies. A tool without contact may recover the energy of all bodies and springs. A kind that
 * does not report its energy counts as zero. */
#pragma once

#include "world/world_parts.h"

/* Call when all bodies have their initial state. */
void tac_store_reset(tacWorld *world);
/* Tick, at the end of a step: updates the tools' stored energy. */
void tac_store_measure(tacWorld *world, const tacToolOutput *outputs);
