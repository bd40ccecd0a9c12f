#include "contact/laws/law_solver.h"

#include <math.h>
#include "contact/laws/delassus.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/gauss_seidel.h"
#include "contact/laws/law_islands.h"
#include "contact/laws/law_methods.h"
#include "contact/laws/law_system.h"

enum {
  LOOK = 10,       /* sweeps between convergence checks */
  LATER_LOOK = 25, /* sweeps between convergence checks after Newton's method stalled */
  FIRST_SWEEPS =
      5, /* sweeps that find contact states for TAC_CONTACT_NEWTON; zero forces would give all open or all sticking */
  EXPECTED_STEPS = 6, /* expected number of Newton steps */
  LATER_STEPS = 30,   /* expected number of Newton steps after Newton steps on the states stalled */
  PATIENT_STEPS = 64, /* minimum of `most_steps` for further methods if Newton's method fails; ticks have fewer steps */
  TRIAL_SWEEPS = 100, /* sweeps per trial in `use_either` */
  USUAL_SWEEPS = 10
};
static const double LOCAL_COST = 60.0; /* number of multiplications to solve one contact */
/* Time of a multiplication in a factorisation, relative to a multiplication in a sweep. FACTOR_COST: factorisation in
 * panels. ENVELOPE_COST: factorisation in an envelope, which does not fit into caches. */
static const double FACTOR_COST = 0.3, ENVELOPE_COST = 1.0;

/* Newton steps on the states are repeated if sweeps reduced the residual to at most this fraction. */
static const double CLOSER = 0.1;

tacLawSolverDef tac_law_solver_def_default(void) {
  return (tacLawSolverDef){
      .method = TAC_CONTACT_AUTOMATIC, .tolerance = {1e-8, 1e-4}, .most_sweeps = 50, .most_steps = 100, .sides = 8};
}

static bool uses_newton(tacContactSolver method) {
  return method == TAC_CONTACT_AUTOMATIC || method == TAC_CONTACT_NEWTON;
}

bool tac_law_solver_built(const tacLawProblem *problem, const tacLawSolverDef *def) {
  if (uses_newton(def->method)) return tac_law_system_built(problem);
  if (def->form != TAC_DELASSUS_CHEAPER) return def->form == TAC_DELASSUS_BUILT;
  tacDelassusCost cost = tac_delassus_cost(problem);
  return cost.build + USUAL_SWEEPS * cost.built_sweep < cost.blocks + USUAL_SWEEPS * cost.unbuilt_sweep;
}

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

size_t tac_law_solver_room(const tacLawProblem *problem, const tacLawSolverDef *def) {
  size_t coordinates = tac_law_iterate_coordinates(problem), method = 0;
  size_t iterate =
      tac_law_iterate_room(problem->count, problem->part_count, coordinates, tac_law_solver_built(problem, def));
  size_t sweeps = tac_law_iterate_rounded((size_t)problem->count, sizeof(tacGaussSeidelLocal));
  if (uses_newton(def->method)) method = tac_law_newton_room(problem->count) + tac_law_system_room(problem);
  if (def->method == TAC_CONTACT_DIAGONAL) method = tac_law_diagonal_room(problem->count);
  if (def->method == TAC_CONTACT_PYRAMID) method = tac_law_pyramid_room(problem->count, def->sides);
  if (uses_newton(def->method) && tac_law_frictionless_fits(problem))
    method = larger(method, tac_law_frictionless_room(problem->count));
  return 2 * TAC_ARENA_ALIGNMENT + iterate + sweeps + method + tac_law_islands_room(problem);
}

size_t tac_law_solver_room_most(int count, int part_count, size_t coordinates, bool compliance) {
  size_t m = (size_t)count, dense = compliance || 3 * m < coordinates ? m : coordinates / 3;
  size_t built = tac_law_iterate_room((int)dense, part_count, coordinates, true);
  size_t unbuilt = tac_law_iterate_room(count, part_count, coordinates, false);
  size_t sweeps = tac_law_iterate_rounded(m, sizeof(tacGaussSeidelLocal));
  size_t method = larger(tac_law_newton_room(count) + tac_law_system_room_most(count, coordinates, compliance),
                         tac_law_frictionless_room(count < TAC_FRICTIONLESS_MOST ? count : TAC_FRICTIONLESS_MOST));
  return 2 * TAC_ARENA_ALIGNMENT + larger(built, unbuilt) + sweeps + method;
}

