#include "elastic/solids/finite_statics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "elastic/solids/free_newton.h"

/* Of an element, in operations of a factorisation that take as long. */
static const double tet_cost = 2e4, brick_cost = 1.5e5;

enum { MOST_ROUGH = 20 /* factorisations where a rough answer suffices: one that is found takes a dozen at most */ };

static const tacNewtonRules rules = {.tolerance = 1e-9, .iterations = 40, .relaxed = 6, .halvings = 24};

struct tacFiniteStatics {
  tacFreeNewton f; /* in displacements */
  tacFiniteStrain *strain;
  double elements_cost; /* see tac_finite_statics_step_cost */
  double share;         /* see tac_finite_statics_create_rough; 0: as small as the tolerance makes it */
  bool factored_rest;   /* the factor is that of K_ff(0) */
};

/* ---- making it ---- */

static tacStatus create(const tacSolid *solid, double share, tacFiniteStatics **statics, tacError *error) {
  *statics = NULL;
  TAC_FREED(tac_constraints_destroy, tacConstraints, constraints) = {0};
  TAC_OWN(tacFiniteStatics, made) = tac_array_create(1, sizeof *made, "a statics problem", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->share = share;
  made->elements_cost = tet_cost * solid->mesh->tet_count + brick_cost * solid->mesh->brick_count;
  TAC_TRY(share > 0.0 ? tac_finite_strain_create_rough(solid, &made->strain, error)
                      : tac_finite_strain_create(solid, &made->strain, error));
  TAC_TRY(tac_solid_constraints(solid, &constraints, error));
  TAC_TRY(tac_constraints_check(&constraints, solid->mesh, error));
  TAC_TRY(tac_free_newton_create(tac_finite_strain_pattern(made->strain), constraints.held, &made->f, error));
  *statics = tac_give(&made);
  return TAC_OK;
}

tacStatus tac_finite_statics_create(const tacSolid *solid, tacFiniteStatics **statics, tacError *error) {
  return create(solid, 0.0, statics, error);
}

tacStatus tac_finite_statics_create_rough(const tacSolid *solid, double share, tacFiniteStatics **statics,
                                          tacError *error) {
  return create(solid, share, statics, error);
}

tacStatus tac_finite_statics_copy(tacFiniteStatics *statics, tacFiniteStatics **copy, tacError *error) {
  *copy = NULL;
  TAC_OWN(tacFiniteStatics, made) = tac_array_create(1, sizeof *made, "a statics problem", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  *made = *statics;
  TAC_TRY(tac_free_newton_copy(&statics->f, true, &made->f, error));
  *copy = tac_give(&made);
  return TAC_OK;
}

void tac_finite_statics_destroy(tacFiniteStatics *statics) {
  if (statics == NULL) return;
  if (!statics->f.copy) tac_finite_strain_destroy(statics->strain);
  tac_free_newton_destroy(&statics->f);
  free(statics);
}

const tacFiniteStrain *tac_finite_statics_strain(const tacFiniteStatics *statics) {
  return statics->strain;
}

/* ---- the problem, in displacements of free vertices ---- */

static double get_energy(void *self, const double *x) {
  tacFiniteStatics *statics = self;
  tac_free_newton_spread(&statics->f, x);
  return tac_finite_strain_energy(statics->strain, statics->f.now);
}

static void find_force(void *self, const double *x, bool tangent_next, double *force) {
  (void)tangent_next;
  tacFiniteStatics *statics = self;
  tac_free_newton_spread(&statics->f, x);
  tac_finite_strain_force(statics->strain, statics->f.now, statics->f.inner);
  tac_free_lower_take(&statics->f.part, statics->f.inner, force);
}

static void find_tangent(void *self, const double *x) {
  tacFiniteStatics *statics = self;
  tac_free_newton_spread(&statics->f, x);
  tac_finite_strain_stiffness(statics->strain, statics->f.now, statics->f.stiffness);
}

static tacStatus factor(void *self, double shift, tacError *error) {
  tacFiniteStatics *statics = self;
  statics->factored_rest = false;
  return tac_free_newton_factor(&statics->f, shift, false, error);
}

static tacStatus solve(void *self, const double *force, double *step, tacError *error) {
  const tacFiniteStatics *statics = self;
  return tac_factor_solve(statics->f.factor, force, 1, step, error);
}

static int find_inverted(void *self, const double *x) {
  tacFiniteStatics *statics = self;
  tac_free_newton_spread(&statics->f, x);
  return tac_finite_strain_inverted(statics->strain, statics->f.now);
}

/* What rounding may leave of the residual at x, N: more than the tolerance where a body is some hundred times
 * longer than thick, whose elements turn and move far more than they strain. */
static double rounding(void *self, const double *x) {
  tacFiniteStatics *statics = self;
  const tacSparse *k = tac_finite_strain_pattern(statics->strain);
  double sum = 0.0;
  tac_free_newton_spread(&statics->f, x);
  for (int j = 0; j < k->cols; ++j) {
    double row = 0.0;
    for (int i = k->column_start[j]; i < k->column_start[j + 1]; ++i)
      row += fabs(k->value[i] * statics->f.now[k->row[i]]);
    if (statics->f.part.free_of[j] >= 0) sum += row * row;
  }
  return DBL_EPSILON * sqrt(sum);
}

tacStatus tac_finite_statics_solve(tacFiniteStatics *statics, const double *force, const tacProgress *progress,
                                   double *u, tacNewtonReport *report, tacError *error) {
  tacFreeNewton *f = &statics->f;
  const tacNewtonProblem problem = {.self = statics,
                                    .energy = get_energy,
                                    .force = find_force,
                                    .tangent = find_tangent,
                                    .factor = factor,
                                    .solve = solve,
                                    .inverted = find_inverted,
                                    .rounding = rounding};
  tacNewtonReport made = {0};
  tacNewtonRules with = rules;
  with.small = statics->share;
  with.factorisations = statics->share > 0.0 ? MOST_ROUGH : 0;
  with.progress = progress;
  if (report != NULL) *report = made;
  TAC_TRY(tac_free_newton_check(f, force, false, "force", error));
  TAC_TRY(tac_free_newton_check(f, u, false, "displacement", error));
  int inverted = tac_finite_strain_inverted(statics->strain, u);
  if (inverted >= 0)
    return tac_error_set(error, TAC_ERR_GEOMETRY, "the initial displacement inverts element %d", inverted);
  if (f->factor == NULL) return TAC_OK;
  memcpy(f->now, u, f->part.size * sizeof *u);
  tac_free_lower_take(&f->part, force, f->load);
  tac_free_lower_take(&f->part, u, f->x);
  tacStatus status = tac_newton_follow(f->newton, &problem, &with, f->load, f->x, &made, error);
  tac_free_newton_spread(f, f->x);
  memcpy(u, f->now, f->part.size * sizeof *u);
  if (report != NULL) *report = made;
  return status;
}

tacStatus tac_finite_statics_solve_linear(tacFiniteStatics *statics, const double *force, double *u, tacError *error) {
  tacFreeNewton *f = &statics->f;
  TAC_TRY(tac_free_newton_check(f, force, false, "force", error));
  if (f->factor != NULL) {
    if (!statics->factored_rest) TAC_TRY(tac_factor_update(f->factor, f->part.matrix.value, error));
    statics->factored_rest = true;
    tac_free_lower_take(&f->part, force, f->load);
    TAC_TRY(tac_factor_solve(f->factor, f->load, 1, f->x, error));
  }
  tac_free_lower_put(&f->part, f->x, u);
  return TAC_OK;
}

size_t tac_finite_statics_bytes(const tacFiniteStatics *statics) {
  const tacFreeNewton *f = &statics->f;
  size_t values = f->places + (size_t)tac_sparse_count(&f->part.matrix) + 2 * f->part.size + 3 * f->part.free_size;
  return values * sizeof(double) + tac_newton_bytes(f->newton) +
         (f->factor != NULL ? tac_factor_report(f->factor).bytes : 0);
}

double tac_finite_statics_step_cost(const tacFiniteStatics *statics) {
  return statics->elements_cost + (statics->f.factor != NULL ? tac_factor_report(statics->f.factor).flops : 0.0);
}
