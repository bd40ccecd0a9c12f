#include "elastic/hyper/load_path.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/free_lower.h"
#include "elastic/hyper/force_series.h"
#include "elastic/hyper/hyper_statics.h"
#include "elastic/laws/jacobian_term.h"
#include "elastic/solids/solid.h"
#include "math/dense/vector.h"
#include "math/sparse/factor.h"

enum { MOST_STEPS = 4000, MOST_CORRECTIONS = 12 };
static const double LEAST_STEP = 1e-4; /* of what was carried: there is a limit point ahead */

struct tacLoadPath {
  tacArrays arrays;      /* all below */
  int order, increments; /* order 1: increments */
  double tolerance;
  tacHyperSolid *solid;
  tacConstraints constraints;
  tacFreeLower part; /* of K */
  tacFactor *factor;
  tacForceSeries *series;   /* NULL: increments */
  tacHyperStatics *statics; /* NULL: not needed so far */
  int size;                 /* free coordinates */
  double reach;             /* m, across the body */
  double rounding;          /* N: what rounding of positions may leave of a residual */
  double *stiffness;        /* on the solid's places */
  /* All coordinates. */
  double *rest, *x, *trial; /* positions; x: where the step begins */
  double *inner, *whole;    /* forces; any vector */
  /* Free ones. */
  double *terms;             /* [order]: u_1, u_2, ... */
  double *load;              /* f */
  double *left, *trial_left; /* residuals a f - R at x and trial */
  double *move;              /* K^-1 of a residual */
};

tacLoadPathDef tac_load_path_def_default(void) {
  return (tacLoadPathDef){.order = 14, .tolerance = 1e-7, .increments = 16};
}

/* ---- making it ---- */

