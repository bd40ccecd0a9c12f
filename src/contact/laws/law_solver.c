#include "contact/laws/law_solver.h"

#include <math.h>
#include "contact/laws/delassus.h"
#include "contact/laws/gauss_seidel.h"
#include "contact/laws/law_islands.h"
#include "contact/laws/law_methods.h"
#include "contact/laws/law_system.h"

enum {
  LOOK = 10, /* sweeps between two looks at how they converge */
  FIRST_SWEEPS =
      5, /* before Newton's method where it is asked for: from zero its states would be all open or all stuck */
  EXPECTED_STEPS = 6, /* of Newton's method */
  USUAL_SWEEPS = 10
};
static const double LOCAL_COST = 60.0; /* multiplications of a contact's own solution */
static const double FACTOR_COST = 0.3; /* time of a multiplication in a factorisation, of one in a sweep */

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

/* Sweeps until the laws hold, or `most`, or, where `judged`, until what is left of them would take longer than Newton's
 * method, at the rate of the sweeps since the last look. Returns whether they hold. */
static bool sweep(tacLawIterate *iterate, tacGaussSeidelLocal *locals, const tacLawSolverDef *def, int most,
                  bool judged, tacContactReport *report) {
  const tacLawProblem *problem = iterate->problem;
  double before = INFINITY, newton = 0.0, each = 1.0;
  if (judged) {
    tacDelassusCost cost = tac_delassus_cost(problem);
    each = (iterate->w != NULL ? cost.built_sweep : cost.unbuilt_sweep) + LOCAL_COST * problem->count;
    newton = EXPECTED_STEPS * (FACTOR_COST * tac_law_system_cost(problem) + 2.0 * each);
  }
  for (int k = 1; k <= most; ++k) {
    bool held = tac_gauss_seidel_sweep(iterate, locals, def->tolerance);
    ++report->sweeps;
    bool look = judged && k % LOOK == 0;
    if (!held && !look && problem->count > 1) continue;
    report->unsolved = tac_law_iterate_examine(iterate, def->tolerance, &report->residual);
    if (report->unsolved == 0) return true;
    if (!look) continue;
    double share =
        fmax(report->residual.metres / def->tolerance.metres, report->residual.newtons / def->tolerance.newtons);
    double rate = log(before / share) / LOOK; /* of the logarithm, a sweep; infinite at first */
    if (isfinite(before) && !(rate > 0.0 && log(share) / rate * each < newton)) return false;
    before = share;
  }
  return false;
}

/* Whether the laws hold with the forces to begin with, if there are any: what is at rest stays so, to the last bit. */
static bool holds_already(tacLawIterate *iterate, const tacLawSolverDef *def, tacContactReport *report) {
  double sum = 0.0;
  for (int k = 0; k < 3 * iterate->problem->count; ++k) sum += fabs(iterate->forces[k]);
  if (sum == 0.0) return false;
  report->unsolved = tac_law_iterate_examine(iterate, def->tolerance, &report->residual);
  return report->unsolved == 0;
}

/* A contact that nothing moves, and that penetrates: no force helps. */
static bool hopeless(const tacLawIterate *iterate, double depth) {
  for (int i = 0; i < iterate->problem->count; ++i) {
    const tacLawContact *contact = &iterate->problem->contacts[i];
    if (!(contact->gap < -depth) || contact->grabbed) continue;
    tacMat3 block = tac_law_iterate_block(iterate, i);
    if (block.m[0][0] == 0.0) return true;
  }
  return false;
}

static void use_newton(tacLawIterate *iterate, const tacLawSolverDef *def, tacArena *arena, tacContactReport *report) {
  int most = def->most_steps > report->steps ? def->most_steps - report->steps : 0;
  tacContactReport newton = tac_law_newton_improve(iterate, def->tolerance, most, arena);
  newton.steps += report->steps;
  newton.sweeps += report->sweeps;
  *report = newton;
}

static void use_sweeps(tacLawIterate *iterate, const tacLawSolverDef *def, tacArena *arena, tacContactReport *report) {
  tacArenaMark mark = tac_arena_mark(arena);
  tacGaussSeidelLocal *locals = tac_arena_array(arena, (size_t)iterate->problem->count, sizeof *locals);
  bool newton = uses_newton(def->method), held = false;
  int most = def->method == TAC_CONTACT_NEWTON && FIRST_SWEEPS < def->most_sweeps ? FIRST_SWEEPS : def->most_sweeps;
  if (locals != NULL) {
    tac_gauss_seidel_prepare(iterate, locals);
    held = sweep(iterate, locals, def, most, def->method == TAC_CONTACT_AUTOMATIC, report);
  }
  tac_arena_release(arena, mark);
  if (!held && newton)
    use_newton(iterate, def, arena, report);
  else if (!held)
    report->unsolved = tac_law_iterate_examine(iterate, def->tolerance, &report->residual);
}

/* All contacts as one problem. */
static tacContactReport solve_whole(const tacLawProblem *problem, const tacLawSolverDef *def, tacArena *arena) {
  tacContactReport report = {0};
  tacArenaMark mark = tac_arena_mark(arena);
  tacLawIterate iterate;
  bool built = tac_law_solver_built(problem, def), begun = tac_law_iterate_begin(problem, built, arena, &iterate);
  if (!begun && built) { /* less memory takes longer, and Newton's method needs more */
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
    if (!fits || report.unsolved > 0) use_sweeps(&iterate, def, arena, &report);
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
