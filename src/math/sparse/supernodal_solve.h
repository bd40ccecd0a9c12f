/* A x = b with the numbers of a supernodal factor L L^T = P A P^T. One right-hand side with a large factor, and many with any,
 * are solved on all threads. How the work is divided depends on the factor alone, so that the bits do not depend on the
 * number of threads. Several threads may solve with one factor at the same time. Offline. */
#pragma once

#include "base/error.h"
#include "math/sparse/supernodal_plan.h"

/* X = A^-1 B for `count` vectors, one after the other, without gaps; X may be B. `value`: the numbers of L. `alone`: by the
 * calling thread, which starts no other. */
tacStatus tac_supernodal_solve(const tacSupernodalPlan *plan, bool alone, const double *value, const double *b,
                               int count, double *x, tacError *error);
