#include "bench/reduced/vertex_path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/reduced.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "elastic/solids/newmark.h"
#include "kinds/reduced/reduced_body.h"
#include "math/dense/dense.h"
#include "math/geometry/vec3.h"

/* ---- pushes ---- */

tacStatus tac_push_create(const tacBrickBody *body, tacVec3 at, double radius, tacVec3 along, double force,
                          tacPush *push, tacError *error) {
  const tacVec3 *x = body->mesh->vertices;
  int count = body->mesh->vertex_count;
  push->vertex = tac_brick_body_nearest(body, at);
  push->along = along;
  push->count = 0;
  push->vertices = tac_array_create((size_t)count, sizeof *push->vertices, "pushed vertices", error);
  push->force = tac_array_create(tac_brick_body_size(body), sizeof *push->force, "a force", error);
  if (push->vertices == NULL || push->force == NULL) return TAC_ERR_MEMORY;
  for (int v = 0; v < count; ++v)
    if (tac_vec3_distance(x[v], x[push->vertex]) <= radius && !body->held[v]) push->vertices[push->count++] = v;
  for (int i = 0; i < push->count; ++i) {
    tacVec3 f = tac_vec3_scale(force / push->count, along);
    memcpy(push->force + 3 * (size_t)push->vertices[i], (double[3]){f.x, f.y, f.z}, 3 * sizeof(double));
  }
  return TAC_OK;
}

void tac_push_free(tacPush *push) {
  free(push->vertices);
  free(push->force);
  *push = (tacPush){0};
}

static double way_of(const tacPush *push, const double *u) {
  const double *at = u + 3 * (size_t)push->vertex;
  return tac_vec3_dot(push->along, tac_vec3(at[0], at[1], at[2]));
}

/* ---- motions ---- */

#define TOLERANCE 1e-6 /* of the residual, over the forces */

static int64_t begin(const tacPush *push, int steps, tacVertexPath *path) {
  *path = (tacVertexPath){.count = steps, .step = push->step};
  return tac_clock_thread();
}

static void end(int64_t start, int repeats, tacVertexPath *path) {
  path->seconds = tac_clock_seconds(tac_clock_thread() - start) / (path->count * repeats);
}

tacStatus tac_vertex_path_full(const tacBrickBody *body, const tacPush *push, bool linear, int steps, double *snapshots,
                               tacVertexPath *path, tacError *error) {
  size_t size = tac_brick_body_size(body);
  tacNewmarkDef def = tac_newmark_def_default();
  def.step = push->step;
  def.mass_damping = push->mass_damping;
  def.stiffness_damping = push->stiffness_damping;
  def.linear = linear;
  def.tolerance = TOLERANCE;
  def.most_newton = 60;
  def.reuse = 0.2;
  tacNewmark *newmark = NULL;
  double *none = tac_array_create(size, sizeof *none, "a force", error);
  tacStatus status = none == NULL ? TAC_ERR_MEMORY : tac_newmark_create(&body->solid, &def, &newmark, error);
  if (status == TAC_OK) status = tac_newmark_start(newmark, NULL, NULL, push->force, error);
  int64_t start = begin(push, steps, path);
  for (int s = 1; s <= steps && status == TAC_OK; ++s) {
    status = tac_newmark_step(newmark, s <= push->steps ? push->force : none, error);
    path->way[s] = way_of(push, tac_newmark_displacement(newmark));
    if (snapshots != NULL)
      memcpy(snapshots + size * (size_t)(s - 1), tac_newmark_displacement(newmark), size * sizeof *snapshots);
  }
  end(start, 1, path);
  snprintf(path->name, sizeof path->name, linear ? "linear" : "full");
  tac_newmark_destroy(newmark);
  free(none);
  return status;
}

static const double *shape_of(const tacMotionBasis *basis, int j) {
  return basis->vector + (size_t)j * (size_t)basis->size;
}

/* U^T f */
static void reduce(const tacMotionBasis *basis, const double *force, double *reduced) {
  tacDense u = {basis->size, basis->count, basis->size, basis->vector};
  tac_dense_gemv(1.0, &u, true, force, 0.0, reduced);
}

static double reduced_way(const tacMotionBasis *basis, const tacPush *push, const double *q) {
  double way = 0.0;
  for (int j = 0; j < basis->count; ++j) way += way_of(push, shape_of(basis, j)) * q[j];
  return way;
}

