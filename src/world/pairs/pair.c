#include "world/pairs/pair.h"

#include <math.h>
#include <string.h>
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/distance_field.h"
#include "asset/pointshell.h"
#include "base/lanes.h"
#include "body/response.h"
#include "math/geometry/float_rows.h"

enum {
  MOST_CONTACTS = 32768, /* limit for one pair in a step; at 0.1 us each, more contacts would take too long */
  BLOCK = 32,            /* number of contacts in a block; the data of the next block are prefetched */
  LOOK_EVERY = 8         /* number of evaluations between two updates of a contact's direction */
};
static const double no_limit = 1e9; /* value of `nodes` that means no limit */
/* A contact direction that leaves its cone (tac_penalty_holds) is moved to a cone whose slope is smaller by this
 * factor. */
static const double kept_within = 63.0 / 64.0;

/* ---- load phase ---- */

tacPairDef tac_pair_def_default(void) {
  return (tacPairDef){
      .full_count = 10.0, .tangential = 0.5, .area_weights = true, .level_most = TAC_POINTSHELL_MOST_LEVELS};
}

size_t tac_pair_field_coordinates(const tacPair *pair) {
  const tacDeformedPose *deformed = pair->contact_field.deformed;
  return deformed != NULL ? (size_t)tac_deformed_field_coordinates(tac_deformed_pose_field(deformed)) : 0;
}

static tacStatus make_arrays(tacPair *pair, tacError *error) {
  size_t n = (size_t)pair->capacity, points = (size_t)tac_pointshell_size(pair->shell, TAC_POINTSHELL_MOST_LEVELS);
  int both = pair->size[0] + pair->size[1];
  tacArrays *arrays = &pair->arrays;
  pair->stride = (both + 3) / 4 * 4;
  pair->at = tac_arrays_add(arrays, n, sizeof *pair->at);
  pair->springs = tac_arrays_add(arrays, n, sizeof *pair->springs);
  pair->slides = tac_arrays_add(arrays, n, sizeof *pair->slides);
  pair->point = tac_arrays_add(arrays, n, sizeof *pair->point);
  pair->last = tac_arrays_add(arrays, n, sizeof *pair->last);
  void *kept = tac_arrays_add(arrays, points + 1, sizeof *pair->anchors + sizeof *pair->sides);
  if (kept != NULL) {
    pair->anchors = tac_lanes_align(kept);
    pair->sides = (tacPairSide *)(pair->anchors + points);
  }
  if (pair->contact_field.deformed != NULL) {
    pair->proxies = tac_arrays_add(arrays, n, sizeof *pair->proxies);
    pair->field_q = tac_arrays_add(arrays, tac_pair_field_coordinates(pair), sizeof *pair->field_q);
  }
  if (both > 0) {
    size_t room = n * 3 * (size_t)pair->stride + 3 * (TAC_BODY_MOST_COORDINATES + 4);
    pair->rows = tac_arrays_add(arrays, n, sizeof *pair->rows);
    pair->room = tac_arrays_add(arrays, room, sizeof *pair->room);
  }
  return tac_arrays_status(arrays, "contacts", error);
}

static tacContactField field_of(const tacWorldBody *body) {
  const tacBodyDescription is = tac_body_describe(&body->body);
  if (is.deformed_field != NULL) return (tacContactField){.deformed = is.deformed_field->deformed};
  return (tacContactField){.field = is.field, .reach = tac_field_reach(is.field)};
}

static double voxel_of(const tacContactField *of) {
  const tacDistanceField *field =
      of->field != NULL ? of->field : tac_deformed_field_domain(tac_deformed_pose_field(of->deformed), 0);
  const tacGrid *grid = tac_distance_field_grid(field);
  return grid != NULL ? grid->spacing : INFINITY;
}

/* Returns the point spacing, m: the side of a square with the mean area of a point. */
static double spacing_of(const tacPointshell *shell) {
  int finest = tac_pointshell_level_count(shell) - 1;
  return sqrt(tac_pointshell_surface_area(shell) / tac_pointshell_size(shell, finest));
}

