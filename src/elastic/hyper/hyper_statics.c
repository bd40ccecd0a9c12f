#include "elastic/hyper/hyper_statics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "elastic/solids/free_newton.h"

static const tacNewtonRules rules = {
    .tolerance = 1e-9, .iterations = 200, .halvings = 30, .halved = 0.5, .through_inversion = true};

struct tacHyperStatics {
  tacFreeNewton f; /* in positions; held ones are where the load step has them */
  tacHyperSolid *solid;
  tacArrays arrays;
  int most_iterations;            /* of a solution; 0: no limit */
  bool tangent_is_known;          /* the stiffness is that at the last force */
  double reactions;               /* N: the norm of those in the last force */
  double *begin, *move, *product; /* all: positions at the start; motions of held ones; work */
  const double *target;           /* positions of held ones in the end */
};

/* ---- making it ---- */

static tacStatus create_arrays(tacHyperStatics *statics, tacError *error) {
  size_t size = statics->f.part.size;
  statics->begin = tac_arrays_add(&statics->arrays, size, sizeof(double));
  statics->move = tac_arrays_add(&statics->arrays, size, sizeof(double));
  statics->product = tac_arrays_add(&statics->arrays, size, sizeof(double));
  return tac_arrays_status(&statics->arrays, "statics", error);
}