/* True if `sweeps` sweeps take longer than `steps` Newton steps. A Newton step takes as long as two sweeps and a
 * factorisation. The multiplications of the factorisation are counted only if the decision depends on them. `work` [2]:
 * cost of a sweep and of a step, in multiplications of a sweep; zero: not yet computed. */
static bool takes_longer(const tacLawIterate *iterate, double apart, double sweeps, int steps, tacArena *arena,
                         double work[2]) {
  const tacLawProblem *problem = iterate->problem;
  if (sweeps < 2.0 * steps) return false;
  if (work[0] == 0.0) {
    tacDelassusCost cost = tac_delassus_cost(problem);
    double each = tac_law_system_form(problem) == TAC_LAW_SYSTEM_SPARSE ? ENVELOPE_COST : FACTOR_COST;
    work[0] = (iterate->w != NULL ? cost.built_sweep : cost.unbuilt_sweep) + LOCAL_COST * problem->count;
    work[1] = each * tac_law_system_envelope_cost(problem, apart, arena) + 2.0 * work[0];
  }
  return !(sweeps * work[0] < steps * work[1]);
}

/* True if the method is automatic and the step limit is high enough to try several methods. */
static bool is_patient(const tacLawSolverDef *def) {
  return def->method == TAC_CONTACT_AUTOMATIC && def->most_steps >= PATIENT_STEPS;
}

/* Returns the largest residual relative to the tolerances. */
static double share_of(const tacContactReport *report, tacContactMeasure tolerance) {
  return fmax(report->residual.metres / tolerance.metres, report->residual.newtons / tolerance.newtons);
}

/* Runs at most `most` sweeps, until the laws hold. `steps`: expected number of Newton steps if Newton's method is the
 * alternative, otherwise 0. If `steps` is positive, the rate of convergence is checked every `looks` sweeps. Sweeps
 * stop early if Newton steps are expected to be faster. A patient solver also stops early if more than `most` sweeps
 * are expected. Returns true if the laws hold. `left`: estimated number of remaining sweeps. */
static bool sweep(tacLawIterate *iterate, tacGaussSeidelLocal *locals, const tacLawSolverDef *def, int most, int steps,
                  int looks, tacArena *arena, double *left, tacContactReport *report) {
  double before = INFINITY, work[2] = {0.0, 0.0};
  *left = INFINITY;
  for (int k = 1; k <= most; ++k) {
    bool held = tac_gauss_seidel_sweep(iterate, locals, def->tolerance);
    ++report->sweeps;
    bool look = steps > 0 && k % looks == 0;
    if (!held && !look && iterate->problem->count > 1) continue;
    report->unsolved = tac_law_iterate_examine(iterate, def->tolerance, &report->residual);
    if (report->unsolved == 0) return true;
    if (!look) continue;
    double share = share_of(report, def->tolerance);
    /* decrease of the residual's logarithm per sweep; infinite at the first check */
    double rate = log(before / share) / looks;
    if (isfinite(before)) {
      *left = rate > 0.0 ? log(share) / rate : INFINITY;
      if (takes_longer(iterate, def->tolerance.metres, *left, steps, arena, work) ||
          (is_patient(def) && *left > most - k))
        return false;
    }
    before = share;
  }
  return false;
}

/* True if the initial forces are nonzero and satisfy the laws. Forces of contacts at rest then stay bitwise the
 * same. */
static bool holds_already(tacLawIterate *iterate, const tacLawSolverDef *def, tacContactReport *report) {
  double sum = 0.0;
  for (int k = 0; k < 3 * iterate->problem->count; ++k) sum += fabs(iterate->forces[k]);
  if (sum == 0.0) return false;
  report->unsolved = tac_law_iterate_examine(iterate, def->tolerance, &report->residual);
  return report->unsolved == 0;
}

