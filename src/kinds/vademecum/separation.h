/* Proper generalised decomposition of a linear solid under many loads: u(x, s) = sum_k X_k(x) Y_k(s) with K u(., s) =
 * f(s) for every s, by greedy enrichment with alternating directions (Gonzalez et al. 2015, sections 2.1 and 2.2).
 * Offline.
 *
 * With n terms known, the next term R(x) S(s) minimises the energy norm of the error, weighted by w. With S known,
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
  tacFactor *factor;          /* factor of K */
  const tacSparse *loads;     /* one column f(s) per load, N */
  const double *weights;      /* [load]: weight of each squared error, >= 0; NULL: 1 */
  double residual;            /* target residual; 0: 1e-5, as in the paper */
  int most; /* maximum number of terms; 0: the number of loads or of degrees of freedom, the smaller one */
} tacSeparationDef;

typedef struct tacSeparation {
  int size, load_count, count;
  double *x; /* [term][size], m / J^1/2 */
  double *y; /* [term][load], J^1/2 */
  double residual;
  double *residuals; /* [term]: residual after this term */
  int alternations;  /* total number */
  bool stagnated;    /* further terms did not lower the residual to the target; false if `most` was reached first */
} tacSeparation;

/* Dependent and zero loads are allowed; once the terms span all loads, only rounding remains in the residual. The
 * result does not depend on the number of threads. TAC_ERR_ARGUMENT: sizes do not match, a number is not finite, or
 * `factor` is not the factor of K. TAC_ERR_CANCELLED: `progress` ended the computation. On failure `separation` is
 * empty. */
tacStatus tac_separation_create(const tacSeparationDef *def, const tacProgress *progress, tacSeparation *separation,
                                tacError *error);
void tac_separation_destroy(tacSeparation *separation); /* a zeroed struct is allowed */

/* Orthogonalises and compresses: afterwards X^T M X = I for diagonal M (`mass` [size], kg), and the terms are in
 * descending order of captured norm. Keeps the fewest terms with sum_s weight |u - u_n|_M^2 <= accuracy^2 sum_s weight
 * |u|_M^2, where u is the given `separation`. The error of u itself relative to K^-1 f is not included. `residual` and
 * `residuals` become the square roots of the ratio of these sums. `weights` may be NULL: 1. On failure `separation` is
 * unchanged. */
tacStatus tac_separation_compress(tacSeparation *separation, const double *mass, const double *weights, double accuracy,
                                  tacError *error);
