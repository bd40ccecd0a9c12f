#include "elastic/hyper/hyper_statics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/free_lower.h"
#include "math/sparse/factor.h"

static const tacNewtonRules rules = {
    .tolerance = 1e-9, .iterations = 200, .halvings = 30, .halved = 0.5, .through_inversion = true};

struct tacHyperStatics {
  tacArrays arrays; /* all below */
  tacHyperSolid *solid;
  tacFreeLower part; /* of the solid's stiffness */
  bool copy;         /* the arrays of `part` belong to another, but for the values of its matrix */
  size_t size, free_size;
  int most_iterations;        /* of a solution; 0: no limit */
  tacFactor *factor;          /* NULL: nothing is free */
  tacNewton *newton;          /* in positions of free vertices */
  double *diagonal;           /* of K at rest, free */
  double *stiffness;          /* on the solid's places */
  bool tangent_is_known;      /* `stiffness` is that at the last force */
  double *now;                /* positions; of held ones those of the load step */
  double *inner;              /* R(now) */
  double reactions;           /* N: the norm of those in `inner` */
  double *begin, *move;       /* positions at the start; motions of held ones */
  const double *target;       /* positions of held ones in the end */
  double *product, *load, *x; /* all; free; free */
};

/* ---- making it ---- */

static tacStatus create_arrays(tacHyperStatics *statics, tacError *error) {
  statics->diagonal = tac_arrays_add(&statics->arrays, statics->free_size, sizeof(double));
  statics->load = tac_arrays_add(&statics->arrays, statics->free_size, sizeof(double));
  statics->x = tac_arrays_add(&statics->arrays, statics->free_size, sizeof(double));
  statics->now = tac_arrays_add(&statics->arrays, statics->size, sizeof(double));
  statics->move = tac_arrays_add(&statics->arrays, statics->size, sizeof(double));
  statics->begin = tac_arrays_add(&statics->arrays, statics->size, sizeof(double));
  statics->inner = tac_arrays_add(&statics->arrays, statics->size, sizeof(double));
  statics->product = tac_arrays_add(&statics->arrays, statics->size, sizeof(double));
  statics->stiffness = tac_arrays_add(
      &statics->arrays, (size_t)tac_sparse_count(tac_hyper_solid_pattern(statics->solid)), sizeof(double));
  TAC_TRY(tac_arrays_status(&statics->arrays, "statics", error));
  tac_sparse_diagonal(&statics->part.matrix, statics->diagonal);
  return tac_newton_create(statics->free_size, &statics->newton, error);
}

