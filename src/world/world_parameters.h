/* What may be changed of a world while it is used. */
#pragma once

#include "world/world_parts.h"

/* Between steps: as tac_world_set_parameter. */
tacStatus tac_world_change_parameter(tacWorld *world, int index, double value, tacError *error);
