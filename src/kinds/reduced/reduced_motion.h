/* How the coordinates of a reduced body step in time, and what became of a step. */
#pragma once

#include <stdbool.h>
#include <tactus/vec3.h>

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
