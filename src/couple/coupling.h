/* Virtual coupling between a held body and the device (Barbic 2007, chapter 4): the wrench that pulls the simulated
 * body toward the device, and its stiffness. Poses are poses of the grasp: a frame at the same material point of the
 * simulated body and of its copy at the device. */
#pragma once

#include "contact/contact_spring.h"
#include "math/geometry/quat.h"

typedef struct tacGrasp {
  tacVec3 position; /* m, world */
  tacQuat orientation;
} tacGrasp;

typedef struct tacCouplingDef {
  double stiffness;             /* k_VC, N/m */
  double turn_stiffness;        /* N m: the torque is this times sin(theta/2) (4.14) */
  double force_most;            /* N: saturation (4.39); infinity: no saturation */
  double torque_most;           /* N m: likewise; tac_coupling_share combines both */
  double static_damping;        /* alpha of 4.8, 0 to <1; static coupling */
  double speed_most, turn_most; /* m/s and rad/s: limits of the simulated body (4.6) */
  /* Only for a dynamic coupling: */
  double mass;          /* kg */
  tacMat3 inertia;      /* about the grasp, kg m^2, body frame at identity */
  tacVec3 centre;       /* centre of mass relative to the grasp, body frame at identity */
  double damping_ratio; /* damping ratio of the coupling's spring with this mass; default 1 */
  /* For an instrument through a trocar (tac_trocar_constrain): the shaft, a line through the grasp, passes through the
   * pivot. Springs then act only on translation and on the roll about the shaft. */
  bool trocar;
  tacVec3 pivot; /* m, world */
  tacVec3 shaft; /* unit, body frame */
} tacCouplingDef;
tacCouplingDef tac_coupling_def_default(void);

/* Wrench on the simulated body at `body`, with the device at `device`, and its stiffness: d(wrench) = -stiffness (dx,
 * domega) for a small motion of the body (4.17 with k_VC, 4.26, 4.40), asymmetric for large rotations; NULL: not
 * wanted. */
tacWrench tac_coupling_wrench(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                              double stiffness[6][6]);
/* Factor, 0 to 1, by which saturation multiplies a force and a torque of these magnitudes. It is (4.39) for the length
 * of (force / force_most, torque / torque_most). Up to a length of one half the share is 1. Above, the product of share
 * and length tends to one exponentially. Force and torque have one share: the hand's force, which is not saturated, is
 * then a multiple of the force on the body, with the same lever. With two shares the hand could gain energy by moving
 * in circles. */
double tac_coupling_share(const tacCouplingDef *def, double force, double torque);
/* For a trocar: direction n of the roll's torque, world, at most of unit length; the torque on the body is
 * turn_stiffness times the returned sine times n. */
double tac_coupling_roll(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device, tacVec3 *direction);
/* Sets `toward` to the motion from body to device: translation (m) and shortest rotation vector (rad). */
void tac_coupling_toward(const tacGrasp *body, const tacGrasp *device, double toward[6]);
/* Stiffness used in a step: the secant, stiffness x toward = wrench, a multiple of the identity for translation and one
 * for rotation. It equals the stiffness of tac_coupling_wrench for small rotations without saturation. Otherwise it is
 * larger: it is positive even where that stiffness vanishes (saturated, or 180 degrees apart). So a step reaches the
 * device and does not overshoot. The antisymmetric part is omitted, as in the multiplane contact stiffness: for the sum
 * of all torques it is [torque]~/2, which is zero in equilibrium. */
void tac_coupling_secant(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                         double stiffness[6][6]);
/* Force on the hand (the rule of 4.9): the reaction of the coupling's springs without saturation; devices clip it at
 * their limits. */
tacWrench tac_coupling_felt(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device);
/* Force for a device that holds its output for a tick: the force at the tick's middle, felt + rise / 2. If a device
 * holds the start value, a spring's force is too small by k dx / 2 on the way in. On the way out it is too large by the
 * same amount. This gives the hand k dx^2 / 2 per tick. The reduction is at most the felt force, so that nothing pulls
 * when a contact ends. */
