/* Measures the time of traversals of a pair on this machine, to convert a time into a limit. */
#pragma once

#include "collide/shell_traversal.h"

/* Times of a traversal of one pair on this machine, without the caller's work on contacts. Load phase: runs traversals
 * of this pair for about 20 ms, at poses near contact close to `pose`, and then resets the traversal. */
typedef struct tacTraversalCost {
  double node;    /* s */
  double contact; /* s */
  double base;    /* s per run that visits no node */
} tacTraversalCost;
tacTraversalCost tac_traversal_cost_measure(tacShellTraversal *traversal, tacContactField *field,
                                            const tacShellPose *pose);
