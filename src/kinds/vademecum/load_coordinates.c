#include "kinds/vademecum/load_coordinates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "elastic/hyper/sampled_statics.h"
#include "math/dense/dense.h"
#include "math/geometry/vec3.h"

/* Degrees of the polynomials. For loads along one direction, there are as many higher powers as levels of a path. For
 * loads of any direction, there are all monomials up to degree three. */
enum { ALONG_DEGREE = TAC_SNAPSHOT_LEVELS + 1, ANY_DEGREE = 3, MOST_SAMPLES = 26 };
/* Newton's method in modal coordinates solves half the load to the residual ROUGHLY, then the full load to TOLERANCE.
 * The fit is far less accurate than TOLERANCE. */
enum { MOST_STEPS = 20, TANGENTS = 3 };
static const double TOLERANCE = 1e-3, ROUGHLY = 3e-2;
/* Number of nodes per mode below which solving with all nodes is cheaper than solving in modal coordinates. */
enum { NODES_A_MODE = 8 };
/* MOST_FITTED: maximum number of loads with fitted higher terms, if loads have any direction. The higher terms of the
 * other loads are interpolated from AROUND neighbours. */
enum { MOST_FITTED = 128, AROUND = 4 };

tacLoadTerms tac_load_coordinates_terms(const tacLoadProblem *problem) {
  int degree = problem->def->linear ? 1 : problem->axis_count == 1 ? ALONG_DEGREE : ANY_DEGREE;
  return (tacLoadTerms){problem->direction, degree};
}

/* Work data of a thread. */
typedef struct {
  tacLoadPath *path; /* solver with all nodes; NULL: equilibria are solved in modal coordinates */
  double *force;     /* [2][3 vertices]: force and displacement for `path` */
  tacSampledStatics *statics;
  double *room; /* scratch of fit_load */
} Thread;

typedef struct {
  const tacLoadCoordinatesDef *def;
  tacLoadTerms terms;
  size_t size; /* number n of modes */
  int term_count;
  tacDense factor; /* Cholesky factor of the stiffness K_r */
  int sample_count;
  tacVec3 samples[MOST_SAMPLES]; /* sampled forces, divided by the largest force */
  tacDense fit;                  /* matrix (higher terms x samples) from equilibria to coefficients */
  int *path_of;                  /* [load]: index of the load's path in the snapshots; -1: none */
  bool *fitted;                  /* [load]: true if the higher terms are fitted, false if interpolated */
  Thread *threads;
  int thread_count;
  float *y;
  tacArrays arrays; /* owns all arrays except `y` */
} Work;

/* ---- samples of the force ---- */

static void choose_samples(Work *w) {
  if (w->terms.degree == 1) return;
  if (w->def->problem->axis_count == 1) {
    for (int l = 0; l < TAC_SNAPSHOT_LEVELS; ++l)
      w->samples[w->sample_count++] = tac_vec3_scale(tac_snapshot_levels[l], w->terms.direction);
    return;
  }
  /* The samples are the directions to the 26 neighbours of a grid cell, 13 opposite pairs. The even parts of the
   * responses determine the 6 quadratic terms. The odd parts determine the 10 cubic terms. */
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        w->samples[w->sample_count++] = tac_vec3_unit(tac_vec3(x, y, z));
      }
}

/* Computes the matrix `fit`, which gives the least squares coefficients of the higher terms. */
static tacStatus make_fit(Work *w, tacError *error) {
  int higher = w->term_count - 3;
  if (w->sample_count == 0) return TAC_OK;
  TAC_FREED(tac_dense_destroy, tacDense, design) = {0};
  TAC_FREED(tac_dense_destroy, tacDense, unit) = {0};
  TAC_TRY(tac_dense_create(w->sample_count, higher, &design, error));
  TAC_TRY(tac_dense_create(w->sample_count, w->sample_count, &unit, error));
  for (int i = 0; i < w->sample_count; ++i) {
    double values[TAC_LOAD_MOST_TERMS];
    tac_load_terms_values(&w->terms, w->samples[i], values);
    for (int m = 0; m < higher; ++m) tac_dense_column(&design, m)[i] = values[3 + m];
    tac_dense_column(&unit, i)[i] = 1.0;
  }
  return tac_dense_least_squares(&design, &unit, &w->fit, NULL, error);
}

/* ---- fit of a load ---- */

/* Returns X(s)^T e_axis [n], the force in modal coordinates of a unit force on `load`. */
static const double *row_of(const Work *w, int load, int axis) {
  return w->def->rows + (3 * (size_t)load + (size_t)axis) * w->size;
}

