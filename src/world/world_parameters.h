/* What may be changed of a world while it is used. */
#ifndef TAC_WORLD_WORLD_PARAMETERS_H
#define TAC_WORLD_WORLD_PARAMETERS_H

#include "world/world_parts.h"

/* Between steps: as tac_world_set_parameter. */
tacStatus tac_world_change_parameter(tacWorld *world, int index, double value, tacError *error);

#endif
