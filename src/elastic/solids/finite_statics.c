#include "elastic/solids/finite_statics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/solids/free_block.h"
#include "math/sparse/factor.h"

#define TOLERANCE 1e-9          /* of the residual, relative to the load */
#define LEAST_LOAD (1.0 / 1024) /* the smallest share of the load that is tried as a step */

/* Of an element, in operations of a factorisation that take as long. */
static const double tet_cost = 2e4, brick_cost = 1.5e5;

enum {
  MOST_ITERATIONS = 40, /* of a load step */
  /* Newton steps that may raise the energy before it is below that of the best state again. A slender body needs them:
   * a straight step along its bending stretches it, and only the next step takes that back. */
  MOST_RELAXED = 6,
  MOST_HALVINGS = 24, /* of a step along the line search */
  MOST_ROUGH = 20     /* factorisations where a rough answer suffices: one that is found takes a dozen at most */
};

/* Vectors of all vertices have block.size numbers, those of free vertices block.free_size. */
struct tacFiniteStatics {
  bool copy; /* strain and block belong to another */
  tacFiniteStrain *strain;
  double elements_cost; /* see tac_finite_statics_step_cost */
  double share;         /* see tac_finite_statics_create_rough; 0: as small as TOLERANCE makes it */
  tacFreeBlock block;   /* K_ff(0) */
  double *diagonal;     /* of K_ff(0) */
  tacFactor *factor;    /* of K_ff; NULL where every vertex is held */
  bool factored_rest;   /* it is that of K_ff(0) */
  /* Work */
  double *stiffness, *free_stiffness;                             /* values of K(u) and of its block */
  double *now, *best, *force;                                     /* all vertices */
  double *start, *end, *target, *residual, *newton, *best_newton; /* free vertices; residual = target - R */
};

static double norm(const double *x, size_t count) {
  double sum = 0.0;
  for (size_t i = 0; i < count; ++i) sum += x[i] * x[i];
  return sqrt(sum);
}

static double dot(const double *x, const double *y, size_t count) {
  double sum = 0.0;
  for (size_t i = 0; i < count; ++i) sum += x[i] * y[i];
  return sum;
}

/* ---- making it ---- */

static tacStatus create_arrays(tacFiniteStatics *statics, tacError *error) {
  size_t size = statics->block.size, free_size = statics->block.free_size;
  struct {
    double **array;
    size_t count;
  } arrays[] = {{&statics->stiffness, (size_t)tac_sparse_count(tac_finite_strain_pattern(statics->strain))},
                {&statics->free_stiffness, (size_t)tac_sparse_count(&statics->block.matrix)},
                {&statics->now, size},
                {&statics->best, size},
                {&statics->force, size},
                {&statics->diagonal, free_size},
                {&statics->start, free_size},
                {&statics->end, free_size},
                {&statics->target, free_size},
                {&statics->residual, free_size},
                {&statics->newton, free_size},
                {&statics->best_newton, free_size}};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
    *arrays[i].array = tac_array_create(arrays[i].count, sizeof(double), "large deformations", error);
    if (*arrays[i].array == NULL) return TAC_ERR_MEMORY;
  }
  tac_sparse_diagonal(&statics->block.matrix, statics->diagonal);
  return TAC_OK;
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
  free(statics->diagonal);
  free(statics->stiffness);
  free(statics->free_stiffness);
  free(statics->now);
  free(statics->best);
  free(statics->force);
  free(statics->start);
  free(statics->end);
  free(statics->target);
  free(statics->residual);
  free(statics->newton);
  free(statics->best_newton);
  free(statics);
}

const tacFiniteStrain *tac_finite_statics_strain(const tacFiniteStatics *statics) {
  return statics->strain;
}

/* ---- Newton's method ---- */

typedef struct Solve {
  tacFiniteStatics *statics;
  double tolerance; /* N */
  const tacProgress *progress;
  double shift;  /* of the last factorisation */
  int inverted;  /* an element that is inverted at `now`; -1: none */
  int collapsed; /* the last that stopped an attempt since the last equilibrium; -1: none */
  tacFiniteStaticsReport report;
} Solve;

