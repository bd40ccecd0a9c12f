/* Reduces many contacts to a few that are far from each other.
 *
 * Distance D of places and normals: D^2 = |p - p'|^2 + L^2 |n - n'|^2. The first choice is one of the deepest
 * candidates. Each next choice is the candidate farthest from the chosen ones (Gonzalez 1985). So a flat patch keeps
 * its corners, and each of several patches keeps some contacts. Let Q be the least distance between two chosen
 * contacts, and R the largest distance of a candidate from the nearest chosen contact. Then R <= Q. No other choice
 * that includes the deepest contact has a Q above 2 Q, or an R below R / 2.
 *
 * In each tick, contacts that vanished from the previous choice are replaced by the same rule. The result is kept while
 * R <= (1 + h) Q and a new choice would have at most (1 + h) times its Q. A new choice satisfies both, and each later
 * change increases Q by the factor 1 + h. So if candidates move only slightly, a choice is replaced at most three times
 * (h = 1/4).
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
  bool least;     /* no neighbouring place is deeper; preferred among the deepest candidates */
  double load;    /* N: force in the previous tick */
} tacContactCandidate;

typedef struct tacContactClusters {
  double normal_length; /* L, m: opposite normals count as a distance of 2 L; similar to the size of the objects */
  double gap_tolerance; /* m: gaps up to this above the least gap count as deepest; 0: only the deepest */
  double reluctance;    /* h */
} tacContactClusters;

/* For objects of the given size (m): L is half the size, the tolerance a thousandth of it, and h is 1/4. */
tacContactClusters tac_contact_clusters_default(double size);

/* Writes at most `most` (1 to 256) indices of candidates into `chosen`, ascending by key, and returns their number. The
 * number is below `most` only if there are fewer candidates, or if the remaining ones equal chosen ones in place and
 * normal. If `most` is above 16 and all candidates fit, equal ones are chosen, too. Candidates with NaN or infinite
 * values are not chosen. `work` is [candidate_count]. */
int tac_contact_clusters_choose(const tacContactClusters *clusters, int most, int candidate_count,
                                const tacContactCandidate *candidates, double *work, int *chosen);

/* The same for bodies without inertia, which return to their shape wherever no contact holds them. Keeps contacts that
 * had a force, and adds deep contacts that are far from each other. So each tick adds places that were still inside in
 * the previous tick, and at rest no place is inside. */
int tac_contact_clusters_support(const tacContactClusters *clusters, int most, int candidate_count,
                                 const tacContactCandidate *candidates, double *work, int *chosen);
