/* Energy at a device's port, and damping where the port would generate it (Hannaford and Ryu 2002, time-domain passivity).
 *
 * The observer. A force is held between ticks, hence the work of the hand on the world from tick k to k + 1 is exactly
 * -f_k . (x_{k+1} - x_k), whatever the path (f on the hand), likewise with torque and rotation. A world that only stores and
 * dissipates keeps the sum E above zero.
 *
 * The controller. If the hand goes on by dx in the next tick, E will be E - f . dx; where that is negative, a damper
 * f -= alpha dx / T takes alpha |dx|^2 / T from the motion, hence
 *
 *   alpha = T (f . dx - E) / (|dx|^2 + L^2 |dtheta|^2),   with the lever L for torques.
 *
 * That alone acts at the last moment, where the contact ends, with a step. A spring no stiffer than the device's limit K stores
 * at least |f|^2 / 2K, and |torque|^2 / 2 K L^2; while the force drives the hand and E is below that reference, the damper takes 1/20 of what is
 * missing a tick, so that little is left to do at the end (after Ryu et al. 2005, reference energy following).
 *
 * To dissipate what has been generated already, alpha is at most b = 2 T x the stiffness limit: it answers a motion within a
 * tick by at most twice the force of the stiffest spring that the device renders. To cancel the part of the force that drives
 * the motion, which never turns the force round, it may be 10 b more. Its force rises by at most 1/50 of the force limit a
 * tick, so that it is felt as little as possible. What it leaves is dissipated in the ticks that follow.
 *
 * Holding the force of a spring between ticks generates K dx^2 / 2 in each, which is a fraction of a percent of the work and
 * less than what any device's own friction takes: E may fall by 1/400 of the work before the controller acts.
 *
 * The encoder. A position is known to a count, hence the energy to about a count times the force: E is let down to minus
 * that for the largest force. dx is the slope of the longest window of ticks in which a line fits all positions within a
 * count (Janabi-Sharifi, Hayward and Chen 2000): one tick where the hand is fast, many where it is slow. A device at rest
 * (|dx| below 1e-12 m) is never damped, and one that flickers by a count has hardly a slope: no chatter. */
#ifndef TAC_SERVO_PASSIVITY_H
#define TAC_SERVO_PASSIVITY_H

#include "math/quat.h"

enum { TAC_PASSIVITY_WINDOW = 16 }; /* ticks */

typedef struct tacPassivity {
  double period;       /* s */
  double stiffness;    /* N/m: the device's limit */
  double damping_most; /* N s/m */
  double damper_rise;  /* N a tick */
  double damper;       /* N: the damper's force in the last tick */
  double lever;        /* m; 0: no torque */
  double resolution;   /* m: a count */
  double tolerance;    /* J */
  int seen;            /* states that were observed, at most TAC_PASSIVITY_WINDOW */
  int newest;          /* in `positions` */
  tacVec3 positions[TAC_PASSIVITY_WINDOW];
  tacQuat orientation;
  tacVec3 force, torque; /* held */
  tacVec3 motion, turn;  /* m, rad, of the last tick */
  double energy;         /* J: E */
  double least;          /* J: least E so far */
  double work;           /* J: sum of |f . dx| */
} tacPassivity;

tacPassivity tac_passivity_begin(double period, double stiffness_limit, double force_limit, double lever,
                                 double resolution);
/* Tick: the device's state has been read; adds the work of the held force. */
void tac_passivity_observe(tacPassivity *passivity, tacVec3 position, tacQuat orientation);
/* Tick, after observe: damps in place; true where it did. */
bool tac_passivity_damp(tacPassivity *passivity, tacVec3 *force, tacVec3 *torque);
/* Tick: what was written, held until the next tick. */
void tac_passivity_hold(tacPassivity *passivity, tacVec3 force, tacVec3 torque);

#endif
