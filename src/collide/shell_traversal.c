#include "collide/shell_traversal.h"

#include <stdlib.h>
#include <string.h>
#include "asset/pointshell.h"
#include "base/memory/arena.h"
#include "base/memory/array.h"
#include "math/geometry/float4.h"
#include "math/geometry/vec3.h"

/* BLOCK: number of points evaluated together. AHEAD: prefetch distance in nodes, long enough to hide latency, short
 * enough for the first-level cache. */
enum { BLOCK = 64, AHEAD = 16 };
/* number of children listed together */
enum { TOGETHER = 4 };
/* Grades of a distance: eight per doubling, from 2^LEAST to 2^MOST radii of the shell. The need of a node has one grade
 * for each depth of contact and for each distance to contact. A node opened in the previous run ranks HELD grades
 * higher, as if its distance were smaller by about a quarter. */
enum { LEAST = -20, MOST = 2, GRADES = 8 * (MOST - LEAST), HELD = 2, NEEDS = 2 * GRADES + HELD };
/* relative accuracy of positions and values */
#define ROUNDING 1e-14
/* factor that bounds all rounding errors of a sum of TAC_BODY_MOST_COORDINATES floats */
#define GROWTH_ROUNDING 1.00002f
/* distance beyond a ball up to which a deformed field is searched, relative to the shell's radius */
#define TOLD_BEYOND (1.0 / 16.0)
/* value stored instead of a distance bound if the point is in contact */
#define TOUCHING (-1.0)
/* longest motion for which a node is skipped, relative to the shell's radius; limits the size of `odometer` */
#define LONGEST_SLEEP 64.0
/* limit of the motion in one run, relative to the shell's radius; a larger motion counts as placement */
#define LONGEST_WAY 0.5
/* typical maximum slope of a deformed field, dimensionless */
#define STEEPEST 2.0

struct tacShellTraversal {
  const tacPointshell *shell;
  const tacPointshellView *view;
  tacArena memory; /* memory of all arrays */
  /* [level][point] value of `odometer` up to which the node is skipped, m */
  double *wake[TAC_POINTSHELL_MOST_LEVELS];
  /* [level] visited nodes: the point, or ~point if the node was opened; copies from the previous level come first */
  int32_t *visited[TAC_POINTSHELL_MOST_LEVELS];
  int copy_count[TAC_POINTSHELL_MOST_LEVELS], visited_count[TAC_POINTSHELL_MOST_LEVELS];
  double *values;        /* field values of the copies on the present level, m */
  int32_t *opened;       /* nodes of the present level whose children are visited next */
  double *opened_values; /* field values of `opened`, m; distance bounds if the field deforms */
  tacShellContact *contacts;
  tacShellPassed *passed; /* points for tac_shell_traversal_passed */
  int passed_count;
  uint8_t *contact_levels; /* levels for tac_shell_traversal_levels; set if the last run evaluated a level in part */
  /* ---- data of a level that is evaluated in part ---- */
  int32_t *parents; /* nodes of the previous level that may be opened */
  double *parent_values;
  int32_t *parent_contacts; /* contact index of each parent; -1 if not in contact */
  uint16_t *needs;          /* need of each parent; 0 is the highest */
  int32_t *order;           /* parents sorted by need */
  /* [point] number of the last run in which the node was opened on `part_level`; excludes the last level */
  uint32_t *opened_in;
  uint32_t run;
  int part_level; /* level of which the last run opened only some nodes; -1 if none */
  int capacity;
  /* `odometer`: sum of the upper bounds of the motion, m. `latest`: largest value in `wake`. */
  double odometer, latest;
  tacShellPose pose;   /* pose in the last run, with the coordinates `q` */
  double *q;           /* [stride] coordinates, padded with zeros */
  tacShellPose before; /* pose in the run before the last, with the coordinates `q_before` */
  double *q_before;
  float *q_size; /* [stride] |q|, rounded up */
  int entered;   /* deepest level of the last run; -1 before the first run */
};

tacTraversalLimits tac_traversal_limits_none(void) {
  return (tacTraversalLimits){
      .cost = INFINITY, .contact_cost = 0.0, .level_most = TAC_POINTSHELL_MOST_LEVELS, .coherent = true};
}

/* ---- creation ---- */

/* Returns the number of points of all levels except the last. */
static size_t inner_size(const tacPointshellView *view) {
  return view->level_count > 1 ? (size_t)view->sizes[view->level_count - 2] : 0;
}

