/* Solution of a tacLawProblem by any of the methods. The methods start at the contacts' forces, except for the pyramid
 * method. All methods return forces inside their friction cones. Residuals are reported in metres and newtons. For the
 * tick phase: no allocation, and counted work limits the time, not a clock. */
#pragma once

#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"

/* Form in which W is applied (contact/laws/delassus.h). */
typedef enum tacDelassusForm { TAC_DELASSUS_CHEAPER, TAC_DELASSUS_BUILT, TAC_DELASSUS_UNBUILT } tacDelassusForm;

typedef struct tacLawSolverDef {
  tacContactSolver method;
  tacContactMeasure tolerance; /* tolerance of each contact; positive */
  /* If steps of Newton's method stall, `enough` times the tolerance is accepted; 0: never */
  double enough;
  /* Limit of Gauss-Seidel sweeps. Newton's method may run up to 20 additional sweeps per step, plus 120. */
  int most_sweeps;
  int most_steps; /* limit of Newton steps; for Lemke's method: limit of pivots per unknown */
  int sides;      /* number of sides of the pyramid */
  /* TAC_DELASSUS_CHEAPER, the default: the form with fewer multiplications in 10 sweeps. Newton's method ignores
   * `form`. */
  tacDelassusForm form;
  bool afresh; /* iterate even if the initial forces satisfy the laws */
} tacLawSolverDef;

tacLawSolverDef tac_law_solver_def_default(void);
/* True if W is built, because Newton's equations or the requested form require it. */
bool tac_law_solver_built(const tacLawProblem *problem, const tacLawSolverDef *def);
/* Returns a sufficient arena size in bytes. Call before the first tick: allocates temporarily. With a smaller arena,
 * the solver may skip Newton's method. With an empty arena, contacts get no force. */
size_t tac_law_solver_room(const tacLawProblem *problem, const tacLawSolverDef *def);
/* Returns an arena size in bytes that suffices for any problem without blocks up to these sizes. `coordinates` is the
 * sum over all parts. The size is valid for TAC_CONTACT_AUTOMATIC and TAC_CONTACT_NEWTON. */
size_t tac_law_solver_room_most(int count, int part_count, size_t coordinates, bool compliance);
/* Solves the problem during a tick. Starts at the contacts' forces. Sets force, motion and state of each contact.
 * Restores the arena. */
tacContactReport tac_law_solve(const tacLawProblem *problem, const tacLawSolverDef *def, tacArena *arena);