static tacStatus check_def(const tacLoadPathDef *def, tacError *error) {
  if (def->mesh == NULL || def->material == NULL || def->held == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a load path needs a mesh, a material and the held vertices");
  if (def->method != TAC_PATH_SERIES && def->method != TAC_PATH_INCREMENTS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown method %d of load paths; use series or increments",
                         def->method);
  if (def->order < 2 || def->order > TAC_LOAD_PATH_MOST_ORDER)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the order of the series is %d; 2 to %d are possible", def->order,
                         TAC_LOAD_PATH_MOST_ORDER);
  if (!(def->tolerance > 0.0 && def->tolerance < 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the tolerance is %g; it must be between 0 and 1", def->tolerance);
  if (def->increments < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the number of load increments is %d; at least 1 is needed",
                         def->increments);
  if (def->material->prony_count != 0)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "static equilibria along a load cannot have Prony terms; leave "
                         "them out");
  return TAC_OK;
}

static tacStatus create_arrays(tacLoadPath *path, tacError *error) {
  size_t all = path->part.size, free_size = path->part.free_size;
  path->stiffness =
      tac_arrays_add(&path->arrays, (size_t)tac_sparse_count(tac_hyper_solid_pattern(path->solid)), sizeof(double));
  path->rest = tac_arrays_add(&path->arrays, all, sizeof(double));
  path->x = tac_arrays_add(&path->arrays, all, sizeof(double));
  path->trial = tac_arrays_add(&path->arrays, all, sizeof(double));
  path->inner = tac_arrays_add(&path->arrays, all, sizeof(double));
  path->whole = tac_arrays_add(&path->arrays, all, sizeof(double));
  path->terms = tac_arrays_add(&path->arrays, free_size * (size_t)path->order, sizeof(double));
  path->load = tac_arrays_add(&path->arrays, free_size, sizeof(double));
  path->left = tac_arrays_add(&path->arrays, free_size, sizeof(double));
  path->trial_left = tac_arrays_add(&path->arrays, free_size, sizeof(double));
  path->move = tac_arrays_add(&path->arrays, free_size, sizeof(double));
  return tac_arrays_status(&path->arrays, "a load path", error);
}

static void measure(tacLoadPath *path, const tacVolMesh *mesh) {
  for (int v = 0; v < mesh->vertex_count; ++v) {
    path->rest[3 * v] = mesh->vertices[v].x;
    path->rest[3 * v + 1] = mesh->vertices[v].y;
    path->rest[3 * v + 2] = mesh->vertices[v].z;
  }
  path->reach = tac_vec3_norm(tac_box_size(tac_volmesh_box(mesh)));
  const tacSparse *k = tac_hyper_solid_pattern(path->solid);
  double sum = 0.0;
  for (int j = 0; j < k->cols; ++j)
    for (int p = k->column_start[j]; p < k->column_start[j + 1]; ++p) {
      double by = k->value[p] * fmax(fabs(path->rest[k->row[p]]), path->reach);
      sum += by * by;
    }
  path->rounding = DBL_EPSILON * sqrt(sum);
}

static tacStatus fill(tacLoadPath *path, const tacLoadPathDef *def, tacError *error) {
  path->order = def->method == TAC_PATH_SERIES ? def->order : 1;
  path->increments = def->increments;
  path->tolerance = def->tolerance;
  tacHyperSolidDef solid_def = {.mesh = def->mesh, .material_count = 1, .materials = def->material, .thread_count = 1};
  TAC_TRY(tac_hyper_solid_create(&solid_def, &path->solid, error));
  if (def->method == TAC_PATH_SERIES)
    TAC_TRY(tac_force_series_create(def->mesh, def->material, def->order, &path->series, error));
  TAC_TRY(tac_constraints_create(def->mesh->vertex_count, def->held, &path->constraints, error));
  TAC_TRY(tac_constraints_check(&path->constraints, def->mesh, error));
  TAC_TRY(tac_free_lower_create(tac_hyper_solid_pattern(path->solid), def->held, &path->part, error));
  if (path->part.free_size == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "all vertices are held, so no load can move the body; hold fewer");
  TAC_TRY(tac_factor_create(&path->part.matrix, &path->factor, error));
  TAC_TRY(create_arrays(path, error));
  path->size = (int)path->part.free_size;
  measure(path, def->mesh);
  return TAC_OK;
}

tacStatus tac_load_path_create(const tacLoadPathDef *def, tacLoadPath **path, tacError *error) {
  *path = NULL;
  TAC_TRY(check_def(def, error));
  TAC_OWN(tacLoadPath, made) = tac_array_create(1, sizeof *made, "a load path", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(fill(made, def, error));
  *path = tac_give(&made);
  return TAC_OK;
}

void tac_load_path_destroy(tacLoadPath *path) {
  if (path == NULL) return;
  tac_force_series_destroy(path->series);
  tac_factor_destroy(path->factor);
  tac_constraints_destroy(&path->constraints);
  tac_free_lower_destroy(&path->part);
  tac_hyper_statics_destroy(path->statics);
  tac_hyper_solid_destroy(path->solid);
  tac_arrays_free(&path->arrays);
  free(path);
}

/* ---- equilibrium ---- */

typedef struct Walk {
  tacLoadPath *path;
  double a, next, end; /* shares of the load: at x; at the end of this step; at the last level */
  double length;       /* l of the terms; before there are any, that of the last step */
  const char *stop;    /* why it ends at a; NULL: it goes on */
  tacLoadPathReport report;
} Walk;

static double norm(const tacLoadPath *path, const double *vector) {
  return tac_vector_norm(path->size, vector);
}

/* |x - rest|, m */
static double moved(const tacLoadPath *path, const double *x) {
  double sum = 0.0;
  for (size_t i = 0; i < path->part.size; ++i) sum += (x[i] - path->rest[i]) * (x[i] - path->rest[i]);
  return sqrt(sum);
}

/* left = a f - R(x), and K too where `with_stiffness`. Returns its norm. */
static double find_left(tacLoadPath *path, const double *x, double a, bool with_stiffness, double *left) {
  tac_hyper_solid_evaluate(path->solid, x, 0.0, path->inner, with_stiffness ? path->stiffness : NULL);
  tac_free_lower_take(&path->part, path->inner, left);
  for (int i = 0; i < path->size; ++i) left[i] = a * path->load[i] - left[i];
  return norm(path, left);
}

/* Of K as evaluated last. TAC_ERR_SINGULAR where it is not positive definite. */
static tacStatus factor(Walk *walk, tacError *error) {
  tacLoadPath *path = walk->path;
  tacSparse *matrix = &path->part.matrix;
  for (int i = 0; i < tac_sparse_count(matrix); ++i) matrix->value[i] = path->stiffness[path->part.source[i]];
  ++walk->report.factorisations;
  return tac_factor_update(path->factor, matrix->value, error);
}

/* x += part, of free coordinates. */
static void add_free(const tacLoadPath *path, const double *part, double *x) {
  for (size_t i = 0; i < path->part.size; ++i)
    if (path->part.free_of[i] >= 0) x[i] += part[path->part.free_of[i]];
}

/* ---- series ---- */

/* The terms u_1 to u_P about x, with its factor. */
static tacStatus find_terms(Walk *walk, tacError *error) {
  tacLoadPath *path = walk->path;
  size_t size = (size_t)path->size;
  for (size_t i = 0; i < size; ++i) path->terms[i] = walk->length * path->load[i] + path->left[i];
  TAC_TRY(tac_factor_solve(path->factor, path->terms, 1, path->terms, error));
  for (int p = 2; p <= path->order; ++p) {
    double *term = path->terms + ((size_t)p - 1) * size;
    tac_free_lower_put(&path->part, term - size, path->whole);
    tac_force_series_next(path->series, p, path->whole, path->inner);
    tac_free_lower_take(&path->part, path->inner, term);
    tac_vector_scale(path->size, -1.0, term);
    TAC_TRY(tac_factor_solve(path->factor, term, 1, term, error));
  }
  return TAC_OK;
}

/* to = x(t), by Horner's scheme. */
static void sum_terms(tacLoadPath *path, double t, double *to) {
  size_t size = (size_t)path->size;
  memset(path->move, 0, size * sizeof *path->move);
  for (int p = path->order; p > 0; --p) {
    const double *term = path->terms + ((size_t)p - 1) * size;
    for (size_t i = 0; i < size; ++i) path->move[i] = t * (path->move[i] + term[i]);
  }
  memcpy(to, path->x, path->part.size * sizeof *to);
  add_free(path, path->move, to);
}

/* How far the body would move, by the last factor, if it went on from `trial` to equilibrium, relative to how far it
 * has. */
static tacStatus find_error(const Walk *walk, double *size, tacError *error) {
  tacLoadPath *path = walk->path;
  double left = find_left(path, path->trial, walk->next, false, path->trial_left);
  *size = 0.0;
  if (left <= path->rounding) return TAC_OK;
  TAC_TRY(tac_factor_solve(path->factor, path->trial_left, 1, path->move, error));
  *size = norm(path, path->move) / moved(path, path->trial);
  return TAC_OK;
}

/* The first length: as far as the body would move by its own size if it were linear; powers of t stay moderate then. */
static tacStatus find_length(Walk *walk, tacError *error) {
  tacLoadPath *path = walk->path;
  double most = 0.0;
  TAC_TRY(tac_factor_solve(path->factor, path->load, 1, path->move, error));
  for (int i = 0; i < path->size; ++i) most = fmax(most, fabs(path->move[i]));
  walk->length = most * walk->end > path->reach ? path->reach / most : walk->end;
  return TAC_OK;
}

/* As far as the terms go; trial is there. */
static tacStatus step_by_series(Walk *walk, tacError *error) {
  tacLoadPath *path = walk->path;
  if (!(walk->a > 0.0)) TAC_TRY(find_length(walk, error));
  double rest = walk->end - walk->a, most;
  walk->length = fmin(walk->length, rest);
  most = rest / walk->length;
  TAC_TRY(find_terms(walk, error));
  double first = norm(path, path->terms),
         last = norm(path, path->terms + (size_t)(path->order - 1) * (size_t)path->size);
  double t = fmin(pow(path->tolerance * first / last, 1.0 / (path->order - 1)), most); /* last = 0: all of it */
  while (t * walk->length > LEAST_STEP * walk->a && t > DBL_EPSILON) {
    double off;
    walk->next = t < most ? walk->a + t * walk->length : walk->end;
    sum_terms(path, t, path->trial);
    TAC_TRY(find_error(walk, &off, error));
    if (off <= path->tolerance) return TAC_OK;
    double shorter = 0.95 * pow(path->tolerance / off, 1.0 / (path->order + 1.0));
    t *= shorter > 0.1 ? fmin(shorter, 0.9) : 0.1; /* not a number: 0.1 */
  }
  walk->stop = "a limit point is reached, or the steps become too short";
  return TAC_OK;
}

/* One linearisation, to the next of equal parts of the load. */
static tacStatus step_by_increment(Walk *walk, tacError *error) {
  tacLoadPath *path = walk->path;
  double off = INFINITY;
  walk->next = (walk->report.steps + 1.0) / path->increments;
  walk->length = walk->next - walk->a;
  TAC_TRY(find_terms(walk, error));
  sum_terms(path, 1.0, path->trial);
  tacStatus status = find_error(walk, &off, error);
  if (!isfinite(off))
    walk->stop = "the increments diverge; use more of them";
  else if (tac_hyper_solid_inverted(path->solid, path->trial) > 0)
    walk->stop = "an element is inverted; use more increments";
  return status;
}

/* ---- Newton's method ---- */

/* Where series do not hold: to `level` or less far, as trial. */
static tacStatus step_by_newton(Walk *walk, double level, tacError *error) {
  tacLoadPath *path = walk->path;
  double step = fmin(2.0 * walk->length, level - walk->a), end = step < level - walk->a ? walk->a + step : level;
  tacNewtonReport report = {0};
  if (path->statics == NULL)
    TAC_TRY(tac_hyper_statics_create(path->solid, path->constraints.held, &path->statics, error));
  memcpy(path->trial, path->x, path->part.size * sizeof *path->trial);
  for (int i = 0; i < path->size; ++i) path->move[i] = end * path->load[i];
  tac_free_lower_put(&path->part, path->move, path->whole);
  tacStatus status = tac_hyper_statics_solve(path->statics, path->rest, path->whole, path->trial, NULL, &report, error);
  walk->report.corrections += report.iterations;
  walk->report.factorisations += report.factorisations;
  walk->next = status == TAC_OK ? end : walk->a + report.carried * (end - walk->a);
  walk->length = walk->next - walk->a;
  if (status != TAC_OK && status != TAC_ERR_NO_CONVERGENCE) return status;
  if (!(walk->length > LEAST_STEP * walk->a))
    walk->stop = "Newton's method finds no equilibrium, because elements are compressed too much";
  return TAC_OK;
}

/* ---- the path ---- */

static tacStatus check_follow(const tacLoadPath *path, const double *force, int level_count, const double *levels,
                              tacError *error) {
  if (level_count < 1) return tac_error_set(error, TAC_ERR_ARGUMENT, "a load path needs at least one level");
  for (int i = 0; i < level_count; ++i)
    if (!(levels[i] > (i > 0 ? levels[i - 1] : 0.0) && levels[i] <= 1.0))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "level %d is %g; levels must increase, be above 0 and at most 1", i,
                           levels[i]);
  for (size_t i = 0; i < path->part.size; ++i)
    if (path->part.free_of[i] >= 0 && !isfinite(force[i]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the force on vertex %zu is NaN or infinite", i / 3);
  return TAC_OK;
}

/* Displacements at a level of this step. */
static void take_level(Walk *walk, double level, double *u) {
  tacLoadPath *path = walk->path;
  const double *x = path->trial;
  if (level < walk->next) {
    sum_terms(path, (level - walk->a) / walk->length, path->whole);
    x = path->whole;
  }
  for (size_t i = 0; i < path->part.size; ++i) u[i] = x[i] - path->rest[i];
  double left = find_left(path, x, level, false, path->trial_left);
  walk->report.residual = fmax(walk->report.residual, left / (level * norm(path, path->load)));
}

/* K at x, its factor and what is left there. The last step ended by what its own tangent said of the residual; where
 * that of x says that half the tolerance is gone before a new step begins, Newton's method gives it back. */
static tacStatus start(Walk *walk, tacError *error) {
  tacLoadPath *path = walk->path;
  for (int n = 0; n < MOST_CORRECTIONS; ++n) {
    double left = find_left(path, path->x, walk->a, true, path->left);
    tacStatus status = factor(walk, error);
    if (status == TAC_ERR_SINGULAR) {
      walk->stop = "the tangent stiffness is not positive definite there, so the equilibria become unstable or the "
                   "path turns back";
      return TAC_OK;
    }
    if (status != TAC_OK || path->series == NULL || left <= path->rounding) return status;
    status = tac_factor_solve(path->factor, path->left, 1, path->move, error);
    if (status != TAC_OK || norm(path, path->move) <= 0.5 * path->tolerance * moved(path, path->x)) return status;
    add_free(path, path->move, path->x);
    ++walk->report.corrections;
  }
  walk->stop = "Newton's method does not converge at this load";
  return TAC_OK;
}

/* From x on: trial at walk->next, or why there is none. */
static tacStatus step(Walk *walk, double level, tacError *error) {
  tacLoadPath *path = walk->path;
  tacStatus status = start(walk, error);
  if (status != TAC_OK || walk->stop != NULL) return status;
  if (path->series == NULL) return step_by_increment(walk, error);
  if (tac_force_series_begin(path->series, path->x) >= TAC_JACOBIAN_LEAST) return step_by_series(walk, error);
  return step_by_newton(walk, level, error);
}

tacStatus tac_load_path_follow(tacLoadPath *path, const double *force, int level_count, const double *levels, double *u,
                               tacLoadPathReport *report, tacError *error) {
  Walk walk = {.path = path};
  if (report != NULL) *report = walk.report;
  tacStatus status = check_follow(path, force, level_count, levels, error);
  if (status != TAC_OK) return status;
  size_t size = path->part.size;
  walk.end = levels[level_count - 1];
  tac_free_lower_take(&path->part, force, path->load);
  memcpy(path->x, path->rest, size * sizeof *path->x);
  int level = 0;
  if (norm(path, path->load) == 0.0) {
    memset(u, 0, (size_t)level_count * size * sizeof *u);
    walk.a = walk.end;
  }
  while (status == TAC_OK && walk.stop == NULL && walk.a < walk.end) {
    status = step(&walk, levels[level], error);
    if (walk.report.steps == MOST_STEPS) walk.stop = "the limit on the number of steps is reached";
    if (status != TAC_OK || walk.stop != NULL) break;
    for (; level < level_count && levels[level] <= walk.next; ++level)
      take_level(&walk, levels[level], u + (size_t)level * size);
    memcpy(path->x, path->trial, size * sizeof *path->x);
    walk.length = walk.next - walk.a;
    walk.a = walk.next;
    ++walk.report.steps;
  }
  walk.report.carried = fmin(walk.a, walk.end);
  if (report != NULL) *report = walk.report;
  if (status == TAC_OK && walk.stop != NULL)
    return tac_error_set(error, TAC_ERR_NO_CONVERGENCE, "equilibria were found only up to %.4g %% of the load: %s",
                         100.0 * walk.a, walk.stop);
  return status;
}
