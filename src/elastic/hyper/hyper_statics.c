#include "elastic/hyper/hyper_statics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/free_lower.h"
#include "math/sparse/factor.h"

enum { MOST_ITERATIONS = 200, MOST_HALVINGS = 30 };
static const double TOLERANCE = 1e-9, LEAST_STEP = 1.0 / 1024.0;

struct tacHyperStatics {
  tacHyperSolid *solid;
  tacFreeLower part; /* of the solid's stiffness */
  bool copy;         /* the arrays of `part` belong to another, but for the values of its matrix */
  size_t size, free_size;
  int most_iterations;                /* of a solution; 0: no limit */
  tacFactor *factor;                  /* NULL: nothing is free */
  double *diagonal;                   /* of K at rest, free */
  double *stiffness;                  /* on the solid's places */
  double *now, *trial, *move, *begin; /* positions; begin: at the start; move: of held ones, in a load step */
  double *inner, *start, *load;       /* forces: R(now); R at the start; that of this load step */
  double *product;
  double *residual, *newton; /* free */
};

/* ---- making it ---- */

static tacStatus create_arrays(tacHyperStatics *statics, tacError *error) {
  struct {
    double **array;
    size_t count;
  } arrays[] = {{&statics->diagonal, statics->free_size},
                {&statics->residual, statics->free_size},
                {&statics->newton, statics->free_size},
                {&statics->now, statics->size},
                {&statics->trial, statics->size},
                {&statics->move, statics->size},
                {&statics->begin, statics->size},
                {&statics->inner, statics->size},
                {&statics->start, statics->size},
                {&statics->load, statics->size},
                {&statics->product, statics->size},
                {&statics->stiffness, (size_t)tac_sparse_count(tac_hyper_solid_pattern(statics->solid))}};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
    *arrays[i].array = tac_array_create(arrays[i].count, sizeof(double), "statics", error);
    if (*arrays[i].array == NULL) return TAC_ERR_MEMORY;
  }
  tac_sparse_diagonal(&statics->part.matrix, statics->diagonal);
  return TAC_OK;
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
  free(statics->diagonal);
  free(statics->stiffness);
  free(statics->now);
  free(statics->trial);
  free(statics->move);
  free(statics->begin);
  free(statics->inner);
  free(statics->start);
  free(statics->load);
  free(statics->product);
  free(statics->residual);
  free(statics->newton);
  free(statics);
}

/* ---- Newton's method ---- */

typedef struct Solve {
  tacHyperStatics *statics;
  double shift; /* of the last factorisation */
  tacHyperStaticsReport report;
} Solve;

/* Energy of the body and its load, J. */
static double potential(const tacHyperStatics *statics, const double *x) {
  double work = 0.0;
  for (size_t i = 0; i < statics->size; ++i)
    if (statics->part.free_of[i] >= 0) work += statics->load[i] * x[i];
  return tac_hyper_solid_energy(statics->solid, x) - work;
}

/* residual = load - R(x) of free coordinates; returns its norm, and that of the forces in play by *scale. */
static double find_residual(tacHyperStatics *statics, const double *x, bool with_stiffness, double *scale) {
  tac_hyper_solid_evaluate(statics->solid, x, 0.0, statics->inner, with_stiffness ? statics->stiffness : NULL);
  double sum = 0.0, all = 0.0;
  for (size_t i = 0; i < statics->size; ++i) {
    if (statics->part.free_of[i] < 0) {
      all += statics->inner[i] * statics->inner[i];
      continue;
    }
    double left = statics->load[i] - statics->inner[i];
    statics->residual[statics->part.free_of[i]] = left;
    sum += left * left;
    all += statics->load[i] * statics->load[i];
  }
  *scale = sqrt(all);
  return sqrt(sum);
}

/* What rounding of positions may leave of the residual, N. */
static double rounding(const tacHyperStatics *statics) {
  const tacSparse *k = tac_hyper_solid_pattern(statics->solid);
  double sum = 0.0;
  for (int j = 0; j < k->cols; ++j)
    for (int p = k->column_start[j]; p < k->column_start[j + 1]; ++p) {
      double by = k->value[p] * statics->now[k->row[p]];
      sum += by * by;
    }
  return 4.0 * DBL_EPSILON * sqrt(sum);
}

