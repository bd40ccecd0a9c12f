/* Displayed data of a world, from snapshots; any thread. */
#pragma once

#include "world/world_parts.h"

/* Writes the state after a step of the bodies, as tac_world_state. Tick phase. */
void tac_world_show_state(const tacWorld *world, double *state);
/* Writes the pad load on a body. Tick phase. If steps are longer than ticks, only the ticking thread may call this,
 * since it owns the pads. */
void tac_world_show_grip(const tacWorldBody *body, double *to);
/* Pose as stored in a state: position, then orientation, w first. */
void tac_world_show_pose(const tacFrame *frame, double *to);
/* Copies the contact forces on bodies from a stored state to `state`. They contain triangle indices, so they cannot be
 * interpolated. */
void tac_world_take_presses(const tacWorld *world, const float *stored, double *state);
