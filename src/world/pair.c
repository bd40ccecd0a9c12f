#include "world/pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "asset/reduced_polynomial.h"
#include "base/array.h"
#include "math/float4.h"
#include "world/world_parts.h"

enum {
  MOST_CONTACTS = 32768, /* of a pair in a step; at 0.1 us each more than a step has time for */
  AHEAD = 8,             /* contacts: so early memory is asked for what is kept of a point */
  LOOK_EVERY = 8         /* evaluations, in which the direction of each contact is found once */
};
static const double cold_share = 0.8; /* V_C / V_W of section 3.10.3 */
static const double no_limit = 1e9;   /* nodes */

/* ---- load phase ---- */

static tacStatus make_arrays(tacPair *pair, bool soft_shell, tacError *error) {
  size_t n = (size_t)pair->capacity, points = (size_t)tac_pointshell_size(pair->shell, TAC_POINTSHELL_MOST_LEVELS);
  pair->at = tac_array_create(n, sizeof *pair->at, "contacts", error);
  pair->springs = tac_array_create(n, sizeof *pair->springs, "contacts", error);
  pair->slides = tac_array_create(n, sizeof *pair->slides, "contacts", error);
  pair->anchors = tac_array_create(points, sizeof *pair->anchors, "anchors of friction", error);
  bool made = pair->at != NULL && pair->springs != NULL && pair->slides != NULL && pair->anchors != NULL;
  if (made && soft_shell) {
    pair->shell_rows = tac_array_create(n, sizeof *pair->shell_rows, "contacts", error);
    made = pair->shell_rows != NULL;
  }
  return made ? TAC_OK : TAC_ERR_MEMORY;
}

/* The field's modes at its proxies, as floats: what a contact there deforms. */
static tacStatus make_proxy_rows(tacPair *pair, const tacDeformedField *field, const tacDeformedPose *pose,
                                 tacError *error) {
  int r = tac_deformed_field_coordinates(field), domains = tac_deformed_field_domain_count(field), count = 0;
  pair->field_size = r;
  pair->field_stride = (r + 3) / 4 * 4;
  size_t n = (size_t)pair->capacity, row = (size_t)pair->field_stride;
  pair->first_proxy = tac_array_create((size_t)domains, sizeof *pair->first_proxy, "domains", error);
  if (pair->first_proxy == NULL) return TAC_ERR_MEMORY;
  for (int d = 0; d < domains; ++d) {
    pair->first_proxy[d] = count;
    count += tac_deformed_field_proxy_count(field, d);
  }
  pair->proxy_rows = tac_array_create((size_t)count * 12 * row, sizeof *pair->proxy_rows, "proxies", error);
  pair->proxies = tac_array_create(n, sizeof *pair->proxies, "contacts", error);
  pair->field_rows = tac_array_create(n, sizeof *pair->field_rows, "contacts", error);
  pair->field_room = tac_array_create(n * 3 * row, sizeof *pair->field_room, "contacts", error);
  if (pair->proxy_rows == NULL || pair->proxies == NULL || pair->field_rows == NULL || pair->field_room == NULL)
    return TAC_ERR_MEMORY;
  for (size_t i = 0; i < n; ++i) pair->field_rows[i].rows = pair->field_room + i * 3 * row;
  for (int d = 0; d < domains; ++d)
    for (int p = 0; p < tac_deformed_field_proxy_count(field, d); ++p) {
      const double *from = tac_deformed_pose_modes(pose, d, p);
      float *to = pair->proxy_rows + (size_t)(pair->first_proxy[d] + p) * 12 * row;
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < r; ++j) to[(size_t)i * row + (size_t)j] = (float)from[i * r + j];
    }
  return TAC_OK;
}

static double voxel_of(const tacWorldBody *body) {
  const tacDistanceField *field =
      body->field != NULL ? body->field : tac_deformed_field_domain(body->deformed_field, 0);
  const tacGrid *grid = tac_distance_field_grid(field);
  return grid != NULL ? grid->spacing : INFINITY;
}

/* Of the points: the side of a square with the mean area. */
static double spacing_of(const tacPointshell *shell) {
  int finest = tac_pointshell_level_count(shell) - 1;
  return sqrt(tac_pointshell_surface_area(shell) / tac_pointshell_size(shell, finest));
}

