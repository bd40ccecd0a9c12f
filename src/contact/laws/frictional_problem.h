/* Frictional contact problems that stand alone: u = u0 + W f, where forces f and motions u of all contacts obey the
 * laws of Signorini and Coulomb,
 *     0 <= u_n  perpendicular to  f_n >= 0,     |f_t| <= mu f_n,
 *     u_t = -lambda f_t,   lambda >= 0,   lambda = 0 where |f_t| < mu f_n,
 * each in its frame (n, t1, t2). Files of other programs have velocities (m/s) and impulses (N s) in place of
 * lengths (m) and forces (N): nothing changes but the units. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/contact.h>

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
