#include "bench/vademecum/vademecum_experiments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/reduced.h>
#include "base/clock.h"
#include "base/memory/array.h"
#include "elastic/hyper/hyper_statics.h"
#include "elastic/hyper/load_path.h"
#include "kinds/vademecum/load_problem.h"
#include "kinds/vademecum/load_snapshots.h"
#include "kinds/vademecum/separation.h"
#include "kinds/vademecum/vademecum.h"
#include "math/dense/dense.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

static double seconds_since(int64_t start) {
  return tac_clock_seconds(tac_clock_thread() - start);
}

/* ---- a full solution ---- */

struct tacFullSolver {
  tacLoadProblem problem;
  tacHyperSolid *solid;
  tacHyperStatics *statics;
  int iterations, factorisations;
  double *x;
};

void tac_full_solver_destroy(tacFullSolver *s) {
  if (s == NULL) return;
  tac_hyper_statics_destroy(s->statics);
  tac_hyper_solid_destroy(s->solid);
  tac_load_problem_destroy(&s->problem);
  free(s->x);
  free(s);
}

tacStatus tac_full_solver_create(const tacVademecumSolid *solid, tacFullSolver **solver, tacError *error) {
  tacFullSolver *s = *solver = tac_array_create(1, sizeof *s, "full solutions", error);
  if (s == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_load_problem_create(&solid->def, &s->problem, error);
  const tacHyperSolidDef def = {
      .mesh = solid->mesh, .material_count = 1, .materials = &s->problem.material, .thread_count = 1};
  if (status == TAC_OK) status = tac_hyper_solid_create(&def, &s->solid, error);
  if (status == TAC_OK) status = tac_hyper_statics_create(s->solid, solid->fixed, &s->statics, error);
  if (status == TAC_OK) {
    s->x = tac_array_create(s->problem.part.size, sizeof *s->x, "full solutions", error);
    if (s->x == NULL) status = TAC_ERR_MEMORY;
  }
  if (status != TAC_OK) {
    tac_full_solver_destroy(s);
    *solver = NULL;
  }
  return status;
}

tacStatus tac_full_solver_solve(tacFullSolver *s, const double *force, double *u, tacError *error) {
  const double *rest = &s->problem.def->mesh->vertices[0].x;
  tacNewtonReport report;
  for (size_t i = 0; i < s->problem.part.size; ++i) s->x[i] = rest[i] + u[i];
  tacStatus status = tac_hyper_statics_solve(s->statics, rest, force, s->x, NULL, &report, error);
  for (size_t i = 0; i < s->problem.part.size; ++i) u[i] = s->x[i] - rest[i];
  s->iterations += report.iterations;
  s->factorisations += report.factorisations;
  return status;
}

/* Linear elasticity. */
static tacStatus solve_linear(tacFullSolver *s, const double *force, double *u, tacError *error) {
  const tacFreeLower *part = &s->problem.part;
  double *free_ones = tac_array_create(part->free_size, sizeof *free_ones, "a solution", error);
  if (free_ones == NULL) return TAC_ERR_MEMORY;
  tac_free_lower_take(part, force, free_ones);
  tacStatus status = tac_factor_solve(s->problem.factor, free_ones, 1, free_ones, error);
  tac_free_lower_put(part, free_ones, u);
  free(free_ones);
  return status;
}

/* |u - exact| / |exact|. */
static double difference(tacFullSolver *s, const double *u, const double *exact) {
  for (size_t i = 0; i < s->problem.part.size; ++i) s->x[i] = u[i] - exact[i];
  return tac_load_problem_norm(&s->problem, s->x) / tac_load_problem_norm(&s->problem, exact);
}

/* ---- modes ---- */

void tac_modes_experiment_destroy(tacModesExperiment *e) {
  free(e->separated);
  free(e->optimum);
  free(e->kept);
  free(e->kept_optimum);
  *e = (tacModesExperiment){0};
}

int tac_modes_needed(int count, const double *errors, double most) {
  for (int n = 0; n < count; ++n)
    if (errors[n] <= most) return n + 1;
  return 0;
}

/* A column for each load and axis, of the largest size. */
static tacStatus make_loads(const tacLoadProblem *p, tacSparse *loads, tacError *error) {
  tacTriplets entries = {.rows = (int)p->part.free_size, .cols = p->load_count * p->axis_count};
  tacStatus status = TAC_OK;
  for (int j = 0; status == TAC_OK && j < entries.cols; ++j) {
    tacVec3 f = tac_vec3_scale(p->def->load, tac_load_problem_axis(p, j % p->axis_count));
    const double values[3] = {f.x, f.y, f.z};
    for (int e = p->patch_start[j / p->axis_count]; e < p->patch_start[j / p->axis_count + 1]; ++e) {
      int row = p->part.free_of[3 * p->vertex_of[p->patch_vertex[e]]];
      for (int i = 0; status == TAC_OK && row >= 0 && i < 3; ++i)
        if (values[i] != 0.0) status = tac_triplets_add(&entries, row + i, j, p->patch_weight[e] * values[i], error);
    }
  }
  if (status == TAC_OK) status = tac_triplets_compress(&entries, loads, error);
  tac_triplets_destroy(&entries);
  return status;
}

/* Errors after n = 1 ... count terms from the eigenvalues of a Gram matrix, ascending: sqrt(sum of those that are
 * left / sum of all). */
static void errors_of(int size, const double *eigenvalues, int count, double *errors) {
  double all = 0.0, left = 0.0;
  for (int i = 0; i < size; ++i) all += fmax(0.0, eigenvalues[i]);
  for (int i = 0; i < size; ++i) {
    int terms = size - i; /* from this one on */
    if (terms <= count) errors[terms - 1] = sqrt(left / all);
    left += fmax(0.0, eigenvalues[i]);
  }
}

/* Direct solutions of all loads, `rows` x loads, and the two Gram matrices: of energy and of masses. */
typedef struct {
  tacDense u;
  tacDense energy, mass;
  double *energies, *masses; /* [load]: 1 / |u|^2, weights */
} Direct;

static void release_direct(Direct *d) {
  tac_dense_destroy(&d->u);
  tac_dense_destroy(&d->energy);
  tac_dense_destroy(&d->mass);
  free(d->energies);
  free(d->masses);
}

static tacStatus solve_directly(const tacLoadProblem *p, const tacSparse *loads, const double *mass, Direct *d,
                                tacError *error) {
  int rows = loads->rows, cols = loads->cols;
  tacStatus status = tac_dense_create(rows, cols, &d->u, error);
  if (status == TAC_OK) status = tac_dense_create(cols, cols, &d->energy, error);
  if (status == TAC_OK) status = tac_dense_create(cols, cols, &d->mass, error);
  if (status != TAC_OK) return status;
  d->energies = tac_array_create((size_t)cols, sizeof *d->energies, "loads", error);
  d->masses = tac_array_create((size_t)cols, sizeof *d->masses, "loads", error);
  if (d->energies == NULL || d->masses == NULL) return TAC_ERR_MEMORY;
  for (int j = 0; j < cols; ++j)
    for (int e = loads->column_start[j]; e < loads->column_start[j + 1]; ++e)
      tac_dense_column(&d->u, j)[loads->row[e]] = loads->value[e];
  status = tac_factor_solve(p->factor, d->u.a, cols, d->u.a, error);
  if (status != TAC_OK) return status;
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < cols; ++i)
      for (int e = loads->column_start[i]; e < loads->column_start[i + 1]; ++e)
        tac_dense_column(&d->energy, j)[i] += loads->value[e] * tac_dense_column(&d->u, j)[loads->row[e]];
  tacDense scaled;
  status = tac_dense_copy(&d->u, &scaled, error);
  if (status != TAC_OK) return status;
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) tac_dense_column(&scaled, j)[i] *= sqrt(mass[i]);
  tac_dense_syrk(1.0, &scaled, true, 0.0, &d->mass);
  tac_dense_destroy(&scaled);
  for (int j = 0; j < cols; ++j) {
    d->energies[j] = 1.0 / tac_dense_column(&d->energy, j)[j];
    d->masses[j] = 1.0 / tac_dense_column(&d->mass, j)[j];
  }
  return TAC_OK;
}

