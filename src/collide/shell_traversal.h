/* Which points of a pointshell are inside a field: the nested point-tree, level by level (Barbic 2007, section 3.10).
 *
 * Culling is exact: a ball around a node that is nearer to the node than contact surely is (tac_field_reach_at) holds
 * no contact, whatever the field's samples are. So the contacts are those of a treeless traversal of the same levels.
 *
 * Temporal coherence. Instead of predicting when a ball may reach contact, from speed limits, a traversal measures how
 * far things moved: an odometer adds up, tick by tick, a bound of the motion of any point relative to the field (rigid
 * motion of both, deformation of both). A node that is farther from contact than its ball by m sleeps until the
 * odometer has gone on by m. So speeds need no limit, deformation counts (which the thesis leaves out), and nothing is
 * ever missed.
 *
 * Graceful degradation. A run may have a limit of cost, (3.13): of points that are looked up and contacts that are found.
 * Level 0 is always rendered. On each level after, nodes are then opened one by one, those in need first: contacts, the
 * deepest before others, then what is nearest to contact; of equals those that were open in the run before, so that
 * little comes and goes, and then by their order. The first node whose children might not fit, were all of them in
 * contact, is the end. So but for level 0 the cost never exceeds the limit and nothing that was looked up is thrown away;
 * what is opened does not depend on what comes after it, and with a larger limit the same nodes are opened and more.
 *
 * What passes between two runs. A point that was d0 from contact, is d1 from it now and went no farther than d0 + d1
 * has not been in contact on its way: its straight way lies in two balls that are free. Others are told
 * (tac_shell_traversal_passed). What is left of a node's sleep is a bound of its d0, so that this takes no memory; its
 * children are visited where way and ball do not exclude that one of them passed. */
#pragma once

#include "base/memory/owned.h"
#include "collide/shell_points.h"

typedef struct tacTraversalLimits {
  double cost; /* that a run may have: a point that is looked up counts 1, a contact `contact_cost` more */
  double contact_cost;
  int level_most; /* levels deeper than this are never entered; TAC_POINTSHELL_MOST_LEVELS: all */
  bool coherent;  /* uses temporal coherence */
} tacTraversalLimits;
tacTraversalLimits tac_traversal_limits_none(void); /* infinite, coherent */

typedef struct tacTraversalReport {
  int visited; /* nodes whose distance was looked up or taken over from the level before */
  int copied;  /* of those, the latter */
  int asleep;  /* nodes that temporal coherence passed over */
  int contact_count;
  int level;     /* the deepest that was rendered whole */
  double part;   /* of the next level, 0 to 1: nodes that were opened for it, of all that are to be */
  bool degraded; /* something deeper was left out because of the limits */
  int lost;      /* contacts beyond the capacity, left out; 0 unless capacity is short */
  double cost;   /* in units of the limits */
} tacTraversalReport;

/* The state of one pair of shell and field: odometer, nodes asleep, lists. */
typedef struct tacShellTraversal tacShellTraversal;
/* Load phase. Refers to the shell. At most `capacity` contacts a run (0: as many as the shell has points). */
tacStatus tac_shell_traversal_create(const tacPointshell *shell, int capacity, tacShellTraversal **traversal,
                                     tacError *error);
void tac_shell_traversal_destroy(tacShellTraversal *traversal); /* NULL is allowed */
TAC_OWNED_TYPE(tacShellTraversal, tac_shell_traversal_destroy)
const tacPointshell *tac_shell_traversal_shell(const tacShellTraversal *traversal);
/* Forgets what was before, as if it were new. Takes time in proportion to the points: between ticks. */
void tac_shell_traversal_reset(tacShellTraversal *traversal);
/* All that the next run depends on, part by part, in one order, for whoever keeps or brings it back. Between ticks. */
void tac_shell_traversal_visit(tacShellTraversal *traversal, void (*part)(void *context, void *memory, size_t bytes),
                               void *context);
/* Tick. Contacts are the traversal's until the next run. Without a limit they are in an order that depends on shell and
 * pose alone; with one it also depends on that and on the run before. Takes field->moved into account and sets it to 0. */
tacTraversalReport tac_shell_traversal_run(tacShellTraversal *traversal, tacContactField *field,
                                           const tacShellPose *pose, const tacTraversalLimits *limits,
                                           const tacShellContact **contacts);
/* A point that is outside after the last run and may have been in contact on its way there from the run before;
 * field's frame. */
typedef struct tacShellPassed {
  int point;
  double free; /* m: contact is no nearer to it now */
  tacVec3 from, at;
} tacShellPassed;
/* Returns how many there are, at most the capacity. Where everything went farther in one run than half of the shell's
 * radius, it was put there, and none has passed; nor is it told without coherence. Until the next run. */
int tac_shell_traversal_passed(const tacShellTraversal *traversal, const tacShellPassed **passed);
/* Where a point is in the last run, and was in the one before; field's frame then. */
tacVec3 tac_shell_traversal_place(const tacShellTraversal *traversal, int point);
tacVec3 tac_shell_traversal_place_before(const tacShellTraversal *traversal, int point);
/* The level of each contact of the last run, the deepest on which its point is rendered: the area that it stands for is
 * that of tacPointshellView.tree_areas. NULL: all are on the report's. Until the next run. */
const uint8_t *tac_shell_traversal_levels(const tacShellTraversal *traversal);
/* Balls that the last run visited, for display: those that were opened, then those that were not, each from coarse
 * to fine. Returns how many (at most capacity). */
typedef struct tacVisitedBall {
  tacVec3 centre; /* field's frame */
  double radius;
  int level;
  bool opened; /* its children were visited */
} tacVisitedBall;
int tac_shell_traversal_visited(const tacShellTraversal *traversal, int capacity, tacVisitedBall *balls);
