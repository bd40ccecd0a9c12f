#include "elastic/solids/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"

static const double LEAST_LOAD = 1.0 / 1024.0; /* the smallest share of the load that is tried as a step */
static const double ARMIJO = 1e-4;             /* share of the slope that a step has to lower the potential by */
static const double MOST_SHIFT = 1e6;
static const double STUCK = 1e3; /* times what rounding leaves: residuals beyond are no equilibrium */

struct tacNewton {
  size_t n;
  double *now, *best;       /* unknowns: where it is; where the last step began that lowered the potential */
  double *load;             /* of this load step */
  double *residual;         /* load - R(now) */
  double *step, *best_step; /* from now, from best */
  double *begin;            /* the load of the start */
};
enum { VECTORS = 7 };

tacStatus tac_newton_create(size_t unknowns, tacNewton **newton, tacError *error) {
  *newton = NULL;
  tacNewton *made = tac_array_create(1, sizeof *made, "Newton's method", error);
  double *room = tac_array_create(VECTORS * unknowns, sizeof *room, "Newton's method", error);
  if (made == NULL || room == NULL) {
    free(made);
    free(room);
    return TAC_ERR_MEMORY;
  }
  made->n = unknowns;
  double **vectors[VECTORS] = {&made->now,  &made->best,      &made->load, &made->residual,
                               &made->step, &made->best_step, &made->begin};
  for (size_t i = 0; i < VECTORS; ++i) *vectors[i] = room + i * unknowns;
  *newton = made;
  return TAC_OK;
}

void tac_newton_destroy(tacNewton *newton) {
  if (newton != NULL) free(newton->now);
  free(newton);
}

size_t tac_newton_bytes(const tacNewton *newton) {
  return VECTORS * newton->n * sizeof(double);
}

typedef struct Solve {
  const tacNewtonProblem *problem;
  const tacNewtonRules *rules;
  tacNewton *w;
  double scale;         /* N: the load, or that of the start where it is zero */
  double shift;         /* of the last factorisation */
  int inverted;         /* an element that is inverted at `now`; -1: none */
  int collapsed;        /* the last that stopped an attempt since the last equilibrium; -1: none */
  double left;          /* |residual|, N */
  bool full;            /* the last step was taken in full */
  bool tangent_is_kept; /* no more of them in this load step */
  tacNewtonReport report;
} Solve;

static double dot(size_t n, const double *x, const double *y) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

static double norm(size_t n, const double *x) {
  return sqrt(dot(n, x, x));
}

/* Of the body and its load at `now`, J, without the work of what is held. */
static double potential(const Solve *s) {
  double work = dot(s->w->n, s->w->load, s->w->now);
  return s->problem->energy(s->problem->self, s->w->now) - work;
}

static void find_residual(Solve *s, bool tangent_next) {
  tacNewton *w = s->w;
  s->problem->force(s->problem->self, w->now, tangent_next, w->residual);
  for (size_t i = 0; i < w->n; ++i) w->residual[i] = w->load[i] - w->residual[i];
  s->left = norm(w->n, w->residual);
}

static int find_inverted(const Solve *s) {
  return s->problem->inverted != NULL ? s->problem->inverted(s->problem->self, s->w->now) : -1;
}

static double rounding(const Solve *s) {
  return s->problem->rounding != NULL ? s->problem->rounding(s->problem->self, s->w->now) : 0.0;
}

/* The forces in play at `now`, N. */
static double scale(const Solve *s) {
  if (s->problem->reactions == NULL) return s->scale;
  double reactions = s->problem->reactions(s->problem->self);
  return sqrt(dot(s->w->n, s->w->load, s->w->load) + reactions * reactions);
}

static bool is_enough(const Solve *s) {
  return s->left <= s->rules->tolerance * scale(s) || s->left <= rounding(s);
}

static bool is_exhausted(const Solve *s) {
  return s->rules->all_iterations > 0 && s->report.iterations >= s->rules->all_iterations;
}

/* Before a factorisation, which may take seconds. */
static tacStatus may_factor(const Solve *s, tacError *error) {
  const tacProgress *progress = s->rules->progress;
  if (progress != NULL && progress->report != NULL &&
      !progress->report("large deformation", s->report.carried, progress->user))
    return tac_error_set(error, TAC_ERR_CANCELLED, "the solution was cancelled");
  if (s->rules->factorisations > 0 && s->report.factorisations >= s->rules->factorisations)
    return tac_error_set(error, TAC_ERR_NO_CONVERGENCE, "no equilibrium was found in %d factorisations",
                         s->rules->factorisations);
  return TAC_OK;
}