static void take_arrays(tacShellTraversal *t, tacArena *arena) {
  const tacPointshellView *view = t->view;
  int last = view->level_count - 1;
  for (int l = 0; l <= last; ++l) {
    t->wake[l] = tac_arena_array(arena, (size_t)view->sizes[l] + TOGETHER - 1, sizeof **t->wake);
    t->visited[l] = tac_arena_array(arena, (size_t)view->sizes[l] + 1, sizeof **t->visited);
  }
  size_t inner = inner_size(view);
  t->values = tac_arena_array(arena, inner, sizeof *t->values);
  t->opened = tac_arena_array(arena, inner, sizeof *t->opened);
  t->opened_values = tac_arena_array(arena, inner, sizeof *t->opened_values);
  t->parents = tac_arena_array(arena, inner, sizeof *t->parents);
  t->parent_values = tac_arena_array(arena, inner, sizeof *t->parent_values);
  t->parent_contacts = tac_arena_array(arena, inner, sizeof *t->parent_contacts);
  t->needs = tac_arena_array(arena, inner, sizeof *t->needs);
  t->order = tac_arena_array(arena, inner, sizeof *t->order);
  t->opened_in = tac_arena_array(arena, inner, sizeof *t->opened_in);
  t->contacts = tac_arena_array(arena, (size_t)t->capacity, sizeof *t->contacts);
  t->contact_levels = tac_arena_array(arena, (size_t)t->capacity, sizeof *t->contact_levels);
  t->passed = tac_arena_array(arena, (size_t)t->capacity, sizeof *t->passed);
  t->q_before = tac_arena_array(arena, (size_t)view->stride, sizeof *t->q_before);
  t->q = tac_arena_array(arena, (size_t)view->stride, sizeof *t->q);
  t->q_size = tac_arena_array(arena, (size_t)view->stride, sizeof *t->q_size);
}

tacStatus tac_shell_traversal_create(const tacPointshell *shell, int capacity, tacShellTraversal **result,
                                     tacError *error) {
  *result = NULL;
  if (capacity < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the room for contacts is %d; it must be 0 or more", capacity);
  TAC_OWN(tacShellTraversal, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "a traversal", error));
  tacShellTraversal *t = made;
  int count = tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS);
  t->shell = shell;
  t->view = tac_pointshell_view(shell);
  t->capacity = capacity == 0 || capacity > count ? count : capacity;
  _Alignas(TAC_ARENA_ALIGNMENT) unsigned char nothing[1];
  tacArena none = tac_arena_over(nothing, 0); /* empty arena, used only to measure the required bytes */
  take_arrays(t, &none);
  TAC_TRY(tac_arena_create(none.most_wanted, "a traversal", &t->memory, error));
  take_arrays(t, &t->memory);
  t->pose = t->before = (tacShellPose){.rotation = tac_mat3_identity()};
  t->before.q = t->q_before;
  tac_shell_traversal_reset(t);
  *result = tac_give(&made);
  return TAC_OK;
}

void tac_shell_traversal_destroy(tacShellTraversal *t) {
  if (t == NULL) return;
  tac_arena_destroy(&t->memory);
  free(t);
}

/* Resets all state, so that later runs are bitwise equal to those of a new object. */
void tac_shell_traversal_reset(tacShellTraversal *t) {
  for (int l = 0; l < t->view->level_count; ++l) memset(t->wake[l], 0, (size_t)t->view->sizes[l] * sizeof **t->wake);
  memset(t->opened_in, 0, inner_size(t->view) * sizeof *t->opened_in);
  t->odometer = t->latest = 0.0;
  t->run = 0;
  t->passed_count = 0;
  t->part_level = t->entered = -1;
}

void tac_shell_traversal_visit(tacShellTraversal *t, void (*part)(void *context, void *memory, size_t bytes),
                               void *context) {
  const tacPointshellView *view = t->view;
  for (int l = 0; l < view->level_count; ++l) part(context, t->wake[l], (size_t)view->sizes[l] * sizeof **t->wake);
  double way[2] = {t->odometer, t->latest};
  int64_t numbers[2] = {t->run, t->part_level};
  part(context, way, sizeof way);
  part(context, numbers, sizeof numbers);
  part(context, &t->pose.rotation, sizeof t->pose.rotation);
  part(context, &t->pose.translation, sizeof t->pose.translation);
  part(context, t->q, (size_t)view->stride * sizeof *t->q);
  part(context, t->opened_in, inner_size(view) * sizeof *t->opened_in);
  t->odometer = way[0];
  t->latest = way[1];
  t->run = (uint32_t)numbers[0];
  t->part_level = (int)numbers[1];
}

/* ---- accumulated motion ---- */

/* Returns an upper bound of the motion of any point from the last pose to `pose`. Let x = R (P + U q) + t be a position
 * in the last pose. Primes mark the new pose, and c is the centre of all points. The motion is
 *     (R' - R)(P - c + U q) + (R' c + t' - R c - t) + R' U (q' - q).
 * The difference R' - R stretches a vector by at most the Frobenius norm of R' - R over sqrt(2). */
