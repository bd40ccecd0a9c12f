#include "world/pairs/budget.h"

#include <math.h>
#include "base/clock.h"
#include "world/pairs/pair.h"

/* Of the budget is aimed at: steps differ by some percent. */
static const double aim = 0.97;
/* How fast a rate follows what is dearer and what is cheaper, and by which factor at most it is thought to be off. */
static const double follow_up = 0.3, follow_down = 0.06, most_off = 2.0;
/* A step tells what a unit costs where it takes this part of a limit or of the budget. */
static const double telling = 0.25;
/* What a pair took is forgotten by this factor a step. It has so much more than that, and this part of the budget; where it
 * had to leave something out, twice its limit. */
static const double held = 0.98, more = 1.1, spare = 0.01, growth = 2.0;
/* A limit is changed where it is off by this part; where nobody is short of time, by that. */
static const double off = 0.02, off_at_ease = 0.25;

static bool has_limit(const tacPair *pair) {
  return !pair->laws;
}

static int count_pairs(const tacWorld *world) {
  int count = 0;
  for (int p = 0; p < world->pair_count; ++p) count += has_limit(&world->contact_pairs[p]);
  return count;
}

void tac_budget_prepare(tacWorld *world) {
  if (!(world->budget > 0.0)) return;
  if (world->clock == NULL) world->clock = tac_clock_now;
  int count = count_pairs(world);
  for (int p = 0; p < world->pair_count; ++p)
    if (has_limit(&world->contact_pairs[p]))
      tac_pair_set_budget(&world->contact_pairs[p], world->bodies, aim * world->budget / count);
}

static double median(const double x[3]) {
  return fmax(fmin(x[0], x[1]), fmin(fmax(x[0], x[1]), x[2]));
}

static void learn(tacPairCost *cost, const tacTraversalReport *report, double limit, double budget) {
  cost->seconds = tac_clock_seconds(cost->taken);
  cost->units = fmax(report->cost, held * cost->units);
  if (!(report->cost > 0.0 && (report->cost >= telling * limit || cost->seconds >= telling * budget))) return;
  cost->samples[0] = cost->samples[1];
  cost->samples[1] = cost->samples[2];
  cost->samples[2] = cost->seconds / report->cost;
  double ratio = fmax(1.0 / most_off, fmin(most_off, median(cost->samples) / cost->rate));
  cost->rate = fmax(1e-12, cost->rate * pow(ratio, ratio > 1.0 ? follow_up : follow_down));
}

void tac_budget_learn(tacWorld *world) {
  if (!(world->budget > 0.0)) return;
  for (int p = 0; p < world->pair_count; ++p) {
    tacPair *pair = &world->contact_pairs[p];
    if (has_limit(pair)) learn(&pair->cost, &pair->traversed, pair->limits.cost, world->budget);
  }
  world->learnt = true;
}

/* s */
static double wanted(const tacWorld *world, const tacPair *pair) {
  const tacPairCost *cost = &pair->cost;
  if (!pair->traversed.degraded) return more * cost->units * cost->rate + spare * world->budget;
  return growth * fmax(pair->limits.cost, cost->units) * cost->rate;
}

/* Whoever wants less than an equal part of what is left has it, until nobody does. Returns whether somebody is short. */
static bool share_out(tacWorld *world) {
  const int count = count_pairs(world);
  double rest = aim * world->budget;
  int open = count, degraded = 0;
  for (int p = 0; p < world->pair_count; ++p) {
    world->contact_pairs[p].cost.share = -1.0;
    degraded += world->contact_pairs[p].traversed.degraded;
  }
  for (bool found = true; found && open > 0;) {
    const double part = rest / open;
    found = false;
    for (int p = 0; p < world->pair_count; ++p) {
      tacPair *pair = &world->contact_pairs[p];
      if (!has_limit(pair) || pair->cost.share >= 0.0 || wanted(world, pair) > part) continue;
      pair->cost.share = wanted(world, pair);
      rest -= pair->cost.share;
      --open;
      found = true;
    }
  }
  for (int p = 0; p < world->pair_count; ++p) {
    tacPairCost *cost = &world->contact_pairs[p].cost;
    if (open == 0)
      cost->share += rest / count;
    else if (cost->share < 0.0)
      cost->share = rest / open;
  }
  return degraded > 0;
}

bool tac_budget_change(tacWorld *world, int *pair, double *nodes) {
  if (!world->learnt || count_pairs(world) == 0) return false;
  world->learnt = false;
  double least = share_out(world) ? off : off_at_ease, lowest = -least, highest = least;
  int lower = -1, higher = -1;
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *of = &world->contact_pairs[p];
    if (!has_limit(of)) continue;
    double change = of->cost.share / of->cost.rate / of->values[TAC_PAIR_NODES] - 1.0;
    if (change < lowest) {
      lowest = change;
      lower = p;
    }
    if (change > highest) {
      highest = change;
      higher = p;
    }
  }
  *pair = lower >= 0 ? lower : higher;
  if (*pair < 0) return false;
  const tacPairCost *cost = &world->contact_pairs[*pair].cost;
  *nodes = fmax(1.0, fmin(1e9, floor(cost->share / cost->rate)));
  return *nodes != world->contact_pairs[*pair].values[TAC_PAIR_NODES];
}
