/* What a hand can feel, and how much of it is allowed: thresholds of people are 7 to 10 % of a force, 8 to 22 % of a stiffness, and about
 * 10 mN at 250 Hz. */
#pragma once

#include "bench/truth/feel.h"
#include "bench/truth/truth.h"

enum { TAC_GOALS = 10 };

typedef struct tacGoal {
  const char *measure, *unit;
  double value; /* NAN: not measured */
  double most;  /* that it should be */
} tacGoal;

/* Of a scene in rough hands and its feel. NULL: its feel alone. */
void tac_goals_of(const tacTruth *truth, const tacFeel *feel, tacGoal goals[TAC_GOALS]);
bool tac_goal_passes(const tacGoal *goal); /* also where it was not measured */
