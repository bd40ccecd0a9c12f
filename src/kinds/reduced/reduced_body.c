#include "kinds/reduced/reduced_body.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_material.h"
#include "kinds/reduced/sampled_force.h"

/* Maximum deformation relative to the size of the body. A larger deformation means divergence. Within this limit no
 * value computed from the state overflows. */
static const double most_sizes = 1e3;
struct tacReducedBody {
  const tacReduced *reduced;
  const tacReducedParts *parts;
  tacReducedMotion motion;
  bool prepared; /* true if prepare_step was called for the next step */
  int size;      /* r, number of coordinates of the asset */
  int *kept;     /* indices of the kept coordinates, [dynamics.count], ascending */
  tacCoordinateForce force;
  tacReducedMaterial *material; /* polynomials; NULL if the body has a given internal force */
  tacSampledForce *sampled;     /* given internal force; NULL if the body has polynomials */
  double *density;              /* factor on the density of each group, [group] */

  tacReducedDynamics dynamics; /* motion of the kept coordinates */
  double *full_q;              /* all coordinates q, [size] */
  double *weight;              /* reduced force per uniform acceleration, [axis][count], kg^1/2 */
  double *jacobian;            /* workspace, [axis][count] */
  double *outside;             /* loads of the next step without gravity, [count] */
  tacArrays arrays;

  tacInertia inertia;
};

static bool is_amount(double x) {
  return x >= 0.0 && isfinite(x);
}

static bool motion_is_valid(const tacReducedMotion *m) {
  return m->step > 0.0 && isfinite(m->step) && m->newton_steps >= 1 && m->newton_steps <= 10 &&
         is_amount(m->tolerance) && is_amount(m->mass_damping) && is_amount(m->stiffness_damping) &&
         is_amount(m->strain_rate) && is_amount(m->acceleration_limit) && tac_vec3_finite(m->gravity);
}

/* ---- creation ---- */

/* Computes mass matrix, weight and inertia from the present densities. */
static void update_mass(tacReducedBody *b) {
  const tacReducedParts *parts = b->parts;
  tacDense *matrix = &b->dynamics.mass;
  size_t r = (size_t)b->size;
  int n = b->dynamics.count;
  memset(matrix->a, 0, (size_t)n * (size_t)n * sizeof *matrix->a);
  memset(b->weight, 0, 3 * (size_t)n * sizeof *b->weight);
  double mass = 0.0, baked = 0.0;
  for (int g = 0; g < parts->group_count; ++g) {
    double factor = b->density[g];
    const double *share = parts->mass_matrix + (size_t)g * r * r;
    const double *force = parts->body_force + (size_t)g * 3 * r;
    for (int j = 0; j < n; ++j) {
      double *column = tac_dense_column(matrix, j);
      for (int i = 0; i < n; ++i) column[i] += factor * share[(size_t)b->kept[j] * r + (size_t)b->kept[i]];
    }
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < n; ++i) b->weight[axis * n + i] += factor * force[(size_t)axis * r + (size_t)b->kept[i]];
    mass += factor * parts->group_mass[g];
    baked += parts->group_mass[g];
  }
  b->dynamics.mass_is_factored = false;

  /* The inertia of single groups is unknown. If the factors of the groups differ, the centre and the ratios of the
   * moments remain as in the bake. */
  double ratio = baked > 0.0 ? mass / baked : 1.0;
  b->inertia.mass = ratio * parts->mass;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b->inertia.moments[i][j] = ratio * parts->inertia[i][j];
}

/* Sets the limit of |q| from the size of the body and the largest displacement per unit of q. */
static void measure(tacReducedBody *b) {
  const tacTriMesh *surface = b->parts->surface;
  double size = tac_vec3_norm(tac_box_size(tac_trimesh_box(surface))), most = 0.0;
  for (int v = 0; v < surface->vertex_count; ++v) {
    const double *row = b->parts->displacements + 3 * (size_t)v * (size_t)b->size;
    double norm2 = 0.0;
    for (int i = 0; i < 3 * b->size; ++i) norm2 += row[i] * row[i];
    most = fmax(most, norm2);
  }
  if (!(size > 0.0) || !isfinite(size)) size = 1.0;
  b->dynamics.most_q = most > 0.0 ? fmin(most_sizes * size / sqrt(most), 1e60) : 1e60;
}

