#include "bench/truth/full_gauge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "bench/full_model/full_kinds.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "mesh/query/embedding.h"
#include "mesh/query/triangle_point.h"
#include "scene/scene.h"
#include "world/world_parts.h"

enum { WAIT_NS = 20000000, SECOND = 50, MOST_WAITS = 60 * SECOND /* for a surface */ };
static const double least_force = 0.02; /* N: that presses a body which is looked at */
static const double least_size = 2e-6;  /* m: of displacements that are compared */

tacStatus tac_full_gauge_create(const tacScene *scene, const tacWorld *world, double duration, int count,
                                tacFullGauge *gauge, tacError *error) {
  *gauge = (tacFullGauge){.scene = scene,
                          .world = world,
                          .wanted = count < TAC_FULL_MOST ? count : TAC_FULL_MOST,
                          .step = world->tick,
                          .linear_most = NAN};
  gauge->every = (int64_t)(duration / tac_world_period(world) / fmax(1.0, count + 1.0));
  size_t bodies = (size_t)tac_scene_body_count(scene), size = (size_t)tac_world_state_size(world) + 1;
  gauge->models = tac_array_create(bodies, sizeof *gauge->models, "full models", error);
  gauge->tried = tac_array_create(bodies, sizeof *gauge->tried, "full models", error);
  bool whole = gauge->models != NULL && gauge->tried != NULL;
  for (int i = 0; i < 3; ++i) {
    gauge->states[i] = tac_array_create(size, sizeof **gauge->states, "states", error);
    whole = whole && gauge->states[i] != NULL;
  }
  if (!whole) tac_full_gauge_free(gauge);
  return whole ? TAC_OK : TAC_ERR_MEMORY;
}

void tac_full_gauge_free(tacFullGauge *gauge) {
  for (int i = 0; i < 3; ++i) free(gauge->states[i]);
  for (int b = 0; gauge->models != NULL && b < tac_scene_body_count(gauge->scene); ++b)
    tac_full_model_free(&gauge->models[b]);
  free(gauge->models);
  free(gauge->tried);
  *gauge = (tacFullGauge){0};
}

/* ---- a moment ---- */

/* A body at a moment, with the room that it takes; in its frame. */
typedef struct Moment {
  const tacFullGauge *gauge;
  const tacBalance *balance;
  tacSnapshot snapshot;
  int body;
  tacFullModel *model;
  const tacTriMesh *surface;
  tacPose pose;
  tacQuat back;
  size_t size;           /* 3 numbers a vertex of the model */
  tacVec3 *skin, *other; /* [vertex of the surface]: as it is; as the full model has it */
  double *u, *force, *room, *before;
} Moment;

static tacVec3 to_body(const Moment *m, tacVec3 world) {
  return tac_quat_rotate(m->back, tac_vec3_sub(world, m->pose.position));
}

/* Of the place on the surface as it is that is nearest to p: the triangle, and the weights of its corners. */
static int nearest_on_skin(const Moment *m, tacVec3 p, double weights[3]) {
  int best = -1;
  double least = INFINITY;
  tacVec3 at = p;
  for (int t = 0; t < m->surface->triangle_count; ++t) {
    const int *v = m->surface->triangles[t].v;
    tacVec3 q = tac_triangle_closest(m->skin[v[0]], m->skin[v[1]], m->skin[v[2]], p);
    double away = tac_vec3_norm2(tac_vec3_sub(q, p));
    if (away < least) least = away, best = t, at = q;
  }
  if (best < 0) return best;
  const int *v = m->surface->triangles[best].v;
  tacVec3 whole =
      tac_vec3_cross(tac_vec3_sub(m->skin[v[1]], m->skin[v[0]]), tac_vec3_sub(m->skin[v[2]], m->skin[v[0]]));
  for (int i = 0; i < 3; ++i) {
    tacVec3 a = tac_vec3_sub(m->skin[v[(i + 1) % 3]], at), b = tac_vec3_sub(m->skin[v[(i + 2) % 3]], at);
    double size = tac_vec3_norm2(whole);
    weights[i] = size > 0.0 ? tac_vec3_dot(tac_vec3_cross(a, b), whole) / size : 1.0 / 3.0;
  }
  return best;
}

/* A force at a vertex of the surface, on the nodes of the element that it is in. */
static void add_at_vertex(Moment *m, int vertex, tacVec3 force) {
  const tacEmbedding *e = m->model->skin;
  for (int i = 0; i < 8; ++i) {
    double *to = m->force + 3 * e->vertices[vertex][i], weight = e->weights[vertex][i];
    to[0] += weight * force.x;
    to[1] += weight * force.y;
    to[2] += weight * force.z;
  }
}