tacStatus tac_pair_create(const tacPairDef *def, struct tacWorldBody *bodies, int points, int field, tacPair *pair,
                          tacError *error) {
  const tacPointshell *shell = bodies[points].shell;
  const tacWorldBody *other = &bodies[field];
  int finest = tac_pointshell_level_count(shell) - 1, size = tac_pointshell_size(shell, finest);
  *pair = (tacPair){.def = *def,
                    .shell = shell,
                    .points = points,
                    .field = field,
                    .contact_field = {.field = other->field, .reach = other->reach, .deformed = other->deformed_pose},
                    .limits = tac_traversal_limits_none(),
                    .capacity = size < MOST_CONTACTS ? size : MOST_CONTACTS};
  pair->limits.level_most = def->level_most;
  if (def->ramp == 0.0) pair->def.ramp = 0.2 * fmin(voxel_of(other), spacing_of(shell));
  pair->penalty = tac_penalty_def_default();
  pair->penalty.full_count = def->full_count;
  pair->penalty.ramp = pair->def.ramp;
  pair->penalty.tangential = def->tangential;
  tac_pair_set_value(pair, TAC_PAIR_STIFFNESS, def->stiffness);
  tac_pair_set_value(pair, TAC_PAIR_FRICTION, def->friction);
  tac_pair_set_value(pair, TAC_PAIR_NODES, no_limit);
  tac_pair_set_value(pair, TAC_PAIR_CONTACT, 1.5); /* beta / alpha of (3.13) */
  tacStatus status = tac_shell_traversal_create(shell, pair->capacity, &pair->traversal, error);
  if (status == TAC_OK) status = make_arrays(pair, tac_pointshell_coordinates(shell) > 0, error);
  if (status == TAC_OK && other->deformed_field != NULL)
    status = make_proxy_rows(pair, other->deformed_field, other->deformed_pose, error);
  if (status != TAC_OK) tac_pair_destroy(pair);
  if (status == TAC_OK) tac_pair_reset(pair); /* touches the anchors' pages, too */
  return status;
}

void tac_pair_destroy(tacPair *pair) {
  tac_shell_traversal_destroy(pair->traversal);
  free(pair->at);
  free(pair->springs);
  free(pair->slides);
  free(pair->shell_rows);
  free(pair->field_rows);
  free(pair->field_room);
  free(pair->proxies);
  free(pair->proxy_rows);
  free(pair->first_proxy);
  free(pair->anchors);
  *pair = (tacPair){0};
}

void tac_pair_set_value(tacPair *pair, int parameter, double value) {
  pair->values[parameter] = value;
  if (parameter == TAC_PAIR_STIFFNESS) pair->penalty.stiffness = value;
  if (parameter == TAC_PAIR_FRICTION) pair->penalty.friction = value;
  if (parameter == TAC_PAIR_CONTACT) pair->limits.contact_cost = value;
  if (parameter == TAC_PAIR_NODES) {
    pair->limits.warm = value < no_limit ? value : INFINITY;
    pair->limits.cold = value < no_limit ? cold_share * value : INFINITY;
  }
}

/* ---- a step ---- */

tacShellPose tac_pair_pose(tacVec3 shell_position, tacQuat shell_orientation, const double *shell_q,
                           tacVec3 field_position, tacQuat field_orientation) {
  tacQuat back = tac_quat_conjugate(field_orientation);
  return (tacShellPose){.rotation = tac_quat_to_mat3(tac_quat_mul(back, shell_orientation)),
                        .translation = tac_quat_rotate(back, tac_vec3_sub(shell_position, field_position)),
                        .q = shell_q};
}

static const double *q_of(const tacWorldBody *body) {
  return body->kind == TAC_BODY_REDUCED ? tac_reduced_body_q(body->reduced) : NULL;
}

void tac_pair_reset(tacPair *pair) {
  tac_shell_traversal_reset(pair->traversal);
  pair->count = 0;
  pair->evaluation = 1; /* anchors hold 0: none was in contact */
  pair->traversed = (tacTraversalReport){0};
  pair->pressed = (tacPenaltyReport){0};
  pair->contact_field.moved = 0.0;
  size_t points = (size_t)tac_pointshell_size(pair->shell, TAC_POINTSHELL_MOST_LEVELS);
  memset(pair->anchors, 0, points * sizeof *pair->anchors);
}

typedef double Two __attribute__((vector_size(16)));

/* `stride` numbers, those beyond the r of x zero: rows have as many. */
static void pad(double *to, int r, int stride, const double *x) {
  for (int j = 0; j < stride; ++j) to[j] = x != NULL && j < r ? x[j] : 0.0;
}