static void set_values(tacPair *pair) {
  tac_pair_set_value(pair, TAC_PAIR_STIFFNESS, pair->def.stiffness);
  tac_pair_set_value(pair, TAC_PAIR_FRICTION, pair->def.friction);
  tac_pair_set_value(pair, TAC_PAIR_NODES, no_limit);
  tac_pair_set_value(pair, TAC_PAIR_CONTACT, 1.5); /* beta / alpha of (3.13), Barbic 2007 */
}

tacStatus tac_pair_create(const tacPairDef *def, tacWorldBody *bodies, int points, int field, bool laws, tacPair *pair,
                          tacError *error) {
  const tacWorldBody *of_points = &bodies[points], *of_field = &bodies[field];
  const tacPointshell *shell = tac_body_describe(&of_points->body).points;
  if (def->laws.detect == TAC_DETECT_SURFACES || shell == NULL) {
    *pair = (tacPair){.def = *def, .points = points, .field = field, .laws = true};
    set_values(pair);
    return TAC_OK;
  }
  int finest = tac_pointshell_level_count(shell) - 1, size = tac_pointshell_size(shell, finest);
  *pair = (tacPair){.def = *def,
                    .shell = shell,
                    .points = points,
                    .field = field,
                    .laws = laws,
                    .contact_field = field_of(of_field),
                    .size = {tac_body_size(&of_points->body), tac_body_size(&of_field->body)},
                    .limits = tac_traversal_limits_none(),
                    .capacity = size < MOST_CONTACTS ? size : MOST_CONTACTS};
  pair->limits.level_most = def->level_most;
  if (def->ramp == 0.0) pair->def.ramp = 0.2 * fmin(voxel_of(&pair->contact_field), spacing_of(shell));
  pair->penalty = tac_penalty_def_default();
  pair->penalty.full_count = def->full_count;
  pair->penalty.ramp = pair->def.ramp;
  pair->penalty.tangential = def->tangential;
  set_values(pair);
  if (laws) return TAC_OK;
  tacStatus status = tac_shell_traversal_create(shell, pair->capacity, &pair->traversal, error);
  if (status == TAC_OK) status = make_arrays(pair, error);
  if (status == TAC_OK)
    tac_pair_reset(pair); /* the reset also maps the memory pages of the anchors */
  else
    tac_pair_destroy(pair);
  return status;
}

void tac_pair_destroy(tacPair *pair) {
  tac_shell_traversal_destroy(pair->traversal);
  tac_arrays_free(&pair->arrays);
  *pair = (tacPair){0};
}

void tac_pair_set_value(tacPair *pair, int parameter, double value) {
  pair->values[parameter] = value;
  if (parameter == TAC_PAIR_STIFFNESS) pair->penalty.stiffness = value;
  if (parameter == TAC_PAIR_FRICTION) pair->penalty.friction = value;
  if (parameter == TAC_PAIR_CONTACT) pair->limits.contact_cost = value;
  if (parameter == TAC_PAIR_NODES) pair->limits.cost = value < no_limit ? value : INFINITY;
}

/* ---- a step ---- */

tacShellPose tac_pair_pose(const tacFrame *shell, const double *shell_q, const tacFrame *field) {
  tacQuat back = tac_quat_conjugate(field->orientation);
  return (tacShellPose){.rotation = tac_quat_to_mat3(tac_quat_mul(back, shell->orientation)),
                        .translation = tac_quat_rotate(back, tac_vec3_sub(shell->position, field->position)),
                        .q = shell_q};
}

static const double *q_of(const tacWorldBody *body) {
  return tac_body_describe(&body->body).points_q;
}

void tac_pair_reset(tacPair *pair) {
  if (pair->laws) return;
  tac_shell_traversal_reset(pair->traversal);
  pair->count = 0;
  pair->evaluation = 1; /* anchors store 0, which means never in contact */
  pair->traversed = (tacTraversalReport){0};
  pair->pressed = (tacPenaltyReport){0};
  pair->contact_field.moved = 0.0;
  size_t points = (size_t)tac_pointshell_size(pair->shell, TAC_POINTSHELL_MOST_LEVELS);
  memset(pair->anchors, 0, points * sizeof *pair->anchors);
  memset(pair->sides, 0, points * sizeof *pair->sides);
  pair->last_count = 0;
}

