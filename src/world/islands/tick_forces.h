/* Tick forces: the mean forces of the tools during the ticks of a step, which act on the bodies in the next step
 * (docs/rates.md).
 *
 * Tick forces were computed for predicted positions and act during the whole step. If the support of a light body
 * yields, the body moves away from its predicted position. Constant forces would then do unbounded work on the body.
 * Tools never accelerate a real body to 10 m/s. So if tick forces would accelerate a body to this speed, the step is
 * solved again. In the second solve, the forces f on this body decrease with its motion u:
 *
 *     f = f0 - k u,   k = |f0| / (10 m/s h)
 *
 * where h is the length of the step. */
#pragma once

#include "world/world_parts.h"

/* True if tick forces would accelerate a body too much, so that the step must be solved again. Call after a step was
 * solved and before the bodies move. Tick phase. */
bool tac_tick_forces_limit(tacWorld *world);
/* Replaces the tick forces by the reduced forces of the second solve. Tick phase. */
void tac_tick_forces_end(tacWorld *world);