tacStatus tac_hyper_statics_create(tacHyperSolid *solid, const bool *held, tacHyperStatics **statics, tacError *error) {
  *statics = NULL;
  tacHyperStatics *made = tac_array_create(1, sizeof *made, "statics", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->solid = solid;
  tacStatus status = tac_free_lower_create(tac_hyper_solid_pattern(solid), held, &made->part, error);
  made->size = made->part.size;
  made->free_size = made->part.free_size;
  if (status == TAC_OK) status = create_arrays(made, error);
  if (status == TAC_OK && made->free_size > 0) status = tac_factor_create(&made->part.matrix, &made->factor, error);
  if (status != TAC_OK) {
    tac_hyper_statics_destroy(made);
    return status;
  }
  *statics = made;
  return TAC_OK;
}

tacStatus tac_hyper_statics_copy(tacHyperStatics *statics, tacHyperStatics **copy, tacError *error) {
  *copy = NULL;
  tacHyperStatics *made = tac_array_create(1, sizeof *made, "statics", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->copy = true;
  made->solid = statics->solid;
  made->part = statics->part;
  made->size = statics->size;
  made->free_size = statics->free_size;
  made->most_iterations = statics->most_iterations;
  made->part.matrix.value =
      tac_array_create((size_t)tac_sparse_count(&statics->part.matrix), sizeof(double), "statics", error);
  tacStatus status = made->part.matrix.value != NULL ? create_arrays(made, error) : TAC_ERR_MEMORY;
  if (status == TAC_OK) memcpy(made->diagonal, statics->diagonal, made->free_size * sizeof *made->diagonal);
  if (status == TAC_OK && statics->factor != NULL) status = tac_factor_copy(statics->factor, &made->factor, error);
  if (status != TAC_OK) {
    tac_hyper_statics_destroy(made);
    return status;
  }
  *copy = made;
  return TAC_OK;
}

void tac_hyper_statics_limit(tacHyperStatics *statics, int iterations) {
  statics->most_iterations = iterations;
}

void tac_hyper_statics_destroy(tacHyperStatics *statics) {
  if (statics == NULL) return;
  tac_factor_destroy(statics->factor);
  if (statics->copy)
    free(statics->part.matrix.value);
  else
    tac_free_lower_destroy(&statics->part);
  tac_newton_destroy(statics->newton);
  tac_arrays_free(&statics->arrays);
  free(statics);
}

/* ---- the problem, in positions of free vertices ---- */

/* To those of all vertices, `now`; held ones are where the load step has them. */
static void spread(const tacHyperStatics *statics, const double *x) {
  for (size_t i = 0; i < statics->size; ++i)
    if (statics->part.free_of[i] >= 0) statics->now[i] = x[statics->part.free_of[i]];
}

static double get_energy(void *self, const double *x) {
  tacHyperStatics *statics = self;
  spread(statics, x);
  return tac_hyper_solid_energy(statics->solid, statics->now);
}

/* Both come from one pass over the elements: K too where it is asked for next. */
static void find_force(void *self, const double *x, bool tangent_next, double *force) {
  tacHyperStatics *statics = self;
  spread(statics, x);
  tac_hyper_solid_evaluate(statics->solid, statics->now, 0.0, statics->inner, tangent_next ? statics->stiffness : NULL);
  statics->tangent_is_known = tangent_next;
  double sum = 0.0;
  for (size_t i = 0; i < statics->size; ++i)
    if (statics->part.free_of[i] >= 0)
      force[statics->part.free_of[i]] = statics->inner[i];
    else
      sum += statics->inner[i] * statics->inner[i];
  statics->reactions = sqrt(sum);
}

static void find_tangent(void *self, const double *x) {
  tacHyperStatics *statics = self;
  if (statics->tangent_is_known) return;
  spread(statics, x);
  tac_hyper_solid_evaluate(statics->solid, statics->now, 0.0, statics->inner, statics->stiffness);
  statics->tangent_is_known = true;
}

/* Of K with `shift` times its diagonal, or that at rest where it is larger. */
static tacStatus factor(void *self, double shift, tacError *error) {
  tacHyperStatics *statics = self;
  tacSparse *matrix = &statics->part.matrix;
  for (int j = 0, p = 0; j < matrix->cols; ++j)
    for (; p < matrix->column_start[j + 1]; ++p) {
      double value = statics->stiffness[statics->part.source[p]];
      matrix->value[p] = value + (matrix->row[p] == j ? shift * fmax(statics->diagonal[j], fabs(value)) : 0.0);
    }
  return tac_factor_update(statics->factor, matrix->value, error);
}

static tacStatus solve(void *self, const double *force, double *step, tacError *error) {
  const tacHyperStatics *statics = self;
  return tac_factor_solve(statics->factor, force, 1, step, error);
}

static int find_inverted(void *self, const double *x) {
  tacHyperStatics *statics = self;
  spread(statics, x);
  return tac_hyper_solid_inverted(statics->solid, statics->now) > 0 ? 0 : -1;
}

/* What rounding of positions may leave of the residual, N. */
static double rounding(void *self, const double *x) {
  tacHyperStatics *statics = self;
  const tacSparse *k = tac_hyper_solid_pattern(statics->solid);
  double sum = 0.0;
  spread(statics, x);
  for (int j = 0; j < k->cols; ++j)
    for (int p = k->column_start[j]; p < k->column_start[j + 1]; ++p) {
      double by = k->value[p] * statics->now[k->row[p]];
      sum += by * by;
    }
  return 4.0 * DBL_EPSILON * sqrt(sum);
}

static double get_reactions(void *self) {
  return ((const tacHyperStatics *)self)->reactions;
}

static void hold(void *self, double share, double *residual) {
  tacHyperStatics *statics = self;
  for (size_t i = 0; i < statics->size; ++i) {
    statics->move[i] = 0.0;
    if (statics->part.free_of[i] >= 0) continue;
    double begin = statics->begin[i], target = statics->target[i];
    double there = share == 1.0 ? target : begin + share * (target - begin);
    statics->move[i] = there - statics->now[i];
    statics->now[i] = there;
  }
  statics->tangent_is_known = statics->tangent_is_known && residual != NULL;
  if (residual == NULL) return;
  tacSparse k = *tac_hyper_solid_pattern(statics->solid);
  k.value = statics->stiffness;
  tac_sparse_multiply_blocks(&k, statics->move, statics->product);
  for (size_t i = 0; i < statics->size; ++i)
    if (statics->part.free_of[i] >= 0) residual[statics->part.free_of[i]] -= statics->product[i];
}

/* Of the vertices that are read: held ones only, or all. */
static tacStatus check_finite(const tacHyperStatics *statics, const double *x, bool held_only, const char *what,
                              tacError *error) {
  for (size_t i = 0; x != NULL && i < statics->size; ++i)
    if (!isfinite(x[i]) && (!held_only || statics->part.free_of[i] < 0))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the %s of vertex %zu is not finite", what, i / 3);
  return TAC_OK;
}

tacStatus tac_hyper_statics_solve(tacHyperStatics *statics, const double *target, const double *force, double *x,
                                  double *reaction, tacNewtonReport *report, tacError *error) {
  const tacNewtonProblem problem = {.self = statics,
                                    .energy = get_energy,
                                    .force = find_force,
                                    .tangent = find_tangent,
                                    .factor = factor,
                                    .solve = solve,
                                    .inverted = find_inverted,
                                    .rounding = rounding,
                                    .reactions = get_reactions,
                                    .hold = hold};
  tacNewtonReport made = {0};
  tacNewtonRules with = rules;
  with.all_iterations = statics->most_iterations;
  tacStatus status = check_finite(statics, x, false, "start", error);
  if (status == TAC_OK) status = check_finite(statics, target, true, "target", error);
  if (status == TAC_OK) status = check_finite(statics, force, false, "force", error);
  if (status == TAC_OK && statics->factor != NULL) {
    statics->target = target;
    memcpy(statics->begin, x, statics->size * sizeof *x);
    memcpy(statics->now, x, statics->size * sizeof *x);
    tac_free_lower_take(&statics->part, x, statics->x);
    memset(statics->load, 0, statics->free_size * sizeof *statics->load);
    if (force != NULL) tac_free_lower_take(&statics->part, force, statics->load);
    status = tac_newton_follow(statics->newton, &problem, &with, statics->load, statics->x, &made, error);
    spread(statics, statics->x);
    memcpy(x, statics->now, statics->size * sizeof *x);
  }
  if (status == TAC_OK && statics->factor == NULL) memcpy(x, target, statics->size * sizeof *x);
  if (status == TAC_OK && reaction != NULL) {
    tac_hyper_solid_evaluate(statics->solid, x, 0.0, reaction, NULL);
    for (size_t i = 0; i < statics->size; ++i)
      if (statics->part.free_of[i] >= 0) reaction[i] = 0.0;
  }
  if (report != NULL) *report = made;
  return status;
}
