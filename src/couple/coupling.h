/* Virtual coupling between a held body and the device (Barbic 2007, chapter 4): the wrench that pulls the simulated
 * body toward the device, and the stiffness of the coupling.
 *
 * The grasp is a frame fixed to the held body. Parameters named `body` are the pose of the grasp on the simulated body;
 * parameters named `device` are the pose of the grasp commanded by the device. Numbers in parentheses, as (4.14), are
 * equations of the thesis. */
#pragma once

#include "contact/contact_spring.h"
#include "math/geometry/quat.h"

typedef struct tacGrasp {
  tacVec3 position; /* m, world */
  tacQuat orientation;
} tacGrasp;

typedef struct tacCouplingDef {
  double stiffness;             /* translational stiffness k_VC, N/m */
  double turn_stiffness;        /* rotational stiffness: torque / sin(theta/2) at the rotation theta (4.14), N m */
  double force_most;            /* saturation limit of the force (4.39), N; infinity: no saturation */
  double torque_most;           /* saturation limit of the torque, N m; infinity: no saturation */
  double static_damping;        /* alpha of static damping (section 4.8), from 0 to less than 1; static coupling only */
  double speed_most, turn_most; /* speed limits of the simulated body (section 4.6), m/s and rad/s */
  /* ---- dynamic coupling ---- */
  double mass;          /* mass of the body, kg */
  tacMat3 inertia;      /* moments of inertia about the grasp, along the axes of the grasp, kg m^2 */
  tacVec3 centre;       /* centre of mass relative to the grasp, along the axes of the grasp, m */
  double damping_ratio; /* damping ratio of the coupling's spring with `mass`; default 1 */
  /* ---- instrument through a trocar (tac_trocar_constrain) ---- */
  bool trocar;   /* the coupling's springs act only on translation and on the roll about the shaft */
  tacVec3 pivot; /* fixed point on the shaft, world, m */
  tacVec3 shaft; /* direction of the line through grasp and pivot, unit, along the axes of the grasp */
} tacCouplingDef;
tacCouplingDef tac_coupling_def_default(void);

/* Returns the wrench on the simulated body. Writes the tangent stiffness unless `stiffness` is NULL: d(wrench) =
 * -stiffness (dx, domega) for a small motion of the body (4.17 with k_VC, 4.26, 4.40). The tangent stiffness is not
 * symmetric for large rotations. */
tacWrench tac_coupling_wrench(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                              double stiffness[6][6]);
/* Returns the factor, 0 to 1, by which saturation multiplies a force and a torque of these magnitudes. The factor is
 * (4.39) for the length l of the vector (force / force_most, torque / torque_most). The factor is 1 for l <= 1/2. For
 * larger l, the product of the factor and l tends to 1 exponentially.
 *
 * Force and torque have the same factor. The unsaturated wrench on the hand is therefore a multiple of the wrench on
 * the body, with the same line of action. With different factors the hand could gain energy by moving in circles. */
double tac_coupling_share(const tacCouplingDef *def, double force, double torque);
/* Computes the roll torque on the body for a trocar: turn_stiffness times the returned value times `direction`. For the
 * roll phi and the angle sigma between the two shafts, the returned value is sin(phi/2) cos(sigma/2). `direction`:
 * world frame, length at most 1. */
double tac_coupling_roll(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device, tacVec3 *direction);
/* Computes `toward`, the motion from body to device: translation (m) and shortest rotation vector (rad). */
void tac_coupling_toward(const tacGrasp *body, const tacGrasp *device, double toward[6]);
/* Computes the secant stiffness, which a step uses: secant x toward = wrench (tac_coupling_toward). The translational
 * block is a multiple of the identity. Without a trocar, the rotational block is also a multiple of the identity.
 *
 * The secant equals the tangent stiffness of tac_coupling_wrench for small rotations without saturation. Otherwise the
 * secant is larger. The secant is positive even if the tangent stiffness vanishes, as with saturation or a rotation of
 * 180 degrees. So a step reaches the device and does not overshoot. The secant omits the antisymmetric part of the
 * tangent stiffness, like the multiplane contact stiffness. For the sum of all torques this part is [torque]~/2, which
 * is zero in equilibrium. */
void tac_coupling_secant(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                         double stiffness[6][6]);
/* Returns the wrench on the hand (section 4.9): the reaction of the coupling's springs without saturation. A device
 * clips the wrench at its own limits. */
tacWrench tac_coupling_felt(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device);
/* Returns the wrench for a device that holds its output during a tick: the wrench at the middle of the tick, felt +
 * rise / 2. Consider a device that holds the force of a spring k from the start of the tick. While the hand presses,
 * the force is too small by k dx / 2. While the hand retreats, the force is too large by the same amount. This error
 * gives the hand the energy k dx^2 / 2 per tick. The correction rise / 2 is limited to the length of `felt`, so that
 * the device does not pull when a contact ends. */
