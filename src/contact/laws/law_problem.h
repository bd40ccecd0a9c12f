/* Problem of coupled contacts that obey the laws of Signorini and Coulomb (contact/laws/coulomb.h): u = u0 + W f. W is
 * the Delassus operator (contact/laws/delassus.h). The caller fills these plain structs, and tac_law_solve
 * (contact/laws/law_solver.h) solves the problem. */
#pragma once

#include <stdbool.h>
#include <string.h>
#include "contact/laws/frictional_problem.h"

/* One contact, in its frame (n, t1, t2). The normal n points out of the second body into the first. */
typedef struct tacLawContact {
  double gap;            /* u0_n, m: gap at the end of the step without contact forces */
  double slip[2];        /* u0_t, m: slip during the step without contact forces */
  double friction;       /* Coulomb coefficient mu */
  double softness;       /* e, m/N: compliance along the normal; 0: rigid contact */
  bool grabbed;          /* bilateral contact: u = 0, and the force is not limited */
  int part[2];           /* indices of the parts on which the contact acts; -1: none */
  const double *rows[2]; /* [3][part_size]: Z_i for each part; ignored if `part` is -1 */
  double force[3];       /* f, N, on the first body: initial value before the solve, solution after the solve */
  double motion[3];      /* result, m: gap and slip; with softness the gap of a pressing contact is -e f_n */
  tacContactState state; /* result */
} tacLawContact;

/* A part is an object with its own coordinates. Its step matrix is A = L L^T. J_i [3][n_p] is the Jacobian of contact i
 * with respect to these coordinates, in the contact's frame. For the second body, J_i has a negative sign.
 * Z_i = (L^-1 J_i^T)^T. */
typedef struct tacLawProblem {
  int count;
  tacLawContact *contacts;
  int part_count;
  const int *part_size;     /* [part_count]: n_p, number of coordinates of each part */
  const double *compliance; /* [3 count][3 count], m/N: symmetric compliance in the contacts' frames; NULL: none */
  /* Compliance as a block-sparse W; NULL: none. W is the sum of parts, compliance and blocks. In mechanics, W is
   * symmetric. In files, W may be asymmetric by 1e-3. The solvers use its rows as given. */
  const tacContactProblem *blocks;
} tacLawProblem;

/* Adds (W x)_i to `to`, for a standalone problem and x [3 count]. */
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

/* Fills `contacts` [count] from the problem. The problem's forces become the initial forces. */
static inline void tac_problem_laws_fill(const tacContactProblem *problem, tacLawContact *contacts) {
  for (int i = 0; i < problem->count; ++i) {
    const double *u = problem->free + 3 * (size_t)i;
    contacts[i] = (tacLawContact){
        .gap = u[0], .slip = {u[1], u[2]}, .friction = problem->friction[i], .part = {-1, -1}, .rows = {NULL, NULL}};
    memcpy(contacts[i].force, problem->force + 3 * (size_t)i, sizeof contacts[i].force);
  }
}
