/* Limits the force and the torque for a device: the magnitude, and the change in a tick.
 *
 * The change is limited to rate x period + stiffness x |motion of the device since the last tick|. So a device at
 * rest receives no step of force. A moving device receives at most the stiffness that the device renders stably.
 * Motion counts up to `motion`, so no state of the device raises the change above step + stiffness x `motion`.
 * Rotations and torques have the same limits through the lever L = torque limit / force limit. A rotation counts as
 * L times the angle, and a torque may change by L times as much as a force. If a held body leans on an obstacle,
 * translation changes the torque, and rotation changes the force. So translation and rotation count for both limits. */
#pragma once

#include "math/geometry/vec3.h"

/* Speed up to which motion counts, m/s: above the speed of a hand in contact. */
#define TAC_FORCE_LIMITS_SPEED 1.0

typedef struct tacForceLimits {
  double force, torque;            /* largest magnitudes, N and N m; torque 0: no torque is rendered */
  double stiffness;                /* largest stiffness that the device renders, N/m */
  double step;                     /* largest change in a tick of a device at rest, N: rate x period */
  double motion;                   /* largest motion in a tick that counts, m */
  tacVec3 last_force, last_torque; /* limited force and torque of the last tick */
} tacForceLimits;

/* Returns `a`, shortened to `length` if `a` is longer. Returns zero if `a` is not finite. */
tacVec3 tac_force_limits_cut(tacVec3 a, double length);

/* Limits `force` and `torque` in place. Call once per tick. `motion` (m) and `turn` (rad) are the motion of the
 * device since the last tick. A NaN or infinite input counts as zero. The function sets the flag of each limit that
 * acts, and clears no flag. */
void tac_force_limits_apply(tacForceLimits *limits, tacVec3 motion, tacVec3 turn, tacVec3 *force, tacVec3 *torque,
                            bool *limited_length, bool *limited_rate);
