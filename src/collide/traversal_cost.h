/* Measures the time of traversals of a pair on this machine, to convert a time into a limit. */
#pragma once

#include "collide/shell_traversal.h"

/* Seconds per node, per contact in addition, and per run for such a pair on this machine, without the caller's work on
 * contacts. Load phase: runs traversals of this pair for about 20 ms over poses around `pose`, moved near contact; then
 * resets the traversal. */
typedef struct tacTraversalCost {
  double node;    /* s */
  double contact; /* s */
  double base;    /* s, of a run that visits nothing */
} tacTraversalCost;
tacTraversalCost tac_traversal_cost_measure(tacShellTraversal *traversal, tacContactField *field,
                                            const tacShellPose *pose);
