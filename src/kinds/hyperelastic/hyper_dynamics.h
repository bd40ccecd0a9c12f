/* The motion of a hyperelastic solid: implicit Euler with one linearisation a step (Courtecuisse et al. 2015, (2) to (5)).
 *
 * With x = x_a + d and v = d / h at the end of a step of the length h,
 *     A d = b + H^T f,   A = M / h^2 + B / h + K,   b = M v_a / h + M g - F(x_a),
 * in N and N/m; F is what resists, K = dF/dx, B = alpha M + beta K, H^T spreads the forces f (N) that act at sites over their nodes. (That is
 * (5) times 1/h, with the signs of p and f as they must be: g pushes, F resists.)
 *
 * The free motion is solved by conjugate gradients on A as it is, preconditioned by the last factor that is ready, which is turned with the
 * nodes (13). The same factor gives how sites give way, C = H P^-1 H^T. Forces of the step before are in b from the start and C only tells
 * what their change does: where forces no longer change, the age of the factor has no part in them. Where they change, what C errs by is
 * found by A once contacts have answered, and they are solved again from there; and at last the motion obeys A under their forces.
 * Only bodies of the mode `rest` answer for whole forces by their factor, as precomputed compliances do: they are there to compare with.
 *
 * Nodes that are held move as they are told. Nothing here allocates after creation. */
#pragma once

#include <tactus/hyperelastic.h>
#include "base/memory/owned.h"
#include "elastic/hyper/hyper_solid.h"
#include "elastic/live_factor.h"

/* How the last step of a body went. */
typedef struct tacHyperelasticReport {
  int nodes, elements;
  int factor_age;          /* steps since the values of the factor in use */
  int factors, failures;   /* that were taken; that failed */
  double factor_seconds;   /* that the last one took */
  int iterations;          /* of conjugate gradients */
  double residual;         /* of them, relative */
  double compliance_error; /* relative, of one contact after the other; measured now and then */
  int inverted;            /* elements */
  double energy;           /* J, elastic and kinetic */
} tacHyperelasticReport;

enum { TAC_HYPER_MOST_SITES = 256 };

typedef struct tacHyperDynamicsDef {
  tacHyperSolidDef solid;
  const bool *held; /* [vertex]; NULL: none */
  double mass_damping, stiffness_damping;
  tacFactorMode mode;
  int delay;      /* steps, where no thread makes the factor */
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

/* Between steps. */
void tac_hyper_dynamics_set_stiffness(tacHyperDynamics *dynamics, double factor); /* of the law's moduli */
void tac_hyper_dynamics_set_damping(tacHyperDynamics *dynamics, double stiffness_damping);
/* Where held nodes are to be, [3 n], others' are not read; they go there within steps, no faster than `speed`, m/s. */
void tac_hyper_dynamics_set_held(tacHyperDynamics *dynamics, const double *target, double speed);

/* The thread of the factor; see tacBodyTable. */
tacStatus tac_hyper_dynamics_start(tacHyperDynamics *dynamics, tacError *error);
void tac_hyper_dynamics_stop(tacHyperDynamics *dynamics);
bool tac_hyper_dynamics_ready(const tacHyperDynamics *dynamics);
void tac_hyper_dynamics_take(tacHyperDynamics *dynamics);

/* As of tacBodyTable, with sites by their nodes. */
void tac_hyper_dynamics_begin(tacHyperDynamics *dynamics, double h, tacVec3 gravity, int count,
                              const tacFactorSite *sites, const tacVec3 *forces, tacVec3 *motion, double *c);
bool tac_hyper_dynamics_again(tacHyperDynamics *dynamics, const tacVec3 *forces, tacVec3 *motion);
/* At the last `springs` sites springs K = `spring` [springs], N/m, act: f = f0 - K u, f0 of `begin`. Their forces are theirs by C, and the body
 * finds by itself what they are by A. */
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
/* J: elastic and kinetic, after a step; NAN where it was not found out on the way, of loose bodies, and under gravity. */
double tac_hyper_dynamics_energy(const tacHyperDynamics *dynamics);
void tac_hyper_dynamics_report(const tacHyperDynamics *dynamics, tacHyperelasticReport *report);
