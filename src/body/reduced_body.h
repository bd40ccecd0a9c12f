/* A reduced body that moves: M q'' + D(q, q') + R(q) = f (Barbic 2007, (2.21)), by the implicit Newmark method of section 2.9
 * or statically; with the rigid motion of a free body superimposed. Creation is for the load phase; everything else is for any
 * phase, without allocation, in bounded time. Frames: "body" is the asset's frame, "world" is where the pose puts it. */
#ifndef TAC_BODY_REDUCED_BODY_H
#define TAC_BODY_REDUCED_BODY_H

#include <tactus/reduced.h>
#include "math/mat3.h"
#include "math/quat.h"
#include "mesh/surface_point.h"

typedef struct tacReducedBody tacReducedBody;

typedef struct tacReducedMotion {
  double step;               /* s, between advances */
  int newton_steps;          /* j_max, 1 to 10; default 1 */
  double tolerance;          /* of the residual, N kg^-1/2, below which Newton's method ends; default 0: none */
  double alpha_mass;         /* Rayleigh damping (2.33): 1/s, */
  double beta_stiffness;     /* s */
  bool is_static;            /* no inertia and no damping: every advance is j_max Newton steps towards equilibrium */
  bool linear;               /* R = K(0) q and K = K(0): geometrically linear, for sketches and comparison */
  double acceleration_limit; /* of |q''|, kg^1/2 m/s^2 (section 3.10.2); 0: none */
  tacVec3 gravity;           /* m/s^2, world frame */
} tacReducedMotion;
tacReducedMotion tac_reduced_motion_default(void);

/* `kept[r]` says which vectors of the basis are used; NULL: all. Refers to `reduced`. */
tacStatus tac_reduced_body_create(const tacReduced *reduced, const bool *kept, const tacReducedMotion *motion,
                                  tacVec3 position, tacQuat orientation, tacReducedBody **body, tacError *error);
void tac_reduced_body_destroy(tacReducedBody *body); /* NULL is allowed */
const tacReduced *tac_reduced_body_asset(const tacReducedBody *body);
const tacReducedMotion *tac_reduced_body_motion(const tacReducedBody *body);
/* Damping, linear, gravity and the like may change between advances; `step` may not. */
void tac_reduced_body_set_motion(tacReducedBody *body, const tacReducedMotion *motion);
/* At rest, undeformed, where it was created. */
void tac_reduced_body_reset(tacReducedBody *body);

/* ---- loads of the next advance ---- */

/* A force (N, world frame) at a point of the surface. */
void tac_reduced_body_add_force(tacReducedBody *body, tacSurfacePoint at, tacVec3 force);
/* A spring and damper from a point of the surface to `target` (world frame): f = k (target - x) - c x', taken implicitly: it
 * enters the matrix of the step too, so that stiff ones are stable. At most TAC_REDUCED_MOST_SPRINGS a step; false beyond. */
enum { TAC_REDUCED_MOST_SPRINGS = 32 };
bool tac_reduced_body_add_spring(tacReducedBody *body, tacSurfacePoint at, tacVec3 target, double stiffness,
                                 double damping);
/* A force (N) and torque (N m) on the rigid motion alone, world frame, about the centre of mass; nothing for anchored bodies. */
void tac_reduced_body_add_wrench(tacReducedBody *body, tacVec3 force, tacVec3 torque);
/* Where forces between two free bodies act on this one: its centre half a step ahead, as its velocity takes it there. A step
 * moves the centre by h (v + v') / 2, so an impulse j at `where`, with the torque (where - halfway) x its force, changes the
 * body's angular momentum about any point by that of j at `where`, to the last digit. */
tacVec3 tac_reduced_body_halfway(const tacReducedBody *body);
/* What pushes a free body at a point of its surface: a floor, another body. World frame. */
typedef struct tacReducedContact {
  tacSurfacePoint at;        /* where it deforms the body */
  tacVec3 where;             /* where it pushes the rigid motion, m */
  tacVec3 normal;            /* unit: the direction of the push */
  tacReducedBody *other;     /* the free body that pushes, and is pushed back; NULL: what does not move */
  tacSurfacePoint there;     /* where it deforms that one */
  double depth;              /* m that the point is too deep */
  double stiffness, damping; /* N/m, N s/m; along the normal */
  double friction;           /* Coulomb's coefficient */
} tacReducedContact;
/* f = k depth - c n.x' along the normal, a step ahead, but never a pull, and friction that stops slipping or is
 * Coulomb's. They are found together, for the motion that they and the loads so far give without elasticity and springs: so they
 * push no more than what stops the bodies, however stiff they are and long the step is; a contact is never stiffer than about
 * (its mass) / step^2. Friction acts on the rigid motion alone. The impulse that the body gets in its next step the other one
 * gets in its own, opposite, at the same point: together they keep linear and angular momentum, whatever their steps are. So
 * a contact of two bodies is added to one of them only, that with the longer step. Once a step, after the other loads; together
 * with the springs at most TAC_REDUCED_MOST_SPRINGS, those beyond are left out; another body occurs once. Nothing for anchored
 * bodies. */