tacStatus tac_vertex_path_reduced(const tacReduced *reduced, const tacMotionBasis *basis, const tacPush *push,
                                  int newton_steps, int steps, int repeats, tacVertexPath *path, tacError *error) {
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = push->step;
  motion.newton_steps = newton_steps;
  motion.mass_damping = push->mass_damping;
  motion.stiffness_damping = push->stiffness_damping;
  tacReducedBody *body = NULL;
  double *force = tac_array_create((size_t)basis->count, sizeof *force, "a force", error);
  tacStatus status = force == NULL ? TAC_ERR_MEMORY : tac_reduced_body_create(reduced, NULL, &motion, &body, error);
  if (status == TAC_OK) {
    reduce(basis, push->force, force);
    for (int j = 0; j < basis->count; ++j) motion.tolerance = hypot(motion.tolerance, TOLERANCE * force[j]);
    tac_reduced_body_set_motion(body, &motion);
  }
  int64_t start = begin(push, steps, path);
  for (int i = 0; i < repeats && status == TAC_OK; ++i) {
    tac_reduced_body_reset(body);
    for (int s = 1; s <= steps && status == TAC_OK; ++s) {
      if (s <= push->steps) tac_reduced_body_add_reduced(body, force);
      if (tac_reduced_body_advance(body).refused)
        status = tac_error_set(error, TAC_ERR_NO_CONVERGENCE, "the reduced body was stopped in step %d", s);
      path->way[s] = reduced_way(basis, push, tac_reduced_body_q(body));
    }
  }
  end(start, repeats, path);
  snprintf(path->name, sizeof path->name, "r = %d", basis->count);
  tac_reduced_body_destroy(body);
  free(force);
  return status;
}

/* Newmark's method in a basis, with forces R(U q) and the stiffness K(U q) of the mesh. */
typedef struct Projection {
  tacFiniteStrain *strain;
  tacSparse stiffness;                                                 /* its values are our own */
  tacDense u, product, matrix;                                         /* U; K U; the factor of the step's matrix */
  double *memory, *displacement, *internal;                            /* 3 numbers a vertex */
  double *q, *velocity, *acceleration, *next, *residual, *load, *none; /* r each */
  bool factored;                                                       /* at some step: it may still serve */
} Projection;

static void projection_free(Projection *p) {
  tac_finite_strain_destroy(p->strain);
  free(p->stiffness.value);
  tac_dense_destroy(&p->product);
  tac_dense_destroy(&p->matrix);
  free(p->memory);
}

static tacStatus projection_create(const tacBrickBody *body, const tacMotionBasis *basis, Projection *p,
                                   tacError *error) {
  size_t size = (size_t)basis->size, r = (size_t)basis->count;
  *p = (Projection){.u = {basis->size, basis->count, basis->size, basis->vector}};
  tacStatus status = tac_finite_strain_create(&body->solid, &p->strain, error);
  if (status == TAC_OK) status = tac_dense_create(basis->size, basis->count, &p->product, error);
  if (status == TAC_OK) status = tac_dense_create(basis->count, basis->count, &p->matrix, error);
  if (status != TAC_OK) return status;
  p->stiffness = *tac_finite_strain_pattern(p->strain);
  p->stiffness.value = tac_array_create((size_t)tac_sparse_count(&p->stiffness), sizeof(double), "a matrix", error);
  double *at = p->memory = tac_array_create(2 * size + 7 * r, sizeof *at, "motion", error);
  if (p->stiffness.value == NULL || p->memory == NULL) return TAC_ERR_MEMORY;
  p->displacement = at;
  p->internal = at + size;
  double **vectors[] = {&p->q, &p->velocity, &p->acceleration, &p->next, &p->residual, &p->load, &p->none};
  for (size_t i = 0; i < 7; ++i) *vectors[i] = at + 2 * size + i * r;
  return TAC_OK;
}

/* Factors mass I + U^T K(U q) U, with q that of `displacement`. */
static tacStatus projection_factor(Projection *p, double mass, tacError *error) {
  tac_finite_strain_stiffness(p->strain, p->displacement, p->stiffness.value);
  tac_sparse_multiply_transposed(&p->stiffness, p->u.a, p->u.cols, p->product.a);
  tac_dense_gemm(1.0, &p->u, true, &p->product, false, 0.0, &p->matrix);
  for (int i = 0; i < p->matrix.cols; ++i) tac_dense_column(&p->matrix, i)[i] += mass;
  return tac_dense_cholesky(&p->matrix, error);
}

