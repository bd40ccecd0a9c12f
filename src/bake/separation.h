/* Proper generalised decomposition of a linear solid under many loads: u(x, s) = sum_k X_k(x) Y_k(s) with K u(., s) = f(s)
 * for every s, by greedy enrichment with alternating directions (Gonzalez et al. 2015, sections 2.1 and 2.2). Offline.
 *
 * With n terms known, the next one R(x) S(s) makes the energy norm of the error least: with S known,
 *     K R = (sum_s S(s) (f(s) - K u_n(s))) / (sum_s S(s)^2);
 * with R known, S(s) = R . (f(s) - K u_n(s)) / (R . K R). The residual is that of the energy norm,
 *     sqrt(sum_s |u - u_n|_K^2 / sum_s |u|_K^2). */
#ifndef TAC_BAKE_SEPARATION_H
#define TAC_BAKE_SEPARATION_H

#include <tactus/progress.h>
#include "math/factor.h"
#include "math/sparse.h"

typedef struct tacSeparationDef {
  const tacSparse *stiffness; /* lower triangle of K, of the free degrees of freedom */
  tacFactor *factor;          /* of K */
  const tacSparse *loads;     /* a column f(s) a load, N */
  const double *weights;      /* [load]: error of each is weighed by this; NULL: 1 */
  double residual;            /* wanted; default of the paper 1e-5 */
  int most;                   /* terms; 0: as many as there are loads */
} tacSeparationDef;

typedef struct tacSeparation {
  int size, load_count, count;
  double *x; /* [term][size], m */
  double *y; /* [term][load] */
  double residual;
  double *residuals; /* [term]: after it */
  int alternations;  /* in all */
  bool stagnated;    /* more terms did not lower the residual to what was wanted */
} tacSeparation;

tacStatus tac_separation_create(const tacSeparationDef *def, const tacProgress *progress, tacSeparation *separation,
                                tacError *error);
void tac_separation_destroy(tacSeparation *separation); /* a zeroed struct is allowed */

/* Orthogonalised and compressed: X^T M X = I for diagonal M (`mass` [size]), terms in descending order of what they hold, as few as
 * sum_s weight |u - u_n|_M^2 <= accuracy^2 sum_s weight |u|_M^2 needs. */
tacStatus tac_separation_compress(tacSeparation *separation, const double *mass, const double *weights, double accuracy,
                                  tacError *error);

#endif
