/* The minimal residual method (Paige and Saunders 1975) for symmetric systems A x = b that may be indefinite, or
 * singular where b is in the range of A. Offline.
 *
 * For several systems at a time, each with an operator of its own, so that a factor used as preconditioner sees many
 * right-hand sides at once; the systems do not influence each other. */
#pragma once

#include "base/error.h"

/* Y = A X or Y = P^-1 X for `count` vectors of the systems system[0], system[1], ..., one after the other, without
 * gaps. X and Y do not overlap. */
typedef tacStatus (*tacMinresFn)(int count, const int *system, const double *x, double *y, void *context,
                                 tacError *error);

typedef struct tacMinresDef {
  int size, count;   /* of a system, of systems */
  tacMinresFn apply; /* A, symmetric */
  tacMinresFn
      precondition; /* P^-1, symmetric and positive (semi)definite, definite on what A and b reach; NULL: identity */
  void *context;
  double tolerance; /* of the residual in the norm |r| = (r^T P^-1 r)^1/2, relative to b's */
  int most;         /* iterations */
} tacMinresDef;

/* X from B, `count` vectors each, starting from zero; `iterations` (may be NULL) is the number of the slowest system.
 * TAC_ERR_NO_CONVERGENCE where `most` iterations are not enough, or where b is not in the range of A;
 * TAC_ERR_SINGULAR where P is not positive; what `apply` and `precondition` return. Workspace: 8 vectors a system. */
tacStatus tac_minres_solve(const tacMinresDef *def, const double *b, double *x, int *iterations, tacError *error);
