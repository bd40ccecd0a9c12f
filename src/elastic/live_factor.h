/* The factor of a matrix that changes while it is used: P A P^T = L L^T of a symmetric positive definite A with a fixed sparsity,
 * computed by a thread of its own from the values that were posted last, and taken when it is ready (Courtecuisse et al. 2015, IV.A).
 * Between two factors the one in use is turned by nodal rotations R (13): A^-1 is about R L^-T L^-1 R^T.
 *
 * One thread (the user) posts, takes and solves; none of that allocates, locks or waits. Without a thread (before start, after stop) a
 * factor that was posted is computed in `take`, so that who tells the steps at which to take gets the same bits. */
#pragma once

#include <stdint.h>
#include "base/memory/owned.h"
#include "math/geometry/mat3.h"
#include "math/sparse/sparse.h"

typedef struct tacLiveFactor tacLiveFactor;

/* `lower`: on and below the diagonal, 3 n x 3 n; symbolic analysis once. `most_columns`: of tac_live_factor_columns at once. */
tacStatus tac_live_factor_create(const tacSparse *lower, int most_columns, tacLiveFactor **factor, tacError *error);
void tac_live_factor_destroy(tacLiveFactor *factor); /* stops its thread; NULL is allowed */
TAC_OWNED_TYPE(tacLiveFactor, tac_live_factor_destroy)
tacStatus tac_live_factor_start(tacLiveFactor *factor, tacError *error); /* the thread */
void tac_live_factor_stop(tacLiveFactor *factor);

/* Whether values may be posted: nothing is being computed, and nothing waits to be taken. */
bool tac_live_factor_idle(const tacLiveFactor *factor);
/* Copies the values; `tag` tells them, e.g. the step. Does nothing where not idle. */
void tac_live_factor_post(tacLiveFactor *factor, const double *value, int64_t tag);
bool tac_live_factor_ready(const tacLiveFactor *factor); /* a posted one can be taken (without a thread: was posted) */
/* Takes it: true, the one in use is new. False: there was none, or it failed (not positive definite, not finite), which is counted and
 * leaves the one in use; idle again in any case. Without a thread it computes here, which allocates: not for a tick then. */
bool tac_live_factor_take(tacLiveFactor *factor);
/* Computes at once, by the caller's thread, and takes; what was posted before is dropped. Not for a tick: it waits for what its thread
 * computes. */
bool tac_live_factor_update(tacLiveFactor *factor, const double *value, int64_t tag);

/* What was posted is forgotten; idle again. It waits likewise. */
void tac_live_factor_drop(tacLiveFactor *factor);

typedef struct tacLiveFactorReport {
  int64_t tag; /* of the one in use; -1: none yet */
  int taken, failed;
  double seconds; /* that the last numeric factorisation took */
} tacLiveFactorReport;
tacLiveFactorReport tac_live_factor_report(const tacLiveFactor *factor);

/* Of the factor in use; `turn` [n]: R of each node, from then to now; NULL: none. x may be b. Zeros, here and below, where none was
 * taken yet. */
void tac_live_factor_solve(tacLiveFactor *factor, const tacMat3 *turn, const double *b, double *x);

/* Sparse columns, for W = H A^-1 H^T by halves: column c is a sum of weights of unit forces at nodes; three columns, one an axis, for
 * each site: Y = L^-1 P R^T H^T, by the paths of the elimination tree alone; then C(i, j) = Y_i^T Y_j. */
enum { TAC_FACTOR_SITE_NODES = 96 };
typedef struct tacFactorSite {
  int count; /* nodes, each once */
  int node[TAC_FACTOR_SITE_NODES];
  double weight[TAC_FACTOR_SITE_NODES];
} tacFactorSite;
/* `c`: [3 count][3 count], all of C, m/N where A is in N/m; 3 count <= most_columns. Y is kept until the next call. */
void tac_live_factor_columns(tacLiveFactor *factor, const tacMat3 *turn, int count, const tacFactorSite *sites,
                             double *c);
/* x += A^-1 H^T f with the sites of the last tac_live_factor_columns, through its Y: x += R P^T L^-T (Y f). */
void tac_live_factor_respond(tacLiveFactor *factor, const tacMat3 *turn, int count, const double *f, double *x);
