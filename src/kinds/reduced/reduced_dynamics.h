/* The equation of motion of a reduced body in its kept coordinates, M q'' + D(q, q') + R(q) = f (Barbic 2007,
 * (2.21)), one step at a time: the part of tacReducedBody that does not know about surfaces and poses. Everything is
 * in the body's frame. Creation is for the load phase, the rest for any, without allocation. */
#pragma once

#include "kinds/reduced/coordinate_force.h"
#include "math/dense/dense.h"

/* How the coordinates step in time, and what became of a step. */
typedef struct tacReducedMotion {
  double step;               /* s, between advances */
  int newton_steps;          /* j_max, 1 to 10; default 1 */
  double tolerance;          /* of the residual, N kg^-1/2, below which Newton's method ends; default 0: none */
  double alpha_mass;         /* Rayleigh damping (2.33): 1/s, */
  double beta_stiffness;     /* s */
  double strain_rate;        /* strain-rate damping (2.34) with phi = strain_rate lambda and psi = strain_rate mu, s */
  bool is_static;            /* no inertia and no damping: every advance is j_max Newton steps towards equilibrium */
  bool linear;               /* R = K(0) q and K = K(0): geometrically linear, for sketches and comparison */
  double acceleration_limit; /* of |q''|, kg^1/2 m/s^2 (section 3.10.2); 0: none */
  bool euler;                /* implicit Euler in place of Newmark's method: contact laws ask for it */
  tacVec3 gravity;           /* m/s^2 */
} tacReducedMotion;
tacReducedMotion tac_reduced_motion_default(void);

typedef struct tacReducedAdvance {
  int newton_steps; /* done */
  bool limited;     /* the acceleration was, or the motion */
  bool refused; /* the result was not finite or its matrix not positive definite even when it was made stiffer: the body
                        * was brought to rest where it was */
  double residual; /* before the last Newton step, N kg^-1/2 */
} tacReducedAdvance;

/* The first block is the caller's to read; `load`, `mass` and bounds are its to set before a step, too. */
typedef struct tacReducedDynamics {
  int count;                           /* n, of coordinates */
  double *q, *velocity, *acceleration; /* [n] */
  double *load;                        /* [n]: reduced force, N kg^-1/2 */
  tacDense mass;                       /* n x n, symmetric */
  bool mass_is_factored;               /* clear it when the mass is set */
  bool is_starting; /* q'' is not known: the equation gives it for the loads of the next advance; set by stop */
  double most_q;    /* a larger |q| is refused */

  double *next, *rate;                /* iterates of q and its velocity */
  double *internal, *residual, *work; /* R(q) of `evaluated`; what the equation lacks; anything */
  double *evaluated;                  /* where `internal` and `stiffness` are known */
  bool is_known, known_linear;        /* they serve another step from there; clear the first when the force changes */
  double *change, *trial;             /* a Newton step, and where it would lead */
  double *before;                     /* `next` as it was before the last move */
  bool shortened;                     /* the last step was: see finish */
  double scale;                       /* on D, R and f in this step: limits the acceleration (section 3.10.2) */
  tacDense mass_factor, stiffness, matrix, factor;
  tacDense stress; /* what stress adds to the stiffness, where strain rates are damped */
  double *memory;
} tacReducedDynamics;

tacStatus tac_reduced_dynamics_create(int count, tacReducedDynamics *dynamics, tacError *error);
void tac_reduced_dynamics_destroy(tacReducedDynamics *dynamics); /* may be called on {0} */

/* False, with nothing changed, where the state is not finite or too large. */
bool tac_reduced_dynamics_set(tacReducedDynamics *dynamics, double step, const double *q, const double *velocity);
void tac_reduced_dynamics_stop(tacReducedDynamics *dynamics); /* no velocity */
/* A step by hand, with the internal force: begin; then, as often as wanted, linearise and move; finish. The equations are
 * matrix d = load + forces at the end of the step, for a motion d beyond `next`; matrix [n][n] symmetric. False where they are not
 * finite. Where finish returns false the state is that before. Where the force resists a motion
 * by more than its stiffness told, which may be old, finish shortens it. */
void tac_reduced_dynamics_begin(tacReducedDynamics *dynamics);
bool tac_reduced_dynamics_linearise(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                    const tacCoordinateForce *force, double *matrix, double *load,
                                    tacReducedAdvance *report);
void tac_reduced_dynamics_move(tacReducedDynamics *dynamics, const double *change);
bool tac_reduced_dynamics_finish(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                 const tacCoordinateForce *force);
/* The whole step, with no force but `load`; likewise. */
bool tac_reduced_dynamics_advance(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                  const tacCoordinateForce *force, tacReducedAdvance *report);
double tac_reduced_dynamics_energy(const tacReducedDynamics *dynamics, bool linear, const tacCoordinateForce *force);
/* The same in O(n^2), from what the end of the last step evaluated: exactly, or to the second order where the step was shortened after
 * that. Where W is no polynomial it is evaluated, which takes less than R does. */
double tac_reduced_dynamics_stored(const tacReducedDynamics *dynamics, bool linear, const tacCoordinateForce *force);

/* J x and y += J^T f for J [axis][n]. */
tacVec3 tac_reduced_jacobian_mul(int n, const double *jacobian, const double *x);
void tac_reduced_jacobian_add(int n, const double *restrict jacobian, tacVec3 f, double *restrict y);
