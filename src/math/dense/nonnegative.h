/* Non-negative least squares over columns that are added as they are found (Lawson, Hanson 1974, chapter 23): the w >= 0 that makes
 * |A w - b|^2 least, from A^T A and A^T b alone. Offline. */
#pragma once

#include "base/error.h"

typedef struct tacNonnegative {
  int count, capacity;
  int *column;    /* [count]: which they are, as told */
  double *weight; /* [count]: w */
  double *right;  /* [count]: a.b */
  double *gram;   /* a_i.a_j at [i * capacity + j], both triangles */
  double square;  /* b.b */
  double *factor, *next;
} tacNonnegative;

tacStatus tac_nonnegative_create(int capacity, double square, tacNonnegative *problem, tacError *error);
void tac_nonnegative_destroy(tacNonnegative *problem); /* may be called on {0} */

/* The weight of a new one is zero. `gram` has its products with all that are there and, last, with itself. Fewer than `capacity` are
 * there. */
void tac_nonnegative_add(tacNonnegative *problem, int column, const double *gram, double right);
/* Weights; columns whose weight is zero leave, and the others keep their order. */
tacStatus tac_nonnegative_solve(tacNonnegative *problem, tacError *error);
double tac_nonnegative_error(const tacNonnegative *problem); /* |A w - b| / |b| */