/* sqrt(w_i w_j) g_ij, then its eigenvalues. */
static tacStatus decompose(tacDense *gram, const double *weights, int count, double *errors, tacError *error) {
  double *values = tac_array_create((size_t)gram->cols, sizeof *values, "eigenvalues", error);
  if (values == NULL) return TAC_ERR_MEMORY;
  for (int j = 0; j < gram->cols; ++j)
    for (int i = 0; i < gram->rows; ++i) tac_dense_column(gram, j)[i] *= sqrt(weights[i] * weights[j]);
  tacStatus status = tac_dense_eigen(gram, values, error);
  if (status == TAC_OK) errors_of(gram->cols, values, count, errors);
  free(values);
  return status;
}

/* Of the compressed modes, which are orthonormal in M: what is left of direct solutions, sum_s w |u|^2 - sum_k sum_s
 * w (X_k . M u)^2. */
static tacStatus measure_kept(const tacSeparation *kept, const Direct *d, const double *mass, double *errors,
                              tacError *error) {
  double all = d->u.cols, left = all; /* sum of w |u|^2 with w = 1 / |u|^2 */
  double *weighed = tac_array_create((size_t)kept->size, sizeof *weighed, "modes", error);
  double *products = tac_array_create((size_t)d->u.cols, sizeof *products, "modes", error);
  tacStatus status = weighed != NULL && products != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int k = 0; status == TAC_OK && k < kept->count; ++k) {
    for (int i = 0; i < kept->size; ++i) weighed[i] = mass[i] * kept->x[(size_t)k * (size_t)kept->size + (size_t)i];
    tac_dense_gemv(1.0, &d->u, true, weighed, 0.0, products);
    for (int j = 0; j < d->u.cols; ++j) left -= d->masses[j] * products[j] * products[j];
    errors[k] = sqrt(fmax(0.0, left) / all);
  }
  free(weighed);
  free(products);
  return status;
}

