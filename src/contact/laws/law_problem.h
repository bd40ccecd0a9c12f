/* Coupled contacts that obey the laws of contact/laws/coulomb.h: u = u0 + W f, with the Delassus operator W of
 * contact/laws/delassus.h. Plain structs that the caller fills and a method solves (contact/laws/law_solver.h). */
#pragma once

#include <stdbool.h>
#include <string.h>
#include "contact/laws/frictional_problem.h"

/* One contact, in its frame (n, t1, t2), n out of the second body into the first. */
typedef struct tacLawContact {
  double gap;            /* u0_n, m: at the end of the step without contact forces */
  double slip[2];        /* u0_t, m: during the step without contact forces */
  double friction;       /* mu */
  double softness;       /* e, m/N: compliance along the normal; 0: exact */
  bool grabbed;          /* bilateral instead: u = 0 for any force */
  int part[2];           /* parts on which the contact acts; -1: none */
  const double *rows[2]; /* [3][part_size]: Z of each part; ignored if part is -1 */
  double force[3];       /* f, N, on the first body; before the solve: start; after: solution, in its cone */
  double motion[3];      /* m, after the solve: gap and slip; with softness the gap of a pressing contact is -e f_n */
  tacContactState state; /* after */
} tacLawContact;

/* A part is an object with its own coordinates. Its step matrix is A = L L^T. Contact i has the Jacobian J_i [3][n_p]
 * there, in its frame and with the sign of its side, and Z_i = (L^-1 J_i^T)^T. */
typedef struct tacLawProblem {
  int count;
  tacLawContact *contacts;
  int part_count;
  const int *part_size;     /* n_p */
  const double *compliance; /* [3 count][3 count], m/N, symmetric, in the contacts' frames; NULL: none */
  /* Compliance as a block-sparse W; NULL: none. Parts, compliance and blocks add up. W is symmetric in mechanics; in
   * files it may differ by 1e-3, and rows are used as given. */
  const tacContactProblem *blocks;
} tacLawProblem;

/* to += (W x)_i of a standalone problem; x [3 count]. */
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

/* Fills `contacts` [count] from the problem, with its forces as the start. */
static inline void tac_problem_laws_fill(const tacContactProblem *problem, tacLawContact *contacts) {
  for (int i = 0; i < problem->count; ++i) {
    const double *u = problem->free + 3 * (size_t)i;
    contacts[i] = (tacLawContact){
        .gap = u[0], .slip = {u[1], u[2]}, .friction = problem->friction[i], .part = {-1, -1}, .rows = {NULL, NULL}};
    memcpy(contacts[i].force, problem->force + 3 * (size_t)i, sizeof contacts[i].force);
  }
}