tacStatus tac_hyper_statics_create(tacHyperSolid *solid, const bool *held, tacHyperStatics **statics, tacError *error) {
  *statics = NULL;
  TAC_OWN(tacHyperStatics, made) = tac_array_create(1, sizeof *made, "statics", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->solid = solid;
  TAC_TRY(tac_free_newton_create(tac_hyper_solid_pattern(solid), held, &made->f, error));
  TAC_TRY(create_arrays(made, error));
  *statics = tac_give(&made);
  return TAC_OK;
}

tacStatus tac_hyper_statics_copy(tacHyperStatics *statics, tacHyperStatics **copy, tacError *error) {
  *copy = NULL;
  TAC_OWN(tacHyperStatics, made) = tac_array_create(1, sizeof *made, "statics", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->solid = statics->solid;
  made->most_iterations = statics->most_iterations;
  TAC_TRY(tac_free_newton_copy(&statics->f, false, &made->f, error));
  TAC_TRY(create_arrays(made, error));
  *copy = tac_give(&made);
  return TAC_OK;
}

void tac_hyper_statics_limit(tacHyperStatics *statics, int iterations) {
  statics->most_iterations = iterations;
}

void tac_hyper_statics_destroy(tacHyperStatics *statics) {
  if (statics == NULL) return;
  tac_free_newton_destroy(&statics->f);
  tac_arrays_free(&statics->arrays);
  free(statics);
}

/* ---- the problem, in positions of free vertices ---- */

static double get_energy(void *self, const double *x) {
  tacHyperStatics *statics = self;
  tac_free_newton_spread(&statics->f, x);
  return tac_hyper_solid_energy(statics->solid, statics->f.now);
}

/* Both come from one pass over the elements: K too where it is asked for next. */
static void find_force(void *self, const double *x, bool tangent_next, double *force) {
  tacHyperStatics *statics = self;
  tac_free_newton_spread(&statics->f, x);
  tac_hyper_solid_evaluate(statics->solid, statics->f.now, 0.0, statics->f.inner,
                           tangent_next ? statics->f.stiffness : NULL);
  statics->tangent_is_known = tangent_next;
  double sum = 0.0;
  for (size_t i = 0; i < statics->f.part.size; ++i)
    if (statics->f.part.free_of[i] >= 0)
      force[statics->f.part.free_of[i]] = statics->f.inner[i];
    else
      sum += statics->f.inner[i] * statics->f.inner[i];
  statics->reactions = sqrt(sum);
}

static void find_tangent(void *self, const double *x) {
  tacHyperStatics *statics = self;
  if (statics->tangent_is_known) return;
  tac_free_newton_spread(&statics->f, x);
  tac_hyper_solid_evaluate(statics->solid, statics->f.now, 0.0, statics->f.inner, statics->f.stiffness);
  statics->tangent_is_known = true;
}

static tacStatus factor(void *self, double shift, tacError *error) {
  return tac_free_newton_factor(&((tacHyperStatics *)self)->f, shift, true, error);
}

static tacStatus solve(void *self, const double *force, double *step, tacError *error) {
  return tac_factor_solve(((const tacHyperStatics *)self)->f.factor, force, 1, step, error);
}

static int find_inverted(void *self, const double *x) {
  tacHyperStatics *statics = self;
  tac_free_newton_spread(&statics->f, x);
  return tac_hyper_solid_inverted(statics->solid, statics->f.now) > 0 ? 0 : -1;
}

/* What rounding of positions may leave of the residual, N. */
static double rounding(void *self, const double *x) {
  tacHyperStatics *statics = self;
  const tacSparse *k = tac_hyper_solid_pattern(statics->solid);
  double sum = 0.0;
  tac_free_newton_spread(&statics->f, x);
  for (int j = 0; j < k->cols; ++j)
    for (int p = k->column_start[j]; p < k->column_start[j + 1]; ++p) {
      double by = k->value[p] * statics->f.now[k->row[p]];
      sum += by * by;
    }
  return 4.0 * DBL_EPSILON * sqrt(sum);
}

static double get_reactions(void *self) {
  return ((const tacHyperStatics *)self)->reactions;
}

static void hold(void *self, double share, double *residual) {
  tacHyperStatics *statics = self;
  for (size_t i = 0; i < statics->f.part.size; ++i) {
    statics->move[i] = 0.0;
    if (statics->f.part.free_of[i] >= 0) continue;
    double begin = statics->begin[i], target = statics->target[i];
    double there = share == 1.0 ? target : begin + share * (target - begin);
    statics->move[i] = there - statics->f.now[i];
    statics->f.now[i] = there;
  }
  statics->tangent_is_known = statics->tangent_is_known && residual != NULL;
  if (residual == NULL) return;
  tacSparse k = *tac_hyper_solid_pattern(statics->solid);
  k.value = statics->f.stiffness;
  tac_sparse_multiply_blocks(&k, statics->move, statics->product);
  for (size_t i = 0; i < statics->f.part.size; ++i)
    if (statics->f.part.free_of[i] >= 0) residual[statics->f.part.free_of[i]] -= statics->product[i];
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
  tacFreeNewton *f = &statics->f;
  size_t size = f->part.size;
  tacNewtonReport made = {0};
  tacNewtonRules with = rules;
  with.all_iterations = statics->most_iterations;
  if (report != NULL) *report = made;
  TAC_TRY(tac_free_newton_check(f, x, false, "start", error));
  TAC_TRY(tac_free_newton_check(f, target, true, "target", error));
  TAC_TRY(tac_free_newton_check(f, force, false, "force", error));
  tacStatus status = TAC_OK;
  if (f->factor != NULL) {
    statics->target = target;
    memcpy(statics->begin, x, size * sizeof *x);
    memcpy(f->now, x, size * sizeof *x);
    tac_free_lower_take(&f->part, x, f->x);
    memset(f->load, 0, f->part.free_size * sizeof *f->load);
    if (force != NULL) tac_free_lower_take(&f->part, force, f->load);
    status = tac_newton_follow(f->newton, &problem, &with, f->load, f->x, &made, error);
    tac_free_newton_spread(f, f->x);
    memcpy(x, f->now, size * sizeof *x);
  } else {
    memcpy(x, target, size * sizeof *x);
  }
  if (status == TAC_OK && reaction != NULL) {
    tac_hyper_solid_evaluate(statics->solid, x, 0.0, reaction, NULL);
    for (size_t i = 0; i < size; ++i)
      if (f->part.free_of[i] >= 0) reaction[i] = 0.0;
  }
  if (report != NULL) *report = made;
  return status;
}
