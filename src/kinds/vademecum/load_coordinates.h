/* Coordinates q(s, t) of every load of a vademecum as sums of monomials of its force. Offline, on all cores.
 *
 * The linear terms are exact: K_r q = X(s)^T t, with K_r = X^T K X at rest. The higher terms are least squares fits to
 * equilibria at several sizes and directions of the force. For loads that were solved with all nodes, the equilibrium
 * is X^T M u. For other loads, Newton's method solves R(q) = X(s)^T t on the sampled elements. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/hyper/sampled_solid.h"
#include "kinds/vademecum/load_problem.h"
#include "kinds/vademecum/load_snapshots.h"
#include "kinds/vademecum/load_terms.h"

typedef struct tacLoadCoordinatesDef {
  const tacLoadProblem *problem;
  const tacReduced *shape;
  const double *stiffness;           /* K_r, [n][n] */
  const double *rows;                /* X(s), [load][3][n] */
  const tacSampledParts *sampled;    /* NULL: linear */
  const tacLoadSnapshots *snapshots; /* NULL for a linear solid */
} tacLoadCoordinatesDef;

/* Terms of the coordinates: only linear terms, powers along one direction, or monomials of all components. */
tacLoadTerms tac_load_coordinates_terms(const tacLoadProblem *problem);
/* y [load][term][n], to be freed. */
tacStatus tac_load_coordinates_create(const tacLoadCoordinatesDef *def, const tacProgress *progress, float **y,
                                      tacError *error);
