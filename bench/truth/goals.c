#include "bench/truth/goals.h"

#include <math.h>

static const double least_created = 1e-4; /* J: less is the error of the trapezium rule (docs/truth.md) */
static const double least_depth = 0.5e-3; /* m: what a picture hardly shows; statics of exact laws gives 0 */

/* What all hands got in the worst second; of one hand what it got. */
static tacEnergyReading worst_second(const tacTruth *truth) {
  return (tac_world_tool_count(truth->world) > 1 ? &truth->energy : &truth->tools[0].energy)->second;
}

/* True depth in rough hands over what statics gives: that of the hand which holds still, in proportion to the force. */
static double depth_over_statics(const tacTruth *truth, const tacFeel *feel) {
  double force = 0.0;
  if (truth == NULL) return NAN;
  for (int t = 0; t < tac_world_tool_count(truth->world); ++t) force = fmax(force, truth->tools[t].force.force_most);
  if (truth->depth.deepest == 0.0 && truth->depth.reported == 0.0) return NAN;
  return truth->depth.deepest / fmax(least_depth, feel->normal > 0.0 ? feel->depth * force / feel->normal : 0.0);
}

void tac_goals_of(const tacTruth *truth, const tacFeel *feel, tacGoal goals[TAC_GOALS]) {
  tacEnergyReading second = truth != NULL ? worst_second(truth) : (tacEnergyReading){.generated = NAN};
  const tacGoal all[TAC_GOALS] = {
      {"ripple", "% rms", 100.0 * feel->ripple, 3.0},
      {"sliding > 100 Hz", "mN rms", 1e3 * feel->rough, 10.0},
      {"threshold off mu", "%", 100.0 * feel->threshold, 3.0},
      {"drag", "% of normal", 100.0 * feel->drag, 1.0},
      {"tremor", "mN p-p", 1e3 * feel->tremor, 20.0},
      {"created in 1 s", "mJ", 1e3 * second.generated, 1.0},
      {"created in 1 s", "% of work", second.generated <= least_created ? 0.0 : 100.0 * second.generated / second.work,
       1.0},
      {"depth over static", "", depth_over_statics(truth, feel), 1.5},
      {"lost while pressed", "ticks", feel->lost, 0.0},
      {"hand's tick, p99", "us", 1e6 * feel->tick, 100.0},
  };
  for (int i = 0; i < TAC_GOALS; ++i) goals[i] = all[i];
}

bool tac_goal_passes(const tacGoal *goal) {
  return isnan(goal->value) || goal->value <= goal->most;
}
