/* Standalone frictional contact problems: create, read, write, solve. contact/laws/frictional_problem.h states the
 * laws. */
#pragma once

#include "contact/laws/frictional_problem.h"

/* An entry of W; row and column number (contact i, direction a) as d i + a. */
typedef struct tacContactEntry {
  int row, column;
  double value; /* m/N */
} tacContactEntry;

typedef struct tacContactProblemDef {
  int dimension; /* d: 2 or 3 */
  int count;     /* n */
  int entry_count;
  const tacContactEntry *entries; /* both triangles, in any order; duplicates add up */
  const double *free;             /* [n][d] */
  const double *friction;         /* [n], >= 0 */
} tacContactProblemDef;

/* Copies what it needs. W is kept as given. In mechanics it is symmetric; in files of other programs it is so to some
 * digits. The laws are solved for u of its rows. TAC_ERR_ARGUMENT: a number is not finite or out of range. A 2D
 * problem, (n, t), gets a second tangent along which nothing moves, with W_t2t2 = W_tt and u0_t2 = 0. Then all
 * solutions have f_t2 = 0 and are those of the 2D problem. */
tacStatus tac_contact_problem_create(const tacContactProblemDef *def, tacContactProblem **problem, tacError *error);
void tac_contact_problem_destroy(tacContactProblem *problem); /* NULL is allowed */

/* Reads the text format of Siconos: numbers separated by blanks. Dimension, count, storage; the size of W twice (rows,
 * columns), and W: storage 0, all entries column by column; storage 1, sparse blocks; u0 contact by contact; friction.
 * Line breaks have no meaning. */
tacStatus tac_contact_problem_read(const char *path, tacContactProblem **problem, tacError *error);
typedef enum tacContactStorage { TAC_CONTACT_DENSE, TAC_CONTACT_BLOCKS } tacContactStorage;
/* Writes in the problem's own dimension; numbers are read back exactly. */
tacStatus tac_contact_problem_write(const tacContactProblem *problem, const char *path, tacContactStorage storage,
                                    tacError *error);

tacContactSolverDef tac_contact_solver_def_default(void);

/* Scales of a problem: the longest u0_i, and the largest force |u0_i| / (trace W_ii / 3) that would undo the motion of
 * a single contact. 1 for each if nothing moves. */
tacContactMeasure tac_contact_problem_scale(const tacContactProblem *problem);

/* Sets force, motion and state; forces are in their cones whatever the report says. Offline: allocates. */
tacStatus tac_contact_problem_solve(tacContactProblem *problem, const tacContactSolverDef *def,
                                    tacContactReport *report, tacError *error);

/* Error of forces (NULL: those of the problem) as Siconos measures it:
 *     |f - P_K(f - (u + mu |u_t| n))| / max(|u0|, |u|, |f|),   u = u0 + W f,
 * with P_K the projection to the cones and norms over all contacts; no division if all is zero. It depends on units: 1
 * N counts as much as 1 m. */
double tac_contact_problem_error(const tacContactProblem *problem, const double *force);
