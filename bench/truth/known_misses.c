#include "bench/truth/known_misses.h"

#include <string.h>

typedef struct Miss {
  const char *scene, *measure;
  double most; /* in the goal's unit: what is measured, and half of it more */
} Miss;

static const Miss misses[] = {
    {"", "", 0.0},
};

bool tac_goal_holds(const char *scene, const tacGoal *goal) {
  double most = goal->most;
  for (size_t i = 0; i < sizeof misses / sizeof *misses; ++i)
    if (strcmp(misses[i].scene, scene) == 0 && strcmp(misses[i].measure, goal->measure) == 0) most = misses[i].most;
  return !(goal->value > most);
}
