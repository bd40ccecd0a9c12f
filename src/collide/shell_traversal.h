/* Finds the points of a pointshell inside a field with the nested point-tree, level by level (Barbic 2007, section
 * 3.10).
 *
 * Culling is exact: if a node's ball is smaller than the distance from the node to any possible contact
 * (tac_field_reach_at), it contains no contact, for any field samples. So the contacts equal those of a treeless
 * traversal of the same levels.
 *
 * Temporal coherence. The thesis predicts from speed limits when a ball may reach contact. Here a traversal sums a
 * motion bound over all ticks, called the odometer. The bound of a tick is the largest possible motion of any point
 * relative to the field, from rigid motion and deformation of both. If a node's distance to contact exceeds its ball
 * radius by m, the node is skipped ("asleep") until the odometer has grown by m. So speeds need no limit, deformation
 * is included (the thesis omits it), and no contact is missed.
 *
 * Graceful degradation. A run may have a cost limit, (3.13), on points looked up and contacts found. Level 0 is always
 * rendered. On each further level nodes are opened one by one, in order of need: first contacts, the deepest first,
 * then nodes by their distance to contact. Among nodes of equal need those opened in the previous run come first, to
 * reduce changes, then the index decides. The run ends at the first node whose children might exceed the limit if all
 * were in contact. So except for level 0 the cost never exceeds the limit, and no lookup is wasted. Whether a node is
 * opened does not depend on later nodes. A larger limit opens the same nodes and more.
 *
 * Points that pass between two runs. Let d0 be a point's previous distance to contact, and d1 its present one. If it
 * moved by at most d0 + d1, it was not in contact in between: its straight path lies in two free balls. Other points
 * are reported (tac_shell_traversal_passed). The remaining sleep of a node is a lower bound of its d0, so no further
 * memory is needed. A node's children are visited unless its path and ball exclude that one of them passed. */
#pragma once

#include "base/memory/owned.h"
#include "collide/shell_points.h"

typedef struct tacTraversalLimits {
  double cost; /* limit per run: a point looked up counts 1, a contact `contact_cost` more */
  double contact_cost;
  int level_most; /* deeper levels are never entered; TAC_POINTSHELL_MOST_LEVELS: all */
  bool coherent;  /* uses temporal coherence */
} tacTraversalLimits;
tacTraversalLimits tac_traversal_limits_none(void); /* infinite, coherent */

typedef struct tacTraversalReport {
  int visited; /* nodes looked up, or copied from the previous level */
  int copied;  /* nodes copied */
  int asleep;  /* nodes skipped by temporal coherence */
  int contact_count;
  int level;     /* deepest level rendered completely */
  double part;   /* 0 to 1: share of opened nodes for the next level */
  bool degraded; /* deeper nodes were omitted because of the limits */
  int lost;      /* contacts omitted because the capacity is too small */
  double cost;   /* in units of the limits */
} tacTraversalReport;

/* State of one pair of shell and field: odometer, sleeping nodes, lists. */
typedef struct tacShellTraversal tacShellTraversal;
/* Load phase. Refers to the shell. At most `capacity` contacts per run (0: the number of points). */
tacStatus tac_shell_traversal_create(const tacPointshell *shell, int capacity, tacShellTraversal **traversal,
                                     tacError *error);
void tac_shell_traversal_destroy(tacShellTraversal *traversal); /* NULL is allowed */
TAC_OWNED_TYPE(tacShellTraversal, tac_shell_traversal_destroy)
const tacPointshell *tac_shell_traversal_shell(const tacShellTraversal *traversal);
/* Resets to the initial state. Takes time proportional to the points: between ticks. */
void tac_shell_traversal_reset(tacShellTraversal *traversal);
/* Visits all data that the next run depends on, in a fixed order, to save or restore it. Between ticks. */
void tac_shell_traversal_visit(tacShellTraversal *traversal, void (*part)(void *context, void *memory, size_t bytes),
                               void *context);
/* Tick. Contacts are valid until the next run. Without a limit their order depends on shell and pose alone; with one
 * also on the limit and the previous run. Uses field->moved and sets it to 0. */
tacTraversalReport tac_shell_traversal_run(tacShellTraversal *traversal, tacContactField *field,
                                           const tacShellPose *pose, const tacTraversalLimits *limits,
                                           const tacShellContact **contacts);
/* A point that is outside after the last run but may have been in contact on its way from the previous run; field's
 * frame. */
typedef struct tacShellPassed {
  int point;
  double free; /* m: lower bound of its present distance to contact */
  tacVec3 from, at;
} tacShellPassed;
/* Returns their number, at most the capacity. A motion by more than half of the shell's radius in one run counts as
 * placement, and no point is reported. Without coherence no point is reported. Valid until the next run. */
int tac_shell_traversal_passed(const tacShellTraversal *traversal, const tacShellPassed **passed);
/* Position of a point in the last run and in the previous run, each in the field's frame of that run. */
tacVec3 tac_shell_traversal_place(const tacShellTraversal *traversal, int point);
tacVec3 tac_shell_traversal_place_before(const tacShellTraversal *traversal, int point);
/* Returns for each contact of the last run the deepest level on which its point is rendered.
 * tacPointshellView.tree_areas has the contact's area for this level. NULL: all are on the report's level. Valid until
 * the next run. */
const uint8_t *tac_shell_traversal_levels(const tacShellTraversal *traversal);
/* Balls visited by the last run, for display: first opened ones, then others, each from coarse to fine. Returns their
 * number (at most capacity). */
typedef struct tacVisitedBall {
  tacVec3 centre; /* field's frame */
  double radius;
  int level;
  bool opened; /* its children were visited */
} tacVisitedBall;
int tac_shell_traversal_visited(const tacShellTraversal *traversal, int capacity, tacVisitedBall *balls);
