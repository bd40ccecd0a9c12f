#include "world/pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "math/float_rows.h"
#include "world/world_parts.h"

enum {
  MOST_CONTACTS = 32768, /* of a pair in a step; at 0.1 us each more than a step has time for */
  AHEAD = 8,             /* contacts: so early memory is asked for what is kept of a point */
  LOOK_EVERY = 8         /* evaluations, in which the direction of each contact is found once */
};
static const double no_limit = 1e9; /* nodes */

/* ---- load phase ---- */

tacPairDef tac_pair_def_default(void) {
  return (tacPairDef){.stiffness = 300.0,
                      .full_count = 10.0,
                      .tangential = 0.5,
                      .area_weights = true,
                      .level_most = TAC_POINTSHELL_MOST_LEVELS};
}

static tacStatus make_arrays(tacPair *pair, tacError *error) {
  size_t n = (size_t)pair->capacity, points = (size_t)tac_pointshell_size(pair->shell, TAC_POINTSHELL_MOST_LEVELS);
  int both = pair->size[0] + pair->size[1];
  pair->stride = (both + 3) / 4 * 4;
  pair->at = tac_array_create(n, sizeof *pair->at, "contacts", error);
  pair->springs = tac_array_create(n, sizeof *pair->springs, "contacts", error);
  pair->slides = tac_array_create(n, sizeof *pair->slides, "contacts", error);
  pair->point = tac_array_create(n, sizeof *pair->point, "contacts", error);
  pair->anchors = tac_array_create(points, sizeof *pair->anchors, "anchors of friction", error);
  bool made =
      pair->at != NULL && pair->springs != NULL && pair->slides != NULL && pair->point != NULL && pair->anchors != NULL;
  if (made && pair->contact_field.deformed != NULL) {
    pair->proxies = tac_array_create(n, sizeof *pair->proxies, "contacts", error);
    made = pair->proxies != NULL;
  }
  if (made && both > 0) {
    size_t room = n * 3 * (size_t)pair->stride + 3 * (TAC_BODY_MOST_COORDINATES + 4);
    pair->rows = tac_array_create(n, sizeof *pair->rows, "contacts", error);
    pair->room = tac_array_create(room, sizeof *pair->room, "contacts", error);
    made = pair->rows != NULL && pair->room != NULL;
  }
  return made ? TAC_OK : TAC_ERR_MEMORY;
}

static const tacDistanceField *rest_field(const tacWorldBody *body) {
  const tacBodyTable *table = body->body.table;
  return table->field != NULL ? table->field(body->body.self) : NULL;
}

static tacContactField field_of(const tacWorldBody *body) {
  const tacBodyTable *table = body->body.table;
  const tacContactField *deformed = table->deformed_field != NULL ? table->deformed_field(body->body.self) : NULL;
  if (deformed != NULL) return (tacContactField){.deformed = deformed->deformed};
  const tacDistanceField *field = rest_field(body);
  return (tacContactField){.field = field, .reach = tac_field_reach(field)};
}

static double voxel_of(const tacContactField *of) {
  const tacDistanceField *field =
      of->field != NULL ? of->field : tac_deformed_field_domain(tac_deformed_pose_field(of->deformed), 0);
  const tacGrid *grid = tac_distance_field_grid(field);
  return grid != NULL ? grid->spacing : INFINITY;
}

/* Of the points: the side of a square with the mean area. */
static double spacing_of(const tacPointshell *shell) {
  int finest = tac_pointshell_level_count(shell) - 1;
  return sqrt(tac_pointshell_surface_area(shell) / tac_pointshell_size(shell, finest));
}

static void set_values(tacPair *pair) {
  tac_pair_set_value(pair, TAC_PAIR_STIFFNESS, pair->def.stiffness);
  tac_pair_set_value(pair, TAC_PAIR_FRICTION, pair->def.friction);
  tac_pair_set_value(pair, TAC_PAIR_NODES, no_limit);
  tac_pair_set_value(pair, TAC_PAIR_CONTACT, 1.5); /* beta / alpha of (3.13) */
}

tacStatus tac_pair_create(const tacPairDef *def, tacWorldBody *bodies, int points, int field, bool laws, tacPair *pair,
                          tacError *error) {
  const tacWorldBody *of_points = &bodies[points], *of_field = &bodies[field];
  const tacBodyTable *table = of_points->body.table;
  const tacPointshell *shell = table->points != NULL ? table->points(of_points->body.self) : NULL;
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
  if (status != TAC_OK) tac_pair_destroy(pair);
  if (status == TAC_OK) tac_pair_reset(pair); /* touches the anchors' pages, too */
  return status;
}

