#include "collide/contact_clusters.h"

#include <string.h>
#include "math/geometry/vec3.h"

enum { SPREAD_BELOW = 16 }; /* largest number of chosen contacts for which equal candidates are omitted */

tacContactClusters tac_contact_clusters_default(double size) {
  return (tacContactClusters){.normal_length = 0.5 * size, .gap_tolerance = 1e-3 * size, .reluctance = 0.25};
}

/* State while contacts are chosen from candidates. */
typedef struct Choice {
  const tacContactClusters *clusters;
  int most, candidate_count;
  const tacContactCandidate *candidates;
  double *apart; /* [candidate_count] D^2 to the nearest chosen candidate, initially infinite; -1 if not eligible */
  int *chosen, count;
  double within;     /* largest eligible gap, m */
  double least;      /* least D^2 between two chosen candidates; infinite if fewer than two are chosen */
  int farthest;      /* candidate farthest from all chosen candidates; -1 if all candidates equal chosen ones */
  double most_apart; /* D^2 from `farthest` to the nearest chosen candidate */
} Choice;

static bool usable(const tacContactCandidate *c) {
  return tac_vec3_finite(c->place) && tac_vec3_finite(c->normal) && isfinite(c->gap);
}

/* Replaces `*at` by candidate `i` if `value` is larger than `*best`. If the values are equal, the smaller key wins.
 * Call first with *at = -1. */
static void offer(const Choice *choice, int i, double value, int *at, double *best) {
  if (*at >= 0 && value < *best) return;
  if (*at >= 0 && value == *best && choice->candidates[i].key >= choice->candidates[*at].key) return;
  *at = i;
  *best = value;
}

static inline double distance2(const tacContactCandidate *a, const tacContactCandidate *b, double length) {
  return tac_vec3_norm2(tac_vec3_sub(a->place, b->place)) +
         length * length * tac_vec3_norm2(tac_vec3_sub(a->normal, b->normal));
}

/* Adds a candidate to the choice unless the candidate equals a chosen candidate. Also updates `farthest`. */
static void add(Choice *choice, int added) {
  if (choice->count == choice->most || !(choice->apart[added] > 0.0)) return;
  choice->chosen[choice->count++] = added;
  if (choice->apart[added] < choice->least) choice->least = choice->apart[added];
  int farthest = -1;
  double most_apart = 0.0, length = choice->clusters->normal_length, *apart = choice->apart;
  const tacContactCandidate *candidates = choice->candidates, one = candidates[added];
  for (int i = 0; i < choice->candidate_count; ++i) {
    double d = distance2(&candidates[i], &one, length);
    apart[i] = d < apart[i] ? d : apart[i];
    if (apart[i] >= most_apart && apart[i] > 0.0 && candidates[i].gap <= choice->within)
      offer(choice, i, apart[i], &farthest, &most_apart);
  }
  choice->farthest = farthest;
  choice->most_apart = most_apart;
}

static void clear(Choice *choice) {
  choice->count = 0;
  choice->least = INFINITY;
  for (int i = 0; i < choice->candidate_count; ++i) choice->apart[i] = usable(&choice->candidates[i]) ? INFINITY : -1.0;
}

/* Adds the candidate farthest from all chosen candidates until the choice is full. Call with at least one chosen
 * candidate. */
static void spread(Choice *choice) {
  while (choice->farthest >= 0 && choice->count < choice->most) add(choice, choice->farthest);
}

/* Returns the deepest local minimum if its gap is at most `*limit`, the largest gap that counts as deepest. Otherwise
 * returns the candidate within `*limit` that is farthest from the centre of the box around all candidates. (The mean
 * position would depend on the order of the candidates through rounding.) Returns -1 if no candidate is usable. */
static int find_deepest(const Choice *choice, double *limit) {
  double least = INFINITY, best = 0.0;
  tacBox box = tac_box_empty();
  int deepest = -1, lowest = -1;
  for (int i = 0; i < choice->candidate_count; ++i) {
    const tacContactCandidate *c = &choice->candidates[i];
    if (!usable(c)) continue;
    if (c->least) offer(choice, i, -c->gap, &lowest, &best);
    least = fmin(least, c->gap);
    box = tac_box_add(box, c->place);
  }
  *limit = least + choice->clusters->gap_tolerance;
  if (lowest >= 0 && choice->candidates[lowest].gap <= *limit) return lowest;
  for (int i = 0; i < choice->candidate_count; ++i) {
    const tacContactCandidate *c = &choice->candidates[i];
    if (!usable(c) || c->gap > *limit) continue;
    offer(choice, i, tac_vec3_norm2(tac_vec3_sub(c->place, tac_box_centre(box))), &deepest, &best);
  }
  return deepest;
}

/* Adds the candidates with the flag `kept`. If their number exceeds `most`, adds only the candidates with the smallest
 * keys. */
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

/* Adds the candidate `deepest` unless a chosen candidate already counts as deepest. If the choice is full, `deepest`
 * replaces the nearest chosen candidate. */
