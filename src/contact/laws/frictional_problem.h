/* Standalone frictional contact problems: u = u0 + W f, where forces f and motions u of all contacts obey the laws of
 * Signorini and Coulomb,
 *     0 <= u_n  perpendicular to  f_n >= 0,     |f_t| <= mu f_n,
 *     u_t = -lambda f_t,   lambda >= 0,   lambda = 0 where |f_t| < mu f_n,
 * each in its frame (n, t1, t2). Files of other programs have velocities (m/s) and impulses (N s) instead of lengths
 * (m) and forces (N); only the units change. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/contact.h>

/* A plain struct that owns all its arrays. W is a sparse matrix of 3 x 3 blocks; in each block row columns ascend and
 * the diagonal block is present. */
typedef struct tacContactProblem {
  int dimension;    /* 3; or 2 for a 2D problem, see tac_contact_problem_create */
  int count;        /* number of contacts */
  double asymmetry; /* asymmetry of W: the largest |W_rc - W_cr|, relative to the largest entry */
  double *free;     /* [count][3]: u0, m */
  double *friction;
  int *first;      /* [count + 1]: start of each block row */
  int *column;     /* [first[count]] */
  double *entries; /* [first[count]][3][3], m/N, row by row per block */
  int *diagonal;   /* [count]: index of W_ii */
  /* The solution, initially zero; a solve starts at `force`. */
  double *force;          /* [count][3], N */
  double *motion;         /* [count][3]: u, m */
  tacContactState *state; /* TAC_CONTACT_NONE: open */
} tacContactProblem;

typedef enum tacContactSolver {
  TAC_CONTACT_AUTOMATIC,    /* Gauss-Seidel and Newton, switched by measured progress per work */
  TAC_CONTACT_GAUSS_SEIDEL, /* solves contact by contact, each exactly */
  TAC_CONTACT_DIAGONAL,     /* Gauss-Seidel with diagonal blocks (Duriez et al. 2006, Algorithm 1) */
  TAC_CONTACT_NEWTON,
  TAC_CONTACT_PYRAMID /* pyramid instead of the cone, by Lemke's method: not Coulomb's law, for comparison */
} tacContactSolver;

/* A length and a force: a residual, or a tolerance. */
typedef struct tacContactMeasure {
  double metres, newtons;
} tacContactMeasure;

typedef struct tacContactSolverDef {
  tacContactSolver solver;
  double tolerance; /* default 1e-10: relative to tac_contact_problem_scale; positive */
  int most_sweeps;  /* limit of Gauss-Seidel sweeps; default 10,000 */
  int most_steps;   /* limit of Newton steps; default 2,000 */
  int sides;        /* number of sides of the pyramid; default 8 */
} tacContactSolverDef;

typedef struct tacContactReport {
  int sweeps, steps;
  tacContactMeasure tolerance; /* the tolerance used */
  /* Largest change of a motion and of a force that makes all laws hold. A violation that either change could remove
   * counts in the unit where it is the smaller part of the tolerance. */
  tacContactMeasure residual;
  int unsolved;    /* contacts whose laws are violated beyond the tolerance */
  bool infeasible; /* no forces found that separate the bodies; forces have the least violation */
  int open, sticking, sliding;
} tacContactReport;