/* step = K^-1 residual, with as much of the diagonal as makes K positive definite. */
static tacStatus find_step(Solve *s, tacError *error) {
  const tacNewtonProblem *problem = s->problem;
  tacStatus status = s->tangent_is_kept ? TAC_OK : TAC_ERR_SINGULAR;
  double shift = s->shift > 1e-3 ? s->shift / 16.0 : 0.0;
  for (; status == TAC_ERR_SINGULAR && shift < MOST_SHIFT; shift = fmax(8.0 * shift, 1e-4)) {
    TAC_TRY(may_factor(s, error));
    s->shift = shift;
    ++s->report.factorisations;
    status = problem->factor(problem->self, shift, error);
  }
  return status == TAC_OK ? problem->solve(problem->self, s->w->residual, s->w->step, error) : status;
}

/* to = from + share step; `to` may be `from`. */
static void move(size_t n, const double *from, double share, const double *step, double *to) {
  for (size_t i = 0; i < n; ++i) to[i] = from[i] + share * step[i];
}

/* Where the last steps began that lowered the potential, and what a step from there promises. */
typedef struct Best {
  double potential, slope, left; /* J, J, N */
} Best;

static bool is_lower(const Solve *s, const Best *best, double share, double reached) {
  double noise = s->rules->energy_rounding * fabs(best->potential);
  return reached <= best->potential + ARMIJO * share * best->slope + noise &&
         (noise > 0.0 || reached < best->potential);
}

/* From `best` along its step, shorter than all of it, to a lower potential without inverted elements; false where there is none. */
static bool search_line(Solve *s, Best *best) {
  tacNewton *w = s->w;
  double share = 0.5;
  for (int halving = 1; halving < s->rules->halvings; ++halving, share *= 0.5) {
    move(w->n, w->best, share, w->best_step, w->now);
    s->inverted = s->rules->through_inversion ? -1 : find_inverted(s);
    double reached = s->inverted < 0 ? potential(s) : INFINITY;
    if (!is_lower(s, best, share, reached)) continue;
    best->potential = reached;
    return true;
  }
  return false;
}

/* `now` and its residual after a step, by the rules; false where none of them leads on: `now` is the best state then. `relaxed`: steps
 * since that. */
static bool advance(Solve *s, Best *best, int *relaxed) {
  tacNewton *w = s->w;
  move(w->n, w->now, 1.0, w->step, w->now);
  s->inverted = s->rules->through_inversion ? -1 : find_inverted(s);
  s->full = true;
  double reached = s->inverted < 0 ? potential(s) : INFINITY;
  bool lower = is_lower(s, best, 1.0, reached), stays = lower || *relaxed < s->rules->relaxed;
  if (s->inverted < 0 && (stays || s->rules->relaxed > 0 || s->rules->halved > 0.0)) {
    find_residual(s, stays);
    if (lower || s->left <= s->rules->halved * best->left) {
      best->potential = reached;
      *relaxed = 0;
      return true;
    }
    ++*relaxed;
    if (stays || is_enough(s)) return true;
  }
  s->full = false;
  *relaxed = 0;
  lower = search_line(s, best);
  if (!lower) memcpy(w->now, w->best, w->n * sizeof *w->now);
  find_residual(s, lower);
  return lower;
}

/* The equilibrium under `load`, from `now` to `now`. */
static tacStatus find_equilibrium(Solve *s, bool *found, tacError *error) {
  tacNewton *w = s->w;
  Best best = {.potential = NAN};
  int relaxed = 0; /* steps since the best state */
  s->inverted = -1;
  find_residual(s, true);
  *found = is_enough(s);
  for (int i = 0; i < s->rules->iterations && !*found && !is_exhausted(s); ++i) {
    ++s->report.iterations;
    s->tangent_is_kept = s->rules->tangents > 0 && i >= s->rules->tangents;
    if (!s->tangent_is_kept) s->problem->tangent(s->problem->self, w->now);
    tacStatus status = find_step(s, error);
    if (status == TAC_ERR_SINGULAR) break;
    if (status != TAC_OK) return status;
    if (relaxed == 0) {
      memcpy(w->best, w->now, w->n * sizeof *w->best);
      memcpy(w->best_step, w->step, w->n * sizeof *w->best_step);
      if (i == 0) best.potential = potential(s);
      best.slope = -dot(w->n, w->residual, w->step);
      best.left = s->left;
    }
    if (!advance(s, &best, &relaxed)) {
      *found = s->left <= STUCK * rounding(s);
      break;
    }
    bool small = s->full && s->shift == 0.0 && norm(w->n, w->step) <= s->rules->small * norm(w->n, w->now);
    *found = small || is_enough(s);
  }
  if (*found && s->rules->through_inversion) *found = find_inverted(s) < 0;
  double forces = scale(s);
  s->report.residual = forces > 0.0 ? s->left / forces : s->left;
  return TAC_OK;
}