static double way_of_points(const tacShellTraversal *t, const tacShellPose *pose) {
  const tacPointshellView *view = t->view;
  tacVec3 from = tac_vec3_add(tac_mat3_mul_vec(t->pose.rotation, view->centre), t->pose.translation);
  tacVec3 to = tac_vec3_add(tac_mat3_mul_vec(pose->rotation, view->centre), pose->translation);
  double turn = tac_mat3_norm(tac_mat3_sub(pose->rotation, t->pose.rotation)) * sqrt(0.5);
  double size = view->radius, change = 0.0;
  for (int j = 0; j < view->r; ++j) {
    double q = pose->q != NULL ? pose->q[j] : 0.0;
    size += view->reach[j] * fabs(t->q[j]);
    change += view->reach[j] * fabs(q - t->q[j]);
  }
  return (1.0 + 1e-9) * (tac_vec3_distance(from, to) + turn * size + change);
}

/* Adds the motion bound `way` of a tick to `odometer`. Rounds up, so `odometer` is never below the accumulated
 * motion. */
static void move_odometer(tacShellTraversal *t, double way) {
  if (way <= t->latest - t->odometer) {
    if (way > 0.0) t->odometer = fmin((t->odometer + way) * (1.0 + 0x1p-51), t->latest);
  } else {
    t->odometer = t->latest; /* no node is skipped: the motion is longer than all skip distances, or unknown */
  }
}

/* Stores the pose. `went`: true if the shell moved from the previous pose, false if it was placed at the new pose. */
static void keep_pose(tacShellTraversal *t, const tacShellPose *pose, bool went) {
  t->before = went ? t->pose : *pose;
  t->before.q = t->q_before;
  for (int j = 0; j < t->view->r; ++j) t->q_before[j] = went ? t->q[j] : pose->q != NULL ? pose->q[j] : 0.0;
  t->pose = *pose;
  t->pose.q = t->q;
  for (int j = 0; j < t->view->r; ++j) {
    t->q[j] = pose->q != NULL ? pose->q[j] : 0.0;
    t->q_size[j] = nextafterf(fabsf((float)t->q[j]), INFINITY);
  }
}

static inline int least_int(int a, int b) {
  return a < b ? a : b;
}

/* ---- one level ---- */

typedef struct {
  tacShellTraversal *t;
  const tacContactField *field;
  const tacTraversalLimits *limits;
  double rounding; /* rounding error of positions and values, m */
  double longest;  /* longest motion for which a node may be skipped, m */
  /* `odometer` before and after the motion of this run, m; equal if passed points are not searched */
  double from, to;
  /* The previous position of the material at x is back x + back_by, with an error of at most `back_off`. */
  tacMat3 back;
  tacVec3 back_by;
  double back_off; /* error of the previous position by deformation of shell and field, and by rounding, m */
  int part_level;  /* level of which only some nodes are opened; -1 if none */
  tacTraversalReport report;
} Run;

/* Data of a level for skipping nodes. A loop over the nodes works on a local copy, which stays in registers. */
typedef struct {
  double *wake; /* [point] value of `odometer` up to which the node is skipped, m */
  double odometer, longest, from, to;
  double latest;
  bool coherent;
} Sleep;

static inline Sleep begin_sleep(const Run *run, int level) {
  const tacShellTraversal *t = run->t;
  return (Sleep){t->wake[level], t->odometer, run->longest, run->from, run->to, t->latest, run->limits->coherent};
}
static inline void end_sleep(Run *run, const Sleep *sleep) {
  run->t->latest = sleep->latest;
}

/* Skips a node until `odometer` has grown by `gap`. Before that, the node's ball has no contact. If `gap` is not
 * positive, the node is not skipped. The code has no branches that depend on data, since about half of them would be
 * mispredicted. */
static inline void sleep_for(Sleep *sleep, int point, double gap) {
  if (!sleep->coherent) return;
  double way = gap < sleep->longest ? gap : sleep->longest;
  double wake = (sleep->odometer + (way > 0.0 ? way : 0.0)) * (1.0 - 0x1p-52);
  sleep->wake[point] = wake;
  sleep->latest = wake > sleep->latest ? wake : sleep->latest;
}

static inline bool is_asleep(const Run *run, int level, int point) {
  return run->limits->coherent && run->t->wake[level][point] > run->t->odometer;
}

/* Returns an upper bound of a node's motion in this run after the node was last known to be free of contact. A passed
 * point is nearer to contact than this bound. Call before sleep_for. */
static inline double way_awake(const Sleep *sleep, int point) {
  const double wake = sleep->wake[point];
  return sleep->to - (wake > sleep->from ? wake : sleep->from);
}

