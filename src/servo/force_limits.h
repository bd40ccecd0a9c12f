/* What a device may be sent: a force and torque of limited length that change by a limited amount in a tick.
 *
 * The change is limited to rate x period + stiffness x |motion of the device since the last tick|: a device that does
 * not move sees no step, and one that moves sees no more stiffness than it renders stably. Turns and torques have the
 * same limits through the lever L = torque limit / force limit: a turn counts as L times its angle, and a torque may
 * change by L times as much. A held body that leans on something changes its torque with the way and its force with
 * the turn, hence both motions count for both. */
#pragma once

#include "math/geometry/vec3.h"

typedef struct tacForceLimits {
  double force, torque; /* N, N m: lengths; a torque limit of 0 means that none is rendered */
  double stiffness;     /* N/m */
  double step;          /* N: rate x period */
  tacVec3 last_force, last_torque;
} tacForceLimits;

/* `a`, shortened to `length` where it is longer, its direction kept; zero where it is not finite. */
tacVec3 tac_force_limits_cut(tacVec3 a, double length);

/* Tick. Limits in place; `motion` in m, `turn` in rad since the last tick. What is not finite is taken for zero. The flags
 * (never cleared here) tell which limit acted. */
void tac_force_limits_apply(tacForceLimits *limits, tacVec3 motion, tacVec3 turn, tacVec3 *force, tacVec3 *torque,
                            bool *limited_length, bool *limited_rate);