/* Three rows times x, which is padded. */
static inline tacVec3 rows_mul(const float *rows, int stride, const double *x) {
  Two sums[6] = {{0.0, 0.0}};
  for (int j = 0; j < stride; j += 4) {
    Two low, high;
    memcpy(&low, x + j, sizeof low);
    memcpy(&high, x + j + 2, sizeof high);
    for (int axis = 0; axis < 3; ++axis) {
      tacFloat4 u = tac_float4_load(rows + axis * stride + j);
      sums[2 * axis] += __builtin_convertvector(__builtin_shufflevector(u, u, 0, 1), Two) * low;
      sums[2 * axis + 1] += __builtin_convertvector(__builtin_shufflevector(u, u, 2, 3), Two) * high;
    }
  }
  for (int axis = 0; axis < 3; ++axis) sums[axis] = sums[2 * axis] + sums[2 * axis + 1];
  return tac_vec3(sums[0][0] + sums[0][1], sums[1][0] + sums[1][1], sums[2][0] + sums[2][1]);
}

/* (3.8) */
static inline tacVec3 normal_at(const tacPointshellView *view, int point, const double *q) {
  const float *n = view->normals[point];
  tacVec3 normal = tac_vec3(n[0], n[1], n[2]);
  if (view->r == 0) return normal;
  const float *changes = view->normal_changes + (size_t)point * 3 * (size_t)view->stride;
  return tac_vec3_unit(tac_vec3_add(normal, rows_mul(changes, view->stride, q)));
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

/* How the field's material point at x moves with its coordinates, as the nearest proxy has it: dp + dF (X - P). The thesis takes dp
 * alone, which misses how the body turns between proxies. */
static void find_field_rows(tacPair *pair, const tacDeformedField *field, const tacDeformedPose *pose,
                            const tacShellContact *at, int contact) {
  tacVec3 material = tac_deformed_pose_pull_back(pose, at->domain, at->proxy, at->at);
  tacVec3 away = tac_vec3_sub(material, tac_deformed_field_proxy(field, at->domain, at->proxy));
  const float ax = (float)away.x, ay = (float)away.y, az = (float)away.z;
  const size_t row = (size_t)pair->field_stride;
  const float *u = pair->proxy_rows + (size_t)(pair->first_proxy[at->domain] + at->proxy) * 12 * row;
  const float *f = u + 3 * row;
  float *to = pair->field_room + (size_t)contact * 3 * row;
  for (int axis = 0; axis < 3; ++axis, u += row, to += row, f += 3 * row)
    for (size_t j = 0; j < row; ++j) to[j] = u[j] + (f[j] * ax + f[row + j] * ay + f[2 * row + j] * az);
  pair->proxies[contact] = (tacPairProxy){(int16_t)at->domain, (int16_t)at->proxy};
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

void tac_pair_take(tacPair *pair, const struct tacWorldBody *bodies, int level, int count,
                   const tacShellContact *found) {
  const tacWorldBody *of_points = &bodies[pair->points], *of_field = &bodies[pair->field];
  const tacPointshellView *view = tac_pointshell_view(pair->shell);
  double q[TAC_REDUCED_MOST];
  pad(q, view->r, view->stride, q_of(of_points));
  FieldFrame frame = {.position = tac_world_body_position(of_field),
                      .turn = tac_quat_to_mat3(tac_world_body_orientation(of_field)),
                      .deformed = pair->contact_field.deformed};
  frame.back = tac_mat3_transpose(frame.turn);
  tacMat3 turn = tac_mat3_mul(frame.back, tac_quat_to_mat3(tac_world_body_orientation(of_points)));
  double mean = tac_pointshell_surface_area(pair->shell) / view->sizes[level];
  bool sticks = pair->penalty.friction > 0.0;
  for (int i = 0; i < count; ++i) {
    const tacShellContact *c = &found[i];
    if (i + AHEAD < count) __builtin_prefetch(&pair->anchors[found[i + AHEAD].point]);
    tacPairAnchor *anchor = &pair->anchors[c->point];
    tacPenaltyPoint *at = &pair->at[i];
    bool known = anchor->evaluation == pair->evaluation;
    at->at = tac_vec3_add(tac_mat3_mul_vec(frame.turn, c->at), frame.position);
    if (!known || ((uint32_t)c->point + pair->evaluation) % LOOK_EVERY == 0)
      find_direction(pair, c->at, tac_mat3_mul_vec(turn, normal_at(view, c->point, q)), !known, anchor);
    at->normal = tac_mat3_mul_vec(frame.turn, tac_vec3(anchor->normal[0], anchor->normal[1], anchor->normal[2]));
    at->depth = c->depth;
    at->weight = pair->def.area_weights ? (double)view->areas[level][c->point] / mean : 1.0;
    at->anchor = sticks && known ? anchor_in_world(&frame, anchor) : at->at;
    at->grip = sticks && known ? anchor->grip : 0.0;
    if (frame.deformed != NULL) find_field_rows(pair, of_field->deformed_field, frame.deformed, c, i);
    if (pair->shell_rows != NULL)
      pair->shell_rows[i].rows = view->displacements + (size_t)c->point * 3 * (size_t)view->stride;
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

void tac_pair_evaluate(tacPair *pair, const struct tacWorldBody *bodies) {
  const tacWorldBody *of_points = &bodies[pair->points], *of_field = &bodies[pair->field];
  tacShellPose pose =
      tac_pair_pose(tac_world_body_position(of_points), tac_world_body_orientation(of_points), q_of(of_points),
                    tac_world_body_position(of_field), tac_world_body_orientation(of_field));
  const tacShellContact *found;
  pair->traversed = tac_shell_traversal_run(pair->traversal, &pair->contact_field, &pose, &pair->limits, &found);
  tac_pair_take(pair, bodies, pair->traversed.level, pair->traversed.contact_count, found);
}

/* The springs' force after their ends went apart by `way` (shell's end less field's end). */
static void stretch(tacContactSpring *spring, tacVec3 normal, tacVec3 way) {
  spring->force = tac_vec3_sub(spring->force, tac_mat3_mul_vec(spring->stiffness, way));
  if (tac_vec3_dot(spring->force, normal) <= 0.0) return; /* the normal is outward: it pushes */
  spring->force = tac_vec3(0.0, 0.0, 0.0);
  spring->stiffness = tac_mat3_zero();
}

void tac_pair_moved(tacPair *pair, int body, tacVec3 about, const double motion[6]) {
  double sign = body == pair->points ? 1.0 : -1.0;
  tacVec3 dx = tac_vec3(motion[0], motion[1], motion[2]), turn = tac_vec3(motion[3], motion[4], motion[5]);
  for (int i = 0; i < pair->count; ++i) {
    tacVec3 way = tac_vec3_add(dx, tac_vec3_cross(turn, tac_vec3_sub(pair->springs[i].at, about)));
    stretch(&pair->springs[i], pair->at[i].normal, tac_vec3_scale(sign, way));
  }
}

/* Rows of the body's side of each contact, their number and stride. */
static const tacSpringRows *side_rows(const tacPair *pair, int body, int *r, int *stride) {
  const tacPointshellView *view = tac_pointshell_view(pair->shell);
  bool shell = body == pair->points;
  *r = shell ? view->r : pair->field_size;
  *stride = shell ? view->stride : pair->field_stride;
  return shell ? pair->shell_rows : pair->field_rows;
}

void tac_pair_deformed(tacPair *pair, int body, tacQuat orientation, const double *dq) {
  int r, stride;
  const tacSpringRows *rows = side_rows(pair, body, &r, &stride);
  if (rows == NULL) return;
  double padded[TAC_REDUCED_MOST];
  pad(padded, r, stride, dq);
  tacMat3 turn = tac_mat3_scale(body == pair->points ? 1.0 : -1.0, tac_quat_to_mat3(orientation));
  for (int i = 0; i < pair->count; ++i) {
    tacVec3 way = tac_mat3_mul_vec(turn, rows_mul(rows[i].rows, stride, padded));
    stretch(&pair->springs[i], pair->at[i].normal, way);
  }
}

void tac_pair_on_rigid(const tacPair *pair, int body, tacVec3 about, tacWrench *wrench, double stiffness[6][6]) {
  double sign = body == pair->points ? 1.0 : -1.0;
  tac_contact_springs_on_rigid(pair->count, pair->springs, sign, about, wrench, stiffness);
}

void tac_pair_on_reduced(const tacPair *pair, int body, int r, tacQuat orientation, tacVec3 about, double *force,
                         double *stiffness, double *mixed) {
  int own, stride;
  const tacSpringRows *rows = side_rows(pair, body, &own, &stride);
  if (rows == NULL) return; /* its side of the contact does not deform */
  tac_contact_springs_on_reduced(pair->count, pair->springs, rows, r, stride, tac_quat_to_mat3(orientation),
                                 body == pair->points ? 1.0 : -1.0, about, force, stiffness, mixed);
}
