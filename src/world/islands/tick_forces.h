/* Forces that ticks have told a step (docs/rates.md). They were found for places of bodies as the ticks foresaw them, and act in all of the step: a
 * light body that goes elsewhere, since what supports it does not hold, would be sent off with energy without a bound. But no tool sends a body
 * off at 10 m/s. Where forces would, the step is solved again, with forces on that body which fall as their places go,
 *     f = f0 - k u,   k = |f0| / (10 m/s h). */
#pragma once

#include "world/world_parts.h"

/* Tick, after a step was solved, before bodies take it. True: it is to be solved again. */
bool tac_tick_forces_limit(tacWorld *world);
/* After it was: the forces become those that act. */
void tac_tick_forces_end(tacWorld *world);