static void add_deepest(Choice *choice, int deepest, double limit) {
  const tacContactCandidate *candidates = choice->candidates;
  double least = INFINITY;
  int nearest = 0;
  for (int k = 0; k < choice->count; ++k) {
    const tacContactCandidate *c = &candidates[choice->chosen[k]];
    if (c->gap <= limit && (c->least || !candidates[deepest].least)) return;
    double d = distance2(c, &candidates[deepest], choice->clusters->normal_length);
    if (!(d < least)) continue;
    nearest = k;
    least = d;
  }
  int count = choice->count;
  if (count == choice->most || least == 0.0) {
    int kept[TAC_CONTACT_CLUSTERS_MOST];
    memcpy(kept, choice->chosen, (size_t)count * sizeof *kept);
    clear(choice);
    add(choice, deepest);
    for (int k = 0; k < count; ++k)
      if (k != nearest) add(choice, kept[k]);
  }
  add(choice, deepest);
}

static void sort_by_key(const Choice *choice) {
  for (int k = 1; k < choice->count; ++k) {
    int i = choice->chosen[k], at = k;
    for (; at > 0 && choice->candidates[choice->chosen[at - 1]].key > choice->candidates[i].key; --at)
      choice->chosen[at] = choice->chosen[at - 1];
    choice->chosen[at] = i;
  }
}

static Choice choice_of(const tacContactClusters *clusters, int most, int candidate_count,
                        const tacContactCandidate *candidates, double *work, int *chosen) {
  return (Choice){.clusters = clusters,
                  .most = most < TAC_CONTACT_CLUSTERS_MOST ? most : TAC_CONTACT_CLUSTERS_MOST,
                  .candidate_count = candidate_count,
                  .candidates = candidates,
                  .apart = work,
                  .chosen = chosen,
                  .within = INFINITY};
}

int tac_contact_clusters_choose(const tacContactClusters *clusters, int most, int candidate_count,
                                const tacContactCandidate *candidates, double *work, int *chosen) {
  int renewed_places[TAC_CONTACT_CLUSTERS_MOST];
  Choice kept = choice_of(clusters, most, candidate_count, candidates, work, chosen);
  most = kept.most;
  if (most > SPREAD_BELOW && candidate_count <= most) { /* all candidates fit, so no choice is needed */
    for (int i = 0; i < candidate_count; ++i)
      if (usable(&candidates[i])) chosen[kept.count++] = i;
    sort_by_key(&kept);
    return kept.count;
  }
  double limit;
  int deepest = find_deepest(&kept, &limit);
  if (deepest < 0) return 0;
  clear(&kept);
  add_kept(&kept);
  bool fresh = kept.count == 0;
  add_deepest(&kept, deepest, limit);
  spread(&kept);
  if (!fresh && kept.most_apart > 0.0) {
    Choice renewed = kept;
    renewed.chosen = renewed_places;
    clear(&renewed);
    add(&renewed, deepest);
    spread(&renewed);
    double share = (1.0 + clusters->reluctance) * (1.0 + clusters->reluctance);
    if (kept.most_apart > share * kept.least || renewed.least > share * kept.least) {
      kept.count = renewed.count;
      memcpy(chosen, renewed_places, (size_t)kept.count * sizeof *renewed_places);
    }
  }
  sort_by_key(&kept);
  return kept.count;
}

/* Repeatedly adds the candidate farthest from all chosen candidates until `most` are chosen. Considers only candidates
 * with a gap up to `limit`. */
static void spread_within(Choice *choice, int most, double limit) {
  choice->within = limit;
  choice->farthest = -1;
  choice->most_apart = 0.0;
  for (int i = 0; i < choice->candidate_count; ++i)
    if (choice->candidates[i].gap <= limit && choice->apart[i] > 0.0 && choice->apart[i] >= choice->most_apart)
      offer(choice, i, choice->apart[i], &choice->farthest, &choice->most_apart);
  while (choice->farthest >= 0 && choice->count < most) add(choice, choice->farthest);
}

/* Adds up to `most` candidates with the largest forces. */
static void add_loaded(Choice *choice, int most) {
  int loaded[TAC_CONTACT_CLUSTERS_MOST], count = 0;
  for (int i = 0; i < choice->candidate_count; ++i) {
    const tacContactCandidate *c = &choice->candidates[i];
    if (!(c->load > 0.0) || !usable(c)) continue;
    int at = count < most ? count++ : count;
    for (; at > 0 && c->load > choice->candidates[loaded[at - 1]].load; --at)
      if (at < most) loaded[at] = loaded[at - 1];
    if (at < most) loaded[at] = i;
  }
  for (int k = 0; k < count; ++k) add(choice, loaded[k]);
}

int tac_contact_clusters_support(const tacContactClusters *clusters, int most, int candidate_count,
                                 const tacContactCandidate *candidates, double *work, int *chosen) {
  Choice choice = choice_of(clusters, most, candidate_count, candidates, work, chosen);
  most = choice.most;
  double limit;
  int deepest = find_deepest(&choice, &limit);
  if (deepest < 0) return 0;
  clear(&choice);
  add_loaded(&choice, most - most / 4);
  add(&choice, deepest);
  double least = candidates[deepest].gap;
  if (least < 0.0) spread_within(&choice, most, 0.5 * least);
  spread_within(&choice, most, fmax(0.0, limit));
  spread_within(&choice, choice.count + most / 4 < most ? choice.count + most / 4 : most, INFINITY);
  sort_by_key(&choice);
  return choice.count;
}