tacStatus tac_newton_find(tacNewton *newton, const tacNewtonProblem *problem, const tacNewtonRules *rules,
                          const double *load, double *x, tacNewtonReport *report, tacError *error) {
  Solve s = {.problem = problem, .rules = rules, .w = newton, .collapsed = -1};
  bool found = false;
  memcpy(newton->load, load, newton->n * sizeof *load);
  memcpy(newton->now, x, newton->n * sizeof *x);
  s.scale = norm(newton->n, load);
  tacStatus status = find_equilibrium(&s, &found, error);
  memcpy(x, newton->now, newton->n * sizeof *x);
  s.report.carried = found ? 1.0 : 0.0;
  *report = s.report;
  return status;
}

/* ---- load steps ---- */

/* Moves what is held to `share` of its way, and what is free by what K says that follows, K_ff d = load - R - K_fh (motion of what is
 * held), where the potential is then lower than without. */
static tacStatus predict(Solve *s, double share, tacError *error) {
  tacNewton *w = s->w;
  find_residual(s, true);
  s->problem->tangent(s->problem->self, w->now);
  s->tangent_is_kept = false;
  s->problem->hold(s->problem->self, share, w->residual);
  tacStatus status = find_step(s, error);
  if (status == TAC_ERR_SINGULAR) return TAC_OK;
  if (status != TAC_OK) return status;
  double before = potential(s);
  memcpy(w->best, w->now, w->n * sizeof *w->best);
  move(w->n, w->best, 1.0, w->step, w->now);
  if (!(potential(s) < before)) memcpy(w->now, w->best, w->n * sizeof *w->now);
  return TAC_OK;
}

static tacStatus no_equilibrium(const Solve *s, tacError *error) {
  double percent = 100.0 * s->report.carried;
  if (s->collapsed >= 0)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "the load inverts element %d after %.3g %% of it was applied; use a smaller load, or spread "
                         "it",
                         s->collapsed, percent);
  return tac_error_set(
      error, TAC_ERR_NO_CONVERGENCE,
      "no equilibrium was found beyond %.3g %% of the load, where %.3g of the forces remain unbalanced; use a "
      "smaller load",
      percent, s->report.residual);
}

static tacStatus follow(Solve *s, const double *load, double *x, tacError *error) {
  tacNewton *w = s->w;
  tacStatus status = TAC_OK;
  s->problem->force(s->problem->self, x, false, w->begin);
  s->scale = norm(w->n, load);
  if (s->scale == 0.0) s->scale = norm(w->n, w->begin);
  for (double share = 1.0; status == TAC_OK && s->report.carried < 1.0;) {
    double next = fmin(s->report.carried + share, 1.0);
    bool found = false;
    for (size_t i = 0; i < w->n; ++i) w->load[i] = next == 1.0 ? load[i] : w->begin[i] + next * (load[i] - w->begin[i]);
    memcpy(w->now, x, w->n * sizeof *x);
    if (s->problem->hold != NULL) status = predict(s, next, error);
    if (status == TAC_OK) status = find_equilibrium(s, &found, error);
    if (found) {
      memcpy(x, w->now, w->n * sizeof *x);
      ++s->report.load_steps;
      s->report.carried = next;
      s->collapsed = -1;
      share *= 2.0;
      continue;
    }
    if (s->inverted >= 0) s->collapsed = s->inverted;
    if (s->problem->hold != NULL) s->problem->hold(s->problem->self, s->report.carried, NULL);
    if (status == TAC_OK && ((share *= 0.5) < LEAST_LOAD || is_exhausted(s))) status = no_equilibrium(s, error);
  }
  return status;
}

tacStatus tac_newton_follow(tacNewton *newton, const tacNewtonProblem *problem, const tacNewtonRules *rules,
                            const double *load, double *x, tacNewtonReport *report, tacError *error) {
  Solve s = {.problem = problem, .rules = rules, .w = newton, .collapsed = -1};
  tacStatus status = follow(&s, load, x, error);
  *report = s.report;
  return status;
}