void tac_pair_destroy(tacPair *pair) {
  tac_shell_traversal_destroy(pair->traversal);
  free(pair->at);
  free(pair->springs);
  free(pair->slides);
  free(pair->point);
  free(pair->rows);
  free(pair->room);
  free(pair->proxies);
  free(pair->anchors);
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
  return body->body.table->points_q != NULL ? body->body.table->points_q(body->body.self) : NULL;
}

void tac_pair_reset(tacPair *pair) {
  if (pair->laws) return;
  tac_shell_traversal_reset(pair->traversal);
  pair->count = 0;
  pair->evaluation = 1; /* anchors hold 0: none was in contact */
  pair->traversed = (tacTraversalReport){0};
  pair->pressed = (tacPenaltyReport){0};
  pair->contact_field.moved = 0.0;
  size_t points = (size_t)tac_pointshell_size(pair->shell, TAC_POINTSHELL_MOST_LEVELS);
  memset(pair->anchors, 0, points * sizeof *pair->anchors);
}

/* `stride` numbers, those beyond the r of x zero: rows have as many. */
static void pad(double *to, int r, int stride, const double *x) {
  for (int j = 0; j < stride; ++j) to[j] = x != NULL && j < r ? x[j] : 0.0;
}

/* (3.8) */
static inline tacVec3 normal_at(const tacPointshellView *view, int point, const double *q) {
  const float *n = view->normals[point];
  tacVec3 normal = tac_vec3(n[0], n[1], n[2]);
  if (view->r == 0) return normal;
  const float *changes = view->normal_changes + (size_t)point * 3 * (size_t)view->stride;
  return tac_vec3_unit(tac_vec3_add(normal, tac_float_rows_mul(changes, view->stride, q)));
}

/* The field's body in a moment. */
typedef struct {
  tacVec3 position;
  tacMat3 turn, back;
  const tacDeformedPose *deformed;
} FieldFrame;

static tacVec3 anchor_in_world(const FieldFrame *frame, const tacPairAnchor *anchor) {
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

/* Rows of a body's coordinates, [3][*stride], in `room` where the body keeps none. */
static const float *rows_of(const tacBody *body, const tacSite *site, float *room, int *stride) {
  if (body->table->float_rows != NULL) return body->table->float_rows(body->self, site, room, stride);
  double exact[3 * TAC_BODY_MOST_COORDINATES];
  int n = tac_body_size(body);
  *stride = (n + 3) / 4 * 4;
  body->table->rows(body->self, site, exact);
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < *stride; ++i) room[axis * *stride + i] = i < n ? (float)exact[axis * n + i] : 0.0f;
  return room;
}

/* What moves a contact: rows of its coordinates. */
static void find_rows(tacPair *pair, const tacWorldBody *of_points, const tacWorldBody *of_field, const tacMat3 *turned,
                      const tacSite *shell, const tacSite *field, int contact) {
  float *own = pair->room + (size_t)contact * 3 * (size_t)pair->stride;
  float *spare = pair->room + (size_t)pair->capacity * 3 * (size_t)pair->stride;
  int stride;
  if (pair->size[1] == 0) {
    pair->rows[contact].rows = rows_of(&of_points->body, shell, own, &stride);
    return;
  }
  if (pair->size[0] == 0) {
    pair->rows[contact].rows = rows_of(&of_field->body, field, own, &stride);
    return;
  }
  int n = pair->size[0], m = pair->size[1], row = pair->stride;
  const float *from = rows_of(&of_points->body, shell, spare, &stride);
  for (int axis = 0; axis < 3; ++axis)
    for (int j = 0; j < n; ++j) own[axis * row + j] = from[axis * stride + j];
  from = rows_of(&of_field->body, field, spare, &stride);
  for (int axis = 0; axis < 3; ++axis) { /* less the field's, turned as the shell's are */
    float x = -(float)turned->m[axis][0], y = -(float)turned->m[axis][1], z = -(float)turned->m[axis][2];
    for (int j = 0; j < m; ++j) own[axis * row + n + j] = x * from[j] + y * from[stride + j] + z * from[2 * stride + j];
  }
  pair->rows[contact].rows = own;
}

/* Whether the direction of a point's contact is found in this evaluation. */
static inline bool is_looked_at(const tacPair *pair, int point) {
  return pair->anchors[point].evaluation != pair->evaluation || ((uint32_t)point + pair->evaluation) % LOOK_EVERY == 0;
}