tacWrench tac_coupling_lead(const tacWrench *felt, const tacWrench *rise);
/* Returns the rise of the felt wrench per tick. The rise is smoothed over 4 ticks, so that encoder steps are hardly
 * amplified. `rise`: previous result. `before`, `now`: felt wrench in the previous tick and in this tick. */
tacWrench tac_coupling_rise(const tacWrench *rise, const tacWrench *before, const tacWrench *now);

/* Returns the largest factor, 0 to 1, that scales `motion` to within the speed limits (section 4.6). Returns 0 if
 * `motion` is NaN or infinite. */
double tac_coupling_limit(const tacCouplingDef *def, double period, const double motion[6]);
/* Moves the body by `motion`. If `motion` exceeds the speed limits, the function scales `motion` down and returns true.
 * If `motion` is NaN or infinite, the function sets `motion` to zero and returns true. */
bool tac_coupling_move(const tacCouplingDef *def, double period, double motion[6], tacGrasp *body);

typedef struct tacTwist {
  tacVec3 linear, angular;
} tacTwist;

/* Computes the equations of a held body with a static coupling: A m = load + contacts (4.1, 4.2). m = (dx, domega) is
 * the motion of the grasp in a step. `matrix`: A, symmetric, positive definite. The caller applies static damping
 * (section 4.8): the caller adds contacts of stiffness K as K / (1 - alpha). */
void tac_static_coupling_equation(const tacCouplingDef *def, const tacGrasp *device, const tacGrasp *body,
                                  double matrix[6][6], double load[6]);
/* Adds static damping (section 4.8) of a body in contact: `times` the secant stiffness, against the motion of the body
 * relative to the device. `velocity`: smoothed velocity of the device. Motion with the device is not damped. */
void tac_static_coupling_slow(const tacCouplingDef *def, const tacGrasp *device, const tacGrasp *body,
                              const tacTwist *velocity, double times, double period, double matrix[6][6],
                              double load[6]);
/* Returns the factor, 0 to 1, on `pull` that keeps `motion` within the speed limits (section 4.6). `pull` is the part
 * of `motion` that the coupling causes. The factor has the effect of a nearer device. So a body far behind the device
 * still leaves an overlap at full speed. */
double tac_coupling_hold_back(const tacCouplingDef *def, double period, const double pull[6], const double motion[6]);
/* Computes the equations of a held body with a dynamic coupling (mass, spring and damper) by implicit Euler: A m = load
 * + contacts, for the motion m = (dx, domega) of the grasp. `velocity`: velocity of the grasp on the body. */
void tac_dynamic_coupling_equation(const tacCouplingDef *def, double period, const tacGrasp *device,
                                   const tacTwist *device_velocity, const tacGrasp *body, const tacTwist *velocity,
                                   double matrix[6][6], double load[6]);
/* Returns the kinetic energy of a body with the mass and inertia of `def`, J. */
double tac_dynamic_coupling_energy(const tacCouplingDef *def, const tacGrasp *body, const tacTwist *velocity);
/* Returns the wrench of a dynamic coupling on the hand: springs without saturation, and damper. */
tacWrench tac_dynamic_coupling_felt(const tacCouplingDef *def, const tacGrasp *body, const tacGrasp *device,
                                    const tacTwist *velocity, const tacTwist *device_velocity);

/* ---- trocars ----
 *
 * An instrument through a trocar is a rod through a fixed point of the body wall, the pivot p. The shaft of the rod, a
 * line through the grasp g, always contains p. Four degrees of freedom remain: translation along the shaft, roll about
 * the shaft, and two tilts about p.
 *
 * The constraint at p is not part of the coupling. The hand does not feel the constraint, and the constraint does no
 * work. The coupling has two springs: a spring from g to the device, which moves the shaft as a lever, and a spring for
 * the roll (tac_coupling_roll). Tilts need no spring, since the position of g determines the tilts. At rest, the
 * moments about p of the hand's force and of the load on the instrument are opposite. So the hand feels a load at the
 * depth l reversed and scaled by l / |g - p|. */

/* Adds the constraint at p to the matrix A of a step's equations, A m = load + contacts. The constraint is a stiff
 * spring against motion of the rod across the shaft at p. The stiffness of this spring is ten million times the
 * translational terms of A. tac_trocar_place removes the remaining error. The function also adds a tilt stiffness: that
 * of the coupling at a lever of 1 mm. So A is regular even if g is at p. */
void tac_trocar_constrain(const tacCouplingDef *def, const tacGrasp *body, double matrix[6][6]);
/* Moves the body perpendicular to the shaft until the shaft contains p. This removes the drift of a finite step. */
void tac_trocar_place(const tacCouplingDef *def, tacGrasp *body);