static tacStatus make_modes(const tacLoadProblem *p, const tacSparse *loads, const double *mass, Direct *d,
                            double residual, tacModesExperiment *e, tacError *error) {
  tacSeparation separation = {0}, kept = {0};
  tacSeparationDef def = {
      .stiffness = &p->part.matrix, .factor = p->factor, .loads = loads, .weights = d->energies, .residual = residual};
  int64_t start = tac_clock_now();
  tacStatus status = tac_separation_create(&def, NULL, &separation, error);
  e->seconds = tac_clock_seconds(tac_clock_now() - start);
  def.weights = d->masses;
  if (status == TAC_OK) status = tac_separation_create(&def, NULL, &kept, error);
  if (status == TAC_OK) status = tac_separation_compress(&kept, mass, d->masses, residual, error);
  if (status == TAC_OK) {
    e->count = separation.count;
    e->kept_count = kept.count;
    e->alternations = separation.alternations;
    e->residual = separation.residual;
    e->separated = tac_array_create((size_t)e->count, sizeof *e->separated, "modes", error);
    e->optimum = tac_array_create((size_t)e->count, sizeof *e->optimum, "modes", error);
    e->kept = tac_array_create((size_t)e->kept_count, sizeof *e->kept, "modes", error);
    e->kept_optimum = tac_array_create((size_t)e->kept_count, sizeof *e->kept_optimum, "modes", error);
    if (e->separated == NULL || e->optimum == NULL || e->kept == NULL || e->kept_optimum == NULL)
      status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) {
    memcpy(e->separated, separation.residuals, (size_t)e->count * sizeof *e->separated);
    status = measure_kept(&kept, d, mass, e->kept, error);
  }
  start = tac_clock_now();
  if (status == TAC_OK) status = decompose(&d->energy, d->energies, e->count, e->optimum, error);
  if (status == TAC_OK) status = decompose(&d->mass, d->masses, e->kept_count, e->kept_optimum, error);
  e->direct += tac_clock_seconds(tac_clock_now() - start);
  tac_separation_destroy(&separation);
  tac_separation_destroy(&kept);
  return status;
}