/* The direction of a contact, from the shell's normal and the way out of the field, which is the gradient where the
 * point came in, and later where it is; field's frame. Only where that turns round, by more than 120 degrees, while the
 * normal does not face it, the point has gone past the middle of a thin part: the way out is still the one behind it,
 * and it is pushed back, not through. What it gives on its way back it has taken on its way in. */
static void find_direction(const tacPair *pair, tacVec3 at, tacVec3 normal, bool is_new, tacPairAnchor *anchor) {
  const tacContactField *field = &pair->contact_field;
  const tacVec3 before = tac_vec3(anchor->normal[0], anchor->normal[1], anchor->normal[2]);
  tacVec3 gradient;
  if (field->deformed != NULL)
    gradient = tac_deformed_pose_gradient(field->deformed, at, NULL).gradient;
  else
    tac_distance_field_gradient(field->field, at, &gradient);
  double size = tac_vec3_norm(gradient);
  tacVec3 out = size > 0.0 ? tac_vec3_scale(1.0 / size, gradient) : tac_vec3_scale(-1.0, normal);
  if (!is_new && tac_vec3_dot(out, before) > 0.5 && tac_vec3_dot(out, normal) > 0.0) out = tac_vec3_scale(-1.0, before);
  tacVec3 n = tac_penalty_direction(&pair->penalty, normal, out);
  anchor->normal[0] = (float)n.x, anchor->normal[1] = (float)n.y, anchor->normal[2] = (float)n.z;
}

/* Contacts are all over the shell: memory is asked early for what is kept of their points, and a little later, when it
 * is known whether it is needed, for what their directions are found from. */
static inline void ask_ahead(const tacPair *pair, const tacPointshellView *view, int level, int i, int count,
                             const tacShellContact *found) {
  if (i + AHEAD < count) {
    const tacShellContact *ahead = &found[i + AHEAD];
    const tacPairAnchor *anchor = &pair->anchors[ahead->point];
    __builtin_prefetch(anchor);
    __builtin_prefetch(&anchor->normal[2]); /* they lie across lines of memory */
    __builtin_prefetch(&view->tree_areas[level][ahead->point]);
  }
  if (i + AHEAD / 2 >= count) return;
  int point = found[i + AHEAD / 2].point;
  if (!is_looked_at(pair, point)) return;
  __builtin_prefetch(view->normals[point]);
  if (view->r == 0) return; /* its normals do not change */
  const float *changes = view->normal_changes + (size_t)point * 3 * (size_t)view->stride;
  for (int j = 0; j < 3 * view->stride; j += 16) __builtin_prefetch(changes + j);
}

/* m^2: of a point, of those that are rendered, with a part of a level as many of its points. */
static double mean_area(const tacPair *pair, const tacTraversalReport *of) {
  const int *sizes = tac_pointshell_view(pair->shell)->sizes, level = of->level;
  double count = sizes[level] + (of->part > 0.0 ? of->part * (sizes[level + 1] - sizes[level]) : 0.0);
  return tac_pointshell_surface_area(pair->shell) / count;
}

