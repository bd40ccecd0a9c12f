/* Proper generalised decomposition of a linear solid under many loads: u(x, s) = sum_k X_k(x) Y_k(s) with
 * K u(., s) = f(s) for every s, by greedy enrichment with alternating directions (Gonzalez et al. 2015, sections 2.1
 * and 2.2). Offline.
 *
 * With n terms known, the next one R(x) S(s) makes the energy norm of the error, weighed by w, least: with S known,
 *     K R = (sum_s w S(s) (f(s) - K u_n(s))) / (sum_s w S(s)^2);
 * with R known, S(s) = R . (f(s) - K u_n(s)) / (R . K R). The residual is that of the energy norm,
 *     sqrt(sum_s w |u - u_n|_K^2 / sum_s w |u|_K^2).
 *
 * X^T K X = I is kept, so that Y_k(s) = X_k . f(s): for its X no other Y is nearer, and a term never spoils earlier
 * ones. */
#pragma once

#include <tactus/base.h>
#include "math/sparse/factor.h"
#include "math/sparse/sparse.h"

typedef struct tacSeparationDef {
  const tacSparse *stiffness; /* lower triangle of K, of the free degrees of freedom */
  tacFactor *factor;          /* of K */
  const tacSparse *loads;     /* a column f(s) a load, N */
  const double *weights;      /* [load]: square of the error of each is weighed by this, >= 0; NULL: 1 */
  double residual;            /* wanted; 0: 1e-5, as in the paper */
  int most;                   /* terms; 0: as many as there may be, the lesser of loads and degrees of freedom */
} tacSeparationDef;

typedef struct tacSeparation {
  int size, load_count, count;
  double *x; /* [term][size], m / J^1/2 */
  double *y; /* [term][load], J^1/2 */
  double residual;
  double *residuals; /* [term]: after it */
  int alternations;  /* in all */
  bool stagnated;    /* more terms did not lower the residual to what was wanted; where `most` ended it, they might */
} tacSeparation;

/* Loads that depend on others, and zero ones, are allowed: once the terms span all, the residual is that of
 * rounding. Same input, same result, for any number of threads. TAC_ERR_ARGUMENT where sizes do not fit, a number is
 * not finite, or `factor` is not that of K; TAC_ERR_CANCELLED; on failure `separation` is empty. */
tacStatus tac_separation_create(const tacSeparationDef *def, const tacProgress *progress, tacSeparation *separation,
                                tacError *error);
void tac_separation_destroy(tacSeparation *separation); /* a zeroed struct is allowed */

/* Orthogonalised and compressed: X^T M X = I for diagonal M (`mass` [size], kg), terms in descending order of what
 * they hold, as few as sum_s weight |u - u_n|_M^2 <= accuracy^2 sum_s weight |u|_M^2 needs, u being what
 * `separation` was: what that was away from K^-1 f comes on top. `residual` and
 * `residuals` are then the roots of that ratio. `weights` may be NULL: 1. On failure `separation` is as it was. */
tacStatus tac_separation_compress(tacSeparation *separation, const double *mass, const double *weights, double accuracy,
                                  tacError *error);
