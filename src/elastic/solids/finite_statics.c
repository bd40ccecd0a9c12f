#include "elastic/solids/finite_statics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/solids/free_block.h"
#include "math/sparse/factor.h"

/* Of an element, in operations of a factorisation that take as long. */
static const double tet_cost = 2e4, brick_cost = 1.5e5;

enum { MOST_ROUGH = 20 /* factorisations where a rough answer suffices: one that is found takes a dozen at most */ };

static const tacNewtonRules rules = {.tolerance = 1e-9, .iterations = 40, .relaxed = 6, .halvings = 24};

/* Vectors of all vertices have block.size numbers, those of free vertices block.free_size. */
struct tacFiniteStatics {
  tacArrays arrays; /* all below */
  bool copy;        /* strain and block belong to another */
  tacFiniteStrain *strain;
  double elements_cost; /* see tac_finite_statics_step_cost */
  double share;         /* see tac_finite_statics_create_rough; 0: as small as the tolerance makes it */
  tacFreeBlock block;   /* K_ff(0) */
  double *diagonal;     /* of K_ff(0) */
  tacFactor *factor;    /* of K_ff; NULL where every vertex is held */
  bool factored_rest;   /* it is that of K_ff(0) */
  tacNewton *newton;
  /* Work */
  double *stiffness, *free_stiffness; /* values of K(u) and of its block */
  double *now, *force;                /* all vertices */
  double *load, *x;                   /* free vertices */
};

/* ---- making it ---- */

static tacStatus create_arrays(tacFiniteStatics *statics, tacError *error) {
  size_t size = statics->block.size, free_size = statics->block.free_size;
  statics->stiffness = tac_arrays_add(
      &statics->arrays, (size_t)tac_sparse_count(tac_finite_strain_pattern(statics->strain)), sizeof(double));
  statics->free_stiffness =
      tac_arrays_add(&statics->arrays, (size_t)tac_sparse_count(&statics->block.matrix), sizeof(double));
  statics->now = tac_arrays_add(&statics->arrays, size, sizeof(double));
  statics->force = tac_arrays_add(&statics->arrays, size, sizeof(double));
  statics->diagonal = tac_arrays_add(&statics->arrays, free_size, sizeof(double));
  statics->load = tac_arrays_add(&statics->arrays, free_size, sizeof(double));
  statics->x = tac_arrays_add(&statics->arrays, free_size, sizeof(double));
  TAC_TRY(tac_arrays_status(&statics->arrays, "large deformations", error));
  tac_sparse_diagonal(&statics->block.matrix, statics->diagonal);
  return tac_newton_create(free_size, &statics->newton, error);
}

