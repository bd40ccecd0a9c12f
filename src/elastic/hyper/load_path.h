/* Equilibria of a hyperelastic solid along a load that grows: x(a), with internal forces R(x) = a f, 0 <= a <= 1.
 * Offline.
 *
 * Series (asymptotic-numerical method: Cochelin, Damil, Potier-Ferry 1994; Niroomandi et al. 2013): x(a_0 + l t) =
 * x_0 + sum_p t^p u_p. Each order solves K_T(x_0) u_p = -n_p (elastic/hyper/force_series.h) with the same tangent, so that
 * one factorisation gives the whole series. A step is as long as its last term says, (tolerance |u_1| / |u_P|)^(1 /
 * (P - 1)), and shorter where what is left of the residual r at its end would move the body by more than the
 * tolerance: that costs a solve, not a factorisation. What is left goes into the next step's first order, K_T u_1 =
 * l f + r, and so never adds up; where the new tangent says that it is too much, a step of Newton's method comes
 * first. The laws change at J = TAC_JACOBIAN_LEAST; where an element is below, Newton's method takes the place of
 * the series.
 * Increments: the same with the first order alone, and steps of one length: one linearisation for each increment of
 * the load, with the residual of the last carried on. Errors fall with the square of the increment.
 *
 * The parameter is the load: a path ends at its first limit point, and where the tangent is no longer positive
 * definite. */
#pragma once

#include "base/memory/owned.h"
#include "elastic/hyper/hyper_solid.h"

typedef enum tacLoadPathMethod {
  TAC_PATH_SERIES,    /* asymptotic-numerical: a power series in the load for each factorisation */
  TAC_PATH_INCREMENTS /* explicit: a linearisation for each increment of the load */
} tacLoadPathMethod;

typedef struct tacLoadPath tacLoadPath;

enum { TAC_LOAD_PATH_MOST_ORDER = 40 };

typedef struct tacLoadPathDef {
  const tacVolMesh *mesh;           /* tetrahedra; copied as far as needed */
  const tacHyperMaterial *material; /* of series: st-venant-kirchhoff or neo-hookean; without Prony terms; copied */
  const bool *held;                 /* [vertex], enough of them to stop rigid motion; copied */
  tacLoadPathMethod method;
  int order;        /* of series, 2 to TAC_LOAD_PATH_MOST_ORDER; default 14 */
  double tolerance; /* of displacements at the end of a step of series, relative to all of them; default 1e-7 */
  int increments;   /* to the whole load; default 16 */
} tacLoadPathDef;
tacLoadPathDef tac_load_path_def_default(void);

typedef struct tacLoadPathReport {
  int steps, factorisations, corrections; /* corrections: Newton steps, where a residual or the law asks */
  double residual;                        /* the largest at a level, relative to its load */
  double carried;                         /* the largest a that was reached */
} tacLoadPathReport;

/* One path is used by one thread at a time; each thread has its own. */
tacStatus tac_load_path_create(const tacLoadPathDef *def, tacLoadPath **path, tacError *error);
void tac_load_path_destroy(tacLoadPath *path); /* NULL is allowed */
TAC_OWNED_TYPE(tacLoadPath, tac_load_path_destroy)
/* Displacements u [level][3 vertices] (m) at ascending levels 0 < a <= 1 of `force` [3 vertices], N; what acts on
 * held vertices is not read. TAC_ERR_NO_CONVERGENCE, with what was carried, where equilibria end: u of levels up to
 * there is good, of those beyond not written. `report` may be NULL. */
tacStatus tac_load_path_follow(tacLoadPath *path, const double *force, int level_count, const double *levels, double *u,
                               tacLoadPathReport *report, tacError *error);
