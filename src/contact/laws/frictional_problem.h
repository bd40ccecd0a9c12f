/* Standalone frictional contact problems: u = u0 + W f. u0 is the motion without contact forces, and W the Delassus
 * operator. The forces f and motions u of all contacts obey the laws of Signorini and Coulomb,
 *     0 <= u_n  perpendicular to  f_n >= 0,     |f_t| <= mu f_n,
 *     u_t = -lambda f_t,   lambda >= 0,   lambda = 0 if |f_t| < mu f_n,
 * each in its frame (n, t1, t2). Files of other programs may contain velocities (m/s) and impulses (N s) instead of
 * lengths (m) and forces (N). Only the units differ. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/contact.h>

/* A contact problem, which owns all its arrays. W is a sparse matrix of 3 x 3 blocks. In each block row, column indices
 * ascend and the diagonal block is present. */
typedef struct tacContactProblem {
  int dimension;    /* 2 or 3; tac_contact_problem_create describes 2D problems */
  int count;        /* number of contacts */
  double asymmetry; /* asymmetry of W: the largest |W_rc - W_cr|, relative to the largest entry */
  double *free;     /* [count][3]: u0, m */
  double *friction;
  int *first;      /* [count + 1]: index of the first block of each row */
  int *column;     /* [first[count]]: block column of each block */
  double *entries; /* [first[count]][3][3], m/N: blocks of W, each row-major */
  int *diagonal;   /* [count]: index of the block W_ii */
  /* The solution, initially zero. A solve starts from `force`. */
  double *force;          /* [count][3], N */
  double *motion;         /* [count][3]: u, m */
  tacContactState *state; /* [count]; TAC_CONTACT_NONE: open contact */
} tacContactProblem;

typedef enum tacContactSolver {
  TAC_CONTACT_AUTOMATIC,    /* combines Gauss-Seidel and Newton; chooses by measured convergence and cost */
  TAC_CONTACT_GAUSS_SEIDEL, /* solves one contact after the other, each exactly */
  TAC_CONTACT_DIAGONAL,     /* Gauss-Seidel with diagonal blocks (Duriez et al. 2006, Algorithm 1), for comparison */
  TAC_CONTACT_NEWTON,
  /* Approximates the friction cone by a pyramid, with Lemke's method. Violates Coulomb's law; for comparison only. */
  TAC_CONTACT_PYRAMID
} tacContactSolver;

/* A length and a force. Measures a residual or a tolerance. */
typedef struct tacContactMeasure {
  double metres, newtons;
} tacContactMeasure;

typedef struct tacContactSolverDef {
  tacContactSolver solver;
  double tolerance; /* relative to tac_contact_problem_scale, positive; default 1e-10 */
  int most_sweeps;  /* limit of Gauss-Seidel sweeps; default 10,000 */
  int most_steps;   /* limit of Newton steps; default 2,000 */
  int sides;        /* number of sides of the pyramid; default 8 */
} tacContactSolverDef;

typedef struct tacContactReport {
  int sweeps, steps;
  tacContactMeasure tolerance; /* absolute tolerance of the solve */
  /* Largest change of a motion (m) and of a force (N) that makes all laws hold. Some violations could be removed by a
   * change of either the motion or the force. Such a violation counts in the unit in which it is the smaller fraction
   * of the tolerance. */
  tacContactMeasure residual;
  int unsolved;    /* number of contacts that violate their laws beyond the tolerance */
  bool infeasible; /* true if the solver found no forces that separate the bodies */
  int open, sticking, sliding;
} tacContactReport;
