/* Energy at a device's port, and damping where the port generates it (after Hannaford and Ryu 2002, time-domain
 * passivity).
 *
 * The observer. A force is held between ticks, hence the work of the hand on the world from tick k to k + 1 is exactly
 * -f_k . (x_{k+1} - x_k), whatever the path (f on the hand), likewise with torque and rotation: `energy` is its sum.
 * What is generated is judged by accounts whose credit ends (servo/energy_account.h), of work by the trapezium rule:
 * `asked` of the world's force, before ramps, limits and damper; `written` of what the device gets. For both a force
 * that limits cut goes on climbing by what was asked for, and contact is where either of them is.
 *
 * The controller has an account of what was written less the damper's part. What that finds generated is a debt, and a
 * damper f -= alpha dx / T takes it from the motion, alpha |dx|^2 / T a tick: a world that generates the same in every
 * contact pays in each for the one before. A debt alone is seen at the last moment, where contact ends. So, while the
 * force drives the hand and the credit is below 0.7 of what the last climb shows a spring to hold at this force, and
 * below |f|^2 / 2K, which the stiffest spring that the device renders holds, the damper takes 1/20 of what is missing a
 * tick (after Ryu et al. 2005, reference energy following). Masses that the hand moves and weights that it lifts are
 * no springs: its account has a `weight` of the force limit times 2.5 mm for them.
 *
 * The damper shall not be felt more than what it cures:
 * - It is along -dx, and its force is at most the world's: there is none without contact, and it fades with it. alpha
 *   is at most b = 2 T K, twice the stiffest spring that the device renders within a tick, and 10 b more to cancel the
 *   part of the force that drives the motion.
 * - It rises and falls by at most 1/50 of the force limit a tick, but where the motion turns round: there it begins
 *   anew, for what dissipated would push.
 * - dx is the slope of the straight line that fits the positions of the longest window of ticks within their error
 *   (Janabi-Sharifi, Hayward and Chen 2000): an encoder's count, or three times the noise that is seen, sigma^2 = mean
 *   of |x_k - 2 x_{k-1} + x_{k-2}|^2 / 6 over about 0.1 s, whichever is more. One tick where the hand is fast, many
 *   where it is slow. Where the way in that window is within the error, the damper only falls; up to twice the error it
 *   fades in.
 * - Energy is known to the error of a position times the force: a debt of that, for the largest force, is let go.
 *
 * Neither accounts nor controller see noise as energy: a force that follows the positions as measured, noise and all,
 * stores and returns by the trapezium rule what a spring does. What holding such a force truly generates, K dx^2 / 2 a
 * tick, cannot be taken back by a damper that reads the same positions. */
#pragma once

#include "math/geometry/quat.h"
#include "servo/energy_account.h"

enum { TAC_PASSIVITY_WINDOW = 16 }; /* ticks */

/* A force and torque, a motion and turn, or a place: the second in units of the first by the lever. */
typedef struct tacPort {
  tacVec3 linear, angular;
} tacPort;

typedef struct tacPassivity {
  double period;                        /* s */
  double stiffness;                     /* N/m: the device's limit */
  double damping_most;                  /* N s/m */
  double damper_rise;                   /* N a tick */
  double lever;                         /* m; 0: no torque */
  double resolution;                    /* m: a count */
  double force_limit;                   /* N */
  int seen;                             /* states that were observed, at most TAC_PASSIVITY_WINDOW */
  int newest;                           /* in `places` */
  tacPort places[TAC_PASSIVITY_WINDOW]; /* m, and the sum of turns times lever, m */
  double linear_noise, angular_noise;   /* m^2: of an axis */
  tacQuat orientation;
  tacVec3 force, torque;             /* held */
  tacVec3 asked_force, asked_torque; /* with them, before ramps, limits and damper */
  tacVec3 motion, turn;              /* m, rad, of the last tick */
  double energy;                     /* J: of the held force, from the start */
  double least;                      /* J: least of it so far */
  double work;                       /* J: sum of |f . dx| */
  tacEnergyAccount asked, written;
  /* The controller's. */
  tacEnergyAccount undamped;       /* of what was written, without the damper's part */
  double debt;                     /* J */
  tacPort damping, damping_before; /* N, and N m / lever: its force in this tick, and in the one before */
} tacPassivity;

tacPassivity tac_passivity_begin(double period, double stiffness_limit, double force_limit, double lever,
                                 double resolution);
/* Tick: the device's state has been read; adds the work of the held force. */
void tac_passivity_observe(tacPassivity *passivity, tacVec3 position, tacQuat orientation);
/* Tick, after observe: damps in place; true where it did. */
bool tac_passivity_damp(tacPassivity *passivity, tacVec3 *force, tacVec3 *torque);
/* Tick, after observe, or never: what bodies hold that they may give back to this hand, J (tacEnergyAccount.stored). */
void tac_passivity_set_stored(tacPassivity *passivity, double energy);
/* Tick: what is written and held until the next tick, and what the world asked for: no force where that is not
 * finite. */
void tac_passivity_hold(tacPassivity *passivity, tacVec3 asked_force, tacVec3 asked_torque, tacVec3 force,
                        tacVec3 torque);
