/* Computes the modal coordinates q(s, t) of a vademecum for every load s as a polynomial of the load's force t. Runs
 * offline, on all cores.
 *
 * X are the modes, X(s) their displacements at load s, and K_r = X^T K X is the stiffness at rest in modal coordinates.
 * The linear terms are exact solutions of K_r q = X(s)^T t. The higher terms are least squares fits to equilibria at
 * several magnitudes and directions of the force. If an equilibrium u was solved with all nodes, then q = X^T M u with
 * the mass matrix M. Otherwise Newton's method solves R(q) = X(s)^T t, where R is the force of the sampled elements. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/hyper/sampled_solid.h"
#include "kinds/vademecum/load_problem.h"
#include "kinds/vademecum/load_snapshots.h"
#include "kinds/vademecum/load_terms.h"

typedef struct tacLoadCoordinatesDef {
  const tacLoadProblem *problem;
  const tacReduced *shape;
  const double *stiffness;           /* [n][n]: stiffness K_r at rest */
  const double *rows;                /* [load][3][n]: displacements X(s) of the modes at each load */
  const tacSampledParts *sampled;    /* sampled elements; NULL for a linear solid */
  const tacLoadSnapshots *snapshots; /* equilibria along loading paths; NULL for a linear solid */
} tacLoadCoordinatesDef;

/* Returns the monomials of the polynomials: linear terms, powers along one direction, or monomials of all
 * components. */
tacLoadTerms tac_load_coordinates_terms(const tacLoadProblem *problem);
/* Computes the coefficients `y` [load][term][n]. Free `y` with free(). */
tacStatus tac_load_coordinates_create(const tacLoadCoordinatesDef *def, const tacProgress *progress, float **y,
                                      tacError *error);
