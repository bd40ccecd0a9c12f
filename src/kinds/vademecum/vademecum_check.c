#include "kinds/vademecum/vademecum_check.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "elastic/hyper/hyper_statics.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

enum { CORRECTIONS = 8 };

typedef struct {
  int load;
  tacVec3 force;
  double alone, corrected, linear; /* errors */
} Sample;

typedef struct {
  const tacVademecum *vademecum;
  const tacLoadProblem *problem;
  int thread_count, sample_count;
  Sample *samples;
  double *linear; /* [sample][3 vertices]: linear elasticity */
  tacHyperSolid **solids;
  tacHyperStatics **statics;
  tacVademecumSolver **solvers;
  double **rooms; /* [thread]: x, force, u, and q */
  tacError *errors;
  _Atomic int failed;
} Work;

/* u = X q, all vertices. */
static void displace(const Work *w, const double *q, double *u) {
  const tacReduced *shape = tac_vademecum_shape(w->vademecum);
  size_t n = (size_t)tac_reduced_size(shape);
  const double *basis = tac_reduced_basis(shape);
  for (size_t i = 0; i < w->problem->part.size; ++i, basis += n) {
    double sum = 0.0;
    for (size_t k = 0; k < n; ++k) sum += basis[k] * q[k];
    u[i] = sum;
  }
}

static double error_of(const Work *w, double *u, const double *exact, double norm) {
  for (size_t i = 0; i < w->problem->part.size; ++i) u[i] -= exact[i];
  return tac_load_problem_norm(w->problem, u) / norm;
}

/* A triangle of which the load's vertex is a corner. */
static tacVademecumLoad load_of(const Work *w, const Sample *sample) {
  const tacTriMesh *surface = w->problem->surface;
  int vertex = w->problem->loads[sample->load];
  for (int t = 0; t < surface->triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      if (surface->triangles[t].v[c] == vertex) {
        tacVademecumLoad load = {.triangle = t, .force = sample->force};
        load.weight[c] = 1.0;
        return load;
      }
  return (tacVademecumLoad){0};
}

static tacStatus solve_fully(Work *w, int thread, const Sample *sample, const double *start, double *x, double *force,
                             tacError *error) {
  const tacVolMesh *mesh = w->problem->def->mesh;
  size_t size = w->problem->part.size;
  const double *rest = &mesh->vertices[0].x;
  memset(force, 0, size * sizeof *force);
  tac_load_problem_add(w->problem, sample->load, sample->force, force);
  for (size_t i = 0; i < size; ++i) x[i] = rest[i] + start[i];
  tacNewtonReport report;
  tacStatus status = tac_hyper_statics_solve(w->statics[thread], rest, force, x, NULL, &report, error);
  for (size_t i = 0; i < size; ++i) x[i] -= rest[i];
  return status;
}

static tacStatus measure(Work *w, int thread, int index, tacError *error) {
  Sample *sample = &w->samples[index];
  size_t size = w->problem->part.size;
  double *exact = w->rooms[thread], *force = exact + size, *u = force + size, *q = u + size;
  const double *linear = w->linear + (size_t)index * size;
  const tacVademecumLoad load = load_of(w, sample);
  tac_vademecum_solve(w->solvers[thread], 1, &load, CORRECTIONS, q);
  displace(w, q, u);
  if (w->problem->def->linear) {
    memcpy(exact, linear, size * sizeof *exact);
  } else {
    TAC_TRY(solve_fully(w, thread, sample, u, exact, force, error));
  }
  double norm = tac_load_problem_norm(w->problem, exact);
  sample->corrected = error_of(w, u, exact, norm);
  tac_vademecum_coordinates(w->vademecum, sample->load, sample->force, q);
  displace(w, q, u);
  sample->alone = error_of(w, u, exact, norm);
  memcpy(u, linear, size * sizeof *u);
  sample->linear = error_of(w, u, exact, norm);
  return TAC_OK;
}

static void measure_some(size_t begin, size_t end, int thread, void *context) {
  Work *w = context;
  for (size_t i = begin; i < end && w->failed == TAC_OK; ++i) {
    tacStatus status = measure(w, thread, (int)i, &w->errors[thread]);
    if (status != TAC_OK) w->failed = status;
  }
}

static tacStatus choose_samples(Work *w, tacError *error) {
  const tacLoadProblem *p = w->problem;
  size_t size = p->part.size;
  tacRandom random = tac_random_seed(20150283);
  double *free_ones = tac_array_create(p->part.free_size, sizeof *free_ones, "a check", error);
  w->samples = tac_array_create((size_t)w->sample_count, sizeof *w->samples, "a check", error);
  w->linear = tac_array_create((size_t)w->sample_count * size, sizeof *w->linear, "a check", error);
  tacStatus status = free_ones != NULL && w->samples != NULL && w->linear != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int i = 0; status == TAC_OK && i < w->sample_count; ++i) {
    Sample *s = &w->samples[i];
    s->load = (int)tac_random_uniform(&random, 0.0, p->load_count);
    tacVec3 direction = tac_vec3_unit(tac_random_normal3(&random));
    s->force = tac_vec3_scale(p->def->load, p->axis_count == 1 ? p->direction : direction);
    double *forces = w->linear + (size_t)i * size;
    tac_load_problem_add(p, s->load, s->force, forces);
    tac_free_lower_take(&p->part, forces, free_ones);
    status = tac_factor_solve(p->factor, free_ones, 1, free_ones, error);
    tac_free_lower_put(&p->part, free_ones, w->linear + (size_t)i * size);
  }
  free(free_ones);
  return status;
}