/* Copies r numbers and pads the result with zeros to length `stride`. */
static void pad(double *to, int r, int stride, const double *x) {
  for (int j = 0; j < stride; ++j) to[j] = x != NULL && j < r ? x[j] : 0.0;
}

/* Computes the deformed normal of a point (Barbic 2007, equation 3.8). */
static inline tacVec3 normal_at(const tacPointshellView *view, int level, int point, const double *q) {
  const float *n = view->level_normals[level][point];
  tacVec3 normal = tac_vec3(n[0], n[1], n[2]);
  if (view->r == 0) return normal;
  const float *changes = view->level_normal_changes[level] + (size_t)point * 3 * (size_t)view->stride;
  return tac_vec3_unit(tac_vec3_add(normal, tac_float_rows_mul(changes, view->stride, q)));
}

/* Present frame and deformation of the field's body. */
typedef struct {
  tacVec3 position;
  tacMat3 turn, back;
  const tacDeformedPose *deformed;
} FieldFrame;

static inline __attribute__((always_inline)) tacVec3 anchor_in_world(const FieldFrame *frame,
                                                                     const tacPairAnchor *anchor) {
  tacVec3 at = anchor->at;
  if (frame->deformed != NULL)
    at = tac_deformed_pose_push_forward(frame->deformed, anchor->under.domain, anchor->under.proxy, at);
  return tac_vec3_add(tac_mat3_mul_vec(frame->turn, at), frame->position);
}

static void keep_anchor(const FieldFrame *frame, tacVec3 world, tacPairAnchor *anchor) {
  anchor->at = tac_mat3_mul_vec(frame->back, tac_vec3_sub(world, frame->position));
  if (frame->deformed != NULL)
    anchor->at = tac_deformed_pose_pull_back(frame->deformed, anchor->under.domain, anchor->under.proxy, anchor->at);
}

/* Computes the Jacobian rows of a contact for all coordinates of both bodies. */
static void find_rows(tacPair *pair, const tacWorldBody *of_points, const tacWorldBody *of_field, const tacMat3 *turned,
                      const tacSite *shell, const tacSite *field, int contact) {
  float *own = pair->room + (size_t)contact * 3 * (size_t)pair->stride;
  float *spare = pair->room + (size_t)pair->capacity * 3 * (size_t)pair->stride;
  int stride;
  if (pair->size[1] == 0) {
    pair->rows[contact].rows =
        tac_response_float_rows(&of_points->body, pair->size[0], pair->shell, shell, own, &stride);
    return;
  }
  if (pair->size[0] == 0) {
    pair->rows[contact].rows = tac_response_float_rows(&of_field->body, pair->size[1], NULL, field, own, &stride);
    return;
  }
  int n = pair->size[0], m = pair->size[1], row = pair->stride;
  const float *from = tac_response_float_rows(&of_points->body, pair->size[0], pair->shell, shell, spare, &stride);
  for (int axis = 0; axis < 3; ++axis)
    for (int j = 0; j < n; ++j) own[axis * row + j] = from[axis * stride + j];
  from = tac_response_float_rows(&of_field->body, pair->size[1], NULL, field, spare, &stride);
  for (int axis = 0; axis < 3; ++axis) { /* subtracts the motion of the field's body, in the axes of the shell's body */
    float x = -(float)turned->m[axis][0], y = -(float)turned->m[axis][1], z = -(float)turned->m[axis][2];
    for (int j = 0; j < m; ++j) own[axis * row + n + j] = x * from[j] + y * from[stride + j] + z * from[2 * stride + j];
  }
  pair->rows[contact].rows = own;
}

/* True if the contact direction of this point is updated in this evaluation. Each point has its turn every LOOK_EVERY
 * evaluations. */
static inline bool has_turn(const tacPair *pair, int point) {
  return ((uint32_t)point + pair->evaluation) % LOOK_EVERY == 0;
}
/* True if the contact of this point is new, or if its direction is updated in this evaluation. */
static inline bool is_due(const tacPair *pair, int point) {
  return (pair->anchors[point].evaluation != pair->evaluation) | has_turn(pair, point);
}