/* Returns the radius of a node's ball (Barbic 2007, (3.12)), rounded up. */
static inline float ball_of(const tacShellTraversal *t, int level, int point, bool deforms) {
  const tacPointshellView *view = t->view;
  float radius = view->nodes[level][point].radius;
  if (!deforms) return radius;
  const float *growth = view->growth[level] + (size_t)view->stride * (size_t)point;
  tacFloat4 sum = tac_float4(0.0f);
  for (int j = 0; j < view->stride; j += 4) sum += tac_float4_load(growth + j) * tac_float4_load(t->q_size + j);
  return (radius + ((sum[0] + sum[1]) + (sum[2] + sum[3]))) * GROWTH_ROUNDING;
}

static inline void add_contact(Run *run, tacShellContact contact) {
  if (run->report.contact_count < run->t->capacity)
    run->t->contacts[run->report.contact_count++] = contact;
  else
    ++run->report.lost;
}

/* Adds those points of a block as contacts that have negative values. Every point is written, but the count advances
 * only for contacts. */
static inline void add_contacts(Run *run, int size, const int32_t *points, const tacVec3 *at, const double *values) {
  tacShellTraversal *t = run->t;
  int count = run->report.contact_count;
  if (count + size > t->capacity) {
    for (int i = 0; i < size; ++i)
      if (values[i] < 0.0) add_contact(run, (tacShellContact){points[i], -values[i], at[i], 0, 0});
    return;
  }
  for (int i = 0; i < size; ++i) {
    tacShellContact *contact = &t->contacts[count];
    contact->point = points[i];
    contact->depth = -values[i];
    contact->at = at[i];
    contact->domain = contact->proxy = 0;
    count += values[i] < 0.0;
  }
  run->report.contact_count = count;
}

/* Returns the position in the previous run of the material at x, with an error of at most `back_off`. */
static inline tacVec3 came_from(const Run *run, tacVec3 x) {
  return tac_vec3_add(tac_mat3_mul_vec(run->back, x), run->back_by);
}

/* Adds a point outside the field to the passed points if the point's own motion may exceed its distance to contact,
 * `free`. The caller has compared `free` only with the largest motion of all points. */
static inline void add_passed(Run *run, int point, tacVec3 at, double free) {
  tacShellTraversal *t = run->t;
  const double beyond = free - run->back_off;
  if (beyond > 0.0 && tac_vec3_norm2(tac_vec3_sub(came_from(run, at), at)) < beyond * beyond) return;
  if (t->passed_count < t->capacity)
    t->passed[t->passed_count++] = (tacShellPassed){.point = point, .free = free, .at = at};
}

/* Adds node `i` of the level's list to the opened nodes if `is_opened`. Otherwise the next node overwrites the
 * entry. */
static inline void open_node(Run *run, int level, int i, int point, double value, bool is_opened, int *opened) {
  tacShellTraversal *t = run->t;
  t->visited[level][i] = is_opened ? ~point : point;
  t->opened[*opened] = point;
  t->opened_values[*opened] = value;
  *opened += is_opened;
}

/* Prefetches the children of opened nodes. */
static inline void ask_for_children(const tacShellTraversal *t, int level, int from, int opened) {
  for (int i = from; i < opened; ++i) {
    int child = t->view->nodes[level][t->opened[i]].first_child;
    __builtin_prefetch(&t->wake[level + 1][child]);
    __builtin_prefetch(&t->view->nodes[level + 1][child]);
  }
}

/* Evaluates the nodes of a level: finds contacts, and lists the nodes to open. `inner`: true if the level has a level
 * below. Returns the number of opened nodes. */
static inline __attribute__((always_inline)) int visit_nodes(Run *run, int level, bool deforms, bool inner) {
  tacShellTraversal *t = run->t;
  const tacFieldReach *reach = &run->field->reach;
  const tacPointshellNode *nodes = t->view->nodes[level];
  const int32_t *list = t->visited[level];
  const int copies = t->copy_count[level], count = t->visited_count[level];
  Sleep sleep = begin_sleep(run, level);
  int opened = 0;
  for (int i = 0; i < copies; ++i) {
    const int point = list[i];
    __builtin_prefetch(&nodes[list[least_int(i + AHEAD, copies - 1)]]);
    double gap = tac_field_reach_at(reach, t->values[i]) - run->rounding - (double)ball_of(t, level, point, deforms);
    const double way = way_awake(&sleep, point);
    sleep_for(&sleep, point, gap);
    open_node(run, level, i, point, t->values[i], !(gap > 0.0 && gap >= way), &opened);
  }
  if (inner) ask_for_children(t, level, 0, opened);
  for (int begin = copies; begin < count; begin += BLOCK) {
    int size = least_int(count - begin, BLOCK), before = opened, near[BLOCK], near_count = 0;
    tacVec3 at[BLOCK];
    double values[BLOCK], free[BLOCK];
    tac_shell_place_points(t->view, nodes, &t->pose, list + begin, size, count - begin, at);
    tac_distance_field_values(run->field->field, size, at, values);
    add_contacts(run, size, list + begin, at, values);
    for (int i = 0; i < size; ++i) {
      const int point = list[begin + i];
      double gap = tac_field_reach_at(reach, values[i]) - run->rounding;
      const double way = way_awake(&sleep, point);
      near[near_count] = i;
      free[near_count] = gap;
      near_count += (gap < way) & (values[i] >= 0.0);
      if (inner) gap -= (double)ball_of(t, level, point, deforms);
      sleep_for(&sleep, point, gap);
      if (inner) open_node(run, level, begin + i, point, values[i], !(gap > 0.0 && gap >= way), &opened);
    }
    for (int i = 0; i < near_count; ++i) {
      const int32_t listed = list[begin + near[i]]; /* the point, or ~point if the node was opened */
      add_passed(run, listed < 0 ? ~listed : listed, at[near[i]], free[i]);
    }
    if (inner) ask_for_children(t, level, before, opened);
  }
  end_sleep(run, &sleep);
  return opened;
}