static void add_force(Moment *m, tacVec3 at, tacVec3 force) {
  double weights[3];
  int t = nearest_on_skin(m, to_body(m, at), weights);
  tacVec3 own = tac_quat_rotate(m->back, force);
  for (int i = 0; t >= 0 && i < 3; ++i)
    add_at_vertex(m, m->surface->triangles[t].v[i], tac_vec3_scale(weights[i], own));
}

/* What tools that touch at points and what other bodies do. */
static void add_forces(Moment *m) {
  for (int i = 0; i < m->balance->force_count; ++i) {
    const tacBodyForce *f = &m->balance->forces[i];
    if (f->body == m->body && tac_vec3_norm2(f->force) > 0.0) add_force(m, f->at, f->force);
  }
  for (int t = 0; t < m->snapshot.tool_count; ++t) {
    const tacContact *c = &m->snapshot.output[t].contact;
    if (c->state != TAC_CONTACT_NONE && c->triangle >= 0 && (int)c->body == m->body)
      add_force(m, c->deformed, c->force);
  }
}

/* What presses a loose body hardest; -1: what never moves. False: nothing does. */
static bool find_support(const Moment *m, int *support) {
  double most = 0.0;
  for (int b = -1; b < m->gauge->world->body_count; ++b) {
    double sum = 0.0;
    for (int i = 0; i < m->balance->force_count; ++i) { /* both sides are there, one after the other */
      const tacBodyForce *f = &m->balance->forces[i], *other = &m->balance->forces[i ^ 1];
      if (f->body == m->body && other->body == b) sum += tac_vec3_norm(f->force);
    }
    if (sum > most) most = sum, *support = b;
  }
  return most > 0.0;
}

/* Of a loose body, the vertices by which that supports it are held where they are: as a free body it would turn over
 * under loads that press it, which do not turn with it. False: they are too few. */
static bool hold_support(Moment *m) {
  const tacEmbedding *skin = m->model->skin;
  int support = -1, held = 0;
  if (!find_support(m, &support)) return false;
  memset(m->model->held, 0, m->size / 3 * sizeof *m->model->held);
  for (int i = 0; i < m->balance->force_count; ++i) {
    const tacBodyForce *f = &m->balance->forces[i];
    if (f->body != m->body || m->balance->forces[i ^ 1].body != support || tac_vec3_norm2(f->force) == 0.0) continue;
    double weights[3];
    int t = nearest_on_skin(m, to_body(m, f->at), weights);
    for (int c = 0; t >= 0 && c < 3; ++c) {
      int vertex = m->surface->triangles[t].v[c], node = -1;
      for (int e = 0; e < 8; ++e) /* the boundary of the mesh is the surface: all of one node */
        if (skin->weights[vertex][e] > 0.999) node = skin->vertices[vertex][e];
      if (node < 0 || m->model->held[node]) continue;
      tacVec3 u = tac_vec3_sub(m->skin[vertex], m->surface->vertices[vertex]);
      m->model->held[node] = true;
      m->u[3 * node] = u.x;
      m->u[3 * node + 1] = u.y;
      m->u[3 * node + 2] = u.z;
      ++held;
    }
  }
  return held >= 3 && tac_full_model_hold(m->model, m->u, NULL) == TAC_OK;
}

static void add_tractions(Moment *m) {
  tac_world_tractions(m->gauge->world, &m->snapshot, tac_world_body(m->gauge->world, m->body), m->other);
  for (int v = 0; v < m->surface->vertex_count; ++v)
    add_at_vertex(m, v, tac_vec3_scale(m->model->area[v], tac_quat_rotate(m->back, m->other[v])));
}

/* Inertia with damping, of a body in coordinates, by its own equation of motion: U^T M U = 1, so that - M U (U^T f - R(q)) is what
 * holds f against R(q). Differences of states are not: Newmark's velocity and acceleration are others, and a point's force is told a tick
 * late, which among forces that inertia nearly balances is more than what is left. */
static void add_inertia_of_coordinates(Moment *m, const double *state) {
  const tacFullModel *model = m->model;
  const double *basis = tac_reduced_basis(model->reduced);
  size_t r = (size_t)tac_reduced_size(model->reduced);
  model->nodes(model, state, m->u);
  tac_full_model_force(m->model, m->u, m->room);
  for (size_t j = 0; j < m->size; ++j) m->room[j] = m->force[j] - m->room[j];
  for (size_t k = 0; k < r; ++k) {
    double sum = 0.0;
    for (size_t j = 0; j < m->size; ++j) sum += basis[j * r + k] * m->room[j];
    for (size_t j = 0; j < m->size; ++j) m->force[j] -= model->mass[j / 3] * basis[j * r + k] * sum;
  }
}

