/* Motion of a hyperelastic solid: implicit Euler with one linearisation per step (Courtecuisse et al. 2015, (2) to
 * (5)).
 *
 * With x = x_a + d and v = d / h at the end of a step of length h,
 *     A d = b + H^T f,   A = M / h^2 + B / h + K,   b = M v_a / h + M g - F(x_a),
 * in N and N/m. F is the internal force, K = dF/dx, B = alpha M + beta K; H^T spreads forces f (N) at sites over their
 * nodes. (This is (5) divided by h, with the signs of p and f corrected: g drives the motion, F resists it.)
 *
 * The free motion is solved by conjugate gradients on A, preconditioned by the latest available factor P, rotated with
 * the nodes (13). The same factor gives the compliance of sites, C = H P^-1 H^T. The free motion already includes the
 * forces of the previous step, and C only gives the effect of their change. So the age of the factor has no effect
 * under constant forces. Under other forces the error of C is measured with A after a first contact solve, and the
 * contacts are solved again. The final motion satisfies the equation with A under the contact forces. Only in the mode
 * `rest` does the factor give the response to total forces, as precomputed compliances do; this mode exists for
 * comparison.
 *
 * Held nodes follow their prescribed motion. No allocation after creation. */
#pragma once

#include <tactus/hyperelastic.h>
#include "base/memory/owned.h"
#include "elastic/hyper/hyper_solid.h"
#include "elastic/live_factor.h"

/* Report on the last step of a body. */
typedef struct tacHyperelasticReport {
  int nodes, elements;
  int factor_age;          /* age of the factor in use, steps */
  int factors, failures;   /* factors taken into use since creation; failed factorisations */
  double factor_seconds;   /* duration of the last factorisation, s */
  int iterations;          /* iterations of conjugate gradients */
  double residual;         /* relative */
  double compliance_error; /* relative error of C; each measurement takes another site or axis */
  int inverted;            /* number of inverted elements */
  double energy;           /* J, elastic and kinetic */
} tacHyperelasticReport;

enum { TAC_HYPER_MOST_SITES = 256 };

typedef struct tacHyperDynamicsDef {
  tacHyperSolidDef solid;
  const bool *held; /* [vertex]; NULL: none */
  double mass_damping, stiffness_damping;
  tacFactorMode mode;
  int delay;      /* steps from the request of a factor to its use, if no thread computes it */
  int most_sites; /* 1 to TAC_HYPER_MOST_SITES */
} tacHyperDynamicsDef;

typedef struct tacHyperDynamics tacHyperDynamics;

tacStatus tac_hyper_dynamics_create(const tacHyperDynamicsDef *def, tacHyperDynamics **dynamics, tacError *error);
void tac_hyper_dynamics_destroy(tacHyperDynamics *dynamics); /* NULL is allowed */
TAC_OWNED_TYPE(tacHyperDynamics, tac_hyper_dynamics_destroy)
void tac_hyper_dynamics_reset(tacHyperDynamics *dynamics, tacVec3 velocity);

const tacHyperSolid *tac_hyper_dynamics_solid(const tacHyperDynamics *dynamics);
const double *tac_hyper_dynamics_positions(const tacHyperDynamics *dynamics);  /* [3 n], m */
const double *tac_hyper_dynamics_velocities(const tacHyperDynamics *dynamics); /* [3 n], m/s */

/* Between steps: */
void tac_hyper_dynamics_set_stiffness(tacHyperDynamics *dynamics, double factor); /* factor on the law's moduli */
void tac_hyper_dynamics_set_damping(tacHyperDynamics *dynamics, double stiffness_damping);
/* Target positions of held nodes, [3 n]; entries of other nodes are ignored. During steps the held nodes approach their
 * targets at `speed` (m/s) or less. */
void tac_hyper_dynamics_set_held(tacHyperDynamics *dynamics, const double *target, double speed);

/* Thread of the factor; see tacBodyTable. */
tacStatus tac_hyper_dynamics_start(tacHyperDynamics *dynamics, tacError *error);
void tac_hyper_dynamics_stop(tacHyperDynamics *dynamics);
bool tac_hyper_dynamics_ready(const tacHyperDynamics *dynamics);
void tac_hyper_dynamics_take(tacHyperDynamics *dynamics);

/* As in tacBodyTable, with sites given by their nodes. */
void tac_hyper_dynamics_begin(tacHyperDynamics *dynamics, double h, tacVec3 gravity, int count,
                              const tacFactorSite *sites, const tacVec3 *forces, tacVec3 *motion, double *c);
bool tac_hyper_dynamics_again(tacHyperDynamics *dynamics, const tacVec3 *forces, tacVec3 *motion);
/* Springs K = `spring` [springs], N/m, act at the last `springs` sites: f = f0 - K u, f0 as in `begin`. `forces`
 * contains the spring forces computed with C; the body recomputes them with A. */
tacBodyFinish tac_hyper_dynamics_end(tacHyperDynamics *dynamics, const tacVec3 *forces, int springs,
                                     const tacMat3 *spring);
void tac_hyper_dynamics_compliance(tacHyperDynamics *dynamics, double h, int count, const tacFactorSite *sites,
                                   double *c);

void tac_hyper_dynamics_foresee(tacHyperDynamics *dynamics, double h, tacVec3 gravity, bool whole, int count,
                                const tacFactorSite *sites, const tacVec3 *forces, tacVec3 *first, tacVec3 *second);

int tac_hyper_dynamics_state_size(const tacHyperDynamics *dynamics);
void tac_hyper_dynamics_save(const tacHyperDynamics *dynamics, double *state);
bool tac_hyper_dynamics_load(tacHyperDynamics *dynamics, const double *state);

/* Writes numbers of the last step: factor age (steps), relative error of the compliance, iterations, inverted
 * elements. */
void tac_hyper_dynamics_numbers(const tacHyperDynamics *dynamics, double numbers[4]);
/* Elastic and kinetic energy after a step, J. NAN if the step did not compute it, if no node is held, and under
 * gravity. */
double tac_hyper_dynamics_energy(const tacHyperDynamics *dynamics);
void tac_hyper_dynamics_report(const tacHyperDynamics *dynamics, tacHyperelasticReport *report);