static tacStatus make_force(tacReducedBody *b, const tacCoordinateForceDef *def, tacError *error) {
  int count = b->dynamics.count;
  if (def == NULL) {
    TAC_TRY(tac_reduced_material_create(b->parts, count, b->kept, &b->material, error));
    b->force = tac_reduced_material_force(b->material);
    return TAC_OK;
  }
  if (b->kept[count - 1] != count - 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a body with sampled forces must keep the first vectors of its basis, without gaps");
  TAC_TRY(tac_sampled_force_create(def, b->size, count, &b->sampled, error));
  b->force = tac_sampled_force(b->sampled);
  return TAC_OK;
}

/* True if strain-rate damping is requested but the model has no data for this damping. */
static bool lacks_stress(const tacReducedBody *b, const tacReducedMotion *motion) {
  return motion->strain_rate > 0.0 && b->force.stress == NULL;
}

tacStatus tac_reduced_body_create(const tacReduced *reduced, const bool *kept, const tacReducedMotion *motion,
                                  tacReducedBody **body, tacError *error) {
  return tac_reduced_body_create_with(reduced, NULL, kept, motion, body, error);
}

tacStatus tac_reduced_body_create_with(const tacReduced *reduced, const tacCoordinateForceDef *force, const bool *kept,
                                       const tacReducedMotion *motion, tacReducedBody **body, tacError *error) {
  *body = NULL;
  if (!motion_is_valid(motion))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the motion of a reduced body is not valid: the step must be positive, the Newton steps 1 "
                         "to 10, and all other values finite and not negative");
  const tacReducedParts *parts = tac_reduced_parts(reduced);
  TAC_OWN(tacReducedBody, b) = tac_array_create(1, sizeof *b, "reduced body", error);
  if (b == NULL) return TAC_ERR_MEMORY;
  *b = (tacReducedBody){.reduced = reduced, .parts = parts, .motion = *motion, .size = parts->size};
  int count = 0;
  for (int i = 0; i < b->size; ++i) count += kept == NULL || kept[i];
  if (count == 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "a reduced body must keep at least one basis vector");
  size_t n = (size_t)count;
  b->kept = tac_arrays_add(&b->arrays, n, sizeof *b->kept);
  b->density = tac_arrays_add(&b->arrays, (size_t)parts->group_count, sizeof *b->density);
  b->full_q = tac_arrays_add(&b->arrays, (size_t)b->size, sizeof *b->full_q);
  b->weight = tac_arrays_add(&b->arrays, 3 * n, sizeof *b->weight);
  b->jacobian = tac_arrays_add(&b->arrays, 3 * n, sizeof *b->jacobian);
  b->outside = tac_arrays_add(&b->arrays, n, sizeof *b->outside);
  TAC_TRY(tac_arrays_status(&b->arrays, "reduced body", error));
  for (int i = 0, to = 0; i < b->size; ++i)
    if (kept == NULL || kept[i]) b->kept[to++] = i;
  for (int g = 0; g < parts->group_count; ++g) b->density[g] = 1.0;
  TAC_TRY(tac_reduced_dynamics_create(count, &b->dynamics, error));
  TAC_TRY(make_force(b, force, error));
  if (lacks_stress(b, motion))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the model was baked without the data for strain-rate damping; "
                         "bake it again, or set this damping to 0");
  b->inertia.centre = parts->centre;
  update_mass(b);
  measure(b);
  tac_reduced_body_reset(b);
  *body = tac_give(&b);
  return TAC_OK;
}

void tac_reduced_body_destroy(tacReducedBody *body) {
  if (body == NULL) return;
  tac_arrays_free(&body->arrays);
  tac_reduced_dynamics_destroy(&body->dynamics);
  tac_reduced_material_destroy(body->material);
  tac_sampled_force_destroy(body->sampled);
  free(body);
}

const tacReduced *tac_reduced_body_asset(const tacReducedBody *body) {
  return body->reduced;
}

const tacReducedMotion *tac_reduced_body_motion(const tacReducedBody *body) {
  return &body->motion;
}

