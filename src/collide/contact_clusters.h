/* A few contacts in place of many: those that are extreme and far from each other.
 *
 * Places and normals together have the distance D with D^2 = |p - p'|^2 + L^2 |n - n'|^2. One of the deepest comes first,
 * then again and again the candidate farthest from those already chosen (Gonzalez 1985): a flat patch keeps its corners, each
 * of several patches some. No candidate is then farther from a chosen one than twice what any choice of as many could reach.
 *
 * The choice of the last tick stays as long as it is good: what is left of it is filled up by the same rule, and it is given
 * up only for a new choice that leaves all candidates nearer by the share `reluctance`. So a choice changes back only where
 * the candidates have changed by more than that: no chatter, whatever the rounding.
 *
 * Any phase: no allocation, time proportional to candidates times chosen, and the same input gives the same output. The order of
 * the candidates does not matter where their keys differ. */
#ifndef TAC_COLLIDE_CONTACT_CLUSTERS_H
#define TAC_COLLIDE_CONTACT_CLUSTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <tactus/vec3.h>

enum { TAC_CONTACT_CLUSTERS_MOST = 16 };

typedef struct tacContactCandidate {
  tacVec3 place;  /* m */
  tacVec3 normal; /* unit */
  double gap;     /* m, negative inside */
  uint64_t key;   /* the same as long as the contact lives; decides where candidates are equally good */
  bool kept;      /* was chosen in the last tick */
} tacContactCandidate;

typedef struct tacContactClusters {
  double normal_length; /* L, m: opposite normals count as places 2 L apart; the size of what touches */
  double
      gap_tolerance; /* m: so much above the least gap counts as deepest, too; 0: the deepest itself is always chosen */
  double reluctance; /* share by which a new choice must be better */
} tacContactClusters;

/* For things of the given size, m: L is half of it, the tolerance a thousandth, the reluctance a quarter. */
tacContactClusters tac_contact_clusters_default(double size);

/* Writes at most `most` (1 to 16) indices of candidates into `chosen`, ascending by key, and returns how many: fewer only where
 * there are fewer, or where others are equal to those chosen in place and normal. Candidates with a number that is not finite
 * are not chosen. `work` is [candidate_count]. */
int tac_contact_clusters_choose(const tacContactClusters *clusters, int most, int candidate_count,
                                const tacContactCandidate *candidates, double *work, int *chosen);

#endif
