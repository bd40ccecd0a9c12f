/* Finds the points of a pointshell inside a field with the nested point-tree, level by level (Barbic 2007, section
 * 3.10).
 *
 * Culling is exact: a ball around a node that is nearer to the node than any possible contact (tac_field_reach_at)
 * contains no contact, whatever the field's samples are. So the contacts equal those of a treeless traversal of the
 * same levels.
 *
 * Temporal coherence. Instead of predicting from speed limits when a ball may reach contact, a traversal measures
 * motion: an odometer sums, tick by tick, a bound of the motion of any point relative to the field (rigid motion of
 * both, deformation of both). A node farther from contact than its ball by m sleeps until the odometer has advanced by
 * m. So speeds need no limit, deformation counts (which the thesis omits), and nothing is missed.
 *
 * Graceful degradation. A run may have a cost limit, (3.13), on points looked up and contacts found. Level 0 is always
 * rendered. On each further level nodes are opened one by one by need: contacts first, the deepest before others, then
 * nodes nearest to contact; among equals those open in the previous run, to reduce changes, then by index. The first
 * node whose children might not fit, if all were in contact, ends the run. So except for level 0 the cost never exceeds
 * the limit, and no lookup is wasted. What is opened does not depend on later nodes, and a larger limit opens the same
 * nodes and more.
 *
 * Points that pass between two runs. A point that was d0 from contact, is d1 from it now and moved by at most d0 + d1
 * was not in contact in between: its straight path lies in two free balls. Other points are reported
 * (tac_shell_traversal_passed). The rest of a node's sleep bounds its d0, so this needs no memory. Its children are
 * visited unless path and ball exclude that one of them passed. */
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
  double part;   /* of the next level, 0 to 1: share of nodes opened */
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
/* Returns their number, at most the capacity. If everything moved by more than half of the shell's radius in one run,
 * it was placed there and no point passed. Without coherence none is reported. Valid until the next run. */
int tac_shell_traversal_passed(const tacShellTraversal *traversal, const tacShellPassed **passed);
/* Position of a point in the last run, and in the one before; the field's frame then. */
tacVec3 tac_shell_traversal_place(const tacShellTraversal *traversal, int point);
tacVec3 tac_shell_traversal_place_before(const tacShellTraversal *traversal, int point);
/* Level of each contact of the last run, the deepest on which its point is rendered: the contact's area is that of
 * tacPointshellView.tree_areas. NULL: all are on the report's level. Valid until the next run. */
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
