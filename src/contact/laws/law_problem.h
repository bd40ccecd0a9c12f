/* Contacts that obey the laws of contact/laws/coulomb.h together: u = u0 + W f, where W is the Delassus operator of
 * contact/laws/delassus.h. Plain structs that the caller fills, and that a method solves (contact/laws/law_solver.h). */
#pragma once

#include <stdbool.h>
#include <string.h>
#include "contact/laws/frictional_problem.h"

/* One contact, in its frame (n, t1, t2), n out of the second body into the first. */
typedef struct tacLawContact {
  double gap;            /* u0_n, m: at the step's end without any contact force */
  double slip[2];        /* u0_t, m: over the step, likewise */
  double friction;       /* mu */
  double softness;       /* e, m/N: the contact gives way by e f_n; 0: exact */
  bool grabbed;          /* it holds both ways instead: u = 0 whatever the force */
  int part[2];           /* parts that it touches; -1: none */
  const double *rows[2]; /* [3][part_size]: Z of each; where none, ignored */
  double force[3];  /* f, N, on the first body; before: where the search begins; after: the solution, in its cone */
  double motion[3]; /* after: gap and slip under the forces, m; with softness the gap is -e f_n where it presses */
  tacContactState state; /* after */
} tacLawContact;

/* A part is whatever has coordinates of its own; the step's matrix of part p is A = L L^T, contact i has the Jacobian
 * J_i [3][n_p] there, in its frame and with the sign of its side, and Z_i = (L^-1 J_i^T)^T. */
typedef struct tacLawProblem {
  int count;
  tacLawContact *contacts;
  int part_count;
  const int *part_size;     /* n_p */
  const double *compliance; /* [3 count][3 count], m/N, symmetric, in the contacts' frames; NULL: none */
  /* The same of which most blocks are zero, as the W of that problem; NULL: none. What there is of the three adds up. W is symmetric
   * in mechanics; what files have need not be, to 1e-3, and rows are what counts then. */
  const tacContactProblem *blocks;
} tacLawProblem;

/* to += (W x)_i of a problem that stands alone; x [3 count]. */
static inline void tac_contact_problem_add_row(const tacContactProblem *problem, int i, const double *x, double to[3]) {
  double a = 0.0, b = 0.0, c = 0.0;
  for (int k = problem->first[i]; k < problem->first[i + 1]; ++k) {
    const double *e = problem->entries + 9 * (size_t)k, *y = x + 3 * (size_t)problem->column[k];
    a += e[0] * y[0] + e[1] * y[1] + e[2] * y[2];
    b += e[3] * y[0] + e[4] * y[1] + e[5] * y[2];
    c += e[6] * y[0] + e[7] * y[1] + e[8] * y[2];
  }
  to[0] += a;
  to[1] += b;
  to[2] += c;
}

/* Fills `contacts` [count] with the problem and the forces where a search begins. */
static inline void tac_problem_laws_fill(const tacContactProblem *problem, tacLawContact *contacts) {
  for (int i = 0; i < problem->count; ++i) {
    const double *u = problem->free + 3 * (size_t)i;
    contacts[i] = (tacLawContact){
        .gap = u[0], .slip = {u[1], u[2]}, .friction = problem->friction[i], .part = {-1, -1}, .rows = {NULL, NULL}};
    memcpy(contacts[i].force, problem->force + 3 * (size_t)i, sizeof contacts[i].force);
  }
}
