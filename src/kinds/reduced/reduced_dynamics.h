/* Integrates the equation of motion of a reduced body in its kept coordinates, M q'' + D(q, q') + R(q) = f (Barbic
 * 2007, (2.21)).
 *
 * M is the mass matrix, D the damping force, R the internal force and f the load. All vectors are in the frame of the
 * body. Surfaces and poses are in reduced_body.h. Creation is for the load phase. Other functions may be called in any
 * phase and do not allocate. Equation and section numbers refer to Barbic 2007. */
#pragma once

#include "kinds/reduced/coordinate_force.h"
#include "math/dense/dense.h"

/* Parameters of the time integration. */
typedef struct tacReducedMotion {
  double step;              /* length of a time step, s */
  int newton_steps;         /* number of Newton iterations per time step (j_max), 1 to 10; default 1 */
  double tolerance;         /* norm of the residual at which Newton's method stops, N kg^-1/2; default 0: never */
  double mass_damping;      /* mass coefficient of Rayleigh damping (2.33), 1/s */
  double stiffness_damping; /* stiffness coefficient of Rayleigh damping (2.33), s */
  double strain_rate; /* coefficient of strain-rate damping (2.34), s: phi = strain_rate lambda, psi = strain_rate mu */
  bool is_static;     /* true: no inertia and no damping; each step makes j_max Newton iterations towards equilibrium */
  bool linear;        /* true: geometrically linear, R = K(0) q and K = K(0); for sketches and comparison */
  double acceleration_limit; /* limit of |q''|, kg^1/2 m/s^2 (section 3.10.2); 0: none */
  bool euler;                /* true: implicit Euler method, which contact laws require; false: Newmark's method */
  tacVec3 gravity;           /* gravity in the frame of the body, m/s^2 */
} tacReducedMotion;
tacReducedMotion tac_reduced_motion_default(void);

typedef struct tacReducedAdvance {
  int newton_steps; /* number of Newton iterations made */
  bool limited;     /* true if the acceleration or the motion was limited */
  bool refused;     /* true if the result was not finite or the equations were unsolvable; the body was stopped */
  double residual;  /* norm of the residual before the last Newton iteration, N kg^-1/2 */
} tacReducedAdvance;

/* State and workspace of the time integration. The caller may read all members up to `most_q`. Before a step the caller
 * may set `load`, `mass` and `most_q`. */
typedef struct tacReducedDynamics {
  int count;                           /* n, number of coordinates */
  double *q, *velocity, *acceleration; /* state, [n] */
  double *load;                        /* reduced force U^T f, [n], N kg^-1/2 */
  tacDense mass;                       /* reduced mass matrix, n x n, symmetric */
  bool mass_is_factored; /* true if `mass_factor` belongs to `mass`; set to false after a change of `mass` */
  bool is_starting;      /* true if q'' is unknown; the next step then computes q'' from the loads */
  double most_q;         /* largest allowed |q| */

  double *next, *rate;                /* present iterates of q and q' */
  double *internal, *residual, *work; /* R at `evaluated`; residual of the equation of motion; scratch */
  double *evaluated;                  /* coordinates q at which `internal` and `stiffness` were computed */
  bool is_known, known_linear;        /* true if `internal` and `stiffness` are valid; value of `linear` for both */
  double *change, *trial;             /* Newton step; trial value of q */
  double *before;                     /* `next` before the last call of move */
  bool shortened;                     /* true if finish shortened the motion of the last step */
  double scale; /* factor on D, R and f in this step, which limits the acceleration (section 3.10.2) */
  tacDense mass_factor, stiffness, matrix, factor;
  tacDense stress; /* S : E'', the stress part of the stiffness (reduced_stress.h) */
  double *memory;
} tacReducedDynamics;

tacStatus tac_reduced_dynamics_create(int count, tacReducedDynamics *dynamics, tacError *error);
void tac_reduced_dynamics_destroy(tacReducedDynamics *dynamics); /* {0} is allowed */

/* Sets the state. Returns false and leaves the state unchanged if the new state is not finite or too large. */
bool tac_reduced_dynamics_set(tacReducedDynamics *dynamics, double step, const double *q, const double *velocity);
void tac_reduced_dynamics_stop(tacReducedDynamics *dynamics); /* sets the velocity to zero */
/* These functions make a time step in parts: call begin once, then linearise and move any number of times, then finish.
 *
 * `linearise` computes the equations matrix d = load + external forces at the end of the step. The unknown d is the
 * change of `next`, and `matrix` is [n][n] and symmetric. `linearise` returns false if a value is not finite. The
 * stiffness in `matrix` may be from an earlier q. `finish` shortens the motion if the internal force resists the motion
 * more than this stiffness predicted, or if the motion leaves `most_q`. If `finish` returns false, the state is unchanged. */
void tac_reduced_dynamics_begin(tacReducedDynamics *dynamics);
bool tac_reduced_dynamics_linearise(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                    const tacCoordinateForce *force, double *matrix, double *load,
                                    tacReducedAdvance *report);
void tac_reduced_dynamics_move(tacReducedDynamics *dynamics, const double *change);
bool tac_reduced_dynamics_finish(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                 const tacCoordinateForce *force);
/* Makes a complete time step with `load` as the only external force. Returns false and leaves the state unchanged if
 * the step fails. */
bool tac_reduced_dynamics_advance(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                  const tacCoordinateForce *force, tacReducedAdvance *report);
double tac_reduced_dynamics_energy(const tacReducedDynamics *dynamics, bool linear, const tacCoordinateForce *force);
/* Computes the energy of tac_reduced_dynamics_energy in O(n^2) from values of the end of the last step. The result is
 * exact. W itself is evaluated if W is not a polynomial, and after a shortened step, whose end is not where the last
 * values were computed. */
double tac_reduced_dynamics_stored(const tacReducedDynamics *dynamics, bool linear, const tacCoordinateForce *force);

/* Compute J x, and y += J^T f, for a Jacobian J [axis][n]. */
tacVec3 tac_reduced_jacobian_mul(int n, const double *jacobian, const double *x);
void tac_reduced_jacobian_add(int n, const double *restrict jacobian, tacVec3 f, double *restrict y);