tacStatus tac_vademecum_experiment_modes(const tacVademecumSolid *solid, double residual, tacModesExperiment *e,
                                         tacError *error) {
  *e = (tacModesExperiment){.nodes = solid->mesh->vertex_count};
  tacLoadProblem problem = {0};
  tacSparse loads = {0};
  Direct direct = {0};
  double *mass = NULL;
  tacStatus status = tac_load_problem_create(&solid->def, &problem, error);
  if (status == TAC_OK) status = make_loads(&problem, &loads, error);
  if (status == TAC_OK) {
    e->loads = loads.cols;
    mass = tac_array_create(problem.part.free_size, sizeof *mass, "masses", error);
    if (mass == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) {
    tac_free_lower_take(&problem.part, problem.mass, mass);
    int64_t start = tac_clock_now();
    status = solve_directly(&problem, &loads, mass, &direct, error);
    e->direct = tac_clock_seconds(tac_clock_now() - start);
  }
  if (status == TAC_OK) status = make_modes(&problem, &loads, mass, &direct, residual, e, error);
  if (status != TAC_OK) tac_modes_experiment_destroy(e);
  release_direct(&direct);
  tac_sparse_destroy(&loads);
  tac_load_problem_destroy(&problem);
  free(mass);
  return status;
}

/* ---- paths ---- */

typedef struct {
  tacFullSolver *full;
  tacLoadPath *path;
  double *force, *u, *exact; /* [3 vertices]; u, exact [level] */
} Followed;

/* From level to level, each by Newton's method. */
static tacStatus follow_newton(Followed *f, double *u, tacError *error) {
  size_t size = f->full->problem.part.size;
  double *force = tac_array_create(size, sizeof *force, "a load", error);
  tacStatus status = force != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int l = 0; l < TAC_SNAPSHOT_LEVELS && status == TAC_OK; ++l) {
    for (size_t i = 0; i < size; ++i) {
      force[i] = tac_snapshot_levels[l] * f->force[i];
      u[(size_t)l * size + i] = l > 0 ? u[(size_t)(l - 1) * size + i] : 0.0;
    }
    status = tac_full_solver_solve(f->full, force, u + (size_t)l * size, error);
  }
  free(force);
  return status;
}

static tacStatus follow(Followed *f, const tacPathWay *way, tacPathExperiment *e, tacError *error) {
  size_t size = f->full->problem.part.size;
  tacLoadPathReport report = {0};
  tacStatus status = follow_newton(f, f->exact, error);
  f->full->factorisations = f->full->iterations = 0;
  int64_t start = tac_clock_thread();
  if (status == TAC_OK && way->newton) {
    status = follow_newton(f, f->u, error);
    report.factorisations = f->full->factorisations;
    report.steps = f->full->iterations;
  } else if (status == TAC_OK) {
    status = tac_load_path_follow(f->path, f->force, TAC_SNAPSHOT_LEVELS, tac_snapshot_levels, f->u, &report, error);
  }
  e->seconds += seconds_since(start);
  e->factorisations += report.factorisations;
  e->steps += report.steps;
  if (status == TAC_ERR_NO_CONVERGENCE) {
    e->ended = true;
    return TAC_OK;
  }
  for (int l = 0; l < TAC_SNAPSHOT_LEVELS && status == TAC_OK; ++l)
    e->error = fmax(e->error, difference(f->full, f->u + (size_t)l * size, f->exact + (size_t)l * size));
  return status;
}

