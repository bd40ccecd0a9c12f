/* Functions that create, read, write and solve standalone frictional contact problems.
 * contact/laws/frictional_problem.h states the laws. */
#pragma once

#include "contact/laws/frictional_problem.h"

/* An entry of W. Row or column d i + a belongs to direction a of contact i, where d is the dimension. */
typedef struct tacContactEntry {
  int row, column;
  double value; /* m/N */
} tacContactEntry;

typedef struct tacContactProblemDef {
  int dimension; /* dimension d: 2 or 3 */
  int count;     /* number of contacts n */
  int entry_count;
  const tacContactEntry *entries; /* entries of both triangles of W, in any order; duplicates add up */
  const double *free;             /* [n][d]: free motions u0, m */
  const double *friction;         /* [n]: friction coefficients, >= 0 */
} tacContactProblemDef;

/* Creates a problem and copies the definition. Returns TAC_ERR_ARGUMENT if a number is not finite or out of range.
 *
 * The laws use u = u0 + W f with the given rows of W. In mechanics, W is symmetric. In files of other programs, W may
 * be symmetric only to some digits, and W is not changed.
 *
 * A 2D problem with axes (n, t) gets a second tangent t2, which is not coupled with other directions: W_t2t2 = W_tt and
 * u0_t2 = 0. Every solution then has f_t2 = 0 and is a solution of the 2D problem. */
tacStatus tac_contact_problem_create(const tacContactProblemDef *def, tacContactProblem **problem, tacError *error);
void tac_contact_problem_destroy(tacContactProblem *problem); /* `problem` may be NULL */

/* Reads a problem in the text format of Siconos: numbers separated by blanks or line breaks. The order of the numbers
 * is: dimension, count, storage, rows of W, columns of W, W, u0 of each contact, friction. Storage 0 has all entries of
 * W column by column. Storage 1 has sparse blocks. */
tacStatus tac_contact_problem_read(const char *path, tacContactProblem **problem, tacError *error);
typedef enum tacContactStorage { TAC_CONTACT_DENSE, TAC_CONTACT_BLOCKS } tacContactStorage;
/* Writes a problem in its own dimension. Numbers are read back exactly. */
tacStatus tac_contact_problem_write(const tacContactProblem *problem, const char *path, tacContactStorage storage,
                                    tacError *error);

tacContactSolverDef tac_contact_solver_def_default(void);

/* Returns the scales of a problem: the length of the longest u0_i, and the largest force |u0_i| / (trace W_ii / 3).
 * This force would undo the motion of a single contact. Both scales are 1 if no contact moves. */
tacContactMeasure tac_contact_problem_scale(const tacContactProblem *problem);

/* Solves the problem. Sets `force`, `motion` and `state`. Forces lie in their friction cones even if the report has
 * unsolved contacts. Call outside ticks: allocates. */
tacStatus tac_contact_problem_solve(tacContactProblem *problem, const tacContactSolverDef *def,
                                    tacContactReport *report, tacError *error);

/* Returns the error of `force` (NULL: the forces of the problem) as defined by Siconos:
 *     |f - P_K(f - (u + mu |u_t| n))| / max(|u0|, |u|, |f|),   u = u0 + W f.
 * P_K is the projection to the friction cones. Norms include all contacts. If u0, u and f are zero, the function
 * returns the numerator. The error depends on the units: 1 N counts as much as 1 m. */
double tac_contact_problem_error(const tacContactProblem *problem, const double *force);
