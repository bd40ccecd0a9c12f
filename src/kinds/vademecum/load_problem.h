/* Input of a vademecum's bake: a solid with fixed vertices, the loads on its surface, its stiffness at rest, and the
 * factor of the stiffness. Offline. */
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
  tacFreeLower part; /* stiffness at rest */
  tacFactor *factor; /* factor of the stiffness */
  double *mass;      /* [3 vertices], kg, lumped */
  tacTriMesh *surface;
  int *vertex_of; /* [vertex of the surface] -> vertex of the mesh */
  int load_count;
  int *loads;        /* [load]: vertex of the surface, ascending */
  tacVec3 direction; /* unit; zero: any */
  /* Spread of a load: load s has the entries [patch_start[s], patch_start[s + 1]). */
  int *patch_start, *patch_vertex; /* vertices of the surface */
  double *patch_weight;            /* their sum is 1 */
  int axis_count;                  /* directions baked per load: 1 or 3 */
} tacLoadProblem;

/* Refers to `def`, which must outlive the problem. Errors name the fault and a remedy. */
tacStatus tac_load_problem_create(const tacVademecumDef *def, tacLoadProblem *problem, tacError *error);
void tac_load_problem_destroy(tacLoadProblem *problem); /* a zeroed struct is allowed */

/* Makes all checks of the definition that need no assembled matrix. */
tacStatus tac_load_problem_check(const tacVademecumDef *def, tacError *error);
/* The unit vector of an axis of loads. */
tacVec3 tac_load_problem_axis(const tacLoadProblem *problem, int axis);
/* Adds a load of this force (N) to nodal forces [3 vertices]. */
void tac_load_problem_add(const tacLoadProblem *problem, int load, tacVec3 force, double *forces);
/* Chooses `count` loads spread over the surface. The first load is the farthest from fixed vertices; each next one is
 * the farthest from the loads already chosen. */
tacStatus tac_load_problem_spread(const tacLoadProblem *problem, int count, int *chosen, tacError *error);
/* X^T M u: a displacement u [3 vertices] in coordinates of the shape's modes. */
void tac_load_problem_project(const tacLoadProblem *problem, const tacReduced *shape, const double *u, double *q);
/* sqrt(sum mass u^2), u [3 vertices]. */
double tac_load_problem_norm(const tacLoadProblem *problem, const double *u);