/* Energy of the body and its load at `now`, without what held vertices contribute. */
static double potential(const tacFiniteStatics *statics) {
  double work = 0.0;
  for (int i = 0; i < statics->block.constraints.count[TAC_SIDE_FREE]; ++i)
    work += dot(statics->target + 3 * (size_t)i,
                statics->now + 3 * (size_t)statics->block.constraints.vertices[TAC_SIDE_FREE][i], 3);
  return tac_finite_strain_energy(statics->strain, statics->now) - work;
}

/* Returns |target - R(now)|. */
static double find_residual(tacFiniteStatics *statics) {
  tac_finite_strain_force(statics->strain, statics->now, statics->force);
  tac_constraints_take(&statics->block.constraints, TAC_SIDE_FREE, statics->force, statics->residual);
  for (size_t i = 0; i < statics->block.free_size; ++i)
    statics->residual[i] = statics->target[i] - statics->residual[i];
  return norm(statics->residual, statics->block.free_size);
}

/* now = from + share step */
static void move(tacFiniteStatics *statics, const double *from, double share, const double *step) {
  if (statics->now != from) memcpy(statics->now, from, statics->block.size * sizeof *from);
  for (int i = 0; i < statics->block.constraints.count[TAC_SIDE_FREE]; ++i) {
    double *at = statics->now + 3 * (size_t)statics->block.constraints.vertices[TAC_SIDE_FREE][i];
    for (int axis = 0; axis < 3; ++axis) at[axis] += share * step[3 * (size_t)i + (size_t)axis];
  }
}

/* newton = K^-1 residual at `now`, with as much of the diagonal of K(0) added to K as makes it positive definite. */
static tacStatus find_newton(Solve *solve, tacError *error) {
  tacFiniteStatics *statics = solve->statics;
  tac_finite_strain_stiffness(statics->strain, statics->now, statics->stiffness);
  tacStatus status = TAC_ERR_SINGULAR;
  double shift = solve->shift > 1e-3 ? solve->shift / 16.0 : 0.0;
  for (; status == TAC_ERR_SINGULAR && shift < 1e4; shift = fmax(8.0 * shift, 1e-4)) {
    const tacProgress *progress = solve->progress; /* asked before each factorisation, which may take seconds */
    if (progress != NULL && progress->report != NULL &&
        !progress->report("large deformation", solve->report.carried, progress->user))
      return tac_error_set(error, TAC_ERR_CANCELLED, "large deformation: cancelled");
    if (statics->share > 0.0 && solve->report.factorisations >= MOST_ROUGH)
      return tac_error_set(error, TAC_ERR_NO_CONVERGENCE, "no equilibrium was found in %d factorisations", MOST_ROUGH);
    solve->shift = shift;
    for (int j = 0, i = 0; j < statics->block.matrix.cols; ++j)
      for (; i < statics->block.matrix.column_start[j + 1]; ++i)
        statics->free_stiffness[i] = statics->stiffness[statics->block.source[i]] +
                                     (statics->block.matrix.row[i] == j ? shift * statics->diagonal[j] : 0.0);
    ++solve->report.factorisations;
    statics->factored_rest = false;
    status = tac_factor_update(statics->factor, statics->free_stiffness, error);
  }
  if (status == TAC_OK) status = tac_factor_solve(statics->factor, statics->residual, 1, statics->newton, error);
  return status;
}

/* From `best` along its Newton step to a state of less energy without inverted elements; false where there is none.
 * slope: of the potential along the step, J. */
static bool search_line(Solve *solve, double best_potential, double slope) {
  tacFiniteStatics *statics = solve->statics;
  double share = 1.0;
  for (int halving = 0; halving < MOST_HALVINGS; ++halving, share *= 0.5) {
    move(statics, statics->best, share, statics->best_newton);
    solve->inverted = tac_finite_strain_inverted(statics->strain, statics->now);
    if (solve->inverted < 0 && potential(statics) <= best_potential + 1e-4 * share * slope) return true;
  }
  return false;
}

