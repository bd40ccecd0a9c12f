/* Newton's method for static equilibrium: x with R(x) = f, where R = dW/dx are the internal forces of an energy W.
 *
 * One step solves K(x) d = f - R(x), with the tangent K = dR/dx. Where K is not positive definite, a multiple of a positive
 * diagonal is added to it, so that the potential W(x) - f . x always falls along d. A line search halves a step until the
 * potential has fallen by 1e-4 of what its slope promises (Armijo). With `relaxed` steps that is a watchdog (Chamberlain, Powell,
 * Lemarechal and Pedersen 1982): so many full steps may raise the potential before the method goes back to the best state and down
 * the line search. Slender bodies need them: a straight step along their bending stretches them, and only the next step takes
 * that back.
 *
 * Loads that are too large for one solution are reached in steps, halved where the method fails and doubled where it succeeds
 * (Barbic 2007, section 2.1.10).
 *
 * Creation allocates; the rest allocates nothing itself. One thread at a time. */
#pragma once

#include <stddef.h>
#include <tactus/base.h>
#include "base/error.h"

/* The equations, in n unknowns: every vector has n numbers. */
typedef struct tacNewtonProblem {
  void *self;
  double (*energy)(void *self, const double *x); /* W, J */
  /* R(x), N. `tangent_next`: the tangent at this x is probably the next to be asked for. */
  void (*force)(void *self, const double *x, bool tangent_next, double *force);
  void (*tangent)(void *self, const double *x); /* computes K(x) and keeps it */
  /* Of K with `shift` times a positive diagonal. TAC_ERR_SINGULAR where that is not positive definite. */
  tacStatus (*factor)(void *self, double shift, tacError *error);
  tacStatus (*solve)(void *self, const double *force, double *step, tacError *error); /* by the last factor */
  /* ---- each may be NULL ---- */
  int (*inverted)(void *self, const double *x);    /* an element that is inverted at x; -1: none */
  double (*rounding)(void *self, const double *x); /* N: what rounding may leave of the residual at x */
  double (*reactions)(void *self); /* N: norm of the forces on coordinates that are held, at the last `force` */
  /* Moves coordinates that are held to `share` of their way. `residual`, where it is not NULL, receives in addition what that changes
   * by the tangent: -K_fh times the motion of held coordinates. */
  void (*hold)(void *self, double share, double *residual);
} tacNewtonProblem;

typedef struct tacNewtonRules {
  /* Of the residual, relative to the forces in play: the load (that of the start where it is zero), or the load of the step with
   * the reactions where the problem has those. */
  double tolerance;
  double small;   /* a step of at most this share of |x| is the last one, too; 0: only the residual counts */
  int iterations; /* at most, in a load step */
  int all_iterations, factorisations; /* at most, in all load steps; 0: no limit */
  int tangents;                       /* iterations of a load step that compute a tangent, the first ones; 0: all */
  int relaxed;                        /* full steps that may raise the potential */
  int halvings;                       /* of a step, in the line search */
  double
      halved; /* a full step that leaves at most this share of the residual needs no lower potential, whose differences
                           * are rounding close to the equilibrium; 0: every step does */
  double energy_rounding;      /* share of the potential by which rounding may raise it; 0: none */
  bool through_inversion;      /* states on the way may have inverted elements, equilibria may not */
  const tacProgress *progress; /* asked before each factorisation; NULL: none */
} tacNewtonRules;

typedef struct tacNewtonReport {
  int iterations, factorisations, load_steps;
  double residual; /* |f - R| / the forces in play; N where there are none */
  double carried;  /* share of the way from the start to the load that x is in equilibrium with: 1 on success */
} tacNewtonReport;

typedef struct tacNewton tacNewton; /* room for vectors */

tacStatus tac_newton_create(size_t unknowns, tacNewton **newton, tacError *error);
void tac_newton_destroy(tacNewton *newton); /* NULL is allowed */
size_t tac_newton_bytes(const tacNewton *newton);

/* One load step from x, which receives the equilibrium under `load` (then `carried` is 1) or the best state that was found. Errors are
 * those of the problem, TAC_ERR_CANCELLED, and TAC_ERR_NO_CONVERGENCE where all factorisations are used up. */
tacStatus tac_newton_find(tacNewton *newton, const tacNewtonProblem *problem, const tacNewtonRules *rules,
                          const double *load, double *x, tacNewtonReport *report, tacError *error);

/* From x, which is in equilibrium with R(x), to `load` in as few load steps as succeed. x receives the last equilibrium.
 * TAC_ERR_GEOMETRY, naming an element, where the load inverts it; TAC_ERR_NO_CONVERGENCE; both say what was carried. */
tacStatus tac_newton_follow(tacNewton *newton, const tacNewtonProblem *problem, const tacNewtonRules *rules,
                            const double *load, double *x, tacNewtonReport *report, tacError *error);
