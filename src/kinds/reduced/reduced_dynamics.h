/* The equation of motion of a reduced body in its kept coordinates, M q'' + D(q, q') + R(q) = f (Barbic 2007,
 * (2.21)), one step at a time: the part of tacReducedBody that does not know about surfaces and poses. Everything is
 * in the body's frame. Creation is for the load phase, the rest for any, without allocation. */
#pragma once

#include "kinds/reduced/coordinate_force.h"
#include "kinds/reduced/reduced_motion.h"
#include "math/dense/dense.h"

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
/* The same in O(n^2), from what the last step evaluated: W there, exactly, and to the second order from there to where the step led.
 * Where W is no polynomial it is evaluated, which takes less than R does. */
double tac_reduced_dynamics_stored(const tacReducedDynamics *dynamics, bool linear, const tacCoordinateForce *force);

/* J x and y += J^T f for J [axis][n]. */
tacVec3 tac_reduced_jacobian_mul(int n, const double *jacobian, const double *x);
void tac_reduced_jacobian_add(int n, const double *restrict jacobian, tacVec3 f, double *restrict y);