static tacStatus prepare(Work *w, tacError *error) {
  const tacLoadProblem *p = w->problem;
  size_t threads = (size_t)w->thread_count, n = (size_t)tac_vademecum_mode_count(w->vademecum);
  w->solids = tac_array_create(threads, sizeof *w->solids, "a check", error);
  w->statics = tac_array_create(threads, sizeof *w->statics, "a check", error);
  w->solvers = tac_array_create(threads, sizeof *w->solvers, "a check", error);
  w->rooms = tac_array_create(threads, sizeof *w->rooms, "a check", error);
  w->errors = tac_array_create(threads, sizeof *w->errors, "a check", error);
  if (w->solids == NULL || w->statics == NULL || w->solvers == NULL || w->rooms == NULL || w->errors == NULL)
    return TAC_ERR_MEMORY;
  const tacHyperSolidDef def = {
      .mesh = p->def->mesh, .material_count = 1, .materials = &p->material, .thread_count = 1};
  tacStatus status = choose_samples(w, error);
  for (size_t t = 0; status == TAC_OK && t < threads; ++t) {
    w->rooms[t] = tac_array_create(3 * p->part.size + n, sizeof **w->rooms, "a check", error);
    status = w->rooms[t] != NULL ? tac_vademecum_solver_create(w->vademecum, &w->solvers[t], error) : TAC_ERR_MEMORY;
    if (status == TAC_OK) status = tac_hyper_solid_create(&def, &w->solids[t], error);
    if (status == TAC_OK) status = tac_hyper_statics_create(w->solids[t], p->def->fixed, &w->statics[t], error);
  }
  return status;
}

static void release(Work *w) {
  for (int t = 0; t < w->thread_count; ++t) {
    if (w->statics != NULL) tac_hyper_statics_destroy(w->statics[t]);
    if (w->solids != NULL) tac_hyper_solid_destroy(w->solids[t]);
    if (w->solvers != NULL) tac_vademecum_solver_destroy(w->solvers[t]);
    if (w->rooms != NULL) free(w->rooms[t]);
  }
  free(w->solids);
  free(w->statics);
  free(w->solvers);
  free(w->rooms);
  free(w->errors);
  free(w->samples);
  free(w->linear);
}

tacStatus tac_vademecum_check(const tacVademecum *vademecum, const tacLoadProblem *problem, const tacProgress *progress,
                              tacVademecumInfo *info, tacError *error) {
  Work work = {.vademecum = vademecum,
               .problem = problem,
               .thread_count = tac_parallel_core_count(),
               .sample_count = problem->def->sample_count};
  tacStatus status = prepare(&work, error);
  if (status == TAC_OK)
    status = tac_parallel_for(work.thread_count, (size_t)work.sample_count, 1, measure_some, &work, progress,
                              "loads against full solutions", error);
  for (int t = 0; status == TAC_OK && t < work.thread_count; ++t)
    if (work.failed != TAC_OK && work.errors[t].text[0] != 0)
      status = tac_error_set(error, (tacStatus)work.failed, "%s", work.errors[t].text);
  info->sample_count = work.sample_count;
  info->error_mean = info->error_most = info->corrected_mean = info->corrected_most = info->linear_mean = 0.0;
  for (int i = 0; status == TAC_OK && i < work.sample_count; ++i) {
    const Sample *s = &work.samples[i];
    info->error_mean += s->alone / work.sample_count;
    info->corrected_mean += s->corrected / work.sample_count;
    info->linear_mean += s->linear / work.sample_count;
    info->error_most = fmax(info->error_most, s->alone);
    info->corrected_most = fmax(info->corrected_most, s->corrected);
  }
  info->reached = fmin(info->error_most, info->corrected_most) <= info->wanted;
  release(&work);
  return status;
}
