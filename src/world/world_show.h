/* Functions that write the state of a world for display. The functions that read snapshots are in <tactus/world.h>. */
#pragma once

#include "world/world_parts.h"

/* Writes the state after the last step of the bodies, in the format of tac_world_state. Tick phase. */
void tac_world_show_state(const tacWorld *world, double *state);
/* Writes the pad tractions on a body. Tick phase. If steps are longer than ticks, only the thread that runs ticks may
 * call this function, since this thread owns the pads. */
void tac_world_show_grip(const tacWorldBody *body, double *to);
/* Writes a pose in the format of the state: position, then the orientation quaternion w, x, y, z. */
void tac_world_show_pose(const tacFrame *frame, double *to);
/* Copies the contact forces on bodies from the stored state to `state`. Contact forces contain triangle indices, which
 * cannot be interpolated. */
void tac_world_take_presses(const tacWorld *world, const float *stored, double *state);