/* - M a - alpha M v - beta K v, of the last three states; and weight. Euler's method has these at the end of a step. */
static void add_inertia(Moment *m) {
  const tacFullModel *model = m->model;
  const tacWorldBody *body = &m->gauge->world->bodies[m->body];
  tacVec3 gravity = tac_quat_rotate(m->back, body->def.gravity);
  const double g[3] = {gravity.x, gravity.y, gravity.z};
  double h = m->gauge->world->period;
  if (model->nodes == NULL || body->shown.state < 0) return;
  if (model->projected) {
    for (size_t j = 0; j < m->size; ++j) m->force[j] += model->mass[j / 3] * g[j % 3];
    add_inertia_of_coordinates(m, m->gauge->states[2] + body->shown.state);
    return;
  }
  memset(m->room, 0, m->size * sizeof *m->room); /* u'' h^2, then K v */
  for (int i = 0; i < 3; ++i) {
    model->nodes(model, m->gauge->states[i] + body->shown.state, m->before);
    for (size_t j = 0; j < m->size; ++j) m->room[j] += (i == 1 ? -2.0 : 1.0) * m->before[j];
  }
  memcpy(m->u, m->before, m->size * sizeof *m->u);
  for (size_t j = 0; j < m->size; ++j) m->force[j] -= model->mass[j / 3] * (m->room[j] / (h * h) - g[j % 3]);
  model->nodes(model, m->gauge->states[1] + body->shown.state, m->before);
  for (size_t j = 0; j < m->size; ++j)
    m->force[j] -= model->mass_damping * model->mass[j / 3] * (m->u[j] - m->before[j]) / h;
  if (model->stiffness_damping == 0.0) return;
  tac_full_model_force(m->model, m->u, m->room);
  for (size_t j = 0; j < m->size; ++j) m->force[j] -= model->stiffness_damping / h * m->room[j];
  tac_full_model_force(m->model, m->before, m->room);
  for (size_t j = 0; j < m->size; ++j) m->force[j] += model->stiffness_damping / h * m->room[j];
}

/* Of a loose body: less the mass times the rigid acceleration that the forces cause. */
static void relieve(Moment *m) {
  const tacFullModel *model = m->model;
  int count = model->mesh->vertex_count;
  double mass = 0.0;
  tacVec3 centre = {0.0, 0.0, 0.0}, force = centre, torque = centre;
  tacMat3 moments = {{{0.0}}}, inverse;
  for (int v = 0; v < count; ++v) {
    tacVec3 u = tac_vec3(m->u[3 * v], m->u[3 * v + 1], m->u[3 * v + 2]);
    centre = tac_vec3_mad(centre, model->mass[v], tac_vec3_add(model->mesh->vertices[v], u));
    mass += model->mass[v];
  }
  centre = tac_vec3_scale(1.0 / mass, centre);
  for (int pass = 0; pass < 2; ++pass) { /* sums; then what is taken off */
    tacVec3 linear = tac_vec3_scale(1.0 / mass, force), angular = {0.0, 0.0, 0.0};
    if (pass == 1 && tac_mat3_inverse(moments, &inverse)) angular = tac_mat3_mul_vec(inverse, torque);
    for (int v = 0; v < count; ++v) {
      double *f = m->force + 3 * v;
      tacVec3 u = tac_vec3(m->u[3 * v], m->u[3 * v + 1], m->u[3 * v + 2]);
      tacVec3 arm = tac_vec3_sub(tac_vec3_add(model->mesh->vertices[v], u), centre), own = tac_vec3(f[0], f[1], f[2]);
      if (pass == 0) {
        const double a[3] = {arm.x, arm.y, arm.z};
        force = tac_vec3_add(force, own);
        torque = tac_vec3_add(torque, tac_vec3_cross(arm, own));
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            moments.m[i][j] += model->mass[v] * ((i == j ? tac_vec3_norm2(arm) : 0.0) - a[i] * a[j]);
      } else {
        tacVec3 off = tac_vec3_scale(model->mass[v], tac_vec3_add(linear, tac_vec3_cross(angular, arm)));
        f[0] -= off.x;
        f[1] -= off.y;
        f[2] -= off.z;
      }
    }
  }
}

