/* Measures the energy at a device's port, and damps the force if the port generates energy (after Hannaford and Ryu
 * 2002, time-domain passivity).
 *
 * Observer. A force f on the hand is held between ticks. So the work of the hand on the world from tick k to k + 1 is
 * exactly -f_k . (x_{k+1} - x_k), whatever the path between the ticks; `energy` is the sum of this work. Torque and
 * rotation count in the same way. Two accounts (servo/energy_account.h) measure the generated energy, with work by the
 * trapezium rule. `asked` is the account of the world's force, before ramps, limits and damper. `written` is the
 * account of the force that the device receives. For `written`, the larger of the requested and the written force
 * counts, so that a force that is cut by a limit continues to rise.
 *
 * Controller. The account `undamped` has the work of the written force without the work of the damper. Energy that this
 * account measures as generated is added to the debt, the energy that the damper still has to dissipate. A damper with
 * the force -alpha dx / T reduces the debt by alpha |dx|^2 / T in a tick. dx is the motion in the tick, and T is the
 * period. So energy that is generated in a contact can be dissipated in the next contact.
 *
 * The debt arises only at the end of a contact. So the damper also acts earlier (after Ryu et al. 2005, reference
 * energy following). The reference energy is 0.7 of the energy that the last climb measured for a spring at this force.
 * The reference energy is at most |f|^2 / (2 K), the energy in the stiffest spring K that the device renders. If the
 * force drives the hand and the credit is below the reference energy, the damper removes 1/20 of the difference in a
 * tick. Masses that the hand moves and weights that the hand lifts are not springs. For such loads, `undamped` has a
 * `weight` of the force limit times 2.5 mm.
 *
 * The damper has limits, so that the user does not feel the damper more than the generated energy:
 * - The force of the damper acts along -dx and is at most the world's force. So there is no damping without contact.
 *   alpha is at most b = 2 T K, which gives the force 2 K |dx|. Up to 10 b more cancel the part of the force that
 *   drives the motion.
 * - The force of the damper changes by at most 1/50 of the force limit in a tick. If the motion reverses, the damper
 *   starts again from zero, because the previous force of the damper would push the hand.
 * - dx is the slope of a straight line that fits the last positions within the error of a position. The line uses the
 *   longest such window of ticks (Janabi-Sharifi, Hayward and Chen 2000): one tick if the hand is fast, many ticks if
 *   the hand is slow. The error is the resolution of the encoder or three times the noise, whichever is larger. The
 *   variance of the noise is sigma^2 = mean of |x_k - 2 x_{k-1} + x_{k-2}|^2 / 6 over about 0.1 s. If the motion in the
 *   window is within the error, the damper only decreases. Between the error and twice the error, the damper fades in.
 * - Energy is measured only up to the error of a position times the force. A debt of the error times the largest force
 *   is ignored.
 *
 * Noise does not count as energy in the accounts and in the controller. A force that follows the measured positions,
 * including the noise, stores and returns energy like a spring if the trapezium rule is used. Holding such a force
 * generates the energy K dx^2 / 2 in a tick. A damper that reads the same positions cannot remove this energy. */
#pragma once

#include "math/geometry/quat.h"
#include "servo/energy_account.h"

enum { TAC_PASSIVITY_WINDOW = 16 }; /* maximum number of ticks in the window */

/* A force and torque, a motion and rotation, or a position and orientation. The lever converts `angular` to the unit of
 * `linear`. */
typedef struct tacPort {
  tacVec3 linear, angular;
} tacPort;

typedef struct tacPassivity {
  double period;                        /* period T of a tick, s */
  double stiffness;                     /* stiffness limit K of the device, N/m */
  double damping_most;                  /* damping limit b = 2 T K, N s/m */
  double damper_rise;                   /* largest change of the damper's force in a tick, N */
  double lever;                         /* lever, m; 0: no torque */
  double resolution;                    /* resolution of a position, m; 0: unknown */
  double force_limit;                   /* force limit of the device, N */
  int seen;                             /* number of observed states, at most TAC_PASSIVITY_WINDOW */
  int newest;                           /* index of the newest entry of `places` */
  tacPort places[TAC_PASSIVITY_WINDOW]; /* last positions, m, and sums of rotations times lever, m */
  double linear_noise, angular_noise;   /* variance of the noise per axis, m^2 */
  tacQuat orientation;
  tacVec3 force, torque;             /* present force and torque on the hand */
  tacVec3 asked_force, asked_torque; /* present force and torque of the world, before limits */
  tacVec3 motion, turn;              /* motion, m, and rotation, rad, in the last tick */
  double energy;                     /* work of the hand since the start, J */
  double least;                      /* smallest value of `energy` so far, J */
  double work;                       /* sum of |f . dx|, J */
  tacEnergyAccount asked, written;
  /* ---- controller ---- */
  tacEnergyAccount undamped;       /* account of the written force without the damper */
  double debt;                     /* generated energy that is not dissipated yet, J */
  tacPort damping, damping_before; /* damper's force in this tick, and in the previous tick; N */
} tacPassivity;

tacPassivity tac_passivity_begin(double period, double stiffness_limit, double force_limit, double lever,
                                 double resolution);
/* Adds the work of the held force until a new state of the device. Call first in a tick. */
void tac_passivity_observe(tacPassivity *passivity, tacVec3 position, tacQuat orientation);
/* Damps `force` and `torque` in place. True if the damper acted. Call after tac_passivity_observe in a tick. */
bool tac_passivity_damp(tacPassivity *passivity, tacVec3 *force, tacVec3 *torque);
/* Sets the energy that bodies hold and may give back to this hand, J (tacEnergyAccount.stored). Call in each tick after
 * tac_passivity_observe, or never. */
void tac_passivity_set_stored(tacPassivity *passivity, double energy);
/* Stores the written force and torque, which are held until the next tick, and the requested force and torque of the
 * world. A request that is NaN or infinite counts as zero. Call last in a tick. */
void tac_passivity_hold(tacPassivity *passivity, tacVec3 asked_force, tacVec3 asked_torque, tacVec3 force,
                        tacVec3 torque);
