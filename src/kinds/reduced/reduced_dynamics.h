/* Equation of motion of a reduced body in its kept coordinates, M q'' + D(q, q') + R(q) = f (Barbic 2007, (2.21)), one
 * step at a time: the part of tacReducedBody without surfaces and poses. Body's frame. Creation is for the load phase.
 * Other functions may be called in any phase and do not allocate. */
#pragma once

#include "kinds/reduced/coordinate_force.h"
#include "math/dense/dense.h"

/* Time integration of the coordinates, and the result of a step. */
typedef struct tacReducedMotion {
  double step;               /* s, between advances */
  int newton_steps;          /* j_max, 1 to 10; default 1 */
  double tolerance;          /* residual at which Newton's method stops, N kg^-1/2; default 0: none */
  double mass_damping;       /* Rayleigh damping (2.33): 1/s */
  double stiffness_damping;  /* s */
  double strain_rate;        /* strain-rate damping (2.34) with phi = strain_rate lambda and psi = strain_rate mu, s */
  bool is_static;            /* no inertia or damping: every advance is j_max Newton steps towards equilibrium */
  bool linear;               /* R = K(0) q and K = K(0): geometrically linear, for sketches and comparison */
  double acceleration_limit; /* limit of |q''|, kg^1/2 m/s^2 (section 3.10.2); 0: none */
  bool euler;                /* implicit Euler instead of Newmark's method: required by contact laws */
  tacVec3 gravity;           /* m/s^2 */
} tacReducedMotion;
tacReducedMotion tac_reduced_motion_default(void);

typedef struct tacReducedAdvance {
  int newton_steps; /* number of Newton steps taken */
  bool limited;     /* the acceleration or the motion was limited */
  bool refused;     /* not finite, or unsolvable even after stiffening; the body was stopped */
  double residual;  /* before the last Newton step, N kg^-1/2 */
} tacReducedAdvance;

/* The caller may read the first block, and set `load`, `mass` and bounds before a step. */
typedef struct tacReducedDynamics {
  int count;                           /* n, number of coordinates */
  double *q, *velocity, *acceleration; /* [n] */
  double *load;                        /* [n]: reduced force, N kg^-1/2 */
  tacDense mass;                       /* n x n, symmetric */
  bool mass_is_factored;               /* clear it after setting the mass */
  bool is_starting;                    /* q'' is unknown: the next advance computes it from its loads; set by stop */
  double most_q;                       /* a larger |q| is rejected */

  double *next, *rate;                /* iterates of q and its velocity */
  double *internal, *residual, *work; /* R(q) of `evaluated`; residual of the equation; scratch */
  double *evaluated;                  /* q at which `internal` and `stiffness` are known */
  bool is_known, known_linear;        /* the values at `evaluated` are valid; clear is_known when the force changes */
  double *change, *trial;             /* a Newton step, and its result */
  double *before;                     /* `next` before the last move */
  bool shortened;                     /* in the last step: see finish */
  double scale; /* factor on D, R and f in this step; it limits the acceleration (section 3.10.2) */
  tacDense mass_factor, stiffness, matrix, factor;
  tacDense stress; /* stress part of the stiffness, for strain-rate damping */
  double *memory;
} tacReducedDynamics;

tacStatus tac_reduced_dynamics_create(int count, tacReducedDynamics *dynamics, tacError *error);
void tac_reduced_dynamics_destroy(tacReducedDynamics *dynamics); /* {0} is allowed */

/* Sets the state. Returns false and changes nothing if the state is not finite or too large. */
bool tac_reduced_dynamics_set(tacReducedDynamics *dynamics, double step, const double *q, const double *velocity);
void tac_reduced_dynamics_stop(tacReducedDynamics *dynamics); /* zero velocity */
/* A step in parts, with the internal force: begin; then linearise and move, any number of times; finish. The equations
 * are matrix d = load + forces at the end of the step, for a motion d beyond `next`; matrix [n][n] symmetric. False:
 * not finite. If finish returns false the state is unchanged. The stiffness may be outdated. If the force resists a
 * motion more than the stiffness predicted, finish shortens the motion. */
void tac_reduced_dynamics_begin(tacReducedDynamics *dynamics);
bool tac_reduced_dynamics_linearise(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                    const tacCoordinateForce *force, double *matrix, double *load,
                                    tacReducedAdvance *report);
void tac_reduced_dynamics_move(tacReducedDynamics *dynamics, const double *change);
bool tac_reduced_dynamics_finish(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                 const tacCoordinateForce *force);
/* A complete step with no force except `load`. Returns false as finish does. */
bool tac_reduced_dynamics_advance(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                  const tacCoordinateForce *force, tacReducedAdvance *report);
double tac_reduced_dynamics_energy(const tacReducedDynamics *dynamics, bool linear, const tacCoordinateForce *force);
/* The same energy in O(n^2), from values computed at the end of the last step. It is exact, or accurate to second order
 * if the step was shortened after that. If W is not a polynomial, W is evaluated, which is cheaper than R. */
double tac_reduced_dynamics_stored(const tacReducedDynamics *dynamics, bool linear, const tacCoordinateForce *force);

/* J x and y += J^T f for J [axis][n]. */
tacVec3 tac_reduced_jacobian_mul(int n, const double *jacobian, const double *x);
void tac_reduced_jacobian_add(int n, const double *restrict jacobian, tacVec3 f, double *restrict y);