/* ---- the comparison ---- */

/* |skin - other| / |other - rest|, and the largest of the latter, m. */
static double compare(const Moment *m, double *largest) {
  double off = 0.0, size = 0.0;
  *largest = 0.0;
  for (int v = 0; v < m->surface->vertex_count; ++v) {
    double moved = tac_vec3_norm2(tac_vec3_sub(m->other[v], m->surface->vertices[v]));
    off += tac_vec3_norm2(tac_vec3_sub(m->skin[v], m->other[v]));
    size += moved;
    *largest = fmax(*largest, sqrt(moved));
  }
  return sqrt(off / size);
}

static void place_other(Moment *m, const double *u) {
  tac_embedding_apply(m->model->skin, (const tacVec3 *)(const void *)u, m->other);
  for (int v = 0; v < m->surface->vertex_count; ++v) m->other[v] = tac_vec3_add(m->surface->vertices[v], m->other[v]);
}

/* The surface as it is. One that is computed when it is asked for comes in parts, each of which takes about as long: it is there when it
 * has stayed the same for twice the time of the first and a second. */
static void show_skin(Moment *m, tacBodyId id) {
  size_t count = (size_t)m->surface->vertex_count, bytes = count * sizeof *m->skin;
  bool pressed = false; /* where it gives way */
  tac_world_tractions(m->gauge->world, &m->snapshot, id, m->other);
  for (size_t v = 0; m->model->on_demand && v < count; ++v) pressed = pressed || tac_vec3_norm2(m->other[v]) > 0.0;
  tac_world_surface(m->gauge->world, &m->snapshot, id, m->skin);
  for (int waits = 1, changed = 0; pressed && waits < MOST_WAITS; ++waits) {
    tac_clock_sleep_until(tac_clock_now() + WAIT_NS);
    memcpy(m->other, m->skin, bytes);
    tac_world_surface(m->gauge->world, &m->snapshot, id, m->skin);
    if (memcmp(m->other, m->skin, bytes) != 0) changed = waits;
    if (changed > 0 && waits > 3 * changed + SECOND) return;
  }
}

static void look_closely(tacFullGauge *gauge, Moment *m) {
  tacBodyId id = tac_world_body(gauge->world, m->body);
  double *u = m->u, largest;
  show_skin(m, id);
  for (int v = 0; v < m->surface->vertex_count; ++v) m->skin[v] = to_body(m, m->skin[v]);
  memset(m->u, 0, m->size * sizeof *m->u);
  memset(m->force, 0, m->size * sizeof *m->force);
  if (m->model->loose && !hold_support(m)) return;
  if (m->model->area != NULL)
    add_tractions(m);
  else
    add_forces(m);
  add_inertia(m);
  if (m->model->loose) relieve(m);
  double linear = NAN;
  if (m->model->linear != NULL && tac_full_model_solve_linear(m->model, m->force, m->room, NULL) == TAC_OK) {
    place_other(m, m->room);
    linear = compare(m, &largest);
  }
  tacError why;
  bool found = tac_full_model_solve(m->model, m->force, u, &why) == TAC_OK;
  bool again = !found && m->model->finite != NULL && m->model->nodes != NULL; /* once more, from rest */
  for (size_t j = 0; again && j < m->size; ++j)
    if (!m->model->held[j / 3]) u[j] = 0.0;
  if (!found && (!again || tac_full_model_solve(m->model, m->force, u, &why) != TAC_OK)) {
    fprintf(stderr, "%s: no full solution: %s\n", tac_world_body_name(gauge->world, id), why.text);
    ++gauge->failed;
    return;
  }
  place_other(m, u);
  double error = compare(m, &largest);
  if (!(largest > least_size)) return;
  gauge->errors[gauge->count] = error;
  gauge->linear[gauge->count] = linear;
  gauge->size[gauge->count++] = largest;
}

static tacStatus look_at_body(tacFullGauge *gauge, Moment *m, tacError *error) {
  size_t vertices = (size_t)m->surface->vertex_count;
  double *numbers = tac_array_create(4 * m->size, sizeof *numbers, "a full solution", error);
  m->skin = tac_array_create(2 * vertices, sizeof *m->skin, "a surface", error);
  if (numbers != NULL && m->skin != NULL) {
    m->other = m->skin + vertices;
    m->u = numbers;
    m->force = numbers + m->size;
    m->room = numbers + 2 * m->size;
    m->before = numbers + 3 * m->size;
    look_closely(gauge, m);
  }
  tacStatus status = numbers != NULL && m->skin != NULL ? TAC_OK : TAC_ERR_MEMORY;
  free(numbers);
  free(m->skin);
  return status;
}