/* Maps a position of the previous evaluation to the rest shape of the field's body, with the deformation of the proxy
 * `under`. */
static tacVec3 place_before(const tacPair *pair, tacVec3 at, tacPairProxy under) {
  const tacDeformedPose *deformed = pair->contact_field.deformed;
  return deformed != NULL ? tac_deformed_pose_pull_back_at(deformed, under.domain, under.proxy, pair->field_q, at) : at;
}

/* Computes and stores the direction of a contact, from the shell's normal and the exit direction. Also stores the ratio
 * of the force to the derivative of the energy by depth (tac_penalty_steep). */
static void keep_direction(const tacPenaltyDef *penalty, tacVec3 normal, tacSideDepth found, tacPairAnchor *anchor) {
  tacVec3 n = tac_penalty_direction(penalty, normal, found.out);
  tac_pair_side_set(n, anchor->normal);
  anchor->steep = (float)tac_penalty_steep(n, tac_vec3_scale(found.slope, found.out));
}

/* Finds and stores the direction of a contact inside the field's body. Returns the depth. The exit direction is along
 * the field's gradient. If the point is past the middle of a thin part, the exit direction points to the entry side
 * (collide/pair_side.h). */
static double find_direction(tacPair *pair, const tacShellContact *c, tacVec3 gradient, tacVec3 normal, bool is_new) {
  const tacPairProxy under = {(int16_t)c->domain, (int16_t)c->proxy};
  tacVec3 from = {0.0, 0.0, 0.0};
  if (!(tac_vec3_norm2(gradient) > 0.0)) gradient = tac_vec3_scale(-1.0, normal);
  if (is_new) from = place_before(pair, tac_shell_traversal_place_before(pair->traversal, c->point), under);
  tacSideDepth found = tac_pair_side_inside(&pair->sides[c->point], &pair->contact_field, c->at, under, c->depth,
                                            gradient, is_new ? &from : NULL);
  keep_direction(&pair->penalty, normal, found, &pair->anchors[c->point]);
  return found.depth;
}

/* Returns the level of contact i. `levels`: levels of all contacts; NULL if all contacts are on the same level. */
static inline int level_at(const tacTraversalReport *of, const uint8_t *levels, int i) {
  return levels != NULL ? levels[i] : of->level;
}

/* Prefetches the data of a contact's point, since these data are scattered in memory. If the direction is due, also
 * prefetches the normal. */
static inline void ask_for(const tacPair *pair, const tacPointshellView *view, int point, int level) {
  __builtin_prefetch(&pair->anchors[point], 1);
  __builtin_prefetch(&pair->sides[point]);
  if (!has_turn(pair, point)) return;
  __builtin_prefetch(view->level_normals[level][point]);
  if (view->r == 0) return; /* the normals of a rigid shell are constant */
  const float *changes = view->level_normal_changes[level] + (size_t)point * 3 * (size_t)view->stride;
  for (int j = 0; j < 3 * view->stride; j += 16) __builtin_prefetch(changes + j);
}

/* Returns the mean area of a point on the finest permitted level, m^2. */
static double mean_area(const tacPair *pair) {
  const tacPointshellView *view = tac_pointshell_view(pair->shell);
  int finest = view->level_count - 1, most = pair->limits.level_most;
  return tac_pointshell_surface_area(pair->shell) / view->sizes[most < finest ? most : finest];
}

/* Data for all contacts of an evaluation. */
typedef struct {
  const tacWorldBody *points, *field;
  const tacPointshellView *view;
  FieldFrame frame;
  tacMat3 turn, turned; /* rotation from the shell's frame to the field's frame; inverse rotation */
  double q[TAC_BODY_MOST_COORDINATES];
  double surface;  /* surface area of the shell, m^2 */
  double per_mean; /* 1 / mean area of a point, 1/m^2 */
  bool sticks;
} Taking;

static tacVec3 normal_of(const Taking *taking, int level, int point) {
  return tac_mat3_mul_vec(taking->turn, normal_at(taking->view, level, point, taking->q));
}

