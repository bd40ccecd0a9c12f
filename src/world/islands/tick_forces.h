/* Tick forces: forces that ticks passed to a step (docs/rates.md). They were computed for predicted places and act
 * throughout the step. If the support of a light body yields, the body moves away from its predicted place. Constant
 * forces would then give it unbounded energy. Tools never accelerate a real body to 10 m/s. If tick forces would, the
 * step is solved again. The forces on this body then decrease with its motion u,
 *     f = f0 - k u,   k = |f0| / (10 m/s h). */
#pragma once

#include "world/world_parts.h"

/* Tick, after a step was solved and before the bodies move. True: solve the step again. */
bool tac_tick_forces_limit(tacWorld *world);
/* After the second solve: stores the forces that act in the end. */
void tac_tick_forces_end(tacWorld *world);