/* N: what presses a body, by size. */
static double pressed_by(const tacBalance *balance, const tacSnapshot *snapshot, int body) {
  double sum = balance->bodies[body].size;
  for (int t = 0; t < snapshot->tool_count; ++t) {
    const tacContact *c = &snapshot->output[t].contact;
    bool own = tac_world_tool_body(balance->world, t, NULL).generation != 0; /* of which contacts are in the balance */
    if (c->state != TAC_CONTACT_NONE && (int)c->body == body && !own) sum += tac_vec3_norm(c->force);
  }
  return sum;
}

/* Of those that have a full model, the one that is pressed most; -1: none. */
static tacStatus choose(tacFullGauge *gauge, const tacBalance *balance, const tacSnapshot *snapshot, int *body,
                        tacError *error) {
  double most = least_force;
  *body = -1;
  for (int b = 0; b < gauge->world->body_count; ++b) {
    double sum = pressed_by(balance, snapshot, b);
    int of = tac_scene_body_of(gauge->scene, b);
    if (!(sum > most) || of < 0) continue;
    if (!gauge->tried[of]) {
      gauge->tried[of] = true;
      tacStatus status = tac_full_kinds_create(gauge->scene, of, &gauge->models[of], error);
      if (status != TAC_OK) return status;
      int vertices = gauge->models[of].mesh != NULL ? gauge->models[of].mesh->vertex_count : 0;
      if (vertices > gauge->most_vertices) gauge->most_vertices = vertices;
    }
    if (gauge->models[of].mesh == NULL) continue;
    most = sum;
    *body = b;
  }
  return TAC_OK;
}

/* Moments that a model of so many vertices gets. */
static int moments_of(const tacFullGauge *gauge) {
  int most = gauge->most_vertices > 20000 ? 2 : gauge->most_vertices > 5000 ? 4 : TAC_FULL_MOST;
  return gauge->wanted < most ? gauge->wanted : most;
}

static bool has_all(const tacFullGauge *gauge) {
  return gauge->count + gauge->failed >= moments_of(gauge);
}

tacStatus tac_full_gauge_look(tacFullGauge *gauge, const tacBalance *balance, const tacSnapshot *snapshot, bool settled,
                              tacError *error) {
  if (gauge->begun < gauge->wanted && snapshot->tick >= (gauge->begun + 1) * gauge->every) {
    ++gauge->begun;
    gauge->due = true;
    gauge->kept = 0;
  }
  if (!gauge->due || gauge->world->tick == gauge->step || has_all(gauge)) return TAC_OK;
  gauge->step = gauge->world->tick;
  double *oldest = gauge->states[0];
  gauge->states[0] = gauge->states[1];
  gauge->states[1] = gauge->states[2];
  gauge->states[2] = oldest;
  tac_world_state(gauge->world, oldest);
  if (++gauge->kept < 3 || !settled) return TAC_OK;
  int body;
  tacStatus status = choose(gauge, balance, snapshot, &body, error);
  if (status != TAC_OK || body < 0) return status;
  Moment m = {.gauge = gauge,
              .balance = balance,
              .snapshot = *snapshot,
              .body = body,
              .model = &gauge->models[tac_scene_body_of(gauge->scene, body)]};
  tacBodyId id = tac_world_body(gauge->world, body);
  m.snapshot.state = gauge->states[2];
  m.surface = tac_world_body_surface(gauge->world, id);
  m.pose = tac_world_snapshot_pose(gauge->world, &m.snapshot, id);
  m.back = tac_quat(m.pose.orientation[0], -m.pose.orientation[1], -m.pose.orientation[2], -m.pose.orientation[3]);
  m.size = 3 * (size_t)m.model->mesh->vertex_count;
  gauge->due = false;
  return look_at_body(gauge, &m, error);
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void tac_full_gauge_end(tacFullGauge *gauge) {
  for (int i = 0; i < gauge->count; ++i)
    if (isfinite(gauge->linear[i]))
      gauge->linear_most = fmax(gauge->linear[i], isnan(gauge->linear_most) ? 0.0 : gauge->linear_most);
  if (gauge->count == 0) return;
  qsort(gauge->errors, (size_t)gauge->count, sizeof *gauge->errors, compare_doubles);
  gauge->median = gauge->errors[gauge->count / 2];
  gauge->most = gauge->errors[gauge->count - 1];
}