tacStatus tac_vademecum_experiment_path(const tacVademecumSolid *solid, const tacPathWay *way, int count,
                                        tacPathExperiment *e, tacError *error) {
  *e = (tacPathExperiment){0};
  Followed f = {0};
  size_t size = 3 * (size_t)solid->mesh->vertex_count;
  tacStatus status = tac_full_solver_create(solid, &f.full, error);
  if (status == TAC_OK && !way->newton) {
    tacLoadPathDef def = tac_load_path_def_default();
    def.mesh = solid->mesh;
    def.material = &f.full->problem.material;
    def.held = solid->fixed;
    def.method = way->method;
    if (way->order > 0) def.order = way->order;
    if (way->increments > 0) def.increments = way->increments;
    status = tac_load_path_create(&def, &f.path, error);
  }
  if (status == TAC_OK) {
    f.force = tac_array_create(size, sizeof *f.force, "a load", error);
    f.u = tac_array_create(TAC_SNAPSHOT_LEVELS * size, sizeof *f.u, "a load", error);
    f.exact = tac_array_create(TAC_SNAPSHOT_LEVELS * size, sizeof *f.exact, "a load", error);
    if (f.force == NULL || f.u == NULL || f.exact == NULL) status = TAC_ERR_MEMORY;
  }
  for (int i = 0; i < count && status == TAC_OK; ++i) {
    const tacLoadProblem *p = &f.full->problem;
    int load = (int)((size_t)(p->load_count - 1) * (size_t)(i + 1) / (size_t)count);
    tacVec3 t = tac_vec3_scale(p->def->load, p->axis_count == 1 ? p->direction : tac_load_problem_axis(p, i % 3));
    memset(f.force, 0, size * sizeof *f.force);
    tac_load_problem_add(p, load, t, f.force);
    status = follow(&f, way, e, error);
  }
  e->seconds /= count;
  tac_full_solver_destroy(f.full);
  tac_load_path_destroy(f.path);
  free(f.force);
  free(f.u);
  free(f.exact);
  return status;
}

/* ---- several loads ---- */

const int tac_correction_steps[TAC_CORRECTIONS] = {0, 1, 2, 4, 16};

typedef struct {
  const tacVademecum *vademecum;
  tacFullSolver *full;
  tacVademecumSolver *solver;
  tacVademecumLoad *loads;
  double *force, *u, *exact, *q; /* [3 vertices]; q [n] */
} Loaded;

/* u = X q. */
static void displace(const Loaded *l, const double *q, double *u) {
  const tacReduced *shape = tac_vademecum_shape(l->vademecum);
  size_t n = (size_t)tac_reduced_size(shape), size = l->full->problem.part.size;
  const double *basis = tac_reduced_basis(shape);
  for (size_t i = 0; i < size; ++i, basis += n) {
    u[i] = 0.0;
    for (size_t k = 0; k < n; ++k) u[i] += basis[k] * q[k];
  }
}

/* q = X^T M u. */
static void project(const Loaded *l, const double *u, double *q) {
  const tacReduced *shape = tac_vademecum_shape(l->vademecum);
  size_t n = (size_t)tac_reduced_size(shape), size = l->full->problem.part.size;
  const double *basis = tac_reduced_basis(shape);
  memset(q, 0, n * sizeof *q);
  for (size_t i = 0; i < size; ++i, basis += n)
    for (size_t k = 0; k < n; ++k) q[k] += l->full->problem.mass[i] * u[i] * basis[k];
}

