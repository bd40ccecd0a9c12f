#include "bake/load_coordinates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "base/parallel.h"
#include "elastic/sampled_statics.h"
#include "math/dense.h"
#include "math/vec3.h"

/* Along one direction a polynomial through as many sizes as paths have levels; of any direction all cubic ones. */
enum { ALONG_DEGREE = TAC_SNAPSHOT_LEVELS + 1, ANY_DEGREE = 3, MOST_SAMPLES = 52, MOST_STEPS = 30, TANGENTS = 6 };
static const double any_levels[] = {0.5, 1.0};

/* Far closer than the fit. */
static const double TOLERANCE = 1e-4;

tacLoadTerms tac_load_coordinates_terms(const tacLoadProblem *problem) {
  int degree = problem->def->linear ? 1 : problem->axis_count == 1 ? ALONG_DEGREE : ANY_DEGREE;
  return (tacLoadTerms){problem->direction, degree};
}

typedef struct {
  const tacLoadCoordinatesDef *def;
  tacLoadTerms terms;
  size_t size; /* n */
  int term_count;
  tacDense factor; /* of K_r */
  int sample_count;
  tacVec3 samples[MOST_SAMPLES]; /* t / T; those of a ray follow each other, in ascending size */
  tacDense fit;                  /* higher terms x samples: what samples give to terms */
  int *path_of;                  /* [load]: that was followed, or -1 */
  tacSampledStatics **statics;   /* [thread] */
  double **rooms;                /* [thread]: of one load */
  int thread_count;
  float *y;
} Work;

/* ---- samples of the force ---- */

static void choose_samples(Work *w) {
  if (w->terms.degree == 1) return;
  if (w->def->problem->axis_count == 1) {
    for (int l = 0; l < TAC_SNAPSHOT_LEVELS; ++l)
      w->samples[w->sample_count++] = tac_vec3_scale(tac_snapshot_levels[l], w->terms.direction);
    return;
  }
  /* To the 26 neighbours of a cell: 13 pairs, more than the 10 that homogeneous cubic polynomials need. */
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        tacVec3 ray = tac_vec3_unit(tac_vec3(x, y, z));
        for (size_t l = 0; l < sizeof any_levels / sizeof *any_levels; ++l)
          w->samples[w->sample_count++] = tac_vec3_scale(any_levels[l], ray);
      }
}

/* The least squares solution of the higher terms, as a matrix on the samples. */
static tacStatus make_fit(Work *w, tacError *error) {
  int higher = w->term_count - 3;
  if (w->sample_count == 0) return TAC_OK;
  tacDense design = {0}, unit = {0};
  tacStatus status = tac_dense_create(w->sample_count, higher, &design, error);
  if (status == TAC_OK) status = tac_dense_create(w->sample_count, w->sample_count, &unit, error);
  for (int i = 0; status == TAC_OK && i < w->sample_count; ++i) {
    double values[TAC_LOAD_MOST_TERMS];
    tac_load_terms_values(&w->terms, w->samples[i], values);
    for (int m = 0; m < higher; ++m) tac_dense_column(&design, m)[i] = values[3 + m];
    tac_dense_column(&unit, i)[i] = 1.0;
  }
  if (status == TAC_OK) status = tac_dense_least_squares(&design, &unit, &w->fit, NULL, error);
  tac_dense_destroy(&design);
  tac_dense_destroy(&unit);
  return status;
}

/* ---- one load ---- */

/* X(s)^T e_axis. */
static const double *row_of(const Work *w, int load, int axis) {
  size_t vertex = (size_t)w->def->problem->loads[load];
  return tac_reduced_displacements(w->def->shape) + (3 * vertex + (size_t)axis) * w->size;
}

/* X^T M u of a snapshot. */
static void project(const Work *w, const double *u, double *q) {
  const double *basis = tac_reduced_basis(w->def->shape);
  memset(q, 0, w->size * sizeof *q);
  for (size_t i = 0; i < w->def->problem->part.size; ++i, basis += w->size) {
    double weight = w->def->problem->mass[i] * u[i];
    if (weight == 0.0) continue;
    for (size_t k = 0; k < w->size; ++k) q[k] += weight * basis[k];
  }
}

/* What linear terms say: linear [3][n]. */
static void add_linear(const Work *w, const double *linear, tacVec3 t, double sign, double *q) {
  for (size_t k = 0; k < w->size; ++k)
    q[k] += sign * (linear[k] * t.x + linear[w->size + k] * t.y + linear[2 * w->size + k] * t.z);
}

/* The equilibrium of a sample, which begins at that of the sample before on its ray. */
static void find_equilibrium(const Work *w, int thread, int load, int sample, const double *linear, double *force,
                             double *q) {
  tacVec3 t = w->samples[sample], last = sample > 0 ? w->samples[sample - 1] : tac_vec3(0.0, 0.0, 0.0);
  double most = w->def->problem->def->load, residual;
  bool same_ray = sample > 0 && tac_vec3_norm(last) < tac_vec3_norm(t);
  if (!same_ray) {
    memset(q, 0, w->size * sizeof *q);
    last = tac_vec3(0.0, 0.0, 0.0);
  }
  add_linear(w, linear, tac_vec3_sub(t, last), 1.0, q);
  for (size_t k = 0; k < w->size; ++k)
    force[k] = most * (row_of(w, load, 0)[k] * t.x + row_of(w, load, 1)[k] * t.y + row_of(w, load, 2)[k] * t.z);
  tac_sampled_statics_solve(w->statics[thread], force, MOST_STEPS, TANGENTS, TOLERANCE, q, &residual);
}

