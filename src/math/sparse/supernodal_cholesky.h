/* Numbers of a sparse Cholesky factor by supernodes, L L^T = P A P^T: left-looking (Ng and Peyton 1993), with our own dense
 * products. Subtrees of the elimination tree are computed side by side, then what is above them level by level, in
 * strips of rows. Each entry's sum has one order, so that the bits do not depend on the number of threads. Offline, or a
 * separate thread. */
#pragma once

#include "base/error.h"
#include "math/sparse/supernodal_plan.h"

/* `value` of A, one for each entry of its pattern; `to`: the numbers of L, as plan->value_start says. `alone`: by the calling
 * thread, which starts no other. *column becomes -1, or the column of P A P^T at which A is not positive definite: the numbers
 * are then of no use. */
tacStatus tac_supernodal_cholesky(const tacSupernodalPlan *plan, bool alone, const double *value, double *to,
                                  int *column, tacError *error);
