/* Numbers of a sparse Cholesky factor by supernodes, L L^T = P A P^T, on all threads: left-looking over the levels of the
 * elimination tree (Ng and Peyton 1993), with our own dense products. Each entry's sum has one order, so that the
 * bits do not depend on the number of threads. What takes less than a millisecond is done by the calling thread. Offline. */
#pragma once

#include "base/error.h"
#include "math/sparse/supernodal_solve.h"
#include "math/sparse/supernodes.h"

/* Which supernodes act on which, and where the entries of A go. */
typedef struct tacSupernodalPlan tacSupernodalPlan;

/* The pattern of A, of which entries above the diagonal are ignored; `l` needs no values. */
tacStatus tac_supernodal_plan_create(const tacSupernodes *l, const int *column_start, const int *row,
                                     tacSupernodalPlan **plan, tacError *error);
tacSupernodalPlan *tac_supernodal_plan_share(tacSupernodalPlan *plan); /* for another factor of the same pattern */
void tac_supernodal_plan_release(tacSupernodalPlan *plan);             /* NULL is allowed */
const tacSupernodalShares *tac_supernodal_plan_shares(const tacSupernodalPlan *plan); /* for solutions */

/* `value` of A, one for each entry of its pattern; `to`: the numbers of L, as l->value_start says. *column becomes -1, or
 * the column of P A P^T at which A is not positive definite: the numbers are then of no use. */
tacStatus tac_supernodal_cholesky(const tacSupernodalPlan *plan, const tacSupernodes *l, const double *value,
                                  double *to, int *column, tacError *error);
