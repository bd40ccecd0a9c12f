/* What columns of Green's functions must add up to, so that none is wrong unseen.
 *
 * For random weights g of the rows, g^T Xi is known without any column: g^T S A^-1 b_j = zeta^T b_j with A^T zeta =
 * S^T g, one system for all columns j. So a dot product checks a whole column, as it is stored; an entry that is wrong
 * is seen with probability 1, up to rounding. Weights bring the rows to one unit, metres. */
#pragma once

#include "base/files/bake_check.h"
#include "base/memory/array.h"

enum { TAC_COLUMN_FUNCTIONALS = 2 }; /* different g */
#define TAC_COLUMN_CHECK_TEXT "columns in random sums with those of the adjoint problem"
#define TAC_COLUMN_CHECK_PLACE "column 3 vertex + axis ="

typedef struct tacColumnCheck {
  tacArrays arrays;
  int row_count, column_count;
  double *weight;   /* [functional][row] */
  double *expected; /* [functional][column] */
  double allowed;   /* of |g^T x - expected| over the root of the sum of (g_i x_i)^2 */
} tacColumnCheck;

/* Weights are random, from 1/2 to 1 in size, and to be scaled; `expected` is zero. */
tacStatus tac_column_check_create(int row_count, int column_count, tacColumnCheck *check, tacError *error);
void tac_column_check_destroy(tacColumnCheck *check); /* may be called on {0}, and after a failure */

/* From the noise that an analysis of rounding expects: a thousand times it, from 1e-10 to 1e-4. A column that is wrong
 * by 0.1 % is refused also where the noise cannot be told. */
double tac_column_check_allow(double noise);

/* Adds the errors of the 3 columns of each of `count` vertices, row_count numbers each; the place is the column's
 * number, 3 vertex + axis. */
void tac_column_check_compare(const tacColumnCheck *check, int count, const int *vertices, const double *columns,
                              tacWorst *worst);
