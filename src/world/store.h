/* Stored energy of bodies. A hand can store energy in one contact and recover it in a later contact.
 *
 * The stored energy of a body is E minus the minimum of E so far. With the mass m, the gravity g and the centre of mass
 * x, E is
 *
 *     E = elastic energy + kinetic energy - m g . x
 *
 * A tool in contact may recover the stored energy of all moving bodies that contacts connect to it. It may also recover
 * the energy in the springs of point tools on these bodies. A tool without contact may recover the energy of all bodies
 * and springs. The elastic energy counts as zero if the kind of the body does not report it. */
#pragma once

#include "world/world_parts.h"

/* Resets the stored energy. Call after all bodies have their initial state. */
void tac_store_reset(tacWorld *world);
/* Updates the stored energy that each tool may recover. Call at the end of a step. Tick phase. */
void tac_store_measure(tacWorld *world, const tacToolOutput *outputs);
