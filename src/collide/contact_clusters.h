/* A few contacts in place of many: those that are extreme and far from each other.
 *
 * Places and normals together have the distance D with D^2 = |p - p'|^2 + L^2 |n - n'|^2. One of the deepest comes
 * first, then again and again the candidate farthest from those already chosen (Gonzalez 1985): a flat patch keeps its
 * corners, each of several patches some. Let Q be the least distance between two chosen ones, R the largest of a
 * candidate from the nearest chosen one. Such a choice has R <= Q, and no other with the deepest in it has more than 2
 * Q, or less than R / 2.
 *
 * The choice of the last tick, with what has vanished filled up by the same rule, stays as long as it is good: R <= (1
 * + h) Q, and a new one would have a Q of (1 + h) times as much at most. A new one is good, and each change after it
 * makes Q larger by 1 + h: while candidates only tremble, a choice is given up three times at most (h = 1/4).
 *
 * Any phase: no allocation, time proportional to candidates times chosen, and the same input gives the same output.
 * The order of the candidates does not matter where their keys differ. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>

enum { TAC_CONTACT_CLUSTERS_MOST = 256 };

typedef struct tacContactCandidate {
  tacVec3 place;  /* m */
  tacVec3 normal; /* unit */
  double gap;     /* m, negative inside */
  uint64_t key;   /* the same as long as the contact lives; decides where candidates are equally good */
  bool kept;      /* was chosen in the last tick */
  bool least;     /* no place beside it is deeper: of the deepest, such a one is chosen */
  double load;    /* N: the force that it bore then */
} tacContactCandidate;

typedef struct tacContactClusters {
  double normal_length; /* L, m: opposite normals count as places 2 L apart; the size of what touches */
  double
      gap_tolerance; /* m: so much above the least gap counts as deepest, too; 0: the deepest itself is always chosen */
  double reluctance; /* h */
} tacContactClusters;

/* For things of the given size, m: L is half of it, the tolerance a thousandth, the reluctance a quarter. */
tacContactClusters tac_contact_clusters_default(double size);

/* Writes at most `most` (1 to 256) indices of candidates into `chosen`, ascending by key, and returns how many: fewer
 * only where there are fewer, or where others are equal to those chosen in place and normal, unless `most` is above 16 and there is room for all. Candidates with a number
 * that is not finite are not chosen. `work` is [candidate_count]. */
int tac_contact_clusters_choose(const tacContactClusters *clusters, int most, int candidate_count,
                                const tacContactCandidate *candidates, double *work, int *chosen);

/* The same of bodies without inertia, which spring back wherever they are not held: what bore a force stays, beside the deepest that are far from
 * each other. So each tick adds what the last one left inside, and at rest nothing is. */
int tac_contact_clusters_support(const tacContactClusters *clusters, int most, int candidate_count,
                                 const tacContactCandidate *candidates, double *work, int *chosen);
