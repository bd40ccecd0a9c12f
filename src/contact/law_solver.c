#include "contact/law_solver.h"

#include "contact/gauss_seidel.h"
#include "contact/law_iterate.h"

tacLawSolverDef tac_law_solver_def_default(void) {
  return (tacLawSolverDef){
      .method = TAC_LAW_AUTOMATIC, .tolerance = {1e-8, 1e-4}, .most_sweeps = 50, .most_steps = 50, .sides = 8};
}

size_t tac_law_solver_room(const tacLawProblem *problem, const tacLawSolverDef *def) {
  (void)def;
  return tac_gauss_seidel_room(problem->count, problem->part_count, tac_law_iterate_coordinates(problem),
                               TAC_DELASSUS_CHEAPER);
}

tacLawReport tac_law_solve(const tacLawProblem *problem, const tacLawSolverDef *def, tacArena *arena) {
  tacGaussSeidelDef sweeps = tac_gauss_seidel_def_default();
  sweeps.tolerance = def->tolerance;
  sweeps.most_sweeps = def->most_sweeps;
  tacGaussSeidelReport done = tac_gauss_seidel_solve(problem, &sweeps, arena);
  return (tacLawReport){.sweeps = done.sweeps, .residual = done.residual, .unsolved = done.unsolved};
}