/* True if a penetrating contact cannot move along its normal. No force can separate this contact. */
static bool hopeless(const tacLawIterate *iterate, double depth) {
  for (int i = 0; i < iterate->problem->count; ++i) {
    const tacLawContact *contact = &iterate->problem->contacts[i];
    if (!(contact->gap < -depth) || contact->grabbed) continue;
    tacMat3 block = tac_law_iterate_block(iterate, i);
    if (block.m[0][0] == 0.0) return true;
  }
  return false;
}

static bool use_newton(tacLawIterate *iterate, const tacLawSolverDef *def, tacLawNewtonPart part, tacArena *arena,
                       tacContactReport *report) {
  int most = def->most_steps > report->steps ? def->most_steps - report->steps : 0;
  tacContactReport newton = tac_law_newton_improve(iterate, def->tolerance, def->enough, most, part, arena);
  newton.steps += report->steps;
  newton.sweeps += report->sweeps;
  *report = newton;
  return report->unsolved == 0;
}

static bool use_sweeps(tacLawIterate *iterate, const tacLawSolverDef *def, int most, int steps, int looks,
                       tacArena *arena, double *left, tacContactReport *report) {
  tacArenaMark mark = tac_arena_mark(arena);
  tacGaussSeidelLocal *locals = tac_arena_array(arena, (size_t)iterate->problem->count, sizeof *locals);
  bool held = false;
  *left = INFINITY;
  if (locals != NULL) {
    tac_gauss_seidel_prepare(iterate, locals);
    held = sweep(iterate, locals, def, most, steps, looks, arena, left, report);
  }
  tac_arena_release(arena, mark);
  return held;
}

/* Runs sweeps of two kinds from the best forces found so far: with W_ii and with its diagonal. A kind is repeated as
 * long as its last trial reduced the residual more than the last trial of the other kind. Sets the iterate to the best
 * forces. This is the last method tried. */
static void use_either(tacLawIterate *iterate, const tacLawSolverDef *def, int most, tacArena *arena,
                       tacContactReport *report) {
  tacArenaMark mark = tac_arena_mark(arena);
  size_t bytes = 3 * (size_t)iterate->problem->count * sizeof(double);
  double *best = tac_arena_array(arena, 3 * (size_t)iterate->problem->count, sizeof *best);
  double share = share_of(report, def->tolerance), least = share, gain[2] = {INFINITY, INFINITY}, left;
  if (best == NULL) return;
  memcpy(best, iterate->forces, bytes);
  for (int kind = 1; most > 0 && report->unsolved > 0;) { /* kind 0: W_ii; kind 1: its diagonal */
    int sweeps = most < TRIAL_SWEEPS ? most : TRIAL_SWEEPS;
    tacContactReport trial = {0};
    if (kind == 1)
      trial = tac_law_diagonal_improve(iterate, def->tolerance, sweeps, arena);
    else if (!use_sweeps(iterate, def, sweeps, 0, 1, arena, &left, &trial))
      trial.unsolved = tac_law_iterate_examine(iterate, def->tolerance, &trial.residual);
    double now = share_of(&trial, def->tolerance);
    gain[kind] = log(share / now);
    share = now;
    most -= sweeps;
    report->sweeps += trial.sweeps;
    if (now < least) {
      least = now;
      report->unsolved = trial.unsolved;
      memcpy(best, iterate->forces, bytes);
    }
    if (!(gain[kind] > gain[1 - kind])) kind = 1 - kind;
  }
  memcpy(iterate->forces, best, bytes);
  tac_law_iterate_cut(iterate);
  report->unsolved = tac_law_iterate_examine(iterate, def->tolerance, &report->residual);
  tac_arena_release(arena, mark);
}

/* Runs sweeps as long as sweeps are faster than Newton's method, and then Newton's method. If Newton's method stalls,
 * calls `use_either`. */
