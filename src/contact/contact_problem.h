/* Standalone frictional contact problems: create, read, write, solve. contact/laws/frictional_problem.h states the
 * laws. */
#pragma once

#include "contact/laws/frictional_problem.h"

/* An entry of W. Row and column d i + a stand for direction a of contact i. */
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

/* Copies the definition. W is kept as given: in mechanics it is symmetric, but in files of other programs only to some
 * digits. The laws use u = u0 + W f with the given rows of W. TAC_ERR_ARGUMENT: a number is not finite or out of range.
 * A 2D problem with axes (n, t) gets a second tangent t2, which is not coupled with other directions: W_t2t2 = W_tt and
 * u0_t2 = 0. Every solution then has f_t2 = 0 and is a solution of the 2D problem. */
tacStatus tac_contact_problem_create(const tacContactProblemDef *def, tacContactProblem **problem, tacError *error);
void tac_contact_problem_destroy(tacContactProblem *problem); /* NULL is allowed */

/* Reads the text format of Siconos: numbers separated by blanks or line breaks. Their order is: dimension, count,
 * storage, rows of W, columns of W, W, u0 contact by contact, friction. Storage 0 has all entries of W column by
 * column; storage 1 has sparse blocks. */
tacStatus tac_contact_problem_read(const char *path, tacContactProblem **problem, tacError *error);
typedef enum tacContactStorage { TAC_CONTACT_DENSE, TAC_CONTACT_BLOCKS } tacContactStorage;
/* Writes in the problem's own dimension; numbers are read back exactly. */
tacStatus tac_contact_problem_write(const tacContactProblem *problem, const char *path, tacContactStorage storage,
                                    tacError *error);

tacContactSolverDef tac_contact_solver_def_default(void);

/* Scales of a problem: the longest u0_i, and the largest force |u0_i| / (trace W_ii / 3) that would undo the motion of
 * a single contact. Both scales are 1 if no contact moves. */
tacContactMeasure tac_contact_problem_scale(const tacContactProblem *problem);

/* Sets force, motion and state. Forces are in their friction cones even if the report has unsolved contacts. Offline:
 * allocates. */
tacStatus tac_contact_problem_solve(tacContactProblem *problem, const tacContactSolverDef *def,
                                    tacContactReport *report, tacError *error);

/* Error of `force` as Siconos measures it (NULL: uses the forces of the problem):
 *     |f - P_K(f - (u + mu |u_t| n))| / max(|u0|, |u|, |f|),   u = u0 + W f,
 * with P_K the projection to the cones and norms over all contacts. If u0, u and f are zero, the error is not divided.
 * The error depends on units: 1 N counts as much as 1 m. */
double tac_contact_problem_error(const tacContactProblem *problem, const double *force);
