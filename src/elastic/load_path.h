/* Equilibria of a hyperelastic solid along a load that grows: x(a), with internal forces = a f, 0 <= a <= 1. Offline.
 *
 * Series: u(a) = u_0 + sum_p (a - a_0)^p u_p. Each order solves K_T u_p = n_p with the same tangent, so that one factorisation gives
 * the whole series, and a step is as long as its last term says (asymptotic-numerical method: Cochelin, Damil, Potier-Ferry 1994;
 * Niroomandi et al. 2013). Strain and stress of St. Venant-Kirchhoff's law are polynomials in u, of neo-Hooke's law they take powers
 * and logarithms of J, whose series follow from recurrences.
 * Increments: one linearisation for each increment of the load, with the residual of the last carried on. */
#ifndef TAC_ELASTIC_LOAD_PATH_H
#define TAC_ELASTIC_LOAD_PATH_H

#include <tactus/vademecum_bake.h>
#include "elastic/hyper_solid.h"

typedef struct tacLoadPath tacLoadPath;

typedef struct tacLoadPathDef {
  const tacVolMesh *mesh;           /* tetrahedra; outlives the path */
  const tacHyperMaterial *material; /* st-venant-kirchhoff or neo-hookean; copied */
  const bool *held;                 /* [vertex]; copied */
  tacLoadPathMethod method;
  int order;        /* of series; default 12 */
  double tolerance; /* of displacements within a step, relative; default 1e-5 */
  int increments;   /* default 16 */
} tacLoadPathDef;
tacLoadPathDef tac_load_path_def_default(void);

typedef struct tacLoadPathReport {
  int steps, factorisations, corrections; /* corrections: Newton steps, where a residual asked for them */
  double residual;                        /* the largest at a level, relative to the load */
  double carried;                         /* the largest a that was reached */
} tacLoadPathReport;

/* One path is used by one thread at a time; each thread has its own. */
tacStatus tac_load_path_create(const tacLoadPathDef *def, tacLoadPath **path, tacError *error);
void tac_load_path_destroy(tacLoadPath *path); /* NULL is allowed */
/* Displacements u [level][3 vertices] (m) at ascending levels 0 < a <= 1 of `force` [3 vertices], N. TAC_ERR_NO_CONVERGENCE, with
 * what was carried, where there is no equilibrium. */
tacStatus tac_load_path_follow(tacLoadPath *path, const double *force, int level_count, const double *levels, double *u,
                               tacLoadPathReport *report, tacError *error);

#endif
