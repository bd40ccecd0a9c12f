/* Frictional contact problems that stand alone: u = u0 + W f, where forces f and motions u of all contacts obey the
 * laws of Signorini and Coulomb,
 *     0 <= u_n  perpendicular to  f_n >= 0,     |f_t| <= mu f_n,
 *     u_t = -lambda f_t,   lambda >= 0,   lambda = 0 where |f_t| < mu f_n,
 * each in its frame (n, t1, t2). Files of other programs have velocities (m/s) and impulses (N s) in place of
 * lengths (m) and forces (N): nothing changes but the units. */
#ifndef TACTUS_CONTACT_PROBLEM_H
#define TACTUS_CONTACT_PROBLEM_H

#include <stdbool.h>
#include <tactus/contact.h>
#include <tactus/error.h>

TAC_BEGIN_DECLS

/* A plain struct; every array is owned by the problem. W is a matrix of 3 x 3 blocks of which zero ones may be left
 * out; of a row of blocks, columns ascend, and the block on the diagonal is there. */
typedef struct tacContactProblem {
  int dimension;    /* 3; or 2 where it is a problem of a plane, see tac_contact_problem_create */
  int count;        /* of contacts */
  double asymmetry; /* of W: the largest |W_rc - W_cr|, of the largest entry */
  double *free;     /* [count][3]: u0, m */
  double *friction;
  int *first;      /* [count + 1]: where the blocks of a row begin */
  int *column;     /* [first[count]] */
  double *entries; /* [first[count]][3][3], m/N, row by row in each block */
  int *diagonal;   /* [count]: which block of a row is W_ii */
  /* The solution, zeroed at first; a search begins at `force`. */
  double *force;          /* [count][3], N */
  double *motion;         /* [count][3]: u, m */
  tacContactState *state; /* TAC_CONTACT_NONE: open */
} tacContactProblem;

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
TAC_API tacStatus tac_contact_problem_create(const tacContactProblemDef *def, tacContactProblem **problem,
                                             tacError *error);
TAC_API void tac_contact_problem_destroy(tacContactProblem *problem); /* NULL is allowed */

/* The text format of Siconos: numbers with blanks between them. Dimension, count, storage; the size of W twice
 * (rows, columns), and W: of storage 0 all entries, column by column, of storage 1 sparse blocks; u0 contact by
 * contact; friction. Neither trusts nor needs the ends of lines. */
TAC_API tacStatus tac_contact_problem_read(const char *path, tacContactProblem **problem, tacError *error);
typedef enum tacContactStorage { TAC_CONTACT_DENSE, TAC_CONTACT_BLOCKS } tacContactStorage;
/* In the problem's own dimension; numbers read back as the same. */
TAC_API tacStatus tac_contact_problem_write(const tacContactProblem *problem, const char *path,
                                            tacContactStorage storage, tacError *error);

typedef enum tacContactSolver {
  TAC_CONTACT_AUTOMATIC,    /* Gauss and Seidel's method and Newton's, by measured progress for work */
  TAC_CONTACT_GAUSS_SEIDEL, /* contact after contact, each exactly */
  TAC_CONTACT_DIAGONAL,     /* the same with diagonal blocks (Duriez et al. 2006, Algorithm 1) */
  TAC_CONTACT_NEWTON,
  TAC_CONTACT_PYRAMID /* a pyramid in place of the cone, by Lemke's method: not Coulomb's law, for comparison */
} tacContactSolver;

/* A length and a force: a residual, or what is allowed of it. */
typedef struct tacContactMeasure {
  double metres, newtons;
} tacContactMeasure;

typedef struct tacContactSolverDef {
  tacContactSolver solver;
  double tolerance; /* default 1e-10: of tac_contact_problem_scale; positive */
  int most_sweeps;  /* of Gauss and Seidel's method; default 10,000 */
  int most_steps;   /* of Newton's method; default 2,000 */
  int sides;        /* of the pyramid; default 8 */
} tacContactSolverDef;
TAC_API tacContactSolverDef tac_contact_solver_def_default(void);

/* What is large in a problem: the longest u0_i, and the largest of the forces |u0_i| / (trace W_ii / 3) that would take
 * contacts back alone. 1 of each where nothing moves. */
TAC_API tacContactMeasure tac_contact_problem_scale(const tacContactProblem *problem);

typedef struct tacContactReport {
  int sweeps, steps;
  tacContactMeasure tolerance; /* that was asked for */
  /* By how much motions and forces have to be changed at the most so that all laws hold: what a change of either
   * heals is counted in the unit in which it is the smaller part of the tolerance. */
  tacContactMeasure residual;
  int unsolved;    /* contacts whose laws do not hold within the tolerance */
  bool infeasible; /* no forces were found that keep the bodies apart; the least violating ones are there */
  int open, sticking, sliding;
} tacContactReport;

/* Sets force, motion and state; forces are in their cones whatever the report says. Offline: allocates. */
TAC_API tacStatus tac_contact_problem_solve(tacContactProblem *problem, const tacContactSolverDef *def,
                                            tacContactReport *report, tacError *error);

/* How far forces (NULL: those of the problem) are from a solution as Siconos measures it:
 *     |f - P_K(f - (u + mu |u_t| n))| / max(|u0|, |u|, |f|),   u = u0 + W f,
 * P_K the projection to the cones, norms over all contacts; not divided where all is zero. It mixes units, and
 * depends on them: 1 N counts as much as 1 m. */
TAC_API double tac_contact_problem_error(const tacContactProblem *problem, const double *force);

TAC_END_DECLS

#endif
