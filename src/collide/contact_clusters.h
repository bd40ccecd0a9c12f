/* Reduces many contacts to a few contacts that are far from each other.
 *
 * Let two contacts have positions p, p' and normals n, n'. Their distance D is given by D^2 = |p - p'|^2 + L^2 |n -
 * n'|^2. The first choice is one of the deepest candidates. Each next choice is the candidate farthest from all chosen
 * contacts (Gonzalez 1985). So the corners of a flat patch are chosen, and each of several patches gets some contacts.
 *
 * Let Q be the least distance between two chosen contacts. Let R be the largest distance of a candidate from its
 * nearest chosen contact. Then R <= Q. No other choice that includes the deepest contact has a Q above 2 Q or an R
 * below R / 2.
 *
 * In each tick, the same rule replaces previously chosen contacts that have vanished. This choice is used if R <= (1 +
 * h) Q, and if a choice from scratch would increase Q by at most the factor 1 + h. A choice from scratch satisfies both
 * conditions. Each later replacement increases Q by the factor 1 + h. So if candidates move only slightly, a choice is
 * replaced at most three times (h = 1/4).
 *
 * The functions are for any phase: they do not allocate, and the same input gives the same output. The time is
 * proportional to the number of candidates times the number of chosen contacts. The order of the candidates does not
 * matter if their keys differ. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>

enum { TAC_CONTACT_CLUSTERS_MOST = 256 };

typedef struct tacContactCandidate {
  tacVec3 place;  /* position, m */
  tacVec3 normal; /* unit normal */
  double gap;     /* gap, m; negative inside */
  uint64_t key;   /* identifier of the contact, constant while the contact exists; breaks ties */
  bool kept;      /* true if chosen in the previous tick */
  bool least;     /* true at a local minimum of the gap; local minima are preferred among the deepest candidates */
  double load;    /* force in the previous tick, N */
} tacContactCandidate;

typedef struct tacContactClusters {
  /* length L, m, similar to the size of the objects; opposite normals count as a distance of 2 L */
  double normal_length;
  double gap_tolerance; /* tolerance, m: a gap counts as deepest if it exceeds the least gap by at most this value */
  double reluctance;    /* threshold h for replacing a choice, dimensionless */
} tacContactClusters;

/* Returns values for objects of the given size (m): L is half the size, the tolerance is a thousandth of it, and h is
 * 1/4. */
tacContactClusters tac_contact_clusters_default(double size);

/* Writes at most `most` (1 to 256) indices of candidates into `chosen`, ascending by key, and returns their number. The
 * number is below `most` if there are too few candidates, or if all other candidates equal a chosen candidate in
 * position and normal. If `most` is above 16 and all candidates fit, equal candidates are also chosen. Candidates with
 * NaN or infinite values are not chosen. `work`: memory, [candidate_count]. */
int tac_contact_clusters_choose(const tacContactClusters *clusters, int most, int candidate_count,
                                const tacContactCandidate *candidates, double *work, int *chosen);

/* Chooses contacts for bodies without inertia, which return to their rest shape where no contact supports them. Retains
 * contacts that had a force, and adds deep contacts that are far from each other. So each tick adds places that were
 * still inside in the previous tick. At rest no place is inside. The parameters are those of
 * tac_contact_clusters_choose. */
int tac_contact_clusters_support(const tacContactClusters *clusters, int most, int candidate_count,
                                 const tacContactCandidate *candidates, double *work, int *chosen);
