/* Frictional contact problems that stand alone: made, read, written and solved. contact/laws/frictional_problem.h states the laws. */
#pragma once

#include "contact/laws/frictional_problem.h"

/* A number of W; rows and columns count (contact, direction): d i + a. */
typedef struct tacContactEntry {
  int row, column;
  double value; /* m/N */
} tacContactEntry;

typedef struct tacContactProblemDef {
  int dimension; /* d: 2 or 3 */
  int count;     /* n */
  int entry_count;
  const tacContactEntry *entries; /* both triangles, in any order; those of one place add up */
  const double *free;             /* [n][d] */
  const double *friction;         /* [n], not negative */
} tacContactProblemDef;

/* Copies what it needs.
 * W stays as it is given. In mechanics it is symmetric; files that other programs wrote are so to some digits, and the
 * laws are solved for u of its own rows. TAC_ERR_ARGUMENT where a number is not finite or out of its range.
 * A problem of a plane, (n, t), gets a second tangent along which nothing moves, with W_t2t2 = W_tt and u0_t2 = 0:
 * the laws have no solutions then but those with f_t2 = 0, which are the plane's. */
tacStatus tac_contact_problem_create(const tacContactProblemDef *def, tacContactProblem **problem, tacError *error);
void tac_contact_problem_destroy(tacContactProblem *problem); /* NULL is allowed */

/* The text format of Siconos: numbers with blanks between them. Dimension, count, storage; the size of W twice
 * (rows, columns), and W: of storage 0 all entries, column by column, of storage 1 sparse blocks; u0 contact by
 * contact; friction. Neither trusts nor needs the ends of lines. */
tacStatus tac_contact_problem_read(const char *path, tacContactProblem **problem, tacError *error);
typedef enum tacContactStorage { TAC_CONTACT_DENSE, TAC_CONTACT_BLOCKS } tacContactStorage;
/* In the problem's own dimension; numbers read back as the same. */
tacStatus tac_contact_problem_write(const tacContactProblem *problem, const char *path, tacContactStorage storage,
                                    tacError *error);

tacContactSolverDef tac_contact_solver_def_default(void);

/* What is large in a problem: the longest u0_i, and the largest of the forces |u0_i| / (trace W_ii / 3) that would take
 * contacts back alone. 1 of each where nothing moves. */
tacContactMeasure tac_contact_problem_scale(const tacContactProblem *problem);

/* Sets force, motion and state; forces are in their cones whatever the report says. Offline: allocates. */
tacStatus tac_contact_problem_solve(tacContactProblem *problem, const tacContactSolverDef *def,
                                    tacContactReport *report, tacError *error);

/* How far forces (NULL: those of the problem) are from a solution as Siconos measures it:
 *     |f - P_K(f - (u + mu |u_t| n))| / max(|u0|, |u|, |f|),   u = u0 + W f,
 * P_K the projection to the cones, norms over all contacts; not divided where all is zero. It mixes units, and
 * depends on them: 1 N counts as much as 1 m. */
double tac_contact_problem_error(const tacContactProblem *problem, const double *force);
