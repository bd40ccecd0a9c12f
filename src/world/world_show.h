/* What is shown of a world, from snapshots; any thread. */
#pragma once

#include "world/world_parts.h"

/* As tac_world_state, of the bodies as they are after a step; tick. */
void tac_world_show_state(const tacWorld *world, double *state);
/* What pads do to a body, likewise; where steps are longer than ticks from the thread of these, whose pads are. */
void tac_world_show_grip(const tacWorldBody *body, double *to);
/* A pose as a state has it: position, and orientation w first. */
void tac_world_show_pose(const tacFrame *frame, double *to);
/* What presses bodies has triangles' numbers, which cannot be interpolated: takes it from a stored state as it is there. */
void tac_world_take_presses(const tacWorld *world, const float *stored, double *state);
