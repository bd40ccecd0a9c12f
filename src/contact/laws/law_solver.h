/* Solvers of a tacLawProblem, on one interface. All begin at the contacts' forces, end with forces in their cones, and
 * report how far the laws are from holding, in metres and newtons. A tick: nothing allocates; time is bounded by work
 * that is counted, not by a clock. */
#pragma once

#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"

/* Which of its two forms W has (contact/laws/delassus.h). */
typedef enum tacDelassusForm { TAC_DELASSUS_CHEAPER, TAC_DELASSUS_BUILT, TAC_DELASSUS_UNBUILT } tacDelassusForm;

typedef struct tacLawSolverDef {
  tacContactSolver method;
  tacContactMeasure tolerance; /* each contact's; positive */
  int most_sweeps;             /* of Gauss-Seidel; Newton's method takes at most 20 a step besides, and 120 */
  int most_steps;              /* of Newton's method, or pivots an unknown of Lemke's */
  int sides;                   /* k of the pyramid */
  tacDelassusForm form; /* without Newton's method; default: the cheaper one, by the multiplications of 10 sweeps */
  bool afresh;          /* sweeps also where the laws hold with the forces to begin with */
} tacLawSolverDef;

tacLawSolverDef tac_law_solver_def_default(void);
/* Whether W is built: where Newton's equations want it, or by the form. */
bool tac_law_solver_built(const tacLawProblem *problem, const tacLawSolverDef *def);
/* Bytes of an arena that is enough. Before ticks: it allocates and gives back. With less, Newton's method is left out;
 * without any, no contact has a force. */
size_t tac_law_solver_room(const tacLawProblem *problem, const tacLawSolverDef *def);
/* The same of TAC_CONTACT_AUTOMATIC and TAC_CONTACT_NEWTON for any problem without blocks that has at most these numbers;
 * `coordinates`: of all parts together. */
size_t tac_law_solver_room_most(int count, int part_count, size_t coordinates, bool compliance);
/* Tick. Begins at the contacts' forces, and sets force, motion and state. Takes from the arena and gives back. */
tacContactReport tac_law_solve(const tacLawProblem *problem, const tacLawSolverDef *def, tacArena *arena);
