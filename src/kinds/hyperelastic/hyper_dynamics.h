/* Simulates a hyperelastic solid by implicit Euler with one linearisation per step (Courtecuisse et al. 2015, (2) to
 * (5)).
 *
 * x_a and v_a are the positions and velocities of the nodes at the start of a step of length h. At the end of the step,
 * x = x_a + d and v = d / h. The motion d solves
 *     A d = b + H^T f,   A = M / h^2 + B / h + K,   b = M v_a / h + M g - F(x_a).
 * A is in N/m, and b is in N. M is the mass matrix, F the internal force, K = dF/dx, B = alpha M + beta K the damping,
 * and g gravity. A site is a place where a force acts, given by weighted nodes. H^T distributes the forces f (N) at
 * sites to the nodes. (The equation is (5) divided by h, with the signs of p and f corrected: g drives the motion, and
 * F resists the motion.)
 *
 * A factor P is a factorisation of A of an earlier step, rotated with the nodes since that step (13). The free motion
 * is solved by conjugate gradients with A, preconditioned with the latest available factor. The same factor gives the
 * compliance of the sites, C = H P^-1 H^T. The free motion includes the forces of the previous step, and C only gives
 * the effect of force changes. So the age of the factor has no effect under constant forces. If the forces change, the
 * motion is corrected with A after a first contact solve, and the contacts are solved again. The final motion satisfies
 * the equation with A under the contact forces. In the mode TAC_FACTOR_REST, the factor gives the response to total
 * forces, as precomputed compliances do. This mode exists for comparison.
 *
 * Held nodes follow a prescribed motion. No function allocates memory after creation. */
#pragma once

#include <tactus/hyperelastic.h>
#include "base/memory/owned.h"
#include "elastic/hyper/hyper_solid.h"
#include "elastic/live_factor.h"

/* Statistics of the last step of a body. */
typedef struct tacHyperelasticReport {
  int nodes, elements;
  int factor_age;          /* age of the factor in use, in steps */
  int factors, failures;   /* numbers of factors used and of failed factorisations since creation */
  double factor_seconds;   /* duration of the last factorisation, s */
  int iterations;          /* number of iterations of conjugate gradients */
  double residual;         /* relative residual of conjugate gradients */
  double compliance_error; /* relative error of the compliance, measured at a different site or axis each time */
  int inverted;            /* number of inverted elements */
  double energy;           /* elastic and kinetic energy, J */
} tacHyperelasticReport;

enum { TAC_HYPER_MOST_SITES = 256 };

typedef struct tacHyperDynamicsDef {
  tacHyperSolidDef solid;
  const bool *held;                       /* [vertex]: true if the motion is prescribed; NULL: no vertex */
  double mass_damping, stiffness_damping; /* Rayleigh damping: alpha, 1/s; beta, s */
  tacFactorMode mode;
  int delay;      /* number of steps from the request of a factor to the first use, if no thread runs */
  int most_sites; /* maximum number of sites, 1 to TAC_HYPER_MOST_SITES */
} tacHyperDynamicsDef;

typedef struct tacHyperDynamics tacHyperDynamics;

tacStatus tac_hyper_dynamics_create(const tacHyperDynamicsDef *def, tacHyperDynamics **dynamics, tacError *error);
void tac_hyper_dynamics_destroy(tacHyperDynamics *dynamics); /* NULL is allowed */
TAC_OWNED_TYPE(tacHyperDynamics, tac_hyper_dynamics_destroy)
void tac_hyper_dynamics_reset(tacHyperDynamics *dynamics, tacVec3 velocity);

const tacHyperSolid *tac_hyper_dynamics_solid(const tacHyperDynamics *dynamics);
const double *tac_hyper_dynamics_positions(const tacHyperDynamics *dynamics);  /* [3 nodes]: positions, m */
const double *tac_hyper_dynamics_velocities(const tacHyperDynamics *dynamics); /* [3 nodes]: velocities, m/s */

/* Call these functions between steps. */
void tac_hyper_dynamics_set_stiffness(tacHyperDynamics *dynamics, double factor); /* `factor` scales the moduli */
void tac_hyper_dynamics_set_damping(tacHyperDynamics *dynamics, double stiffness_damping);
/* Sets the target positions of held nodes. `target` [3 nodes] is ignored for other nodes. During steps, the held nodes
 * approach the targets at `speed` (m/s) or less. */
void tac_hyper_dynamics_set_held(tacHyperDynamics *dynamics, const double *target, double speed);

/* Functions of the thread that computes factors; as in tacBodyThread. The function `take` corresponds to `prepare`. */
tacStatus tac_hyper_dynamics_start(tacHyperDynamics *dynamics, tacError *error);
void tac_hyper_dynamics_stop(tacHyperDynamics *dynamics);
bool tac_hyper_dynamics_ready(const tacHyperDynamics *dynamics);
void tac_hyper_dynamics_take(tacHyperDynamics *dynamics);

/* Functions of a step; see tacBodyTable. Sites are given by weighted nodes. */
void tac_hyper_dynamics_begin(tacHyperDynamics *dynamics, double h, tacVec3 gravity, int count,
                              const tacFactorSite *sites, const tacVec3 *forces, tacVec3 *motion, double *c);
bool tac_hyper_dynamics_again(tacHyperDynamics *dynamics, const tacVec3 *forces, tacVec3 *motion);
/* Ends a step. Springs of stiffness K = `spring` [springs] (N/m) act at the last `springs` sites. A spring has the
 * force f0 - K u, where u is the motion of the site and f0 the force given to `begin`. `forces` contains spring
 * forces computed with C; the function recomputes the spring forces with A. */
tacBodyFinish tac_hyper_dynamics_end(tacHyperDynamics *dynamics, const tacVec3 *forces, int springs,
                                     const tacMat3 *spring);
void tac_hyper_dynamics_compliance(tacHyperDynamics *dynamics, double h, int count, const tacFactorSite *sites,
                                   double *c);

void tac_hyper_dynamics_predict(tacHyperDynamics *dynamics, double h, tacVec3 gravity, bool whole, int count,
                                const tacFactorSite *sites, const tacVec3 *forces, tacVec3 *first, tacVec3 *second);

int tac_hyper_dynamics_state_size(const tacHyperDynamics *dynamics);
void tac_hyper_dynamics_save(const tacHyperDynamics *dynamics, double *state);
bool tac_hyper_dynamics_load(tacHyperDynamics *dynamics, const double *state);

/* Writes statistics of the last step: age of the factor (steps), relative error of the compliance, number of
 * iterations, number of inverted elements. */
void tac_hyper_dynamics_numbers(const tacHyperDynamics *dynamics, double numbers[4]);
/* Returns the elastic and kinetic energy after a step, J. Returns NAN if the step did not compute the energy, if no
 * node is held, or if gravity acts. */
double tac_hyper_dynamics_energy(const tacHyperDynamics *dynamics);
void tac_hyper_dynamics_report(const tacHyperDynamics *dynamics, tacHyperelasticReport *report);
