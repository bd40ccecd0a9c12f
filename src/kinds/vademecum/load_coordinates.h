/* Coordinates q(s, t) of every load of a vademecum as sums of monomials of its force. Offline, on all cores.
 *
 * The linear terms are exact: K_r q = X(s)^T t, with K_r = X^T K X at rest. The others are least squares fits over
 * sizes and directions to equilibria: for loads followed with all nodes, X^T M u; for the others, R(q) = X(s)^T t by
 * Newton's method on the sampled elements. */
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
  const tacLoadSnapshots *snapshots; /* of a nonlinear solid */
} tacLoadCoordinatesDef;

/* The terms to fit: linear ones alone, powers along one direction, or monomials of all components. */
tacLoadTerms tac_load_coordinates_terms(const tacLoadProblem *problem);
/* y [load][term][n], to be freed. */
tacStatus tac_load_coordinates_create(const tacLoadCoordinatesDef *def, const tacProgress *progress, float **y,
                                      tacError *error);
