/* Reduces many contacts to a few: extreme ones that are far from each other.
 *
 * Distance D of places and normals: D^2 = |p - p'|^2 + L^2 |n - n'|^2. One of the deepest comes first, then repeatedly
 * the candidate farthest from those chosen (Gonzalez 1985): a flat patch keeps its corners, and each of several patches
 * some contacts. Let Q be the least distance between two chosen ones, R the largest of a candidate from the nearest
 * chosen one. Then R <= Q, and no other choice with the deepest in it has a Q above 2 Q, or an R below R / 2.
 *
 * The choice of the previous tick, with vanished contacts replaced by the same rule, is kept as long as it is good: R
 * <= (1 + h) Q, and a new choice would have at most (1 + h) times its Q. A new choice is good, and each later change
 * increases Q by 1 + h. So while candidates only tremble, a choice is replaced at most three times (h = 1/4).
 *
 * Any phase: no allocation, time proportional to candidates times chosen, and the same input gives the same output. The
 * order of the candidates does not matter if their keys differ. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>

enum { TAC_CONTACT_CLUSTERS_MOST = 256 };

typedef struct tacContactCandidate {
  tacVec3 place;  /* m */
  tacVec3 normal; /* unit */
  double gap;     /* m, negative inside */
  uint64_t key;   /* constant for the life of the contact; breaks ties */
  bool kept;      /* was chosen in the previous tick */
  bool least;     /* no neighbouring place is deeper: preferred among the deepest */
  double load;    /* N: its force then */
} tacContactCandidate;

typedef struct tacContactClusters {
  double normal_length; /* L, m: opposite normals count as places 2 L apart; size of the objects */
  double gap_tolerance; /* m: gaps this close to the least count as deepest; 0: always the deepest itself */
  double reluctance;    /* h */
} tacContactClusters;

/* For objects of the given size, m: L is half of it, the tolerance a thousandth, the reluctance a quarter. */
tacContactClusters tac_contact_clusters_default(double size);

/* Writes at most `most` (1 to 256) indices of candidates into `chosen`, ascending by key, and returns their number. It
 * is smaller only if there are fewer candidates, or others equal chosen ones in place and normal, unless `most` is
 * above 16 and all fit. Candidates with numbers that are not finite are not chosen. `work` is [candidate_count]. */
int tac_contact_clusters_choose(const tacContactClusters *clusters, int most, int candidate_count,
                                const tacContactCandidate *candidates, double *work, int *chosen);

/* The same for bodies without inertia, which spring back wherever no contact holds them: contacts that had a force
 * stay, besides the deepest that are far from each other. So each tick adds contacts that the previous one left inside,
 * and at rest none is inside. */
int tac_contact_clusters_support(const tacContactClusters *clusters, int most, int candidate_count,
                                 const tacContactCandidate *candidates, double *work, int *chosen);
