/* Tick forces: forces that ticks passed to a step (docs/rates.md). They were computed for predicted places and act
 * throughout the step. A light body that moves elsewhere, because its support gives way, would get unbounded energy. No
 * tool accelerates a body to 10 m/s. Where the forces would, the step is solved again with forces on that body that
 * fall with its motion,
 *     f = f0 - k u,   k = |f0| / (10 m/s h). */
#pragma once

#include "world/world_parts.h"

/* Tick, after a step was solved, before bodies take it. True: solve it again. */
bool tac_tick_forces_limit(tacWorld *world);
/* After the second solve: stores the forces that really act. */
void tac_tick_forces_end(tacWorld *world);
