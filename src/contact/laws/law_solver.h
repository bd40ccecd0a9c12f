/* Solvers of a tacLawProblem, on one interface. All begin at the contacts' forces, end with forces in their cones, and
 * report how far the laws are from holding, in metres and newtons. A tick: nothing allocates; time is bounded by work
 * that is counted, not by a clock. */
#pragma once

#include "base/memory/arena.h"
#include "contact/laws/coulomb.h"
#include "contact/laws/law_problem.h"

typedef enum tacLawMethod {
  TAC_LAW_AUTOMATIC,    /* Gauss-Seidel, and where that comes to a halt, Newton */
  TAC_LAW_GAUSS_SEIDEL, /* block Gauss-Seidel with the exact law of each contact */
  TAC_LAW_DIAGONAL,     /* Gauss-Seidel as Duriez et al. 2006, Algorithm 1 */
  TAC_LAW_NEWTON,       /* converges where Gauss-Seidel does not */
  TAC_LAW_PYRAMID /* a pyramid of k sides in place of the cone, by Lemke's method: for comparison (sections 4.2, 5.2) */
} tacLawMethod;

typedef struct tacLawSolverDef {
  tacLawMethod method;
  tacCoulombResidual tolerance; /* each contact's; positive */
  int most_sweeps;              /* of Gauss-Seidel; Newton's method takes at most 10 a step besides, and 90 */
  int most_steps;               /* of Newton's method, or pivots an unknown of Lemke's */
  int sides;                    /* k of the pyramid */
} tacLawSolverDef;

typedef struct tacLawReport {
  int sweeps, steps;           /* of both */
  tacCoulombResidual residual; /* the worst contact's of each, under the forces as returned */
  int unsolved;                /* contacts whose laws do not hold within the tolerance */
  bool
      infeasible; /* no forces keep the bodies apart: those of contacts that give way a little, or that Lemke's ended at */
} tacLawReport;

tacLawSolverDef tac_law_solver_def_default(void);
/* Bytes of an arena that is enough. Before ticks: it allocates and gives back. With less, Newton's method is left out;
 * without any, no contact has a force. */
size_t tac_law_solver_room(const tacLawProblem *problem, const tacLawSolverDef *def);
/* The same for any problem without blocks that has at most these numbers; `coordinates`: of all parts together. */
size_t tac_law_solver_room_most(int count, int part_count, size_t coordinates, bool compliance,
                                const tacLawSolverDef *def);
/* Tick. Begins at the contacts' forces, and sets force, motion and state. Takes from the arena and gives back. */
tacLawReport tac_law_solve(const tacLawProblem *problem, const tacLawSolverDef *def, tacArena *arena);
