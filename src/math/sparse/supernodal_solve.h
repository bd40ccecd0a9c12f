/* L L^T x = P b with the numbers of a supernodal factor, on all threads: subtrees of supernodes side by side, then what is above
 * them, large supernodes in strips. How the work is divided depends on the factor alone, so that the bits do not depend
 * on the number of threads. Offline. */
#pragma once

#include "base/error.h"
#include "math/sparse/supernodes.h"

/* Which subtrees are solved side by side. */
typedef struct tacSupernodalShares tacSupernodalShares;

/* `l` needs no values, and is not kept. */
tacStatus tac_supernodal_shares_create(const tacSupernodes *l, tacSupernodalShares **shares, tacError *error);
void tac_supernodal_shares_destroy(tacSupernodalShares *shares); /* NULL is allowed */

/* x = A^-1 b, which may be the same array. `l` has the pattern that the shares were made of. */
tacStatus tac_supernodal_solve(const tacSupernodalShares *shares, const tacSupernodes *l, const double *b, double *x,
                               tacError *error);