/* Returns the area of a point on a level, m^2. The anchor caches the area to avoid an access to distant memory. */
static inline double area_of(const tacPair *pair, const Taking *taking, int point, int level, tacPairAnchor *anchor) {
  /* all points of the level have the same weight */
  if (!pair->def.area_weights) return taking->surface / taking->view->sizes[level];
  if (anchor->area_level != level + 1) {
    anchor->area = taking->view->tree_areas[level][point];
    anchor->area_level = level + 1;
  }
  return (double)anchor->area;
}

/* Sets contact i: depth, direction, weight and anchor of its point, and its Jacobian rows. The anchor already contains
 * the direction. `field`: site on the field's body. */
static inline __attribute__((always_inline)) void set_contact(tacPair *pair, const Taking *taking, int i,
                                                              const tacShellContact *c, int level, double depth,
                                                              const tacSite *field) {
  const FieldFrame *frame = &taking->frame;
  tacPairAnchor *anchor = &pair->anchors[c->point];
  const bool known = anchor->evaluation == pair->evaluation, held = taking->sticks && known;
  tacPenaltyPoint *at = &pair->at[i];
  at->at = tac_vec3_add(tac_mat3_mul_vec(frame->turn, c->at), frame->position);
  at->normal = tac_mat3_mul_vec(frame->turn, tac_pair_side_vector(anchor->normal));
  at->depth = depth;
  at->steep = (double)anchor->steep;
  at->weight = area_of(pair, taking, c->point, level, anchor) * taking->per_mean;
  at->anchor = held ? anchor_in_world(frame, anchor) : at->at;
  at->grip = held ? anchor->grip : 0.0;
  pair->point[i] = c->point;
  if (pair->proxies != NULL) pair->proxies[i] = (tacPairProxy){(int16_t)c->domain, (int16_t)c->proxy};
  if (pair->proxies != NULL && !known) anchor->under = pair->proxies[i];
  if (pair->rows == NULL) return;
  tacSite shell = {TAC_SITE_SHELL, c->point, {0.0, 0.0, 0.0}};
  find_rows(pair, taking->points, taking->field, &taking->turned, &shell, field, i);
}

static int level_of(const Taking *taking, const tacTraversalReport *of, int point) {
  int level = of->level;
  while (point >= taking->view->sizes[level]) ++level;
  return level;
}

/* Adds a contact of a point that is outside the field's body, behind a thin part that the point crossed. */
static void add_beyond(tacPair *pair, const Taking *taking, const tacTraversalReport *of, int point, tacVec3 at,
                       tacSideDepth found) {
  const tacPairSide *side = &pair->sides[point];
  tacShellContact c = {.point = point, .at = at, .domain = side->under.domain, .proxy = side->under.proxy};
  tacSite field = {TAC_SITE_FRAME, 0, at};
  if (taking->frame.deformed != NULL) /* the force acts at the entry, since the point is outside the body */
    field = (tacSite){TAC_SITE_FIELD, c.domain << 16 | c.proxy, tac_pair_side_vector(side->at)};
  const int level = level_of(taking, of, point);
  keep_direction(&pair->penalty, normal_of(taking, level, point), found, &pair->anchors[point]);
  set_contact(pair, taking, pair->count++, &c, level, found.depth, &field);
}

/* Finds contacts of points outside the field's body: points that were in contact and are now behind a thin part, and
 * points that crossed a thin part since the last evaluation. Points inside the body are already marked with evaluation
 * `next`. */
