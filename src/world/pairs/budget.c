#include "world/pairs/budget.h"

#include <math.h>
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/load_field.h"
#include "base/clock.h"
#include "base/memory/owned.h"
#include "collide/traversal_cost.h"
#include "world/pairs/pair.h"

/* Fraction of the budget that is used. The value is below 1, since step times vary by a few percent. */
static const double aim = 0.97;
/* Parameters of the estimate of the time per unit of cost: rate of increase, rate of decrease, and maximum ratio
 * between a sample and the estimate. */
static const double follow_up = 0.3, follow_down = 0.06, most_off = 2.0;
/* A step gives a sample only if it uses at least this fraction of its cost limit or of the budget. */
static const double telling = 0.25;
/* Parameters of the time given to a pair. `held`: decay of the measured cost per step. A pair that omits no nodes
 * gets `more` times its measured time plus `spare` times the budget. A pair that omits nodes gets `growth` times its
 * limit. */
static const double held = 0.98, more = 1.1, spare = 0.01, growth = 2.0;
/* Minimum relative change for which a limit is updated: first value if a pair omits nodes, second value otherwise. */
static const double off = 0.02, off_at_ease = 0.25;

/* ---- load phase ---- */

enum { SAMPLES = 256, TURNS = 16 };

/* Measures the time per contact at typical positions, s, without the time of the traversal. */
static double measure_contact(tacPair *pair, const tacWorldBody *bodies) {
  const tacDeformedField *deformed =
      pair->contact_field.deformed != NULL ? tac_deformed_pose_field(pair->contact_field.deformed) : NULL;
  size_t n = (size_t)(pair->size[0] + pair->size[1]);
  TAC_MEMORY(double, room) = calloc(n * (n + 7) + 1, sizeof *room);
  if (room == NULL) return 0.0; /* 0 means that the time is unknown */
  tacPairAnswer answer = {.force = room, .stiffness = room + n, .mixed = n > 0 ? room + n + n * n : NULL};
  int finest = tac_pointshell_level_count(pair->shell) - 1;
  int count = pair->capacity < SAMPLES ? pair->capacity : SAMPLES;
  int size = tac_pointshell_size(pair->shell, finest), apart = size / (count * TURNS) + 1;
  tacShellContact found[SAMPLES];
  int64_t least = INT64_MAX;
  for (int turn = 0; turn < TURNS; ++turn) {
    /* uses different points in each turn, since in a tick few points are in the processor cache */
    for (int i = 0; i < count; ++i) {
      found[i] = (tacShellContact){.point = (i * TURNS + turn) * apart % size, .depth = 1e-4 * (1 + i % 7)};
      if (deformed != NULL)
        found[i].at = tac_deformed_field_proxy(deformed, 0, i % tac_deformed_field_proxy_count(deformed, 0));
    }
    pair->last_count = 0; /* prevents the processing of previous contacts */
    int64_t begin = tac_clock_thread();
    tac_pair_take(pair, bodies, &(tacTraversalReport){.level = finest, .contact_count = count}, found, NULL);
    tac_pair_answer(pair, bodies, bodies[pair->points].frame.position, &answer);
    int64_t taken = tac_clock_thread() - begin;
    if (taken < least) least = taken;
  }
  return tac_clock_seconds(least) / count;
}

/* Deforms a field like two simultaneous loads at different places. Baked deformations are most expensive between the
 * baked samples. */
static void deform_between(tacDeformedPose *pose, const tacLoadField *loads) {
  int nodes = tac_load_field_node_count(loads), last = tac_load_field_level_count(loads) - 1;
  const double *a = tac_load_field_state(loads, 0, last), *b = tac_load_field_state(loads, nodes / 2, last);
  double q[TAC_BODY_MOST_COORDINATES];
  for (int k = 0; k < tac_load_field_coordinates(loads); ++k) q[k] = 0.4 * (a[k] + b[k]);
  tac_deformed_pose_set(pose, q);
}

/* Measures the speed of this machine. Sets the cost of a contact in nodes, the cost limit that fits into `seconds`, and
 * the time per unit of cost. */
static void set_budget(tacPair *pair, const tacWorldBody *bodies, double seconds) {
  const tacWorldBody *of_points = &bodies[pair->points], *of_field = &bodies[pair->field];
  const double *q = tac_body_describe(&of_points->body).points_q;
  tacShellPose pose = tac_pair_pose(&of_points->frame, q, &of_field->frame);
  tacDeformedPose *deformed = pair->contact_field.deformed;
  const tacLoadField *loads = deformed != NULL ? tac_deformed_pose_loads(deformed) : NULL;
  if (loads != NULL) deform_between(deformed, loads);
  tacTraversalCost cost = tac_traversal_cost_measure(pair->traversal, &pair->contact_field, &pose);
  double contact = cost.contact + measure_contact(pair, bodies);
  if (loads != NULL) tac_deformed_pose_set(deformed, tac_body_describe(&of_field->body).points_q);
  /* Limits the measured value to the valid range of the parameter, since a recording stores the parameter. */
  tac_pair_set_value(pair, TAC_PAIR_CONTACT, fmax(1e-3, fmin(1e6, contact / cost.node)));
  double nodes = fmax(1.0, fmin(1e9, floor((seconds - cost.base) / cost.node)));
  tac_pair_set_value(pair, TAC_PAIR_NODES, nodes);
  tac_pair_reset(pair);
  pair->cost = (tacPairCost){.rate = seconds / nodes};
  for (int i = 0; i < 3; ++i) pair->cost.samples[i] = pair->cost.rate;
}

/* Returns the number of pairs with penalty springs. Only these pairs have cost limits. */
static int count_pairs(const tacWorld *world) {
  int count = 0;
  for (int p = 0; p < world->pair_count; ++p) count += !world->contact_pairs[p].laws;
  return count;
}

void tac_budget_prepare(tacWorld *world) {
  if (!(world->budget > 0.0)) return;
  if (world->clock == NULL) world->clock = tac_clock_now;
  int count = count_pairs(world);
  for (int p = 0; p < world->pair_count; ++p)
    if (!world->contact_pairs[p].laws) set_budget(&world->contact_pairs[p], world->bodies, aim * world->budget / count);
}

/* ---- a step ---- */

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
    if (!pair->laws) learn(&pair->cost, &pair->traversed, pair->limits.cost, world->budget);
  }
  world->learnt = true;
}

/* Returns the time that a pair needs in a step, s. */
static double wanted(const tacWorld *world, const tacPair *pair) {
  const tacPairCost *cost = &pair->cost;
  if (!pair->traversed.degraded) return more * cost->units * cost->rate + spare * world->budget;
  return growth * fmax(pair->limits.cost, cost->units) * cost->rate;
}

/* Divides the budget among the pairs. A pair that needs less than an equal part of the remaining budget gets the needed
 * time. All other pairs get equal parts of the remaining budget. True if a pair omits nodes. */
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
      if (pair->laws || pair->cost.share >= 0.0 || wanted(world, pair) > part) continue;
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
    if (of->laws) continue;
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
