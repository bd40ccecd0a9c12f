/* What traversals of a pair take on this machine: by it a time becomes a limit. */
#pragma once

#include "collide/shell_traversal.h"

/* Seconds that a node, a contact beside and a run take on this machine for such a pair, without the caller's own
 * work on contacts. Load phase: runs traversals of this pair for some 20 ms over poses around `pose`, brought near
 * to contact; afterwards the traversal is as new. */
typedef struct tacTraversalCost {
  double node;    /* s */
  double contact; /* s */
  double base;    /* s of a run that visits nothing */
} tacTraversalCost;
tacTraversalCost tac_traversal_cost_measure(tacShellTraversal *traversal, tacContactField *field,
                                            const tacShellPose *pose);
