/* Contacts that obey the laws of contact/laws/coulomb.h together: u = u0 + W f, where W is the Delassus operator of
 * contact/laws/delassus.h. Plain structs that the caller fills, and that a method solves (contact/laws/law_solver.h). */
#pragma once

#include <stdbool.h>
#include <tactus/contact.h>
#include "contact/laws/block_matrix.h"

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
  const tacBlockMatrix
      *blocks; /* the same of which most blocks are zero; NULL: none. What there is of the three adds up */
} tacLawProblem;
