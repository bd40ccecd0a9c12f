/* Finds the points of a pointshell inside a distance field with the nested point-tree, level by level (Barbic 2007,
 * section 3.10).
 *
 * Culling is exact. A node's ball contains no contact if the ball's radius is smaller than the lower bound of the
 * distance to any contact (tac_field_reach_at). This holds for any field samples. So the contacts equal those of an
 * exhaustive search of the same levels.
 *
 * Temporal coherence. The thesis uses speed limits to predict when a ball may reach contact. This traversal instead
 * sums an upper bound of the motion over all ticks. The code calls this sum the odometer. The bound of a tick is the
 * largest possible motion of any point relative to the field. The bound includes rigid motion, and the deformation of
 * shell and field. Let the distance from a node to contact exceed the node's ball radius by d. Then the node is skipped
 * until the odometer has grown by d. The code calls a skipped node asleep. So speed limits are not needed, deformation
 * is included (the thesis omits it), and no contact is missed.
 *
 * Graceful degradation. A run may have a cost limit (3.13). The cost counts the evaluated points and the found
 * contacts. Level 0 is always evaluated completely. On each further level, nodes are opened one by one: the children of
 * an open node are evaluated. Nodes in contact are opened first, the deepest first, then the nodes nearest to contact.
 * Among nodes of equal need, those opened in the previous run come first, which reduces changes. The remaining order is
 * by index. The run ends at the first node whose children would exceed the limit if all children were contacts. So the
 * cost exceeds the limit only if level 0 does, and no evaluation is wasted. Whether a node is opened does not depend on
 * later nodes. A larger limit opens the same nodes and further ones.
 *
 * Points that pass between two runs. Let d0 be the previous distance of a point to contact, and d1 the present
 * distance. If the point moved by at most d0 + d1, its straight path lies in two balls without contact. So the point
 * was not in contact between the runs. All other points are reported by tac_shell_traversal_passed. The remaining
 * distance for which a node is skipped is a lower bound of d0, so no further memory is needed. The children of a node
 * are evaluated unless the node's motion and ball show that no child can have passed. */
#pragma once

#include "base/memory/owned.h"
#include "collide/shell_points.h"

typedef struct tacTraversalLimits {
  double cost; /* cost limit per run: an evaluated point costs 1, and a contact costs an additional `contact_cost` */
  double contact_cost;
  int level_most; /* deepest level that may be evaluated; TAC_POINTSHELL_MOST_LEVELS: no limit */
  bool coherent;  /* true: uses temporal coherence */
} tacTraversalLimits;
/* Returns limits with infinite cost, all levels and temporal coherence. */
tacTraversalLimits tac_traversal_limits_none(void);

typedef struct tacTraversalReport {
  int visited; /* number of visited nodes on all levels, including `copied` */
  int copied;  /* number of nodes whose value was copied from the previous level */
  int asleep;  /* number of nodes skipped by temporal coherence */
  int contact_count;
  int level;     /* deepest level evaluated completely */
  double part;   /* fraction of the next level that was evaluated, 0 to 1: opened nodes divided by all nodes to open */
  bool degraded; /* true if deeper nodes were left out because of the limits */
  int lost;      /* number of contacts omitted because the capacity is too small */
  double cost;   /* cost in the unit of tacTraversalLimits.cost */
} tacTraversalReport;

/* State of the traversal of one pair of shell and field. */
typedef struct tacShellTraversal tacShellTraversal;
/* Creates a traversal that refers to the shell. Call in the load phase. A run finds at most `capacity` contacts; 0: the
 * number of points. */
tacStatus tac_shell_traversal_create(const tacPointshell *shell, int capacity, tacShellTraversal **traversal,
                                     tacError *error);
void tac_shell_traversal_destroy(tacShellTraversal *traversal); /* NULL is allowed */
TAC_OWNED_TYPE(tacShellTraversal, tac_shell_traversal_destroy)
const tacPointshell *tac_shell_traversal_shell(const tacShellTraversal *traversal);
/* Resets the traversal to its initial state. Call between ticks, since the time is proportional to the number of
 * points. */
void tac_shell_traversal_reset(tacShellTraversal *traversal);
/* Calls `part` for each block of data that affects the next run, in a fixed order, to save or restore the data. Call
 * between ticks. */
void tac_shell_traversal_visit(tacShellTraversal *traversal, void (*part)(void *context, void *memory, size_t bytes),
                               void *context);
/* Runs one traversal. May be called in a tick. The contacts are valid until the next run. Without a cost limit, their
 * order depends on the shell and the pose alone. With a cost limit, it also depends on the limit and the previous run.
 * Reads field->moved and then sets it to 0. */
tacTraversalReport tac_shell_traversal_run(tacShellTraversal *traversal, tacContactField *field,
                                           const tacShellPose *pose, const tacTraversalLimits *limits,
                                           const tacShellContact **contacts);
/* A point that is outside the field in the last run, but may have been in contact between the previous run and the last
 * run. Positions are in the field's frame. */
typedef struct tacShellPassed {
  int point;
  double free; /* lower bound of the present distance to contact, m */
  tacVec3 from, at;
} tacShellPassed;
/* Returns the number of passed points, at most the capacity. No point is reported without temporal coherence. No point
 * is reported either after a motion by more than half of the shell's radius in one run, which counts as placement. The
 * array is valid until the next run. */
int tac_shell_traversal_passed(const tacShellTraversal *traversal, const tacShellPassed **passed);
/* Return the position of a point in the last run and in the previous run, each in the field's frame of that run. */
tacVec3 tac_shell_traversal_place(const tacShellTraversal *traversal, int point);
tacVec3 tac_shell_traversal_place_before(const tacShellTraversal *traversal, int point);
/* Returns for each contact of the last run the deepest level on which the point was evaluated. The area of the contact
 * is in tacPointshellView.tree_areas of this level. Returns NULL if the level of all contacts is that of the report.
 * The array is valid until the next run. */
const uint8_t *tac_shell_traversal_levels(const tacShellTraversal *traversal);
/* Lists the balls visited by the last run, for display. Opened nodes come first, then other nodes, each from coarse to
 * fine. Returns the number of balls, at most `capacity`. */
typedef struct tacVisitedBall {
  tacVec3 centre; /* position in the field's frame, m */
  double radius;
  int level;
  bool opened; /* true if the children were evaluated */
} tacVisitedBall;
int tac_shell_traversal_visited(const tacShellTraversal *traversal, int capacity, tacVisitedBall *balls);
