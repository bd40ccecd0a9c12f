/* What is known of a matrix K = dR/dq from places where R was evaluated lately: with s and y the differences of q and R from each to the
 * next, K s = y. An old K is corrected to that by the formula of Broyden, Fletcher, Goldfarb and Shanno (1970), which changes it least and
 * leaves it positive definite; from the oldest difference to the newest. No allocation after creation. */
#pragma once

#include <stdbool.h>
#include "base/error.h"

typedef struct tacSecants {
  int size, capacity, count; /* n; places */
  double *q, *force;         /* [count][n], oldest first */
  double *work;              /* [3][n] */
} tacSecants;

tacStatus tac_secants_create(int size, int capacity, tacSecants *secants, tacError *error);
void tac_secants_destroy(tacSecants *secants); /* may be called on {0} */

/* Another place; of more than `capacity` the oldest is forgotten. One that is where the last is, to 1e-6 of |q|, is not taken: what
 * rounding leaves of its difference would say nothing. Returns whether it was. */
bool tac_secants_add(tacSecants *secants, const double *q, const double *force);
/* All but the last `count` are forgotten. */
void tac_secants_keep(tacSecants *secants, int count);
/* K [n][n], symmetric, to the bit before and after. Differences along which R falls are left out. */
void tac_secants_correct(const tacSecants *secants, double *k);