tacWrench tac_coupling_lead(const tacWrench *felt, const tacWrench *rise);
/* Rise of the felt force per tick, smoothed over 4 ticks, so that encoder counts are felt unchanged. `rise`: previous
 * result; `before`, `now`: felt force in the previous and this tick. */
tacWrench tac_coupling_rise(const tacWrench *rise, const tacWrench *before, const tacWrench *now);

/* Share of `motion` that is within the limits (4.6), 0 to 1; 0 if it is not finite. */
double tac_coupling_limit(const tacCouplingDef *def, double period, const double motion[6]);
/* Moves the body by `motion`, scaled down as a whole if it exceeds the limits (4.6): true. No motion if it is not
 * finite. */
bool tac_coupling_move(const tacCouplingDef *def, double period, double motion[6], tacGrasp *body);

typedef struct tacTwist {
  tacVec3 linear, angular;
} tacTwist;

/* Equations of a held body for its motion (dx, domega) about its grasp in a step, A m = load + contacts (4.1, 4.2); A
 * is row-major, symmetric, positive definite. Static damping (4.8) is up to the caller: contacts of stiffness K enter
 * as K / (1 - alpha). */
void tac_static_coupling_equation(const tacCouplingDef *def, const tacGrasp *device, const tacGrasp *body,
                                  double matrix[6][6], double load[6]);
/* Static damping of a body in contact (4.8): adds `times` the secant against its motion relative to the device, whose
 * smoothed velocity is `velocity`. Motion with the device is not damped. */
void tac_static_coupling_slow(const tacCouplingDef *def, const tacGrasp *device, const tacGrasp *body,
                              const tacTwist *velocity, double times, double period, double matrix[6][6],
                              double load[6]);
/* Returns the factor on `pull`, the part of `motion` due to the coupling, that keeps the motion within the limits
 * (4.6); 1 if it is within. The effect is that of a nearer device. So a body far behind its device still leaves an
 * overlap at full speed. */
double tac_coupling_hold_back(const tacCouplingDef *def, double period, const double pull[6], const double motion[6]);
/* Dynamic coupling: mass, spring and damper, implicit Euler. `velocity`: of the grasp. */
void tac_dynamic_coupling_equation(const tacCouplingDef *def, double period, const tacGrasp *device,
                                   const tacTwist *device_velocity, const tacGrasp *body, const tacTwist *velocity,
                                   double matrix[6][6], double load[6]);
/* J: kinetic energy of a body with this mass. */
double tac_dynamic_coupling_energy(const tacCouplingDef *def, const tacGrasp *body, const tacTwist *velocity);
/* Force of the dynamic coupling on the hand: spring without saturation, and damper. */
tacWrench tac_dynamic_coupling_felt(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                                    const tacTwist *velocity, const tacTwist *device_velocity);

/* An instrument through a trocar: a rod through a fixed point of the body wall, the pivot p. The rod's shaft b is a
 * line through its grasp g, and p stays on it. Four of the six degrees of freedom remain: translation along the shaft,
 * roll about it, and two tilts about p.
 *
 * The constraint of p is not part of the coupling, is not felt, and does no work. The coupling is a spring from g to
 * the device, which moves the shaft as a lever, and one for the roll (tac_coupling_roll). Tilts need no spring, as the
 * position of g determines them. So at rest the moments about p of the hand's force and of the load on the instrument
 * are opposite: a load at the depth l is felt reversed, scaled by l / |g - p|. */

/* Adds to the equations of a step, A m = load + contacts, a constraint that stops motion of the body's point at p
 * across the shaft. The constraint is a stiff spring: ten million times A's translation terms. tac_trocar_place removes
 * the remaining error. The lever is limited to at least 1 mm, in case g is at p. */
void tac_trocar_constrain(const tacCouplingDef *def, const tacGrasp *body, double matrix[6][6]);
/* Moves the body across its shaft until p is on it, to remove the drift of a finite step. */
void tac_trocar_place(const tacCouplingDef *def, tacGrasp *body);