static void fit_load(const Work *w, int thread, int load) {
  size_t n = w->size;
  int path = w->path_of[load];
  double *linear = w->rooms[thread], *force = linear + 3 * n, *q = force + n, *curved = q + n;
  float *y = w->y + (size_t)load * (size_t)w->term_count * n;
  for (int axis = 0; axis < 3; ++axis) {
    double *to = linear + (size_t)axis * n;
    for (size_t k = 0; k < n; ++k) to[k] = w->def->problem->def->load * row_of(w, load, axis)[k];
    tac_dense_loop_cholesky_solve(&w->factor, to);
    for (size_t k = 0; k < n; ++k) y[(size_t)axis * n + k] = (float)to[k];
  }
  for (int i = 0; i < w->sample_count; ++i) {
    if (path >= 0)
      project(w, w->def->snapshots->u + (size_t)(path * TAC_SNAPSHOT_LEVELS + i) * w->def->problem->part.size, q);
    else
      find_equilibrium(w, thread, load, i, linear, force, q);
    memcpy(curved + (size_t)i * n, q, n * sizeof *q);
    add_linear(w, linear, w->samples[i], -1.0, curved + (size_t)i * n);
  }
  for (int m = 3; m < w->term_count; ++m)
    for (size_t k = 0; k < n; ++k) {
      double sum = 0.0;
      for (int i = 0; i < w->sample_count; ++i) sum += tac_dense_column(&w->fit, i)[m - 3] * curved[(size_t)i * n + k];
      y[(size_t)m * n + k] = (float)sum;
    }
}

/* ---- all of them ---- */

static void fit_loads(size_t begin, size_t end, int thread, void *context) {
  for (size_t s = begin; s < end; ++s) fit_load(context, thread, (int)s);
}

static tacStatus prepare(Work *w, tacError *error) {
  const tacLoadProblem *p = w->def->problem;
  size_t n = w->size, loads = (size_t)p->load_count;
  const tacLoadSnapshots *shots = w->def->snapshots;
  choose_samples(w);
  tacStatus status = make_fit(w, error);
  if (status == TAC_OK) status = tac_dense_create((int)n, (int)n, &w->factor, error);
  if (status != TAC_OK) return status;
  memcpy(w->factor.a, w->def->stiffness, n * n * sizeof *w->factor.a);
  if (!tac_dense_loop_cholesky(&w->factor))
    return tac_error_set(error, TAC_ERR_SINGULAR, "the stiffness of the modes is not positive definite");
  w->thread_count = tac_parallel_core_count();
  w->path_of = tac_array_create(loads, sizeof *w->path_of, "loads", error);
  w->y = tac_array_create(loads * (size_t)w->term_count * n, sizeof *w->y, "coordinates of loads", error);
  w->statics = tac_array_create((size_t)w->thread_count, sizeof *w->statics, "loads", error);
  w->rooms = tac_array_create((size_t)w->thread_count, sizeof *w->rooms, "loads", error);
  if (w->path_of == NULL || w->y == NULL || w->statics == NULL || w->rooms == NULL) return TAC_ERR_MEMORY;
  for (size_t s = 0; s < loads; ++s) w->path_of[s] = -1;
  for (int i = 0; shots != NULL && p->axis_count == 1 && i < shots->path_count; ++i) w->path_of[shots->load[i]] = i;
  for (int t = 0; t < w->thread_count; ++t) {
    w->rooms[t] = tac_array_create((5 + MOST_SAMPLES) * n, sizeof **w->rooms, "loads", error);
    if (w->rooms[t] == NULL) return TAC_ERR_MEMORY;
    if (w->def->sampled != NULL) status = tac_sampled_statics_create(w->def->sampled, &w->statics[t], error);
    if (status != TAC_OK) return status;
  }
  return TAC_OK;
}

static void release(Work *w) {
  for (int t = 0; t < w->thread_count; ++t) {
    if (w->statics != NULL) tac_sampled_statics_destroy(w->statics[t]);
    if (w->rooms != NULL) free(w->rooms[t]);
  }
  free(w->statics);
  free(w->rooms);
  free(w->path_of);
  tac_dense_destroy(&w->factor);
  tac_dense_destroy(&w->fit);
}

tacStatus tac_load_coordinates_create(const tacLoadCoordinatesDef *def, const tacProgress *progress, float **y,
                                      tacError *error) {
  Work work = {.def = def, .size = (size_t)tac_reduced_size(def->shape)};
  work.terms = tac_load_coordinates_terms(def->problem);
  work.term_count = tac_load_terms_count(&work.terms);
  tacStatus status = prepare(&work, error);
  if (status == TAC_OK)
    status = tac_parallel_for(work.thread_count, (size_t)def->problem->load_count, 1, fit_loads, &work, progress,
                              "coordinates of loads", error);
  *y = status == TAC_OK ? work.y : NULL;
  if (status != TAC_OK) free(work.y);
  release(&work);
  return status;
}
