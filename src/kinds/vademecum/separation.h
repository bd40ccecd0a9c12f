/* Computes the proper generalised decomposition of the displacements u of a linear solid under many loads s:
 *     u(x, s) = sum_k X_k(x) Y_k(s),   K u(., s) = f(s).
 * K is the stiffness, and f(s) is the force of the load. The terms are found by greedy enrichment with alternating
 * directions (Gonzalez et al. 2015, sections 2.1 and 2.2). Runs offline.
 *
 * Let u_n be the sum of the first n terms. The next term R(x) S(s) minimises the energy norm of the error, with a
 * weight w for each load. If S is known,
 *     K R = (sum_s w S(s) (f(s) - K u_n(s))) / (sum_s w S(s)^2).
 * If R is known, S(s) = R . (f(s) - K u_n(s)) / (R . K R). The residual is the relative error in the energy norm,
 *     sqrt(sum_s w |u - u_n|_K^2 / sum_s w |u|_K^2).
 *
 * The X_k are kept orthonormal: X^T K X = I. So Y_k(s) = X_k . f(s) is optimal for the given X, and a new term never
 * increases the error. */
#pragma once

#include <tactus/base.h>
#include "math/sparse/factor.h"
#include "math/sparse/sparse.h"

typedef struct tacSeparationDef {
  const tacSparse *stiffness; /* lower triangle of the stiffness K, for the free degrees of freedom */
  tacFactor *factor;          /* factor of the stiffness K */
  const tacSparse *loads;     /* [free degree of freedom][load]: forces f(s), N */
  const double *weights;      /* [load]: weight of each squared error, >= 0; NULL: 1 */
  double residual;            /* target residual; 0 means 1e-5, the value of the paper */
  int most; /* maximum number of terms; 0 means the number of loads or degrees of freedom, whichever is smaller */
} tacSeparationDef;

typedef struct tacSeparation {
  int size, load_count, count; /* numbers of free degrees of freedom, of loads, and of terms */
  double *x;                   /* [term][size]: displacement X of each term, m / J^1/2 */
  double *y;                   /* [term][load]: factor Y of each load, J^1/2 */
  double residual;             /* residual with all terms */
  double *residuals;           /* [term]: residual after each term */
  int alternations;            /* number of alternations over all terms */
  bool stagnated;              /* true if the target was missed because further terms had no effect */
} tacSeparation;

/* Computes the decomposition. Loads may be zero or linearly dependent: once the terms span all loads, the residual
 * is only rounding error. The result does not depend on the number of threads. Fails with TAC_ERR_ARGUMENT if sizes
 * do not match, a number is not finite, or `factor` is not the factor of K. Fails with TAC_ERR_CANCELLED if
 * `progress` cancels. On failure `separation` is empty. */
tacStatus tac_separation_create(const tacSeparationDef *def, const tacProgress *progress, tacSeparation *separation,
                                tacError *error);
void tac_separation_destroy(tacSeparation *separation); /* a zeroed struct is allowed */

/* Replaces the terms by fewer terms with X^T M X = I, where M is the diagonal mass matrix (`mass` [size], kg). The new
 * terms are in descending order of captured norm. Let u be the given separation and u_n the first n new terms. The
 * number of terms becomes the smallest n with
 *     sum_s weight |u - u_n|_M^2 <= accuracy^2 sum_s weight |u|_M^2.
 * The error of u relative to K^-1 f is not included. `residual` and `residuals` become the square root of the ratio
 * of both sums. `weights` may be NULL, which means 1 for each load. On failure `separation` is unchanged. */
tacStatus tac_separation_compress(tacSeparation *separation, const double *mass, const double *weights, double accuracy,
                                  tacError *error);
