/* Virtual coupling of a held body with the device (Barbic 2007, chapter 4): what pulls the simulated body to where the
 * device is, and how that answers small motions. Poses are those of the grasp: a frame that both copies of the body
 * carry at one material place. */
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
  double force_most;            /* N: saturation (4.39); infinity: none */
  double torque_most;           /* N m: likewise; both together: see tac_coupling_share */
  double static_damping;        /* alpha of 4.8, 0 to <1; static coupling */
  double speed_most, turn_most; /* m/s and rad/s of the simulated body (4.6) */
  /* Dynamic coupling alone: */
  double mass;          /* kg */
  tacMat3 inertia;      /* about the grasp, kg m^2, body frame at identity */
  tacVec3 centre;       /* of mass, from the grasp, body frame at identity */
  double damping_ratio; /* of the coupling's spring with this mass; default 1 */
  /* Of an instrument through a trocar (tac_trocar_constrain): the shaft, a line through the grasp, goes through the pivot. The springs are
   * then those of the way and of the roll about the shaft alone. */
  bool trocar;
  tacVec3 pivot; /* m, world */
  tacVec3 shaft; /* unit, body frame */
} tacCouplingDef;
tacCouplingDef tac_coupling_def_default(void);

/* On the simulated body at `body`, of the device at `device`; and its stiffness: d(wrench) = -stiffness (dx, domega)
 * for a small motion of the body (4.17 with k_VC, 4.26, 4.40), which is not symmetric for large turns; NULL where it
 * is not wanted. */
tacWrench tac_coupling_wrench(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                              double stiffness[6][6]);
/* What saturation leaves of a force and torque of these sizes, 1 to 0: (4.39) in terms of the length of (force /
 * force_most, torque / torque_most). All is left up to a half, then exponentially less, so that the product goes to
 * one. There is one share for both: what the hand feels, which is not saturated, is then a multiple of what acts on
 * the body, with the same lever. With a share each the hand could gain energy by going round. */
double tac_coupling_share(const tacCouplingDef *def, double force, double torque);
/* Of a trocar: the direction n of the roll's torque, world, at most one long; the torque on the body is turn_stiffness times the sine
 * that is returned times n. */
double tac_coupling_roll(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device, tacVec3 *direction);
/* The way from body to device: m, and the shortest rotation vector, rad. */
void tac_coupling_toward(const tacGrasp *body, const tacGrasp *device, double toward[6]);
/* The stiffness that a step takes: the secant, stiffness x toward = wrench, a multiple of the identity for ways and
 * one for turns. It is that gradient for small turns without saturation. Otherwise it is above: positive where the
 * gradient vanishes (saturated, turned by 180 degrees), so that a step goes to the device and not past it. The
 * gradient's antisymmetric part is left out with reason: that of all torques together is [torque]~/2, which is zero in
 * equilibrium, and the contact's is not in the multiplane stiffness either. */
void tac_coupling_secant(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                         double stiffness[6][6]);
/* What the hand feels (the rule of 4.9): the reaction of the coupling's springs without saturation; devices cut it at
 * their limits. */
tacWrench tac_coupling_felt(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device);
/* What to give a device that holds it for a tick: the force of the tick's middle, felt + rise / 2. Held as it is, a spring's force is short by
 * k dx / 2 on the way in and too large by as much on the way out, which gives the hand k dx^2 / 2 a tick. It takes away at most what
 * is felt, so that nothing pulls where a contact ends. */
tacWrench tac_coupling_lead(const tacWrench *felt, const tacWrench *rise);
/* By how much what is felt rises in a tick, smoothed over 4 ticks, so that counts of an encoder are felt as they are: `rise` before, what was
 * felt in the tick before, and now. */
tacWrench tac_coupling_rise(const tacWrench *rise, const tacWrench *before, const tacWrench *now);

/* The share of `motion` that is within the limits (4.6), 0 to 1; none of one that is not finite. */
double tac_coupling_limit(const tacCouplingDef *def, double period, const double motion[6]);
/* Moves the body by `motion`, which is shortened as a whole where it is faster than the limits (4.6): true. No motion
 * where it is not finite. */
bool tac_coupling_move(const tacCouplingDef *def, double period, double motion[6], tacGrasp *body);

typedef struct tacTwist {
  tacVec3 linear, angular;
} tacTwist;

/* The equations of a held body for its motion (dx, domega) about its grasp in a step, A m = load + contacts (4.1, 4.2); A row-major,
 * symmetric, positive. Static damping (4.8) is the caller's: contacts of a stiffness K enter as K / (1 - alpha). */
void tac_static_coupling_equation(const tacCouplingDef *def, const tacGrasp *device, const tacGrasp *body,
                                  double matrix[6][6], double load[6]);
/* Static damping of a body in contact (4.8): adds `times` the secant against its motion beyond that of the device, which moves with
 * `velocity` (smoothed). What moves with the device is not held back. */
void tac_static_coupling_slow(const tacCouplingDef *def, const tacGrasp *device, const tacGrasp *body,
                              const tacTwist *velocity, double times, double period, double matrix[6][6],
                              double load[6]);
/* Where a motion would be faster than the limits (4.6): the share of the coupling's pull in it, `pull`, that keeps them, as if the
 * device were nearer. So a body that is far behind its device still leaves what it has entered at full rate. */
double tac_coupling_hold_back(const tacCouplingDef *def, double period, const double pull[6], const double motion[6]);
/* Of a dynamic one: mass, spring and damper, Euler's implicit method. `velocity`: of the grasp. */
void tac_dynamic_coupling_equation(const tacCouplingDef *def, double period, const tacGrasp *device,
                                   const tacTwist *device_velocity, const tacGrasp *body, const tacTwist *velocity,
                                   double matrix[6][6], double load[6]);
/* J: kinetic energy of a body with this mass. */
double tac_dynamic_coupling_energy(const tacCouplingDef *def, const tacGrasp *body, const tacTwist *velocity);
/* What the hand feels of it: spring without saturation, and damper. */
tacWrench tac_dynamic_coupling_felt(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                                    const tacTwist *velocity, const tacTwist *device_velocity);

/* An instrument through a trocar: a rod through a fixed point of the body wall, the pivot p. The rod's shaft b is a line through its
 * grasp g, and p stays on it: of the six of the body four are left, the way along the shaft, the roll about it, and two tilts about p.
 *
 * What keeps p on the shaft is no part of the coupling and feels nothing: it does no work. The coupling is a spring from g to the device,
 * which moves the shaft as a lever, and one of the roll (tac_coupling_roll); there is none of tilts, which the place of g says.
 * So at rest the moments about p of what the hand feels and of what pushes the instrument are opposite: a push at the depth l is
 * felt reversed, as l / |g - p| of it. */

/* Adds to the equations of a step, A m = load + contacts, what holds the place of the body that is at p, across the shaft. Stiff, not
 * exact: ten million times what A has for ways of the grasp; what it gives way is taken back by tac_trocar_place. The lever is at least a millimetre, where g is at p. */
void tac_trocar_constrain(const tacCouplingDef *def, const tacGrasp *body, double matrix[6][6]);
/* Moves the body across its shaft until p is on it: what a step of finite length has moved it off. */
void tac_trocar_place(const tacCouplingDef *def, tacGrasp *body);