static void take_beyond(tacPair *pair, const Taking *taking, const tacTraversalReport *of) {
  const tacContactField *field = &pair->contact_field;
  const tacPairAnchor *anchors = pair->anchors;
  const uint32_t next = pair->evaluation + 1;
  const int *last = pair->last, last_count = pair->last_count;
  for (int i = 0; i < last_count && pair->count < pair->capacity; ++i) {
    const int point = last[i];
    if (anchors[point].evaluation == next) continue;
    const tacVec3 at = tac_shell_traversal_place(pair->traversal, point);
    tacSideDepth found = tac_pair_side_beyond(&pair->sides[point], field, at);
    if (found.depth > 0.0) add_beyond(pair, taking, of, point, at, found);
  }
  const tacShellPassed *passed;
  const int count = tac_shell_traversal_passed(pair->traversal, &passed);
  for (int i = 0; i < count && pair->count < pair->capacity; ++i) {
    const int point = passed[i].point;
    /* the point is already in contact, or is listed twice */
    if (pair->anchors[point].evaluation >= pair->evaluation) continue;
    tacPairProxy under = {0, 0};
    if (field->deformed != NULL) {
      tacDeformedAnswer nearest = tac_deformed_pose_gradient(field->deformed, passed[i].at, NULL);
      under = (tacPairProxy){(int16_t)nearest.domain, (int16_t)nearest.proxy};
    }
    tacSideDepth found = tac_pair_side_passed(&pair->sides[point], field, passed[i].at, under,
                                              place_before(pair, passed[i].from, under));
    if (found.depth > 0.0) add_beyond(pair, taking, of, point, passed[i].at, found);
  }
}

static void keep_field(tacPair *pair, const tacWorldBody *of_field) {
  if (pair->field_q != NULL)
    memcpy(pair->field_q, q_of(of_field), tac_pair_field_coordinates(pair) * sizeof *pair->field_q);
}

static inline bool turns(const tacPair *pair, const tacShellContact *c) {
  const double slack = 0.25 * pair->penalty.ramp;
  return tac_pair_side_turns(&pair->sides[c->point], &pair->contact_field, c->at, c->depth, slack);
}

/* Finds the directions and depths of a block of contacts with a deforming field. Gradients are computed only when
 * needed, since they dominate the cost. */
static void look_in_deformed(tacPair *pair, const Taking *taking, int count, const tacShellContact *found,
                             const int *level, double *depths) {
  for (int i = 0; i < count; ++i) {
    const tacShellContact *c = &found[i];
    const bool known = pair->anchors[c->point].evaluation == pair->evaluation;
    depths[i] = c->depth;
    if (!is_due(pair, c->point) && !turns(pair, c)) continue;
    const tacVec3 gradient = tac_deformed_pose_gradient(pair->contact_field.deformed, c->at, NULL).gradient;
    depths[i] = find_direction(pair, c, gradient, normal_of(taking, level[i], c->point), !known);
  }
}

/* Finds the directions and depths of a block of contacts with a rigid field. A direction inside its cone about the
 * present gradient (tac_penalty_holds) stays unchanged. A direction outside is moved to slightly inside the cone, so
 * that it does not leave the cone again at once. Changed directions are processed last in a separate loop, since
 * processors mispredict this branch. */
static void look_at_rest(tacPair *pair, const Taking *taking, int count, const tacShellContact *found, const int *level,
                         double *depths) {
  tacPenaltyDef inner = pair->penalty;
  tacVec3 at[BLOCK], gradients[BLOCK];
  bool due[BLOCK];
  int left[BLOCK], left_count = 0;
  inner.friction *= kept_within;
  for (int i = 0; i < count; ++i) at[i] = found[i].at;
  tac_distance_field_gradients(pair->contact_field.field, count, at, gradients);
  for (int i = 0; i < count; ++i) {
    tacPairAnchor *anchor = &pair->anchors[found[i].point];
    const tacVec3 n = tac_pair_side_vector(anchor->normal);
    depths[i] = found[i].depth;
    const bool has_come = is_due(pair, found[i].point), has_turned = turns(pair, &found[i]);
    /* bitwise | avoids a branch that processors mispredict */
    due[i] = has_come | has_turned;
    /* depends on the present gradient, even if the direction stays unchanged */
    anchor->steep = (float)tac_penalty_steep(n, gradients[i]);
    left[left_count] = i;
    left_count += due[i] | !tac_penalty_holds(&pair->penalty, n, gradients[i]);
  }
  for (int k = 0; k < left_count; ++k) {
    const int i = left[k], point = found[i].point;
    tacPairAnchor *anchor = &pair->anchors[point];
    const bool known = anchor->evaluation == pair->evaluation;
    const tacVec3 n = tac_pair_side_vector(anchor->normal);
    if (!due[i] && tac_pair_side_agrees(&pair->sides[point], gradients[i])) {
      const double slope = tac_vec3_norm(gradients[i]);
      keep_direction(&inner, n, (tacSideDepth){depths[i], tac_vec3_scale(1.0 / slope, gradients[i]), slope}, anchor);
    } else {
      depths[i] = find_direction(pair, &found[i], gradients[i], normal_of(taking, level[i], point), !known);
    }
  }
}