void tac_reduced_body_add_contacts(tacReducedBody *body, int count, const tacReducedContact *contacts);
/* A reduced force, U^T f with f in the body's frame; r numbers in the asset's numbering. */
void tac_reduced_body_add_reduced(tacReducedBody *body, const double *force);

/* A reduced force with its answer to motion, f = force - stiffness (q - q_now), taken implicitly: it enters the matrix of
 * the step. [r] and [r][r], symmetric, not negative, in the asset's numbering. Several add up. Answers that last are stable
 * however stiff they are. Those that come and go, as contacts do, may give energy where K h^2 is not small against the mass;
 * a damper c h K, c about 1, prevents that up to K h^2 some ten times the mass. At the end of the step q' is
 * 2 (q - q_now) / h - q'_now, so with it the force is f + c h K q'_now and the stiffness (1 + 2 c) K. */
void tac_reduced_body_add_answer(tacReducedBody *body, const double *force, const double *stiffness);

typedef struct tacReducedAdvance {
  int newton_steps; /* done */
  bool limited;     /* the acceleration was */
  bool refused; /* the result was not finite or its matrix not positive definite even when it was made stiffer: the body
                        * was brought to rest where it was */
  double residual; /* before the last Newton step, N kg^-1/2 */
} tacReducedAdvance;
/* One step under the loads, which are then forgotten. */
tacReducedAdvance tac_reduced_body_advance(tacReducedBody *body);

/* ---- state ---- */

int tac_reduced_body_size(const tacReducedBody *body); /* the asset's r; dropped coordinates stay 0 */
const double *tac_reduced_body_q(const tacReducedBody *body);
const double *tac_reduced_body_velocity(const tacReducedBody *body); /* dq/dt */
/* Sets q and dq/dt (NULL: zero), r numbers in the asset's numbering. */
void tac_reduced_body_set(tacReducedBody *body, const double *q, const double *velocity);
tacVec3 tac_reduced_body_position(const tacReducedBody *body); /* of the asset's origin, world frame */
tacQuat tac_reduced_body_orientation(const tacReducedBody *body);
void tac_reduced_body_set_pose(tacReducedBody *body, tacVec3 position, tacQuat orientation);
void tac_reduced_body_set_rigid_velocity(tacReducedBody *body, tacVec3 linear,
                                         tacVec3 angular);   /* of the centre; world */
tacVec3 tac_reduced_body_centre(const tacReducedBody *body); /* of mass at rest shape, world frame */
tacVec3 tac_reduced_body_linear(const tacReducedBody *body); /* velocity of the centre */
tacVec3 tac_reduced_body_angular(const tacReducedBody *body);
double tac_reduced_body_mass(const tacReducedBody *body);   /* kg, with densities as they are now */
double tac_reduced_body_energy(const tacReducedBody *body); /* elastic and kinetic of the deformation, J */

/* Single points of the deformed surface in O(r), world frame. */
tacVec3 tac_reduced_body_vertex(const tacReducedBody *body, int vertex);        /* (3.6) */
tacVec3 tac_reduced_body_vertex_normal(const tacReducedBody *body, int vertex); /* (3.8), unit, outward */
tacVec3 tac_reduced_body_point(const tacReducedBody *body, tacSurfacePoint at);
tacVec3 tac_reduced_body_point_velocity(const tacReducedBody *body, tacSurfacePoint at);
tacVec3 tac_reduced_body_point_normal(const tacReducedBody *body, tacSurfacePoint at);

/* ---- materials (section 2.11) ---- */

/* Factors on what was baked, by group: on lambda, mu and density; positive. Groups that are not isotropic have one factor for
 * all of C, which is that of mu; lambda's is ignored. The new coefficients are summed up a bounded number a call of
 * tac_reduced_body_advance, and used all at once when they are complete; `..._settle` completes them now. */
void tac_reduced_body_set_lambda(tacReducedBody *body, int group, double factor);
void tac_reduced_body_set_mu(tacReducedBody *body, int group, double factor);
void tac_reduced_body_set_density(tacReducedBody *body, int group, double factor);
double tac_reduced_body_lambda(const tacReducedBody *body, int group);
double tac_reduced_body_mu(const tacReducedBody *body, int group);
double tac_reduced_body_density(const tacReducedBody *body, int group);
void tac_reduced_body_settle(tacReducedBody *body);

#endif