/* Does the same as visit_nodes for a deforming field. Values of this field give no distance bounds. A query returns a
 * distance bound, or a value if contact is possible. Copies are queried again only if their smaller ball may be free of
 * contact. */
static int visit_deformed_field(Run *run, int level, bool inner) {
  tacShellTraversal *t = run->t;
  const int32_t *list = t->visited[level];
  const int copies = t->copy_count[level], count = t->visited_count[level];
  const bool deforms = t->view->r > 0;
  const double more = run->limits->coherent ? t->view->radius * TOLD_BEYOND : 0.0, margin = 2.0 * run->rounding;
  Sleep sleep = begin_sleep(run, level);
  int opened = 0;
  for (int begin = 0; begin < count; begin += BLOCK) {
    int size = least_int(count - begin, BLOCK), asked = 0;
    int32_t points[BLOCK];
    tacVec3 at[BLOCK];
    double radii[BLOCK];
    tacDeformedLook looks[BLOCK];
    bool is_asked[BLOCK];
    for (int i = begin; i < begin + size; ++i) {
      double radius = (inner ? (double)ball_of(t, level, list[i], deforms) : 0.0) + margin;
      is_asked[i - begin] = !(i < copies && t->values[i] < radius);
      points[asked] = list[i];
      radii[asked] = radius;
      asked += is_asked[i - begin];
    }
    tac_shell_place_points(t->view, t->view->nodes[level], &t->pose, points, asked, asked, at);
    tac_deformed_pose_look(run->field->deformed, asked, at, radii, more, looks);
    for (int i = begin, l = 0; i < begin + size; ++i) {
      if (!is_asked[i - begin]) {
        open_node(run, level, i, list[i], t->values[i], true, &opened);
        continue;
      }
      const tacDeformedLook *look = &looks[l];
      const double way = way_awake(&sleep, list[i]);
      if (look->reach >= radii[l]) {
        const double gap = look->reach - radii[l] + margin / 2.0;
        if (look->reach < way && i >= copies) add_passed(run, list[i], at[l], look->reach);
        sleep_for(&sleep, list[i], gap);
        if (inner) open_node(run, level, i, list[i], look->reach, gap < way, &opened);
      } else {
        if (i >= copies && look->value < 0.0) add_contact(run, tac_shell_contact(list[i], at[l], look));
        if (look->value >= 0.0 && look->value < STEEPEST * way && i >= copies)
          add_passed(run, list[i], at[l], look->value / STEEPEST);
        if (inner) open_node(run, level, i, list[i], look->value < 0.0 ? TOUCHING : look->bound, true, &opened);
      }
      ++l;
    }
  }
  end_sleep(run, &sleep);
  return opened;
}

static int visit_level(Run *run, int level) {
  bool inner = level < run->t->view->level_count - 1;
  if (run->field->deformed != NULL) return visit_deformed_field(run, level, inner);
  if (!inner) return visit_nodes(run, level, false, false);
  return run->t->view->r > 0 ? visit_nodes(run, level, true, true) : visit_nodes(run, level, false, true);
}

/* ---- lists ---- */

static void list_first(Run *run) {
  tacShellTraversal *t = run->t;
  int count = 0, size = t->view->sizes[0];
  for (int i = 0; i < size; ++i) {
    t->visited[0][count] = i;
    count += !is_asleep(run, 0, i);
  }
  t->copy_count[0] = 0;
  t->visited_count[0] = count;
  run->report.asleep = size - count;
}