void tac_pair_take(tacPair *pair, const tacWorldBody *bodies, const tacTraversalReport *of,
                   const tacShellContact *found, const uint8_t *levels) {
  const int count = of->contact_count;
  const tacWorldBody *of_field = &bodies[pair->field];
  Taking taking = {.points = &bodies[pair->points],
                   .field = of_field,
                   .view = tac_pointshell_view(pair->shell),
                   .frame = {.position = of_field->frame.position,
                             .turn = tac_quat_to_mat3(of_field->frame.orientation),
                             .deformed = pair->contact_field.deformed},
                   .surface = tac_pointshell_surface_area(pair->shell),
                   .per_mean = 1.0 / mean_area(pair),
                   .sticks = pair->penalty.friction > 0.0};
  const FieldFrame *frame = &taking.frame;
  pad(taking.q, taking.view->r, taking.view->stride, q_of(taking.points));
  taking.frame.back = tac_mat3_transpose(taking.frame.turn);
  taking.turn = tac_mat3_mul(taking.frame.back, tac_quat_to_mat3(taking.points->frame.orientation));
  taking.turned = tac_mat3_transpose(taking.turn);
  for (int i = 0; i < BLOCK && i < count; ++i) ask_for(pair, taking.view, found[i].point, level_at(of, levels, i));
  for (int begin = 0; begin < count; begin += BLOCK) {
    const int size = count - begin < BLOCK ? count - begin : BLOCK;
    double depths[BLOCK];
    int level[BLOCK];
    for (int i = 0; i < size; ++i) level[i] = level_at(of, levels, begin + i);
    if (frame->deformed != NULL)
      look_in_deformed(pair, &taking, size, found + begin, level, depths);
    else
      look_at_rest(pair, &taking, size, found + begin, level, depths);
    for (int i = begin; i < begin + size; ++i) {
      const tacShellContact *c = &found[i];
      if (i + BLOCK < count) ask_for(pair, taking.view, found[i + BLOCK].point, level_at(of, levels, i + BLOCK));
      tacSite field = {TAC_SITE_FRAME, 0, c->at};
      if (frame->deformed != NULL)
        field = (tacSite){TAC_SITE_FIELD, c->domain << 16 | c->proxy,
                          tac_deformed_pose_pull_back(frame->deformed, c->domain, c->proxy, c->at)};
      set_contact(pair, &taking, i, c, level[i - begin], depths[i - begin], &field);
      pair->anchors[c->point].evaluation = pair->evaluation + 1;
    }
  }
  pair->count = count;
  take_beyond(pair, &taking, of);
  pair->pressed = tac_penalty_evaluate(&pair->penalty, pair->count, pair->at, pair->springs, pair->slides);
  for (int i = 0; i < pair->count; ++i) {
    tacPairAnchor *anchor = &pair->anchors[pair->point[i]];
    anchor->evaluation = pair->evaluation + 1;
    if (!taking.sticks) continue;
    if (frame->deformed != NULL && pair->slides[i]) anchor->under = pair->proxies[i];
    keep_anchor(frame, pair->at[i].anchor, anchor);
    anchor->grip = pair->at[i].grip;
  }
  ++pair->evaluation;
  memcpy(pair->last, pair->point, (size_t)pair->count * sizeof *pair->last);
  pair->last_count = pair->count;
  keep_field(pair, of_field);
}

tacContactField tac_pair_field(const tacPair *pair, const tacWorldBody *bodies) {
  tacContactField field = pair->contact_field;
  const tacBody *body = &bodies[pair->field].body;
  if (field.deformed != NULL) field.moved += tac_body_describe(body).deformed_field->moved;
  return field;
}

