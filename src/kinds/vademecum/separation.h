/* Proper generalised decomposition of a linear solid under many loads: u(x, s) = sum_k X_k(x) Y_k(s) with K u(., s) =
 * f(s) for every s, by greedy enrichment with alternating directions (Gonzalez et al. 2015, sections 2.1 and 2.2).
 * Offline.
 *
 * With n terms known, the next one R(x) S(s) minimises the energy norm of the error, weighted by w. With S known,
 *     K R = (sum_s w S(s) (f(s) - K u_n(s))) / (sum_s w S(s)^2);
 * with R known, S(s) = R . (f(s) - K u_n(s)) / (R . K R). The residual is that of the energy norm,
 *     sqrt(sum_s w |u - u_n|_K^2 / sum_s w |u|_K^2).
 *
 * X^T K X = I is maintained, so that Y_k(s) = X_k . f(s): this Y is optimal for its X, and a term never degrades
 * earlier ones. */
#pragma once

#include <tactus/base.h>
#include "math/sparse/factor.h"
#include "math/sparse/sparse.h"

typedef struct tacSeparationDef {
  const tacSparse *stiffness; /* lower triangle of K, of the free degrees of freedom */
  tacFactor *factor;          /* of K */
  const tacSparse *loads;     /* one column f(s) per load, N */
  const double *weights;      /* [load]: weight of each squared error, >= 0; NULL: 1 */
  double residual;            /* target; 0: 1e-5, as in the paper */
  int most;                   /* terms; 0: the maximum, the lesser of loads and degrees of freedom */
} tacSeparationDef;

typedef struct tacSeparation {
  int size, load_count, count;
  double *x; /* [term][size], m / J^1/2 */
  double *y; /* [term][load], J^1/2 */
  double residual;
  double *residuals; /* [term]: residual after it */
  int alternations;  /* total */
  bool stagnated; /* more terms did not lower the residual to the target; false if `most` ended it: then they might */
} tacSeparation;

/* Dependent and zero loads are allowed: once the terms span all, the residual is rounding. Same input, same result, for
 * any number of threads. TAC_ERR_ARGUMENT: sizes do not fit, a number is not finite, or `factor` is not that of K;
 * TAC_ERR_CANCELLED; on failure `separation` is empty. */
tacStatus tac_separation_create(const tacSeparationDef *def, const tacProgress *progress, tacSeparation *separation,
                                tacError *error);
void tac_separation_destroy(tacSeparation *separation); /* a zeroed struct is allowed */

/* Orthogonalises and compresses: X^T M X = I for diagonal M (`mass` [size], kg), terms in descending order of captured
 * norm, as few as sum_s weight |u - u_n|_M^2 <= accuracy^2 sum_s weight |u|_M^2 requires, u being the given
 * `separation`, whose distance to K^-1 f is additional. `residual` and `residuals` become the roots of that ratio.
 * `weights` may be NULL: 1. On failure `separation` is unchanged. */
tacStatus tac_separation_compress(tacSeparation *separation, const double *mass, const double *weights, double accuracy,
                                  tacError *error);