/* A triangle of the surface with this corner. */
static tacVademecumLoad load_at(const tacLoadProblem *p, int load, tacVec3 force) {
  const tacTriMesh *surface = p->surface;
  for (int t = 0; t < surface->triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      if (surface->triangles[t].v[c] == p->loads[load]) {
        tacVademecumLoad at = {.triangle = t, .force = force};
        at.weight[c] = 1.0;
        return at;
      }
  return (tacVademecumLoad){0};
}

static void release_loaded(Loaded *l) {
  tac_full_solver_destroy(l->full);
  tac_vademecum_solver_destroy(l->solver);
  free(l->loads);
  free(l->force);
  free(l->u);
  free(l->exact);
  free(l->q);
}

static tacStatus make_loaded(const tacVademecumSolid *solid, const tacVademecum *vademecum, int most, Loaded *l,
                             tacError *error) {
  *l = (Loaded){.vademecum = vademecum};
  size_t size = 3 * (size_t)solid->mesh->vertex_count;
  tacStatus status = tac_full_solver_create(solid, &l->full, error);
  if (status == TAC_OK) status = tac_vademecum_solver_create(vademecum, &l->solver, error);
  if (status != TAC_OK) return status;
  l->loads = tac_array_create((size_t)most, sizeof *l->loads, "loads", error);
  l->force = tac_array_create(size, sizeof *l->force, "loads", error);
  l->u = tac_array_create(size, sizeof *l->u, "loads", error);
  l->exact = tac_array_create(size, sizeof *l->exact, "loads", error);
  l->q = tac_array_create((size_t)tac_vademecum_mode_count(vademecum), sizeof *l->q, "loads", error);
  bool made = l->loads != NULL && l->force != NULL && l->u != NULL && l->exact != NULL && l->q != NULL;
  return made ? TAC_OK : TAC_ERR_MEMORY;
}

static void choose_loads(Loaded *l, int contacts, tacRandom *random) {
  const tacLoadProblem *p = &l->full->problem;
  memset(l->force, 0, p->part.size * sizeof *l->force);
  tacVec3 main = p->axis_count == 1 ? p->direction : tac_vec3_unit(tac_random_normal3(random));
  for (int c = 0; c < contacts; ++c) {
    int load = (int)tac_random_uniform(random, 0.0, p->load_count);
    tacVec3 aside = tac_random_normal3(random);
    tacVec3 direction = p->axis_count == 1 ? main : tac_vec3_unit(tac_vec3_add(main, tac_vec3_scale(0.3, aside)));
    tacVec3 t = tac_vec3_scale(p->def->load / contacts, direction);
    l->loads[c] = load_at(p, load, t);
    tac_load_problem_add(p, load, t, l->force);
  }
}

static tacStatus compare(Loaded *l, int contacts, tacContactsExperiment *e, tacError *error) {
  size_t size = l->full->problem.part.size;
  memset(l->exact, 0, size * sizeof *l->exact);
  int64_t start = tac_clock_thread();
  tacStatus status = tac_full_solver_solve(l->full, l->force, l->exact, error);
  e->full_seconds += seconds_since(start) / e->samples;
  if (status == TAC_OK) status = solve_linear(l->full, l->force, l->u, error);
  if (status != TAC_OK) return status;
  double linear = difference(l->full, l->u, l->exact);
  e->linear_mean += linear / e->samples;
  e->linear_most = fmax(e->linear_most, linear);
  for (size_t i = 0; i < size; i += 3)
    e->displaced = fmax(e->displaced, tac_vec3_norm(tac_vec3(l->exact[i], l->exact[i + 1], l->exact[i + 2])));
  project(l, l->exact, l->q);
  displace(l, l->q, l->u);
  double nearest = difference(l->full, l->u, l->exact);
  e->nearest_mean += nearest / e->samples;
  e->nearest_most = fmax(e->nearest_most, nearest);
  for (int k = 0; k < TAC_CORRECTIONS; ++k) {
    start = tac_clock_thread();
    tac_vademecum_solve(l->solver, contacts, l->loads, tac_correction_steps[k], l->q);
    e->seconds[k] += seconds_since(start) / e->samples;
    displace(l, l->q, l->u);
    double off = difference(l->full, l->u, l->exact);
    e->mean[k] += off / e->samples;
    e->most[k] = fmax(e->most[k], off);
  }
  return TAC_OK;
}

tacStatus tac_vademecum_experiment_contacts(const tacVademecumSolid *solid, const tacVademecum *vademecum, int contacts,
                                            int samples, tacContactsExperiment *e, tacError *error) {
  *e = (tacContactsExperiment){.contacts = contacts, .samples = samples};
  Loaded l;
  tacRandom random = tac_random_seed(2015);
  tacStatus status = make_loaded(solid, vademecum, contacts, &l, error);
  for (int i = 0; i < samples && status == TAC_OK; ++i) {
    choose_loads(&l, contacts, &random);
    status = compare(&l, contacts, e, error);
  }
  release_loaded(&l);
  return status;
}

/* ---- volume ---- */

static double volume_of(const tacVolMesh *mesh, const double *u) {
  double sum = 0.0;
  for (int t = 0; t < mesh->tet_count; ++t) {
    tacVec3 x[4];
    for (int c = 0; c < 4; ++c) {
      int v = mesh->tets[t].v[c];
      x[c] = tac_vec3_add(mesh->vertices[v], tac_vec3(u[3 * v], u[3 * v + 1], u[3 * v + 2]));
    }
    tacVec3 normal = tac_vec3_cross(tac_vec3_sub(x[1], x[0]), tac_vec3_sub(x[2], x[0]));
    sum += tac_vec3_dot(normal, tac_vec3_sub(x[3], x[0])) / 6.0;
  }
  return sum;
}

static double length_at(const double *u, int vertex) {
  return tac_vec3_norm(tac_vec3(u[3 * vertex], u[3 * vertex + 1], u[3 * vertex + 2]));
}

/* The load whose vertex is nearest to a place. */
static int nearest_load(const tacLoadProblem *p, tacVec3 place) {
  int best = 0;
  for (int s = 1; s < p->load_count; ++s)
    if (tac_vec3_distance(p->surface->vertices[p->loads[s]], place) <
        tac_vec3_distance(p->surface->vertices[p->loads[best]], place))
      best = s;
  return best;
}

static tacStatus weigh_levels(Loaded *l, tacVolumeExperiment *e, tacError *error) {
  const tacLoadProblem *p = &l->full->problem;
  const tacVolMesh *mesh = p->def->mesh;
  tacBox box = tac_volmesh_box(mesh);
  int load = nearest_load(p, tac_vec3(box.upper.x, 0.5 * (box.lower.y + box.upper.y), box.upper.z));
  int vertex = p->vertex_of[p->loads[load]];
  double rest = tac_volmesh_volume(mesh);
  memset(l->exact, 0, p->part.size * sizeof *l->exact);
  tacStatus status = TAC_OK;
  for (int i = 0; i < TAC_VOLUME_LEVELS && status == TAC_OK; ++i) {
    e->load[i] = p->def->load * (i + 1) / TAC_VOLUME_LEVELS;
    tacVec3 t = tac_vec3(0.0, 0.0, -e->load[i]);
    memset(l->force, 0, p->part.size * sizeof *l->force);
    tac_load_problem_add(p, load, t, l->force);
    status = tac_full_solver_solve(l->full, l->force, l->exact, error);
    if (status == TAC_OK) status = solve_linear(l->full, l->force, l->u, error);
    if (status != TAC_OK) break;
    e->full[i] = volume_of(mesh, l->exact) / rest - 1.0;
    e->full_tip[i] = length_at(l->exact, vertex);
    e->linear[i] = volume_of(mesh, l->u) / rest - 1.0;
    e->linear_tip[i] = length_at(l->u, vertex);
    tac_vademecum_coordinates(l->vademecum, load, t, l->q);
    displace(l, l->q, l->u);
    e->alone[i] = volume_of(mesh, l->u) / rest - 1.0;
    e->alone_tip[i] = length_at(l->u, vertex);
    l->loads[0] = load_at(p, load, t);
    tac_vademecum_solve(l->solver, 1, l->loads, 8, l->q);
    displace(l, l->q, l->u);
    e->corrected[i] = volume_of(mesh, l->u) / rest - 1.0;
  }
  return status;
}

tacStatus tac_vademecum_experiment_volume(const tacVademecumSolid *solid, const tacVademecum *vademecum,
                                          tacVolumeExperiment *e, tacError *error) {
  *e = (tacVolumeExperiment){0};
  Loaded l;
  tacStatus status = make_loaded(solid, vademecum, 1, &l, error);
  if (status == TAC_OK) status = weigh_levels(&l, e, error);
  release_loaded(&l);
  return status;
}