/* Adds `sign` times the linear terms at force `t` to `q`. `linear` [3][n] holds the coefficients. */
static void add_linear(const Work *w, const double *linear, tacVec3 t, double sign, double *q) {
  for (size_t k = 0; k < w->size; ++k)
    q[k] += sign * (linear[k] * t.x + linear[w->size + k] * t.y + linear[2 * w->size + k] * t.z);
}

/* Solves an equilibrium with all nodes. False if the solver finds no equilibrium. */
static bool follow(const Work *w, const Thread *thread, int load, tacVec3 t, double *q) {
  const tacLoadProblem *p = w->def->problem;
  const double all = 1.0;
  tacVec3 f = tac_vec3_scale(p->def->load, t);
  double *force = thread->force, *u = force + p->part.size;
  tacLoadPathReport report;
  memset(force, 0, p->part.size * sizeof *force);
  tac_load_problem_add(p, load, f, force);
  tacStatus status = tac_load_path_follow(thread->path, force, 1, &all, u, &report, NULL);
  if (status == TAC_OK) tac_load_problem_project(p, w->def->shape, u, q);
  return status == TAC_OK;
}

static void find_equilibrium(const Work *w, const Thread *thread, int load, tacVec3 t, const double *linear,
                             double *force, double *q) {
  if (thread->path != NULL && follow(w, thread, load, t, q)) return;
  double residual;
  memset(q, 0, w->size * sizeof *q);
  for (int half = 1; half >= 0; --half) {
    double share = half ? 0.5 * w->def->problem->def->load : w->def->problem->def->load;
    add_linear(w, linear, tac_vec3_scale(0.5, t), 1.0, q);
    for (size_t k = 0; k < w->size; ++k)
      force[k] = share * (row_of(w, load, 0)[k] * t.x + row_of(w, load, 1)[k] * t.y + row_of(w, load, 2)[k] * t.z);
    tac_sampled_statics_solve(thread->statics, force, MOST_STEPS, TANGENTS, half ? ROUGHLY : TOLERANCE, q, &residual);
  }
}

static void fit_load(const Work *w, const Thread *thread, int load) {
  size_t n = w->size;
  int path = w->path_of[load];
  double *linear = thread->room, *force = linear + 3 * n, *q = force + n, *curved = q + n;
  float *y = w->y + (size_t)load * (size_t)w->term_count * n;
  for (int axis = 0; axis < 3; ++axis) {
    double *to = linear + (size_t)axis * n;
    for (size_t k = 0; k < n; ++k) to[k] = w->def->problem->def->load * row_of(w, load, axis)[k];
    tac_dense_loop_cholesky_solve(&w->factor, to);
    for (size_t k = 0; k < n; ++k) y[(size_t)axis * n + k] = (float)to[k];
  }
  for (int i = 0; i < w->sample_count && w->fitted[load]; ++i) {
    if (path >= 0)
      tac_load_problem_project(
          w->def->problem, w->def->shape,
          w->def->snapshots->u + (size_t)(path * TAC_SNAPSHOT_LEVELS + i) * w->def->problem->part.size, q);
    else
      find_equilibrium(w, thread, load, w->samples[i], linear, force, q);
    memcpy(curved + (size_t)i * n, q, n * sizeof *q);
    add_linear(w, linear, w->samples[i], -1.0, curved + (size_t)i * n);
  }
  for (int m = 3; m < w->term_count && w->fitted[load]; ++m)
    for (size_t k = 0; k < n; ++k) {
      double sum = 0.0;
      for (int i = 0; i < w->sample_count; ++i) sum += tac_dense_column(&w->fit, i)[m - 3] * curved[(size_t)i * n + k];
      y[(size_t)m * n + k] = (float)sum;
    }
}

/* ---- fit of all loads ---- */

/* Interpolates the higher terms of a load from the nearest fitted loads, weighted by inverse squared distance. */
static void borrow(const Work *w, int load) {
  const tacLoadProblem *p = w->def->problem;
  size_t n = w->size, row = (size_t)w->term_count * n;
  int nearest[AROUND], count = 0;
  double squares[AROUND], sum = 0.0;
  for (int s = 0; s < p->load_count; ++s) {
    if (!w->fitted[s]) continue;
    tacVec3 away = tac_vec3_sub(p->surface->vertices[p->loads[s]], p->surface->vertices[p->loads[load]]);
    double square = fmax(tac_vec3_norm2(away), 1e-30);
    int place = count < AROUND ? count++ : AROUND;
    for (; place > 0 && squares[place - 1] > square; --place)
      if (place < AROUND) {
        squares[place] = squares[place - 1];
        nearest[place] = nearest[place - 1];
      }
    if (place < AROUND) {
      squares[place] = square;
      nearest[place] = s;
    }
  }
  for (int i = 0; i < count; ++i) sum += 1.0 / squares[i];
  float *to = w->y + (size_t)load * row;
  for (size_t k = 3 * n; k < row; ++k) {
    double mean = 0.0;
    for (int i = 0; i < count; ++i) mean += (double)w->y[(size_t)nearest[i] * row + k] / squares[i];
    to[k] = (float)(mean / sum);
  }
}

