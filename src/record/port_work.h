/* Work done at the device over a recording. */
#pragma once

#include <tactus/recording.h>

/* The work of the held force and torque of `a` on the hand while the device moves to where it is in `b`, the next tick,
 * J: f . dx and, where there is a torque, t . (rotation vector). Numbers that make no sense count as 0. Any phase. */
double tac_port_work(const tacToolRecord *a, const tacToolRecord *b);
