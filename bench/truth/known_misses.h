/* Goals of bench/truth/goals.h that scenes are known to miss: how far, and why. What is not listed, or is missed by more, is new. */
#pragma once

#include "bench/truth/goals.h"

/* Whether the goal is met, or missed as is known. */
bool tac_goal_holds(const char *scene, const tacGoal *goal);
