/* Prepares the bake of a vademecum. The problem contains a solid with fixed vertices, the loads on the surface of the
 * solid, and the factored stiffness at rest. Runs offline. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/free_lower.h"
#include "elastic/hyper/hyper_solid.h"
#include "kinds/vademecum/vademecum_def.h"
#include "math/sparse/factor.h"

typedef struct tacLoadProblem {
  const tacVademecumDef *def;
  tacHyperMaterial material;
  tacHyperSolid *solid;
  tacFreeLower part; /* stiffness K at rest, for the free degrees of freedom */
  tacFactor *factor; /* factor of the stiffness `part` */
  double *mass;      /* [3 vertices]: lumped mass of each degree of freedom, kg */
  tacTriMesh *surface;
  int *vertex_of; /* [surface vertex]: vertex of the volume mesh */
  int load_count;
  int *loads;        /* [load]: surface vertex of the load, in ascending order */
  tacVec3 direction; /* unit vector along all loads; zero if loads may have any direction */
  /* Patches of the loads. Load s is distributed to the surface vertices of entries [patch_start[s], patch_start[s +
   * 1]). */
  int *patch_start, *patch_vertex; /* first entry of each load; surface vertex of each entry */
  double *patch_weight;            /* [entry]: fraction of the force; the sum over a load is 1 */
  int axis_count;                  /* number of baked directions per load: 1 or 3 */
} tacLoadProblem;

/* Creates a problem that refers to `def`; `def` must outlive the problem. Errors name the fault and a remedy. */
tacStatus tac_load_problem_create(const tacVademecumDef *def, tacLoadProblem *problem, tacError *error);
void tac_load_problem_destroy(tacLoadProblem *problem); /* a zeroed struct is allowed */

/* Makes all checks of `def` that do not need the stiffness matrix. */
tacStatus tac_load_problem_check(const tacVademecumDef *def, tacError *error);
/* Returns the unit vector of baked direction `axis` of the loads. */
tacVec3 tac_load_problem_axis(const tacLoadProblem *problem, int axis);
/* Distributes `force` (N) over the patch of `load` and adds the result to the nodal forces `forces` [3 vertices]. */
void tac_load_problem_add(const tacLoadProblem *problem, int load, tacVec3 force, double *forces);
/* Chooses `count` loads spread over the surface. The first load is the farthest from fixed vertices. Each next load is
 * the farthest from the loads already chosen. */
tacStatus tac_load_problem_spread(const tacLoadProblem *problem, int count, int *chosen, tacError *error);
/* Computes q = X^T M u: the coordinates of displacement `u` [3 vertices] in the modes X of `shape`. M is the mass
 * matrix. */
void tac_load_problem_project(const tacLoadProblem *problem, const tacReduced *shape, const double *u, double *q);
/* Returns the mass norm of a displacement `u` [3 vertices], sqrt(sum mass u^2). */
double tac_load_problem_norm(const tacLoadProblem *problem, const double *u);