void tac_pair_evaluate(tacPair *pair, const tacWorldBody *bodies) {
  const tacWorldBody *of_points = &bodies[pair->points], *of_field = &bodies[pair->field];
  tacShellPose pose = tac_pair_pose(&of_points->frame, q_of(of_points), &of_field->frame);
  const tacShellContact *found;
  if (pair->evaluation == 1) keep_field(pair, of_field); /* there is no previous evaluation */
  pair->contact_field = tac_pair_field(pair, bodies);
  pair->traversed = tac_shell_traversal_run(pair->traversal, &pair->contact_field, &pose, &pair->limits, &found);
  tac_pair_take(pair, bodies, &pair->traversed, found, tac_shell_traversal_levels(pair->traversal));
}

/* If many points share the total stiffness (contact/penalty.h), their forces are coupled. Subtracts this coupling from
 * all matrices of `answer`. The Jacobian rows have the format of tac_contact_springs_on_reduced. */
static void share_stiffness(const tacPair *pair, tacVec3 about, const tacMat3 *turn, double sign,
                            tacPairAnswer *answer) {
  const int n = pair->size[0] + pair->size[1], stride = pair->stride;
  double q[2 * TAC_BODY_MOST_COORDINATES];
  const tacMat3 back = tac_mat3_transpose(*turn);
  const tacVec3 force = pair->pressed.push, torque = tac_vec3_sub(pair->pressed.turn, tac_vec3_cross(about, force));
  memset(q, 0, (size_t)n * sizeof *q);
  for (int i = 0; n > 0 && i < pair->count; ++i) {
    const tacPenaltyPoint *p = &pair->at[i];
    if (!(p->alone > 0.0)) continue;
    const double push = tac_vec3_dot(pair->springs[i].force, p->normal);
    const tacVec3 own = tac_mat3_mul_vec(back, tac_vec3_scale(push, p->normal));
    const float *rows = pair->rows[i].rows;
    for (int j = 0; j < n; ++j)
      q[j] += own.x * (double)rows[j] + own.y * (double)rows[stride + j] + own.z * (double)rows[2 * stride + j];
  }
  const double w[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z}, by = 2.0 / pair->pressed.below;
  for (int i = 0; i < 6 && (answer->mixed != NULL || n == 0); ++i) {
    for (int j = 0; j < 6; ++j) answer->six[i][j] -= by * w[i] * w[j];
    for (int j = 0; j < n; ++j) answer->mixed[i * n + j] -= by * w[i] * sign * q[j];
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) answer->stiffness[i * n + j] -= by * q[i] * q[j];
}

void tac_pair_answer(const tacPair *pair, const tacWorldBody *bodies, tacVec3 about, tacPairAnswer *answer) {
  int n = pair->size[0] + pair->size[1];
  answer->wrench = (tacWrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  memset(answer->six, 0, sizeof answer->six);
  if (answer->mixed != NULL || n == 0)
    tac_contact_springs_on_rigid(pair->count, pair->springs, 1.0, about, &answer->wrench, answer->six);
  const bool shares = pair->pressed.below > 0.0;
  const tacMat3 no_turn = tac_mat3_identity();
  if (n == 0 && shares) share_stiffness(pair, about, &no_turn, 1.0, answer);
  if (n == 0) return;
  memset(answer->force, 0, (size_t)n * sizeof(double));
  memset(answer->stiffness, 0, (size_t)n * (size_t)n * sizeof(double));
  if (answer->mixed != NULL) memset(answer->mixed, 0, 6 * (size_t)n * sizeof(double));
  bool shell = pair->size[0] > 0; /* true if the rows are in the axes of the shell's body */
  const tacMat3 turn = tac_quat_to_mat3(bodies[shell ? pair->points : pair->field].frame.orientation);
  tac_contact_springs_on_reduced(pair->count, pair->springs, pair->rows, n, pair->stride, turn, shell ? 1.0 : -1.0,
                                 about, answer->force, answer->stiffness, answer->mixed);
  for (int i = 0; answer->mixed != NULL && !shell && i < 6 * n; ++i) answer->mixed[i] = -answer->mixed[i];
  if (shares) share_stiffness(pair, about, &turn, shell ? 1.0 : -1.0, answer);
}
