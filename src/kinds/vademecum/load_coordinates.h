/* The coordinates q(s, t) of every load of a vademecum as sums of monomials of its force. Offline, on all cores.
 *
 * The linear terms are exact: K_r q = X(s)^T t, with K_r = X^T K X at rest. The others are fitted, by least squares over sizes and
 * directions, to equilibria: of loads that were followed with all nodes, X^T M u; of the others, R(q) = X(s)^T t by Newton's method
 * on the sampled elements. */
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
  const tacLoadSnapshots *snapshots; /* of a nonlinear one */
} tacLoadCoordinatesDef;

/* The terms that fit: linear ones alone, powers along one direction, or monomials of all components. */
tacLoadTerms tac_load_coordinates_terms(const tacLoadProblem *problem);
/* y [load][term][n], to be freed. */
tacStatus tac_load_coordinates_create(const tacLoadCoordinatesDef *def, const tacProgress *progress, float **y,
                                      tacError *error);