/* Lists the active children of a node, which are those not skipped, and returns their number. Writes the children in
 * groups of TOGETHER, since branches on the number of children would be mispredicted. Entries after the last active
 * child are ignored. */
static inline int list_children(const Run *run, int level, const tacPointshellNode *node, int32_t *list) {
  const double *wake = run->t->wake[level + 1], odometer = run->limits->coherent ? run->t->odometer : INFINITY;
  const int end = node[1].first_child;
  int count = 0;
  for (int child = node->first_child; child < end; child += TOGETHER)
    for (int i = child; i < child + TOGETHER; ++i) {
      list[count] = i;
      count += (i < end) & !(wake[i] > odometer);
    }
  return count;
}

/* Lists the nodes of the next level: first the copies, then the new points. Both parts ascend, so that the contacts are
 * in the order of points. The last level needs no copies, since its points have no children. */
static void list_next(Run *run, int level, int opened) {
  tacShellTraversal *t = run->t;
  const tacPointshellNode *nodes = t->view->nodes[level];
  const bool copies = level + 1 < t->view->level_count - 1;
  int32_t *list = t->visited[level + 1];
  int count = 0, all = 0;
  for (int i = 0; copies && i < opened; ++i) {
    int point = t->opened[i];
    __builtin_prefetch(&t->wake[level + 1][t->opened[least_int(i + AHEAD, opened - 1)]]);
    list[count] = point;
    t->values[count] = t->opened_values[i];
    count += !is_asleep(run, level + 1, point);
  }
  t->copy_count[level + 1] = count;
  all = copies ? opened : 0;
  for (int i = 0; i < opened; ++i) {
    const tacPointshellNode *node = &nodes[t->opened[i]];
    all += node[1].first_child - node->first_child;
    count += list_children(run, level, node, list + count);
  }
  t->visited_count[level + 1] = count;
  run->report.asleep += all - count;
}

/* ---- evaluation of a level in part ---- */

static double cost_of(const Run *run) {
  const tacTraversalReport *report = &run->report;
  return report->visited - report->copied + run->limits->contact_cost * report->contact_count;
}

static double cost_left(const Run *run) {
  return run->limits->cost - cost_of(run);
}

/* Returns the grade of a distance; 0 is the smallest. Reads the logarithm from the highest bits of a float. */
static int grade_of(double distance, double size) {
  float ratio = (float)(distance / size);
  uint32_t bits;
  memcpy(&bits, &ratio, sizeof bits);
  int grade = (int)(bits >> 20) - 8 * (127 + LEAST);
  return grade < 0 ? 0 : grade >= GRADES ? GRADES - 1 : grade;
}

/* Sorts the opened nodes by need. All contacts are among these nodes, and both lists are in the same order. */
static void order_by_need(Run *run, int level, int count) {
  tacShellTraversal *t = run->t;
  const bool held = t->part_level == level;
  int begins[NEEDS + 1] = {0}, next = 0;
  for (int i = 0; i < count; ++i) {
    int point = t->parents[i];
    bool touches = next < run->report.contact_count && t->contacts[next].point == point;
    int grade = grade_of(touches ? t->contacts[next].depth : fmax(t->parent_values[i], 0.0), t->view->radius);
    int need = touches ? GRADES - 1 - grade : GRADES + grade;
    t->parent_contacts[i] = touches ? next++ : -1;
    t->needs[i] = (uint16_t)(need + (held && t->opened_in[point] + 1 == t->run ? 0 : HELD));
    ++begins[t->needs[i] + 1];
  }
  for (int n = 0; n < NEEDS; ++n) begins[n + 1] += begins[n];
  for (int i = 0; i < count; ++i) t->order[begins[t->needs[i]]++] = i;
}

/* Evaluates `count` nodes of the level's list, starting at index `begin`, and stores the opened nodes from index `to`.
 * Returns the number of opened nodes. */
static int visit_part(Run *run, int level, int begin, int count, int copies, int to) {
  tacShellTraversal *t = run->t;
  int32_t *list = t->visited[level], *opened = t->opened;
  double *values = t->opened_values;
  t->visited[level] = list + begin;
  t->copy_count[level] = copies;
  t->visited_count[level] = count;
  t->opened = opened + to;
  t->opened_values = values + to;
  int found = visit_level(run, level);
  t->visited[level] = list;
  t->opened = opened;
  t->opened_values = values;
  run->report.visited += count;
  run->report.copied += copies;
  return found;
}

static void open_parent(Run *run, int level, int parent, int awake) {
  const int contact = run->t->parent_contacts[parent];
  const tacPointshellNode *node = &run->t->view->nodes[level][run->t->parents[parent]];
  if (contact >= 0) run->t->contact_levels[contact] = (uint8_t)(level + 1);
  run->report.asleep += node[1].first_child - node->first_child - awake;
}