/* What rounding may leave of the residual at `now`, N: more than the tolerance where a body is some hundred times
 * longer than thick, whose elements turn and move far more than they strain. */
static double rounding(const tacFiniteStatics *statics) {
  const tacSparse *k = tac_finite_strain_pattern(statics->strain);
  double sum = 0.0;
  for (int j = 0; j < k->cols; ++j) {
    double row = 0.0;
    for (int i = k->column_start[j]; i < k->column_start[j + 1]; ++i)
      row += fabs(k->value[i] * statics->now[k->row[i]]);
    if (!statics->block.constraints.held[j / 3]) sum += row * row;
  }
  return DBL_EPSILON * sqrt(sum);
}

/* Looks for the equilibrium under `target`, from `now` to `now`. Newton's method with a watchdog (Chamberlain, Powell,
 * Lemarechal and Pedersen 1982): full steps are taken even where they raise the potential, but after MOST_RELAXED of
 * them, or where one inverts an element, it goes back to the best state and down the line search. */
static tacStatus find_equilibrium(Solve *solve, bool *found, tacError *error) {
  tacFiniteStatics *statics = solve->statics;
  double best_potential = 0.0, slope = 0.0, left = find_residual(statics), last = INFINITY;
  int relaxed = 0; /* steps since the best state */
  solve->inverted = -1;
  *found = left <= solve->tolerance;
  for (int i = 0; i < MOST_ITERATIONS && !*found; ++i) {
    ++solve->report.iterations;
    tacStatus status = find_newton(solve, error);
    if (status != TAC_OK && status != TAC_ERR_SINGULAR) return status;
    if (status == TAC_ERR_SINGULAR) break;
    if (relaxed == 0) {
      memcpy(statics->best, statics->now, statics->block.size * sizeof *statics->best);
      memcpy(statics->best_newton, statics->newton, statics->block.free_size * sizeof *statics->newton);
      best_potential = potential(statics);
      slope = -dot(statics->residual, statics->newton, statics->block.free_size);
    }
    move(statics, statics->now, 1.0, statics->newton);
    bool small = solve->shift == 0.0 && norm(statics->newton, statics->block.free_size) <=
                                            statics->share * norm(statics->now, statics->block.size);
    solve->inverted = tac_finite_strain_inverted(statics->strain, statics->now);
    last = left;
    left = find_residual(statics);
    if (solve->inverted >= 0 || (++relaxed > MOST_RELAXED && !(left <= solve->tolerance))) {
      bool lower = search_line(solve, best_potential, slope);
      left = find_residual(statics);
      relaxed = 0;
      small = false;
      if (!lower) break;
    } else if (potential(statics) <= best_potential + 1e-4 * slope) {
      relaxed = 0;
    }
    *found = solve->inverted < 0 && (small || left <= solve->tolerance || fmax(left, last) <= rounding(statics));
  }
  solve->report.residual = left;
  return TAC_OK;
}

