/* Displayed data of a world, from snapshots; any thread. */
#pragma once

#include "world/world_parts.h"

/* As tac_world_state, for bodies after a step; tick. */
void tac_world_show_state(const tacWorld *world, double *state);
/* Load of pads on a body, likewise. If steps are longer than ticks, called from the ticking thread, which owns the
 * pads. */
void tac_world_show_grip(const tacWorldBody *body, double *to);
/* Pose as stored in a state: position, then orientation, w first. */
void tac_world_show_pose(const tacFrame *frame, double *to);
/* Forces on bodies contain triangle indices, which cannot be interpolated: copies them unchanged from a stored
 * state. */
void tac_world_take_presses(const tacWorld *world, const float *stored, double *state);