void tac_pair_take(tacPair *pair, const tacWorldBody *bodies, const tacTraversalReport *of,
                   const tacShellContact *found, const uint8_t *levels) {
  const int count = of->contact_count;
  const tacWorldBody *of_points = &bodies[pair->points], *of_field = &bodies[pair->field];
  const tacPointshellView *view = tac_pointshell_view(pair->shell);
  double q[TAC_BODY_MOST_COORDINATES];
  pad(q, view->r, view->stride, q_of(of_points));
  FieldFrame frame = {.position = of_field->frame.position,
                      .turn = tac_quat_to_mat3(of_field->frame.orientation),
                      .deformed = pair->contact_field.deformed};
  frame.back = tac_mat3_transpose(frame.turn);
  tacMat3 turn = tac_mat3_mul(frame.back, tac_quat_to_mat3(of_points->frame.orientation));
  tacMat3 turned = tac_mat3_transpose(turn);
  const double surface = tac_pointshell_surface_area(pair->shell), mean = mean_area(pair, of);
  /* Without weights of their own points are like the mean of their level. */
  const bool sticks = pair->penalty.friction > 0.0, weighs = pair->def.area_weights;
  for (int i = 0; i < count; ++i) {
    const tacShellContact *c = &found[i];
    ask_ahead(pair, view, i + AHEAD < count && levels != NULL ? levels[i + AHEAD] : of->level, i, count, found);
    tacPairAnchor *anchor = &pair->anchors[c->point];
    tacPenaltyPoint *at = &pair->at[i];
    bool known = anchor->evaluation == pair->evaluation;
    at->at = tac_vec3_add(tac_mat3_mul_vec(frame.turn, c->at), frame.position);
    if (is_looked_at(pair, c->point))
      find_direction(pair, c->at, tac_mat3_mul_vec(turn, normal_at(view, c->point, q)), !known, anchor);
    at->normal = tac_mat3_mul_vec(frame.turn, tac_vec3(anchor->normal[0], anchor->normal[1], anchor->normal[2]));
    at->depth = c->depth;
    pair->point[i] = c->point;
    int level = levels != NULL ? levels[i] : of->level;
    at->weight = (weighs ? (double)view->tree_areas[level][c->point] : surface / view->sizes[level]) / mean;
    at->anchor = sticks && known ? anchor_in_world(&frame, anchor) : at->at;
    at->grip = sticks && known ? anchor->grip : 0.0;
    tacSite shell = {TAC_SITE_SHELL, c->point, {0.0, 0.0, 0.0}}, field = {TAC_SITE_FRAME, 0, c->at};
    if (frame.deformed != NULL) {
      pair->proxies[i] = (tacPairProxy){(int16_t)c->domain, (int16_t)c->proxy};
      field = (tacSite){TAC_SITE_FIELD, c->domain << 16 | c->proxy,
                        tac_deformed_pose_pull_back(frame.deformed, c->domain, c->proxy, c->at)};
    }
    if (pair->rows != NULL) find_rows(pair, of_points, of_field, &turned, &shell, &field, i);
  }
  pair->count = count;
  pair->pressed = tac_penalty_evaluate(&pair->penalty, count, pair->at, pair->springs, pair->slides);
  for (int i = 0; i < count; ++i) {
    tacPairAnchor *anchor = &pair->anchors[found[i].point];
    bool is_new = anchor->evaluation != pair->evaluation;
    anchor->evaluation = pair->evaluation + 1;
    if (!sticks) continue;
    if (frame.deformed != NULL && (is_new || pair->slides[i])) anchor->under = pair->proxies[i];
    keep_anchor(&frame, pair->at[i].anchor, anchor);
    anchor->grip = pair->at[i].grip;
  }
  ++pair->evaluation;
}

tacContactField tac_pair_field(const tacPair *pair, const tacWorldBody *bodies) {
  tacContactField field = pair->contact_field;
  const tacBody *body = &bodies[pair->field].body;
  if (field.deformed != NULL) field.moved += body->table->deformed_field(body->self)->moved;
  return field;
}

void tac_pair_evaluate(tacPair *pair, const tacWorldBody *bodies) {
  const tacWorldBody *of_points = &bodies[pair->points], *of_field = &bodies[pair->field];
  tacShellPose pose = tac_pair_pose(&of_points->frame, q_of(of_points), &of_field->frame);
  const tacShellContact *found;
  pair->contact_field = tac_pair_field(pair, bodies);
  pair->traversed = tac_shell_traversal_run(pair->traversal, &pair->contact_field, &pose, &pair->limits, &found);
  tac_pair_take(pair, bodies, &pair->traversed, found, tac_shell_traversal_levels(pair->traversal));
}

void tac_pair_answer(const tacPair *pair, const tacWorldBody *bodies, tacVec3 about, tacPairAnswer *answer) {
  int n = pair->size[0] + pair->size[1];
  answer->wrench = (tacWrench){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  memset(answer->six, 0, sizeof answer->six);
  if (answer->mixed != NULL || n == 0)
    tac_contact_springs_on_rigid(pair->count, pair->springs, 1.0, about, &answer->wrench, answer->six);
  if (n == 0) return;
  memset(answer->force, 0, (size_t)n * sizeof(double));
  memset(answer->stiffness, 0, (size_t)n * (size_t)n * sizeof(double));
  if (answer->mixed != NULL) memset(answer->mixed, 0, 6 * (size_t)n * sizeof(double));
  bool shell = pair->size[0] > 0; /* the rows are turned with it, and have its sign */
  const tacFrame *frame = &bodies[shell ? pair->points : pair->field].frame;
  tac_contact_springs_on_reduced(pair->count, pair->springs, pair->rows, n, pair->stride,
                                 tac_quat_to_mat3(frame->orientation), shell ? 1.0 : -1.0, about, answer->force,
                                 answer->stiffness, answer->mixed);
  for (int i = 0; answer->mixed != NULL && !shell && i < 6 * n; ++i) answer->mixed[i] = -answer->mixed[i];
}