static tacStatus check_finite(const double *x, size_t count, const char *what, tacError *error) {
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(x[i]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the %s of vertex %zu is not finite", what, i / 3);
  return TAC_OK;
}

/* The start is the equilibrium under R(u): the load goes from there to `force`, in one step where that succeeds. */
static tacStatus follow_load(Solve *solve, const double *force, double *u, tacError *error) {
  tacFiniteStatics *statics = solve->statics;
  tac_finite_strain_force(statics->strain, u, statics->force);
  tac_constraints_take(&statics->block.constraints, TAC_SIDE_FREE, statics->force, statics->start);
  tac_constraints_take(&statics->block.constraints, TAC_SIDE_FREE, force, statics->end);
  double load = norm(statics->end, statics->block.free_size);
  if (load == 0.0) load = norm(statics->start, statics->block.free_size);
  solve->tolerance = TOLERANCE * load;
  tacStatus status = TAC_OK;
  for (double share = 1.0; status == TAC_OK && solve->report.carried < 1.0;) {
    double next = fmin(solve->report.carried + share, 1.0);
    bool found = false;
    for (size_t i = 0; i < statics->block.free_size; ++i)
      statics->target[i] =
          next == 1.0 ? statics->end[i] : statics->start[i] + next * (statics->end[i] - statics->start[i]);
    memcpy(statics->now, u, statics->block.size * sizeof *u);
    status = find_equilibrium(solve, &found, error);
    if (status == TAC_OK && found) {
      memcpy(u, statics->now, statics->block.size * sizeof *u);
      ++solve->report.load_steps;
      solve->report.carried = next;
      solve->collapsed = -1;
      share *= 2.0;
      continue;
    }
    if (solve->inverted >= 0) solve->collapsed = solve->inverted;
    if (status == TAC_OK && (share *= 0.5) < LEAST_LOAD) {
      if (solve->collapsed >= 0)
        status = tac_error_set(error, TAC_ERR_GEOMETRY,
                               "the load inverts element %d: %.3g %% of it was carried; make it weaker, or spread it",
                               solve->collapsed, 100.0 * solve->report.carried);
      else
        status =
            tac_error_set(error, TAC_ERR_NO_CONVERGENCE,
                          "no equilibrium was found beyond %.3g %% of the load, where %.3g of it remain unbalanced: "
                          "make it weaker",
                          100.0 * solve->report.carried, solve->report.residual / load);
    }
  }
  if (load > 0.0) solve->report.residual /= load;
  return status;
}

tacStatus tac_finite_statics_solve(tacFiniteStatics *statics, const double *force, const tacProgress *progress,
                                   double *u, tacFiniteStaticsReport *report, tacError *error) {
  Solve solve = {.statics = statics, .progress = progress, .inverted = -1, .collapsed = -1};
  tacStatus status = check_finite(force, statics->block.size, "force", error);
  if (status == TAC_OK) status = check_finite(u, statics->block.size, "displacement", error);
  int inverted = status == TAC_OK ? tac_finite_strain_inverted(statics->strain, u) : -1;
  if (inverted >= 0)
    status = tac_error_set(error, TAC_ERR_GEOMETRY, "the displacement to start from inverts element %d", inverted);
  if (status == TAC_OK && statics->factor != NULL) status = follow_load(&solve, force, u, error);
  if (report != NULL) *report = solve.report;
  return status;
}

tacStatus tac_finite_statics_solve_linear(tacFiniteStatics *statics, const double *force, double *u, tacError *error) {
  tacStatus status = check_finite(force, statics->block.size, "force", error);
  if (status == TAC_OK && statics->factor != NULL && !statics->factored_rest)
    status = tac_factor_update(statics->factor, statics->block.matrix.value, error);
  statics->factored_rest = status == TAC_OK;
  tac_constraints_take(&statics->block.constraints, TAC_SIDE_FREE, force, statics->residual);
  if (status == TAC_OK && statics->factor != NULL)
    status = tac_factor_solve(statics->factor, statics->residual, 1, statics->newton, error);
  if (status != TAC_OK) return status;
  memset(statics->now, 0, statics->block.size * sizeof *statics->now);
  move(statics, statics->now, 1.0, statics->newton);
  memcpy(u, statics->now, statics->block.size * sizeof *u);
  return TAC_OK;
}

size_t tac_finite_statics_bytes(const tacFiniteStatics *statics) {
  size_t values = (size_t)tac_sparse_count(tac_finite_strain_pattern(statics->strain)) +
                  (size_t)tac_sparse_count(&statics->block.matrix) + 3 * statics->block.size +
                  7 * statics->block.free_size;
  return values * sizeof(double) + (statics->factor != NULL ? tac_factor_report(statics->factor).bytes : 0);
}

double tac_finite_statics_step_cost(const tacFiniteStatics *statics) {
  return statics->elements_cost + (statics->factor != NULL ? tac_factor_report(statics->factor).flops : 0.0);
}