/* newton = K^-1 residual, with as much of the diagonal, or of that at rest where it is larger, as makes K positive
 * definite. */
static tacStatus find_newton(Solve *solve, tacError *error) {
  tacHyperStatics *statics = solve->statics;
  tacSparse *matrix = &statics->part.matrix;
  tacStatus status = TAC_ERR_SINGULAR;
  double shift = solve->shift > 1e-3 ? solve->shift / 16.0 : 0.0;
  for (; status == TAC_ERR_SINGULAR && shift < 1e6; shift = fmax(8.0 * shift, 1e-4)) {
    solve->shift = shift;
    for (int j = 0, p = 0; j < matrix->cols; ++j)
      for (; p < matrix->column_start[j + 1]; ++p) {
        double value = statics->stiffness[statics->part.source[p]];
        matrix->value[p] = value + (matrix->row[p] == j ? shift * fmax(statics->diagonal[j], fabs(value)) : 0.0);
      }
    ++solve->report.factorisations;
    status = tac_factor_update(statics->factor, matrix->value, error);
  }
  return status == TAC_OK ? tac_factor_solve(statics->factor, statics->residual, 1, statics->newton, error) : status;
}

/* trial = now + share newton */
static void step(const tacHyperStatics *statics, double share) {
  for (size_t i = 0; i < statics->size; ++i)
    statics->trial[i] =
        statics->now[i] + (statics->part.free_of[i] >= 0 ? share * statics->newton[statics->part.free_of[i]] : 0.0);
}

/* Moves held coordinates by `move`, and others by what K says that follows, K_ff d = load - R - K_fh move, where the
 * energy is then less than without. */
static tacStatus predict(Solve *solve, const double *move, tacError *error) {
  tacHyperStatics *statics = solve->statics;
  double scale;
  find_residual(statics, statics->now, true, &scale);
  tacSparse k = *tac_hyper_solid_pattern(statics->solid);
  k.value = statics->stiffness;
  tac_sparse_multiply_blocks(&k, move, statics->product);
  for (size_t i = 0; i < statics->size; ++i)
    if (statics->part.free_of[i] >= 0) statics->residual[statics->part.free_of[i]] -= statics->product[i];
  tacStatus status = find_newton(solve, error);
  if (status != TAC_OK && status != TAC_ERR_SINGULAR) return status;
  if (status == TAC_OK) step(statics, 1.0);
  for (size_t i = 0; i < statics->size; ++i) {
    statics->now[i] += move[i];
    statics->trial[i] += move[i];
  }
  if (status == TAC_OK && potential(statics, statics->trial) < potential(statics, statics->now))
    memcpy(statics->now, statics->trial, statics->size * sizeof *statics->now);
  return TAC_OK;
}

/* trial: from `now` along the Newton step to less energy. A full step that halves the residual will do too: close to
 * the equilibrium differences of the energy are rounding. False where there is none. */
static bool search_line(tacHyperStatics *statics, double left, double before, double *after) {
  double slope = 0.0, share = 1.0, scale;
  for (size_t i = 0; i < statics->free_size; ++i) slope -= statics->residual[i] * statics->newton[i];
  for (int halving = 0; halving < MOST_HALVINGS; ++halving, share *= 0.5) {
    step(statics, share);
    *after = potential(statics, statics->trial);
    if (*after <= before + 1e-4 * share * slope && *after < before) return true;
    if (halving == 0 && find_residual(statics, statics->trial, false, &scale) <= 0.5 * left) return true;
  }
  return false;
}

static bool is_exhausted(const Solve *solve) {
  return solve->statics->most_iterations > 0 && solve->report.iterations >= solve->statics->most_iterations;
}

