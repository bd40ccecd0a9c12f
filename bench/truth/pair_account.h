/* What the forces of a pair by penalty give beyond what their potential held: whether contact itself is conservative,
 * whatever hands, couplings and bodies do with it.
 *
 * From one evaluation to the next the bodies move, and a force f that acts at one place on both, opposite, does the work
 * f.(dp - dx) on them, dp and dx the ways of the material points of shell and field that meet there; by the trapezium
 * rule half of it with the force before and half with that after, points that come and go included, with the part of
 * their way that is in contact. Of forces along n alone, which have the potential U (contact/penalty.h),
 *
 *     G = sum 1/2 (f_n + f_n') . (dp - dx) + U' - U
 *
 * is 0 where they are its gradient, and else what the pair gave. With friction, whose springs hold H,
 *
 *     G = sum 1/2 (f + f') . (dp - dx) + U' - U + H' - H
 *
 * is that less what friction took. Of both the sums over time are kept, and the most by which they rose within a second.
 * Of implicit steps nothing is in it: it is of the law alone. Worlds that are simulated slower than they are rendered
 * are not looked at. */
#pragma once

#include <tactus/world.h>

enum { TAC_PAIR_ACCOUNT_BUCKETS = 100 };

/* A sum over time, and the most by which it rose within a second. */
typedef struct tacPairRise {
  double sum, most;                       /* J */
  int64_t begin;                          /* tick of the second in which it rose most; -1: it never rose */
  double least[TAC_PAIR_ACCOUNT_BUCKETS]; /* J: of the sum in each 0.01 s */
} tacPairRise;

typedef struct tacPairAccountPair tacPairAccountPair; /* of one */

typedef struct tacPairAccount {
  const tacWorld *world;
  int64_t step;              /* of the world that was looked at last */
  int pair_count;            /* by penalty; 0: nothing is looked at */
  tacPairAccountPair *pairs; /* [pair_count] */
  /* Results of the worst pair. */
  double along; /* J: in a second, of forces along n alone */
  double all;   /* J: in a second, with friction */
  double work;  /* J: of all pairs and times, sum |f_n . (dp - dx)| */
} tacPairAccount;

tacStatus tac_pair_account_create(const tacWorld *world, tacPairAccount *account, tacError *error);
void tac_pair_account_free(tacPairAccount *account); /* a zeroed struct is allowed */
/* After each tick. */
void tac_pair_account_look(tacPairAccount *account);
