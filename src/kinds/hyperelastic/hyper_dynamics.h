/* Motion of a hyperelastic solid: implicit Euler with one linearisation per step (Courtecuisse et al. 2015, (2) to
 * (5)).
 *
 * With x = x_a + d and v = d / h at the end of a step of length h,
 *     A d = b + H^T f,   A = M / h^2 + B / h + K,   b = M v_a / h + M g - F(x_a),
 * in N and N/m. F is the internal force, K = dF/dx, B = alpha M + beta K; H^T spreads forces f (N) at sites over their
 * nodes. (This is (5) times 1/h, with the signs of p and f corrected: g pushes, F resists.)
 *
 * The free motion is solved by conjugate gradients on A, preconditioned by the latest available factor P, rotated with
 * the nodes (13). The same factor gives the compliance of sites, C = H P^-1 H^T. Forces of the previous step are in b
 * from the start, and C only gives the effect of their change: for constant forces the age of the factor has no effect.
 * Otherwise the error of C is measured with A after a first contact solve, and the contacts are solved again; finally
 * the motion satisfies A under their forces. Only the mode `rest` responds to total forces through its factor, as
 * precomputed compliances do; it exists for comparison.
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
  int factor_age;          /* steps since the values of the factor in use */
  int factors, failures;   /* total; failed */
  double factor_seconds;   /* s, of the last one */
  int iterations;          /* of conjugate gradients */
  double residual;         /* relative */
  double compliance_error; /* relative, of one contact after the other; measured occasionally */
  int inverted;            /* elements */
  double energy;           /* J, elastic and kinetic */
} tacHyperelasticReport;

enum { TAC_HYPER_MOST_SITES = 256 };

typedef struct tacHyperDynamicsDef {
  tacHyperSolidDef solid;
  const bool *held; /* [vertex]; NULL: none */
  double mass_damping, stiffness_damping;
  tacFactorMode mode;
  int delay;      /* steps, if no thread computes the factor */
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
/* Targets of held nodes, [3 n], the others are ignored; approached within steps at most at `speed`, m/s. */
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
/* Springs K = `spring` [springs], N/m, act at the last `springs` sites: f = f0 - K u, f0 as in `begin`. `forces` has
 * their forces by C; the body recomputes them by A. */
tacBodyFinish tac_hyper_dynamics_end(tacHyperDynamics *dynamics, const tacVec3 *forces, int springs,
                                     const tacMat3 *spring);
void tac_hyper_dynamics_compliance(tacHyperDynamics *dynamics, double h, int count, const tacFactorSite *sites,
                                   double *c);

void tac_hyper_dynamics_foresee(tacHyperDynamics *dynamics, double h, tacVec3 gravity, bool whole, int count,
                                const tacFactorSite *sites, const tacVec3 *forces, tacVec3 *first, tacVec3 *second);

int tac_hyper_dynamics_state_size(const tacHyperDynamics *dynamics);
void tac_hyper_dynamics_save(const tacHyperDynamics *dynamics, double *state);
bool tac_hyper_dynamics_load(tacHyperDynamics *dynamics, const double *state);

/* Of the last step: age of the factor in steps, relative error of the compliance, iterations, inverted elements. */
void tac_hyper_dynamics_numbers(const tacHyperDynamics *dynamics, double numbers[4]);
/* J: elastic and kinetic, after a step; NAN if it was not computed in the step, for loose bodies, and under gravity. */
double tac_hyper_dynamics_energy(const tacHyperDynamics *dynamics);
void tac_hyper_dynamics_report(const tacHyperDynamics *dynamics, tacHyperelasticReport *report);