static void use_all(tacLawIterate *iterate, const tacLawSolverDef *def, tacArena *arena, tacContactReport *report) {
  bool judged = def->method == TAC_CONTACT_AUTOMATIC, patient = is_patient(def);
  int most = def->method == TAC_CONTACT_NEWTON && FIRST_SWEEPS < def->most_sweeps ? FIRST_SWEEPS : def->most_sweeps;
  double left, work[2] = {0.0, 0.0};
  if (use_sweeps(iterate, def, most, judged ? EXPECTED_STEPS : 0, LOOK, arena, &left, report)) return;
  if (!uses_newton(def->method)) {
    report->unsolved = tac_law_iterate_examine(iterate, def->tolerance, &report->residual);
    return;
  }
  tacLawNewtonPart part = TAC_LAW_NEWTON_ALL;
  if (patient) {
    most -= report->sweeps;
    if (use_newton(iterate, def, TAC_LAW_NEWTON_STATES, arena, report)) return;
    int before = report->sweeps;
    double share = share_of(report, def->tolerance);
    if (!takes_longer(iterate, def->tolerance.metres, left, LATER_STEPS, arena, work) &&
        use_sweeps(iterate, def, most, LATER_STEPS, LATER_LOOK, arena, &left, report))
      return;
    most -= report->sweeps - before;
    if (share_of(report, def->tolerance) > CLOSER * share) part = TAC_LAW_NEWTON_REST;
  }
  if (use_newton(iterate, def, part, arena, report) || !patient || report->infeasible) return;
  use_either(iterate, def, most, arena, report);
}

/* Solves all contacts as one problem. */
static tacContactReport solve_whole(const tacLawProblem *problem, const tacLawSolverDef *def, tacArena *arena) {
  tacContactReport report = {0};
  tacArenaMark mark = tac_arena_mark(arena);
  tacLawIterate iterate;
  bool built = tac_law_solver_built(problem, def), begun = tac_law_iterate_begin(problem, built, arena, &iterate);
  if (!begun && built) { /* memory is short: the unbuilt form is slower and excludes Newton's method */
    tac_arena_release(arena, mark);
    begun = tac_law_iterate_begin(problem, false, arena, &iterate);
  }
  if (!begun) {
    report.residual = tac_law_iterate_none(problem);
    report.unsolved = problem->count;
    tac_arena_release(arena, mark);
    return report;
  }
  if (def->method != TAC_CONTACT_PYRAMID && !def->afresh && holds_already(&iterate, def, &report)) {
    report.sweeps = 0;
  } else if (def->method == TAC_CONTACT_DIAGONAL) {
    report = tac_law_diagonal_improve(&iterate, def->tolerance, def->most_sweeps, arena);
  } else if (def->method == TAC_CONTACT_PYRAMID) {
    double most = (double)def->most_steps * problem->count * (def->sides + 2);
    report = tac_law_pyramid_improve(&iterate, def->sides, most < 1e9 ? (int)most : 1000000000, arena);
    report.unsolved = tac_law_iterate_examine(&iterate, def->tolerance, &report.residual);
    report.infeasible = report.infeasible && report.unsolved > 0;
  } else {
    bool fits = uses_newton(def->method) && tac_law_frictionless_fits(problem);
    if (fits) report = tac_law_frictionless_improve(&iterate, def->tolerance, arena);
    if (!fits || report.unsolved > 0) use_all(&iterate, def, arena, &report);
    report.infeasible = report.infeasible || (report.unsolved > 0 && hopeless(&iterate, def->tolerance.metres));
  }
  tac_law_iterate_give(&iterate);
  tac_arena_release(arena, mark);
  return report;
}

tacContactReport tac_law_solve(const tacLawProblem *problem, const tacLawSolverDef *def, tacArena *arena) {
  tacArenaMark mark = tac_arena_mark(arena);
  tacLawIslands islands;
  if (!tac_law_islands_find(problem, arena, &islands)) return solve_whole(problem, def, arena);
  tacContactReport all = {0};
  for (int s = 0; s < islands.count; ++s) {
    tacContactReport report = solve_whole(&islands.island[s].laws, def, arena);
    tac_law_island_give(&islands.island[s], problem);
    if (report.sweeps > all.sweeps) all.sweeps = report.sweeps;
    if (report.steps > all.steps) all.steps = report.steps;
    all.residual.metres = fmax(all.residual.metres, report.residual.metres);
    all.residual.newtons = fmax(all.residual.newtons, report.residual.newtons);
    all.unsolved += report.unsolved;
    all.infeasible = all.infeasible || report.infeasible;
  }
  tac_arena_release(arena, mark);
  return all;
}
