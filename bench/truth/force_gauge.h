/* What a hand feels of a tool, tick by tick, as the world gives it: how large, how rough, in what steps, and whether
 * contacts bear it. */
#pragma once

#include "bench/truth/high_pass.h"
#include "bench/truth/rough_hand.h"

typedef struct tacForceGauge {
  const tacWorld *world;
  int tool;
  const tacRoughPath *path;
  double period;
  int jam;      /* the next one that has not ended */
  bool settled; /* in this tick the hand has stayed for a while */
  tacHighPass high_force, high_torque;
  int64_t ticks, jammed;                /* of these, settled ones */
  double force_sum, torque_sum;         /* squares of what is above 100 Hz, of all ticks, */
  double jammed_sum, jammed_torque_sum; /* of settled ones */
  double force_most, step_most;         /* N */
  double step_ratio;      /* most of |df| / (K (|dx| + own)), own = max(1 mm, as below); none that let go */
  double own_motion_most; /* m in a tick: of the place of a body that a point touches, by itself */
  double depth_most;      /* m, as the world told */
  tacVec3 rest;           /* N: sum of this jam, of contacts on what is held less what the hand feels, */
  double rest_sizes;      /* and of their sizes */
  double unborne;         /* worst jam: their ratio; 0 where nothing is held freely */
  tacToolInput input;     /* of the tick before */
  tacToolOutput output;
  int64_t contacts; /* that the tool had begun by then */
  tacVec3 place;    /* of what it touched then, world */
} tacForceGauge;

/* Refers to the world and the path. */
tacForceGauge tac_force_gauge_begin(const tacWorld *world, int tool, const tacRoughPath *path);
/* After a tick; `on_held` and `size`: sum of the contacts' forces on what the tool holds, and of their sizes, N. */
void tac_force_gauge_add(tacForceGauge *gauge, const tacToolInput *input, const tacToolOutput *output, tacVec3 on_held,
                         double size);