void tac_reduced_body_set_motion(tacReducedBody *body, const tacReducedMotion *motion) {
  tacReducedMotion next = *motion;
  if (!motion_is_valid(&next) || lacks_stress(body, &next)) return;
  if (next.is_static != body->motion.is_static) body->dynamics.is_starting = true;
  body->motion = next;
}

static void forget_loads(tacReducedBody *b) {
  memset(b->outside, 0, (size_t)b->dynamics.count * sizeof *b->outside);
}

/* Copies q of the kept coordinates to the array of all coordinates. */
static void publish(tacReducedBody *b) {
  for (int i = 0; i < b->dynamics.count; ++i) b->full_q[b->kept[i]] = b->dynamics.q[i];
}

void tac_reduced_body_reset(tacReducedBody *body) {
  memset(body->dynamics.q, 0, (size_t)body->dynamics.count * sizeof *body->dynamics.q);
  if (body->sampled != NULL) tac_sampled_force_settle(body->sampled, body->dynamics.q);
  tac_reduced_dynamics_stop(&body->dynamics);
  forget_loads(body);
  body->prepared = false;
  publish(body);
}

/* ---- loads ---- */

void tac_reduced_body_jacobian(const tacReducedBody *b, tacSurfacePoint at, double *jacobian) {
  const int *v = b->parts->surface->triangles[at.triangle].v;
  size_t r = (size_t)b->size;
  for (int axis = 0; axis < 3; ++axis) {
    const double *rows[3];
    for (int c = 0; c < 3; ++c) rows[c] = b->parts->displacements + (3 * (size_t)v[c] + (size_t)axis) * r;
    for (int i = 0; i < b->dynamics.count; ++i) {
      int k = b->kept[i];
      jacobian[axis * b->dynamics.count + i] =
          at.weight[0] * rows[0][k] + at.weight[1] * rows[1][k] + at.weight[2] * rows[2][k];
    }
  }
}

void tac_reduced_body_add_force(tacReducedBody *body, tacSurfacePoint at, tacVec3 force) {
  tac_reduced_body_jacobian(body, at, body->jacobian);
  tac_reduced_jacobian_add(body->dynamics.count, body->jacobian, force, body->outside);
}

void tac_reduced_body_add_reduced(tacReducedBody *body, const double *force) {
  for (int i = 0; i < body->dynamics.count; ++i) body->outside[i] += force[body->kept[i]];
}

/* ---- a step ---- */

/* Prepares the loads and advances the stiffness sums of a step. The sums advance only once, even if the step begins
 * again. */
static void prepare_step(tacReducedBody *b) {
  if (!b->prepared && b->material != NULL && tac_reduced_material_advance(b->material)) b->dynamics.is_known = false;
  if (!b->prepared && b->sampled != NULL && !b->motion.linear) tac_sampled_force_advance(b->sampled, b->dynamics.q);
  b->prepared = true;
  memcpy(b->dynamics.load, b->outside, (size_t)b->dynamics.count * sizeof *b->outside);
  tac_reduced_jacobian_add(b->dynamics.count, b->weight, b->motion.gravity, b->dynamics.load);
}

void tac_reduced_body_begin(tacReducedBody *body) {
  prepare_step(body);
  tac_reduced_dynamics_begin(&body->dynamics);
}

bool tac_reduced_body_linearise(tacReducedBody *body, double *matrix, double *load, tacReducedAdvance *report) {
  return tac_reduced_dynamics_linearise(&body->dynamics, &body->motion, &body->force, matrix, load, report);
}

void tac_reduced_body_move(tacReducedBody *body, const double *motion) {
  tac_reduced_dynamics_move(&body->dynamics, motion);
}

bool tac_reduced_body_finish(tacReducedBody *body) {
  bool moved = tac_reduced_dynamics_finish(&body->dynamics, &body->motion, &body->force);
  if (!moved) tac_reduced_dynamics_stop(&body->dynamics);
  publish(body);
  forget_loads(body);
  body->prepared = false;
  return moved;
}

bool tac_reduced_body_shortened(const tacReducedBody *body) {
  return body->dynamics.shortened;
}