/* Evaluates the children of the level's nodes in order of need. Each round takes as many children as fit if all of them
 * are contacts. The actual cost is usually lower, so the next round can take more. The list of children starts after
 * the entries reserved for copies. Returns the number of nodes whose children were evaluated. */
static int open_in_need(Run *run, int level, int parent_count, int *listed, int *opened) {
  tacShellTraversal *t = run->t;
  const tacPointshellNode *nodes = t->view->nodes[level];
  int next = 0, more = 1;
  *listed = *opened = 0;
  while (more > 0) {
    const double room = cost_left(run) / (1.0 + run->limits->contact_cost);
    int32_t *list = t->visited[level + 1] + parent_count + *listed;
    int count = 0;
    for (more = 0; next < parent_count; ++next, ++more) {
      int ahead = t->parents[t->order[least_int(next + AHEAD, parent_count - 1)]];
      __builtin_prefetch(&t->wake[level + 1][nodes[ahead].first_child]);
      const tacPointshellNode *node = &nodes[t->parents[t->order[next]]];
      __builtin_prefetch(&t->view->nodes[level + 1][node->first_child]);
      int awake = list_children(run, level, node, list + count);
      if (!(count + awake <= room)) break;
      open_parent(run, level, t->order[next], awake);
      count += awake;
    }
    if (count > 0) *opened += visit_part(run, level + 1, parent_count + *listed, count, 0, parent_count + *opened);
    *listed += count;
  }
  return next;
}

/* Copies the opened nodes to the next level, and visits the copies that are not skipped. Returns the number of visited
 * copies. */
static int visit_copies(Run *run, int level, int parent_count, int *opened) {
  tacShellTraversal *t = run->t;
  int count = 0;
  for (int i = 0; i < parent_count; ++i) {
    t->visited[level + 1][count] = t->parents[i];
    t->values[count] = t->parent_values[i];
    count += !is_asleep(run, level + 1, t->parents[i]);
  }
  run->report.asleep += parent_count - count;
  *opened = visit_part(run, level + 1, 0, count, count, 0);
  return count;
}

/* Evaluates the level after `level` node by node. Returns false if the run ends: not all nodes fitted, or `last` is
 * set. */
static bool render_part(Run *run, int level, bool last, int *opened) {
  tacShellTraversal *t = run->t;
  const int parent_count = *opened, before = run->report.contact_count;
  int32_t *nodes = t->opened;
  double *values = t->opened_values;
  t->opened = t->parents;
  t->opened_values = t->parent_values;
  t->parents = nodes;
  t->parent_values = values;
  memset(t->contact_levels, level, (size_t)before);
  order_by_need(run, level, parent_count);
  int listed, found, copies = 0, copies_opened = 0;
  int done = open_in_need(run, level, parent_count, &listed, &found);
  bool whole = done == parent_count, on = whole && !last;
  if (on) copies = visit_copies(run, level, parent_count, &copies_opened);
  int32_t *list = t->visited[level + 1];
  memmove(list + copies, list + parent_count, (size_t)listed * sizeof *list);
  if (on) { /* copies exist only if a further level follows */
    memmove(t->opened + copies_opened, t->opened + parent_count, (size_t)found * sizeof *t->opened);
    memmove(t->opened_values + copies_opened, t->opened_values + parent_count, (size_t)found * sizeof *values);
  }
  t->copy_count[level + 1] = copies;
  t->visited_count[level + 1] = copies + listed;
  *opened = copies_opened + found;
  t->entered = level + 1;
  if (!whole) {
    run->part_level = level;
    for (int i = 0; i < done; ++i) t->opened_in[t->parents[t->order[i]]] = t->run;
  }
  run->report.degraded = !whole;
  run->report.level = whole ? level + 1 : level;
  run->report.part = whole ? 0.0 : (double)done / parent_count;
  memset(t->contact_levels + before, level + 1, (size_t)(run->report.contact_count - before));
  return on;
}

/* ---- complete run ---- */

/* Keeps only the passed points whose own motion plus the field's motion `moved` exceeds their free distance. Sets the
 * previous positions of these points. */
static void find_ways(tacShellTraversal *t, double moved) {
  int count = 0;
  for (int begin = 0; begin < t->passed_count; begin += BLOCK) {
    int32_t points[BLOCK];
    tacVec3 from[BLOCK];
    const int size = least_int(t->passed_count - begin, BLOCK);
    for (int i = 0; i < size; ++i) points[i] = t->passed[begin + i].point;
    tac_shell_place_points(t->view, t->view->nodes[t->view->level_count - 1], &t->before, points, size, size, from);
    for (int i = 0; i < size; ++i) {
      tacShellPassed *passed = &t->passed[count];
      *passed = t->passed[begin + i];
      passed->from = from[i];
      count += tac_vec3_distance(passed->at, from[i]) + moved > passed->free;
    }
  }
  t->passed_count = count;
}

