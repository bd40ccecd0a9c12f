#include "collide/contact_clusters.h"

#include <string.h>
#include "math/vec3.h"

tacContactClusters tac_contact_clusters_default(double size) {
  return (tacContactClusters){.normal_length = 0.5 * size, .gap_tolerance = 1e-3 * size, .reluctance = 0.25};
}

/* A choice as it grows. */
typedef struct Choice {
  const tacContactClusters *clusters;
  int most, candidate_count;
  const tacContactCandidate *candidates;
  double
      *apart; /* [candidate_count] D^2 to the nearest chosen one, infinite before there is any; -1: cannot be chosen */
  int *chosen, count;
} Choice;

static bool usable(const tacContactCandidate *c) {
  return tac_vec3_finite(c->place) && tac_vec3_finite(c->normal) && isfinite(c->gap);
}

/* `value` decides, then the key, then the place in the list. Starts with at = -1. */
static void offer(const Choice *choice, int i, double value, int *at, double *best) {
  if (*at >= 0 && value < *best) return;
  if (*at >= 0 && value == *best && choice->candidates[i].key >= choice->candidates[*at].key) return;
  *at = i;
  *best = value;
}

static double distance2(const Choice *choice, int i, int k) {
  const tacContactCandidate *a = &choice->candidates[i], *b = &choice->candidates[k];
  double length = choice->clusters->normal_length;
  return tac_vec3_norm2(tac_vec3_sub(a->place, b->place)) +
         length * length * tac_vec3_norm2(tac_vec3_sub(a->normal, b->normal));
}

/* What equals a chosen one adds nothing. */
static void add(Choice *choice, int added) {
  if (choice->count == choice->most || !(choice->apart[added] > 0.0)) return;
  choice->chosen[choice->count++] = added;
  for (int i = 0; i < choice->candidate_count; ++i)
    choice->apart[i] = fmin(choice->apart[i], distance2(choice, i, added));
}

static void clear(Choice *choice) {
  choice->count = 0;
  for (int i = 0; i < choice->candidate_count; ++i) choice->apart[i] = usable(&choice->candidates[i]) ? INFINITY : -1.0;
}

/* Fills up with the farthest, and returns how far the farthest that is left is then, squared. */
static double spread(Choice *choice) {
  for (;;) {
    int farthest = -1;
    double apart = 0.0;
    for (int i = 0; i < choice->candidate_count; ++i)
      if (choice->apart[i] > 0.0) offer(choice, i, choice->apart[i], &farthest, &apart);
    if (farthest < 0 || choice->count == choice->most) return apart;
    add(choice, farthest);
  }
}

/* Of those that count as deepest, the one farthest from the middle of all; -1 where none can be chosen. `*limit` is the largest gap
 * that counts. */
static int find_deepest(const Choice *choice, double *limit) {
  double least = INFINITY, best = 0.0;
  tacVec3 sum = {0.0, 0.0, 0.0};
  int count = 0, deepest = -1;
  for (int i = 0; i < choice->candidate_count; ++i) {
    const tacContactCandidate *c = &choice->candidates[i];
    if (!usable(c)) continue;
    least = fmin(least, c->gap);
    sum = tac_vec3_add(sum, c->place);
    ++count;
  }
  *limit = least + choice->clusters->gap_tolerance;
  for (int i = 0; i < choice->candidate_count; ++i) {
    const tacContactCandidate *c = &choice->candidates[i];
    if (!usable(c) || c->gap > *limit) continue;
    offer(choice, i, tac_vec3_norm2(tac_vec3_mad(c->place, -1.0 / count, sum)), &deepest, &best);
  }
  return deepest;
}

/* By key. Where a caller says of more than `most` that they were kept, those with the least keys count. */
static void add_kept(Choice *choice) {
  int kept[TAC_CONTACT_CLUSTERS_MOST], count = 0;
  for (int i = 0; i < choice->candidate_count; ++i) {
    const tacContactCandidate *c = &choice->candidates[i];
    if (!c->kept || !usable(c)) continue;
    int at = count < choice->most ? count++ : count;
    for (; at > 0 && c->key < choice->candidates[kept[at - 1]].key; --at)
      if (at < choice->most) kept[at] = kept[at - 1];
    if (at < choice->most) kept[at] = i;
  }
  for (int k = 0; k < count; ++k) add(choice, kept[k]);
}

/* The choice of the last tick, with one of the deepest in place of the nearest where it has none. */
static double keep(Choice *choice, int deepest, double limit) {
  int nearest = -1;
  for (int k = 0; k < choice->count; ++k) {
    int i = choice->chosen[k];
    if (choice->candidates[i].gap <= limit) return spread(choice);
    if (nearest < 0 || distance2(choice, i, deepest) < distance2(choice, choice->chosen[nearest], deepest)) nearest = k;
  }
  int count = choice->count;
  if (count == choice->most || (count > 0 && distance2(choice, choice->chosen[nearest], deepest) == 0.0)) {
    int kept[TAC_CONTACT_CLUSTERS_MOST];
    memcpy(kept, choice->chosen, (size_t)count * sizeof *kept);
    clear(choice);
    add(choice, deepest);
    for (int k = 0; k < count; ++k)
      if (k != nearest) add(choice, kept[k]);
  }
  add(choice, deepest);
  return spread(choice);
}

static double renew(Choice *choice, int deepest) {
  clear(choice);
  add(choice, deepest);
  return spread(choice);
}

static void sort_by_key(const Choice *choice) {
  for (int k = 1; k < choice->count; ++k) {
    int i = choice->chosen[k], at = k;
    for (; at > 0 && choice->candidates[choice->chosen[at - 1]].key > choice->candidates[i].key; --at)
      choice->chosen[at] = choice->chosen[at - 1];
    choice->chosen[at] = i;
  }
}

int tac_contact_clusters_choose(const tacContactClusters *clusters, int most, int candidate_count,
                                const tacContactCandidate *candidates, double *work, int *chosen) {
  int anew[TAC_CONTACT_CLUSTERS_MOST];
  if (most > TAC_CONTACT_CLUSTERS_MOST) most = TAC_CONTACT_CLUSTERS_MOST;
  Choice kept = {clusters, most, candidate_count, candidates, work, chosen, 0};
  double limit;
  int deepest = find_deepest(&kept, &limit);
  if (deepest < 0) return 0;
  clear(&kept);
  add_kept(&kept);
  bool any = kept.count > 0;
  double apart = keep(&kept, deepest, limit);
  Choice renewed = kept;
  renewed.chosen = anew;
  double share = 1.0 + clusters->reluctance;
  if (any && apart > 0.0 && apart > share * share * renew(&renewed, deepest)) {
    memcpy(chosen, anew, (size_t)renewed.count * sizeof *anew);
    kept.count = renewed.count;
  }
  sort_by_key(&kept);
  return kept.count;
}