/* From `now` to the equilibrium under `load`. */
static tacStatus find_equilibrium(Solve *solve, bool *found, tacError *error) {
  tacHyperStatics *statics = solve->statics;
  double before = potential(statics, statics->now), after = before;
  *found = false;
  for (int n = 0; n < MOST_ITERATIONS; ++n) {
    double scale, left = find_residual(statics, statics->now, true, &scale), least = rounding(statics);
    bool small = left <= fmax(TOLERANCE * scale, least);
    solve->report.residual = left;
    if (!small) {
      if (is_exhausted(solve)) return TAC_OK;
      ++solve->report.iterations;
      tacStatus status = find_newton(solve, error);
      if (status == TAC_ERR_SINGULAR) return TAC_OK;
      if (status != TAC_OK) return status;
      small = !search_line(statics, left, before, &after);
      if (small && left > 1e3 * least) return TAC_OK; /* stuck */
    }
    if (small) {
      *found = tac_hyper_solid_inverted(statics->solid, statics->now) == 0;
      return TAC_OK;
    }
    memcpy(statics->now, statics->trial, statics->size * sizeof *statics->now);
    before = after;
  }
  return TAC_OK;
}

/* Of the vertices that are read: held ones only, or all. */
static tacStatus check_finite(const tacHyperStatics *statics, const double *x, bool held_only, const char *what,
                              tacError *error) {
  for (size_t i = 0; x != NULL && i < statics->size; ++i)
    if (!isfinite(x[i]) && (!held_only || statics->part.free_of[i] < 0))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the %s of vertex %zu is not finite", what, i / 3);
  return TAC_OK;
}

/* The load goes from what the start is in equilibrium with to the one asked for, in one step where that succeeds. */
static tacStatus follow(Solve *solve, const double *target, const double *force, double *x, tacError *error) {
  tacHyperStatics *statics = solve->statics;
  size_t size = statics->size;
  tac_hyper_solid_evaluate(statics->solid, x, 0.0, statics->start, NULL);
  memcpy(statics->begin, x, size * sizeof *x);
  tacStatus status = TAC_OK;
  for (double share = 1.0; status == TAC_OK && solve->report.carried < 1.0;) {
    double next = fmin(solve->report.carried + share, 1.0);
    bool found = false;
    double *move = statics->move;
    for (size_t i = 0; i < size; ++i) {
      double end = force != NULL ? force[i] : 0.0;
      statics->load[i] = next == 1.0 ? end : statics->start[i] + next * (end - statics->start[i]);
      double there = next == 1.0 ? target[i] : statics->begin[i] + next * (target[i] - statics->begin[i]);
      move[i] = statics->part.free_of[i] < 0 ? there - x[i] : 0.0;
    }
    memcpy(statics->now, x, size * sizeof *x);
    status = predict(solve, move, error);
    if (status == TAC_OK) status = find_equilibrium(solve, &found, error);
    if (status == TAC_OK && found) {
      memcpy(x, statics->now, size * sizeof *x);
      ++solve->report.load_steps;
      solve->report.carried = next;
      share *= 2.0;
    } else if (status == TAC_OK && ((share *= 0.5) < LEAST_STEP || is_exhausted(solve))) {
      status =
          tac_error_set(error, TAC_ERR_NO_CONVERGENCE,
                        "no equilibrium was found beyond %.3g %% of the load, where %.3g N remain unbalanced: make "
                        "it weaker",
                        100.0 * solve->report.carried, solve->report.residual);
    }
  }
  return status;
}

tacStatus tac_hyper_statics_solve(tacHyperStatics *statics, const double *target, const double *force, double *x,
                                  double *reaction, tacHyperStaticsReport *report, tacError *error) {
  Solve solve = {.statics = statics};
  tacStatus status = check_finite(statics, x, false, "start", error);
  if (status == TAC_OK) status = check_finite(statics, target, true, "target", error);
  if (status == TAC_OK) status = check_finite(statics, force, false, "force", error);
  if (status == TAC_OK && statics->factor != NULL) status = follow(&solve, target, force, x, error);
  if (status == TAC_OK && statics->factor == NULL) memcpy(x, target, statics->size * sizeof *x);
  if (status == TAC_OK && reaction != NULL) {
    tac_hyper_solid_evaluate(statics->solid, x, 0.0, reaction, NULL);
    for (size_t i = 0; i < statics->size; ++i)
      if (statics->part.free_of[i] >= 0) reaction[i] = 0.0;
  }
  if (report != NULL) *report = solve.report;
  return status;
}