tacReducedAdvance tac_reduced_body_advance(tacReducedBody *body) {
  tacReducedAdvance report = {0};
  prepare_step(body);
  report.refused = !tac_reduced_dynamics_advance(&body->dynamics, &body->motion, &body->force, &report);
  if (report.refused) tac_reduced_dynamics_stop(&body->dynamics);
  publish(body);
  forget_loads(body);
  body->prepared = false;
  return report;
}

/* ---- state ---- */

int tac_reduced_body_size(const tacReducedBody *body) {
  return body->size;
}

const double *tac_reduced_body_q(const tacReducedBody *body) {
  return body->full_q;
}

bool tac_reduced_body_set(tacReducedBody *body, const double *q, const double *velocity) {
  double *next = body->jacobian, *rate = next + body->dynamics.count;
  for (int i = 0; i < body->dynamics.count; ++i) {
    next[i] = q[body->kept[i]];
    rate[i] = velocity != NULL ? velocity[body->kept[i]] : 0.0;
  }
  bool sound = tac_reduced_dynamics_set(&body->dynamics, body->motion.step, next, rate);
  if (sound && body->sampled != NULL) tac_sampled_force_settle(body->sampled, next);
  publish(body);
  return sound;
}

int tac_reduced_body_kept(const tacReducedBody *body, const int **kept) {
  *kept = body->kept;
  return body->dynamics.count;
}

const double *tac_reduced_body_rates(const tacReducedBody *body) {
  return body->dynamics.velocity;
}

int tac_reduced_body_state_size(const tacReducedBody *body) {
  int of_force = body->sampled != NULL ? tac_sampled_force_state_size(body->sampled) : 0;
  return body->size + 2 * body->dynamics.count + 1 + of_force;
}

void tac_reduced_body_save(const tacReducedBody *body, double *state) {
  size_t n = (size_t)body->dynamics.count * sizeof *state;
  memcpy(state, body->full_q, (size_t)body->size * sizeof *state);
  memcpy(state + body->size, body->dynamics.velocity, n);
  memcpy(state + body->size + body->dynamics.count, body->dynamics.acceleration, n);
  state += body->size + 2 * body->dynamics.count;
  state[0] = body->dynamics.is_starting;
  if (body->sampled != NULL) tac_sampled_force_save(body->sampled, state + 1);
}

bool tac_reduced_body_load(tacReducedBody *body, const double *state) {
  tacReducedDynamics *d = &body->dynamics;
  const double *velocity = state + body->size, *acceleration = velocity + d->count,
               *of_force = acceleration + d->count + 1;
  double *next = body->jacobian;
  if (body->sampled != NULL && !tac_sampled_force_is_state(body->sampled, d->most_q, of_force)) return false;
  for (int i = 0; i < d->count; ++i) {
    next[i] = state[body->kept[i]];
    if (!isfinite(acceleration[i])) return false;
  }
  if (!tac_reduced_dynamics_set(d, body->motion.step, next, velocity)) return false;
  memcpy(d->acceleration, acceleration, (size_t)d->count * sizeof *acceleration);
  d->is_starting = acceleration[d->count] != 0.0;
  if (body->sampled != NULL) tac_sampled_force_load(body->sampled, of_force);
  publish(body);
  return true;
}

const tacInertia *tac_reduced_body_inertia(const tacReducedBody *body) {
  return &body->inertia;
}

double tac_reduced_body_energy(const tacReducedBody *body) {
  return tac_reduced_dynamics_energy(&body->dynamics, body->motion.linear, &body->force);
}

double tac_reduced_body_stored(const tacReducedBody *body) {
  const tacReducedDynamics *d = &body->dynamics;
  tacVec3 sagged = tac_reduced_jacobian_mul(d->count, body->weight, d->q); /* mass times mean displacement, kg m */
  return tac_reduced_dynamics_stored(d, body->motion.linear, &body->force) - tac_vec3_dot(body->motion.gravity, sagged);
}