static tacStatus create(const tacSolid *solid, double share, tacFiniteStatics **statics, tacError *error) {
  *statics = NULL;
  tacFiniteStatics *made = tac_array_create(1, sizeof *made, "a statics problem", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->share = share;
  made->elements_cost = tet_cost * solid->mesh->tet_count + brick_cost * solid->mesh->brick_count;
  tacStatus status = share > 0.0 ? tac_finite_strain_create_rough(solid, &made->strain, error)
                                 : tac_finite_strain_create(solid, &made->strain, error);
  if (status == TAC_OK)
    status = tac_free_block_create(solid, tac_finite_strain_pattern(made->strain), &made->block, error);
  if (status == TAC_OK) status = tac_constraints_check(&made->block.constraints, solid->mesh, error);
  if (status == TAC_OK) status = create_arrays(made, error);
  if (status == TAC_OK && made->block.free_size > 0)
    status = tac_factor_create(&made->block.matrix, &made->factor, error);
  if (status != TAC_OK) {
    tac_finite_statics_destroy(made);
    return status;
  }
  *statics = made;
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
  tacFiniteStatics *made = tac_array_create(1, sizeof *made, "a statics problem", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->copy = true;
  made->strain = statics->strain;
  made->elements_cost = statics->elements_cost;
  made->share = statics->share;
  made->block = statics->block;
  made->factored_rest = statics->factored_rest;
  tacStatus status = create_arrays(made, error);
  if (status == TAC_OK && statics->factor != NULL)
    status = tac_factor_copy_whole(statics->factor, &made->factor, error);
  if (status != TAC_OK) {
    tac_finite_statics_destroy(made);
    return status;
  }
  *copy = made;
  return TAC_OK;
}

void tac_finite_statics_destroy(tacFiniteStatics *statics) {
  if (statics == NULL) return;
  if (!statics->copy) {
    tac_finite_strain_destroy(statics->strain);
    tac_free_block_destroy(&statics->block);
  }
  tac_factor_destroy(statics->factor);
  tac_newton_destroy(statics->newton);
  tac_arrays_free(&statics->arrays);
  free(statics);
}

const tacFiniteStrain *tac_finite_statics_strain(const tacFiniteStatics *statics) {
  return statics->strain;
}

/* ---- the problem, in displacements of free vertices ---- */

/* To those of all vertices, `now`; held ones keep theirs. */
static void spread(const tacFiniteStatics *statics, const double *x) {
  tac_constraints_put(&statics->block.constraints, TAC_SIDE_FREE, x, statics->now);
}

static double get_energy(void *self, const double *x) {
  tacFiniteStatics *statics = self;
  spread(statics, x);
  return tac_finite_strain_energy(statics->strain, statics->now);
}

static void find_force(void *self, const double *x, bool tangent_next, double *force) {
  (void)tangent_next;
  tacFiniteStatics *statics = self;
  spread(statics, x);
  tac_finite_strain_force(statics->strain, statics->now, statics->force);
  tac_constraints_take(&statics->block.constraints, TAC_SIDE_FREE, statics->force, force);
}

static void find_tangent(void *self, const double *x) {
  tacFiniteStatics *statics = self;
  spread(statics, x);
  tac_finite_strain_stiffness(statics->strain, statics->now, statics->stiffness);
}

/* Of K with `shift` times the diagonal of K(0). */
static tacStatus factor(void *self, double shift, tacError *error) {
  tacFiniteStatics *statics = self;
  const tacSparse *matrix = &statics->block.matrix;
  for (int j = 0, i = 0; j < matrix->cols; ++j)
    for (; i < matrix->column_start[j + 1]; ++i)
      statics->free_stiffness[i] =
          statics->stiffness[statics->block.source[i]] + (matrix->row[i] == j ? shift * statics->diagonal[j] : 0.0);
  statics->factored_rest = false;
  return tac_factor_update(statics->factor, statics->free_stiffness, error);
}

static tacStatus solve(void *self, const double *force, double *step, tacError *error) {
  const tacFiniteStatics *statics = self;
  return tac_factor_solve(statics->factor, force, 1, step, error);
}

static int find_inverted(void *self, const double *x) {
  tacFiniteStatics *statics = self;
  spread(statics, x);
  return tac_finite_strain_inverted(statics->strain, statics->now);
}

/* What rounding may leave of the residual at x, N: more than the tolerance where a body is some hundred times
 * longer than thick, whose elements turn and move far more than they strain. */
static double rounding(void *self, const double *x) {
  tacFiniteStatics *statics = self;
  const tacSparse *k = tac_finite_strain_pattern(statics->strain);
  double sum = 0.0;
  spread(statics, x);
  for (int j = 0; j < k->cols; ++j) {
    double row = 0.0;
    for (int i = k->column_start[j]; i < k->column_start[j + 1]; ++i)
      row += fabs(k->value[i] * statics->now[k->row[i]]);
    if (!statics->block.constraints.held[j / 3]) sum += row * row;
  }
  return DBL_EPSILON * sqrt(sum);
}

static tacStatus check_finite(const double *x, size_t count, const char *what, tacError *error) {
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(x[i]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the %s of vertex %zu is not finite", what, i / 3);
  return TAC_OK;
}

tacStatus tac_finite_statics_solve(tacFiniteStatics *statics, const double *force, const tacProgress *progress,
                                   double *u, tacNewtonReport *report, tacError *error) {
  const tacConstraints *constraints = &statics->block.constraints;
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
  tacStatus status = check_finite(force, statics->block.size, "force", error);
  if (status == TAC_OK) status = check_finite(u, statics->block.size, "displacement", error);
  int inverted = status == TAC_OK ? tac_finite_strain_inverted(statics->strain, u) : -1;
  if (inverted >= 0)
    status = tac_error_set(error, TAC_ERR_GEOMETRY, "the displacement to start from inverts element %d", inverted);
  if (status == TAC_OK && statics->factor != NULL) {
    memcpy(statics->now, u, statics->block.size * sizeof *u);
    tac_constraints_take(constraints, TAC_SIDE_FREE, force, statics->load);
    tac_constraints_take(constraints, TAC_SIDE_FREE, u, statics->x);
    status = tac_newton_follow(statics->newton, &problem, &with, statics->load, statics->x, &made, error);
    tac_constraints_put(constraints, TAC_SIDE_FREE, statics->x, u);
  }
  if (report != NULL) *report = made;
  return status;
}

tacStatus tac_finite_statics_solve_linear(tacFiniteStatics *statics, const double *force, double *u, tacError *error) {
  tacStatus status = check_finite(force, statics->block.size, "force", error);
  if (status == TAC_OK && statics->factor != NULL && !statics->factored_rest)
    status = tac_factor_update(statics->factor, statics->block.matrix.value, error);
  statics->factored_rest = status == TAC_OK;
  tac_constraints_take(&statics->block.constraints, TAC_SIDE_FREE, force, statics->load);
  if (status == TAC_OK && statics->factor != NULL)
    status = tac_factor_solve(statics->factor, statics->load, 1, statics->x, error);
  if (status != TAC_OK) return status;
  memset(u, 0, statics->block.size * sizeof *u);
  tac_constraints_put(&statics->block.constraints, TAC_SIDE_FREE, statics->x, u);
  return TAC_OK;
}

size_t tac_finite_statics_bytes(const tacFiniteStatics *statics) {
  size_t values = (size_t)tac_sparse_count(tac_finite_strain_pattern(statics->strain)) +
                  (size_t)tac_sparse_count(&statics->block.matrix) + 2 * statics->block.size +
                  3 * statics->block.free_size;
  return values * sizeof(double) + tac_newton_bytes(statics->newton) +
         (statics->factor != NULL ? tac_factor_report(statics->factor).bytes : 0);
}

double tac_finite_statics_step_cost(const tacFiniteStatics *statics) {
  return statics->elements_cost + (statics->factor != NULL ? tac_factor_report(statics->factor).flops : 0.0);
}