static void fit_loads(size_t begin, size_t end, int thread, void *context) {
  const Work *w = context;
  for (size_t s = begin; s < end; ++s) fit_load(w, &w->threads[thread], (int)s);
}

/* Chooses the loads with fitted higher terms, spread over the surface. */
static tacStatus choose_fitted(Work *w, tacError *error) {
  const tacLoadProblem *p = w->def->problem;
  int count = p->load_count < MOST_FITTED || p->axis_count == 1 ? p->load_count : MOST_FITTED;
  TAC_MEMORY(int, chosen) = NULL;
  TAC_TRY(TAC_ARRAY(chosen, (size_t)count, "loads", error));
  TAC_TRY(tac_load_problem_spread(p, count, chosen, error));
  for (int i = 0; i < count; ++i) w->fitted[chosen[i]] = true;
  return TAC_OK;
}

static tacStatus prepare_thread(Work *w, Thread *thread, tacError *error) {
  const tacLoadProblem *p = w->def->problem;
  thread->room = tac_arrays_add(&w->arrays, (5 + MOST_SAMPLES) * w->size, sizeof *thread->room);
  thread->force = tac_arrays_add(&w->arrays, 2 * p->part.size, sizeof *thread->force);
  TAC_TRY(tac_arrays_status(&w->arrays, "loads", error));
  if (w->def->sampled == NULL) return TAC_OK;
  TAC_TRY(tac_sampled_statics_create(w->def->sampled, &thread->statics, error));
  if ((size_t)p->def->mesh->vertex_count > NODES_A_MODE * w->size) return TAC_OK;
  return tac_snapshot_path_create(p, &thread->path, error);
}

static tacStatus prepare(Work *w, tacError *error) {
  const tacLoadProblem *p = w->def->problem;
  size_t n = w->size, loads = (size_t)p->load_count;
  const tacLoadSnapshots *shots = w->def->snapshots;
  choose_samples(w);
  TAC_TRY(make_fit(w, error));
  TAC_TRY(tac_dense_create((int)n, (int)n, &w->factor, error));
  memcpy(w->factor.a, w->def->stiffness, n * n * sizeof *w->factor.a);
  if (!tac_dense_loop_cholesky(&w->factor))
    return tac_error_set(error, TAC_ERR_SINGULAR, "the stiffness of the modes is not positive definite");
  w->thread_count = tac_parallel_core_count();
  w->path_of = tac_arrays_add(&w->arrays, loads, sizeof *w->path_of);
  w->fitted = tac_arrays_add(&w->arrays, loads, sizeof *w->fitted);
  w->threads = tac_arrays_add(&w->arrays, (size_t)w->thread_count, sizeof *w->threads);
  TAC_TRY(tac_arrays_status(&w->arrays, "loads", error));
  TAC_TRY(TAC_ARRAY(w->y, loads * (size_t)w->term_count * n, "coordinates of loads", error));
  for (size_t s = 0; s < loads; ++s) w->path_of[s] = -1;
  for (int i = 0; shots != NULL && p->axis_count == 1 && i < shots->path_count; ++i) w->path_of[shots->load[i]] = i;
  TAC_TRY(choose_fitted(w, error));
  for (int t = 0; t < w->thread_count; ++t) TAC_TRY(prepare_thread(w, &w->threads[t], error));
  return TAC_OK;
}

static void release(Work *w) {
  for (int t = 0; w->threads != NULL && t < w->thread_count; ++t) {
    tac_sampled_statics_destroy(w->threads[t].statics);
    tac_load_path_destroy(w->threads[t].path);
  }
  tac_arrays_free(&w->arrays);
  free(w->y);
  tac_dense_destroy(&w->factor);
  tac_dense_destroy(&w->fit);
}

tacStatus tac_load_coordinates_create(const tacLoadCoordinatesDef *def, const tacProgress *progress, float **y,
                                      tacError *error) {
  *y = NULL;
  TAC_FREED(release, Work, work) = {.def = def, .size = (size_t)tac_reduced_size(def->shape)};
  work.terms = tac_load_coordinates_terms(def->problem);
  work.term_count = tac_load_terms_count(&work.terms);
  TAC_TRY(prepare(&work, error));
  TAC_TRY(tac_parallel_for(work.thread_count, (size_t)def->problem->load_count, 1, fit_loads, &work, progress,
                           "coordinates of loads", error));
  for (int s = 0; s < def->problem->load_count; ++s)
    if (!work.fitted[s]) borrow(&work, s);
  *y = tac_give(&work.y);
  return TAC_OK;
}