/* Returns the estimated model error. R is from the last linearisation and belongs to q before the last Newton step. */
double tac_reduced_body_error_estimate(const tacReducedBody *body, double stiffness) {
  const tacReducedErrorEstimate *error_estimate = tac_reduced_error_estimate(body->reduced);
  const tacReducedDynamics *d = &body->dynamics;
  if (!(error_estimate->missing > 0.0 || error_estimate->bent > 0.0)) return -1.0;
  double q2 = 0.0, r2 = 0.0, work = 0.0, lowest = 2.0 * M_PI * body->parts->info.reduced_least;
  for (int i = 0; i < d->count; ++i) {
    q2 += d->q[i] * d->q[i];
    r2 += d->internal[i] * d->internal[i];
    work += d->q[i] * d->internal[i];
  }
  if (!(q2 > 0.0)) return 0.0;
  double missing = error_estimate->missing * fmax(0.0, sqrt(r2 / q2) / stiffness - lowest * lowest);
  double energy = fmax(0.0, work) / (stiffness * body->parts->mass);
  double grown = body->motion.linear ? error_estimate->straight * sqrt(energy) : error_estimate->bent * energy;
  return sqrt(missing * missing + grown * grown);
}

/* ---- points ---- */

tacVec3 tac_reduced_body_point(const tacReducedBody *body, tacSurfacePoint at) {
  const int *v = body->parts->surface->triangles[at.triangle].v;
  const tacVec3 *x = body->parts->surface->vertices;
  const double *rows = body->parts->displacements, *q = body->full_q;
  int r = body->size;
  const double *p0 = rows + 3 * (size_t)v[0] * (size_t)r, *p1 = rows + 3 * (size_t)v[1] * (size_t)r,
               *p2 = rows + 3 * (size_t)v[2] * (size_t)r;
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int i = 0; i < r; ++i) {
    double w0 = at.weight[0] * q[i], w1 = at.weight[1] * q[i], w2 = at.weight[2] * q[i];
    sum.x += w0 * p0[i] + w1 * p1[i] + w2 * p2[i];
    sum.y += w0 * p0[i + r] + w1 * p1[i + r] + w2 * p2[i + r];
    sum.z += w0 * p0[i + 2 * r] + w1 * p1[i + 2 * r] + w2 * p2[i + 2 * r];
  }
  tacVec3 rest =
      tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(at.weight[0], x[v[0]]), at.weight[1], x[v[1]]), at.weight[2], x[v[2]]);
  return tac_vec3_add(rest, sum);
}

tacVec3 tac_reduced_body_vertex(const tacReducedBody *body, int vertex) {
  const double *rows = body->parts->displacements + 3 * (size_t)vertex * (size_t)body->size;
  return tac_vec3_add(body->parts->surface->vertices[vertex], tac_reduced_jacobian_mul(body->size, rows, body->full_q));
}

tacVec3 tac_reduced_body_vertex_normal(const tacReducedBody *body, int vertex) {
  const double *rows = body->parts->normal_changes + 3 * (size_t)vertex * (size_t)body->size;
  tacVec3 rest = body->parts->normals[vertex];
  tacVec3 n = tac_vec3_unit(tac_vec3_add(rest, tac_reduced_jacobian_mul(body->size, rows, body->full_q)));
  return tac_vec3_norm2(n) > 0.0 ? n : rest;
}

/* ---- materials ---- */

void tac_reduced_body_set_lambda(tacReducedBody *body, int group, double factor) {
  if (body->material != NULL) tac_reduced_material_set_lambda(body->material, group, factor);
}

void tac_reduced_body_set_mu(tacReducedBody *body, int group, double factor) {
  if (body->material != NULL) tac_reduced_material_set_mu(body->material, group, factor);
}

void tac_reduced_body_set_density(tacReducedBody *body, int group, double factor) {
  if (!(factor > 0.0) || !isfinite(factor) || factor == body->density[group]) return;
  body->density[group] = factor;
  update_mass(body);
}

void tac_reduced_body_settle(tacReducedBody *body) {
  if (body->material != NULL && tac_reduced_material_settle(body->material)) body->dynamics.is_known = false;
}

bool tac_reduced_body_has_force(const tacReducedBody *body) {
  return body->sampled != NULL;
}

void tac_reduced_body_set_stiffness(tacReducedBody *body, double factor) {
  if (body->sampled != NULL) tac_sampled_force_set_factor(body->sampled, factor);
}
