/* Solvers of a tacLawProblem with one interface. All start at the contacts' forces, end with forces in their cones, and
 * report the residuals in metres and newtons. Tick phase: no allocation; time is limited by counted work, not by a
 * clock. */
#pragma once

#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"

/* Form of W (contact/laws/delassus.h). */
typedef enum tacDelassusForm { TAC_DELASSUS_CHEAPER, TAC_DELASSUS_BUILT, TAC_DELASSUS_UNBUILT } tacDelassusForm;

typedef struct tacLawSolverDef {
  tacContactSolver method;
  tacContactMeasure tolerance; /* per contact; positive */
  int most_sweeps;      /* limit of Gauss-Seidel sweeps; Newton's method takes up to 20 more per step, plus 120 */
  int most_steps;       /* limit of Newton steps; for Lemke's method, of pivots per unknown */
  int sides;            /* k of the pyramid */
  tacDelassusForm form; /* ignored by Newton's method; default: the form with fewer multiplications in 10 sweeps */
  bool afresh;          /* iterate even if the laws hold with the initial forces */
} tacLawSolverDef;

tacLawSolverDef tac_law_solver_def_default(void);
/* Whether W is built, because Newton's equations or the form require it. */
bool tac_law_solver_built(const tacLawProblem *problem, const tacLawSolverDef *def);
/* Arena bytes that suffice. Before ticks: allocates temporarily. With fewer bytes Newton's method may be skipped; with
 * none, contacts have no force. */
size_t tac_law_solver_room(const tacLawProblem *problem, const tacLawSolverDef *def);
/* Arena bytes that suffice for TAC_CONTACT_AUTOMATIC and TAC_CONTACT_NEWTON and any problem without blocks up to these
 * sizes; `coordinates`: sum over all parts. */
size_t tac_law_solver_room_most(int count, int part_count, size_t coordinates, bool compliance);
/* Tick. Starts at the contacts' forces; sets force, motion and state. Restores the arena. */
tacContactReport tac_law_solve(const tacLawProblem *problem, const tacLawSolverDef *def, tacArena *arena);
