/* Measures the time of the traversals of one pair on this machine, so that a time limit can be converted into a cost
 * limit. */
#pragma once

#include "collide/shell_traversal.h"

/* Times of the traversals of one pair on this machine, without the caller's processing of contacts. Call
 * tac_traversal_cost_measure in the load phase. The function runs traversals for about 20 ms, at poses near contact and
 * close to `pose`, and then resets the traversal. */
typedef struct tacTraversalCost {
  double node;    /* time per visited node, s */
  double contact; /* additional time per contact, s */
  double base;    /* time of a run that visits no node, s */
} tacTraversalCost;
tacTraversalCost tac_traversal_cost_measure(tacShellTraversal *traversal, tacContactField *field,
                                            const tacShellPose *pose);