/* The matrix is that of some step before, and is renewed where it does not serve. */
static tacStatus projection_step(Projection *p, const tacPush *push, const double *load, tacError *error) {
  int r = p->u.cols;
  double h = push->step, alpha = push->mass_damping, remained = INFINITY;
  tacStatus status = TAC_OK;
  memcpy(p->next, p->q, (size_t)r * sizeof *p->q);
  for (int j = 0; j < 60 && status == TAC_OK; ++j) {
    double left = 0.0, largest = 0.0;
    tac_dense_gemv(1.0, &p->u, false, p->next, 0.0, p->displacement);
    tac_finite_strain_force(p->strain, p->displacement, p->internal);
    tac_dense_gemv(1.0, &p->u, true, p->internal, 0.0, p->residual);
    for (int i = 0; i < r; ++i) {
      double velocity = 2.0 / h * (p->next[i] - p->q[i]) - p->velocity[i];
      double acceleration = 2.0 / h * (velocity - p->velocity[i]) - p->acceleration[i];
      largest += p->residual[i] * p->residual[i] + load[i] * load[i];
      p->residual[i] += acceleration + alpha * velocity - load[i];
      left += p->residual[i] * p->residual[i];
    }
    if (left <= 1e-14 * largest) {
      for (int i = 0; i < r; ++i) {
        double before = p->velocity[i];
        p->velocity[i] = 2.0 / h * (p->next[i] - p->q[i]) - before;
        p->acceleration[i] = 2.0 / h * (p->velocity[i] - before) - p->acceleration[i];
        p->q[i] = p->next[i];
      }
      return TAC_OK;
    }
    if (!p->factored || (j > 0 && left > 0.04 * remained)) /* squares */
      status = projection_factor(p, 4.0 / (h * h) + 2.0 / h * alpha, error);
    p->factored = true;
    remained = left;
    tacDense change = {r, 1, r, p->residual};
    if (status == TAC_OK) tac_dense_cholesky_solve(&p->matrix, &change);
    for (int i = 0; i < r; ++i) p->next[i] -= p->residual[i];
  }
  return status != TAC_OK ? status
                          : tac_error_set(error, TAC_ERR_NO_CONVERGENCE, "a step of %g s with %d coordinates", h, r);
}

tacStatus tac_vertex_path_projected(const tacBrickBody *body, const tacMotionBasis *basis, const tacPush *push,
                                    int steps, tacVertexPath *path, tacError *error) {
  Projection p;
  tacStatus status = projection_create(body, basis, &p, error);
  if (status == TAC_OK) {
    reduce(basis, push->force, p.load);
    memcpy(p.acceleration, p.load, (size_t)basis->count * sizeof *p.load); /* from rest, with unit mass */
  }
  int64_t start = begin(push, steps, path);
  for (int s = 1; s <= steps && status == TAC_OK; ++s) {
    status = projection_step(&p, push, s <= push->steps ? p.load : p.none, error);
    if (status == TAC_OK) path->way[s] = reduced_way(basis, push, p.q);
  }
  end(start, 1, path);
  snprintf(path->name, sizeof path->name, "r = %d", basis->count);
  projection_free(&p);
  return status;
}

/* ---- what they tell ---- */

double tac_vertex_path_frequency(const tacVertexPath *path) {
  double most = 0.0, down[2];
  int found = 0;
  bool up = false; /* it has been up since it last came down: ripple about zero does not count */
  for (int s = 1; s <= path->count; ++s) most = fmax(most, fabs(path->way[s]));
  for (int s = 1; s <= path->count && found < 2; ++s) {
    if (path->way[s] > 0.2 * most) up = true;
    if (!up || path->way[s] > 0.0) continue;
    down[found++] = (s - path->way[s] / (path->way[s] - path->way[s - 1])) * path->step;
    up = false;
  }
  return found == 2 ? 1.0 / (down[1] - down[0]) : NAN;
}

double tac_vertex_path_amplitude(const tacVertexPath *path) {
  int s = 1;
  double most = 0.0, least = 0.0;
  for (; s <= path->count && !(most > 0.0 && path->way[s] < 0.0); ++s) most = fmax(most, path->way[s]);
  for (; s <= path->count && path->way[s] < 0.0; ++s) least = fmin(least, path->way[s]);
  return 0.5 * (most - least);
}

double tac_vertex_path_error(const tacVertexPath *path, const tacVertexPath *reference) {
  double difference = 0.0, whole = 0.0;
  for (int s = 0; s <= reference->count; ++s) {
    difference += (path->way[s] - reference->way[s]) * (path->way[s] - reference->way[s]);
    whole += reference->way[s] * reference->way[s];
  }
  return sqrt(difference / whole);
}