/* Computes the map from present positions to previous positions. Let x = R (P + U q) + t, and let the index b mark the
 * previous run. Then
 *     x_b - R_b U (q_b - q) = R_b R^T (x - t) + t_b. */
static void find_way_back(Run *run, double moved) {
  const tacShellTraversal *t = run->t;
  run->back = tac_mat3_mul(t->before.rotation, tac_mat3_transpose(t->pose.rotation));
  run->back_by = tac_vec3_sub(t->before.translation, tac_mat3_mul_vec(run->back, t->pose.translation));
  run->back_off = moved + run->rounding;
  for (int j = 0; j < t->view->r; ++j) run->back_off += t->view->reach[j] * fabs(t->q[j] - t->q_before[j]);
}

static void render_level(Run *run, int level, int *opened) {
  *opened = visit_level(run, level);
  run->report.visited += run->t->visited_count[level];
  run->report.copied += run->t->copy_count[level];
  run->report.level = run->t->entered = level;
}

tacTraversalReport tac_shell_traversal_run(tacShellTraversal *t, tacContactField *field, const tacShellPose *pose,
                                           const tacTraversalLimits *limits, const tacShellContact **contacts) {
  const tacPointshellView *view = t->view;
  const double moved = field->moved, way = way_of_points(t, pose) + moved, from = t->odometer;
  move_odometer(t, way);
  field->moved = 0.0;
  const bool went = t->run > 0 && limits->coherent && way < LONGEST_WAY * view->radius;
  keep_pose(t, pose, went);
  double size = tac_vec3_norm(pose->translation) + tac_vec3_norm(view->centre) + view->radius;
  for (int j = 0; j < view->r; ++j) size += view->reach[j] * fabs(t->q[j]);
  Run run = {.t = t, .field = field, .limits = limits, .rounding = ROUNDING * size, .part_level = -1};
  run.longest = LONGEST_SLEEP * view->radius;
  run.from = from;
  run.to = went ? from + way : from;
  find_way_back(&run, moved);
  t->passed_count = 0;
  int deepest = least_int(view->level_count - 1, limits->level_most), opened = 0;
  ++t->run;
  list_first(&run);
  render_level(&run, 0, &opened);
  for (bool on = true; on && run.report.level < deepest;) {
    int level = run.report.level;
    if (isinf(limits->cost) || opened == 0) {
      list_next(&run, level, opened);
      render_level(&run, level + 1, &opened);
    } else {
      on = render_part(&run, level, level + 1 == deepest, &opened);
    }
  }
  t->part_level = run.part_level;
  if (t->passed_count > 0) find_ways(t, moved);
  run.report.cost = cost_of(&run);
  *contacts = t->contacts;
  return run.report;
}

const tacPointshell *tac_shell_traversal_shell(const tacShellTraversal *t) {
  return t->shell;
}

int tac_shell_traversal_passed(const tacShellTraversal *t, const tacShellPassed **passed) {
  *passed = t->passed;
  return t->passed_count;
}

static tacVec3 place_one(const tacShellTraversal *t, const tacShellPose *pose, int point) {
  tacVec3 at;
  tac_shell_place_points(t->view, t->view->nodes[t->view->level_count - 1], pose, &(int32_t){point}, 1, 1, &at);
  return at;
}
tacVec3 tac_shell_traversal_place(const tacShellTraversal *t, int point) {
  return place_one(t, &t->pose, point);
}
tacVec3 tac_shell_traversal_place_before(const tacShellTraversal *t, int point) {
  return place_one(t, &t->before, point);
}

const uint8_t *tac_shell_traversal_levels(const tacShellTraversal *t) {
  return t->part_level >= 0 ? t->contact_levels : NULL;
}

/* ---- display ---- */

int tac_shell_traversal_visited(const tacShellTraversal *t, int capacity, tacVisitedBall *balls) {
  int count = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (int l = 0; l <= t->entered; ++l)
      for (int i = 0; i < t->visited_count[l] && count < capacity; ++i) {
        int32_t listed = t->visited[l][i], point = listed < 0 ? ~listed : listed;
        bool opened = listed < 0 && l < t->entered && (l != t->part_level || t->opened_in[point] == t->run);
        if (opened != (pass == 0)) continue;
        tacVec3 at = tac_pointshell_deformed_point(t->shell, point, t->q);
        balls[count++] =
            (tacVisitedBall){.centre = tac_vec3_add(tac_mat3_mul_vec(t->pose.rotation, at), t->pose.translation),
                             .radius = tac_pointshell_deformed_radius(t->shell, l, point, t->q),
                             .level = l,
                             .opened = opened};
      }
  return count;
}
