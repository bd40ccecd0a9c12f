/* The part of a symmetric matrix, 3 numbers a vertex, that belongs to vertices which are not held, of its lower triangle or of both as
 * the pattern has them; made once for a pattern, filled with new values often. Offline and load phases. */
#pragma once

#include "math/sparse/sparse.h"

typedef struct tacFreeLower {
  size_t size, free_size;
  int *free_of;     /* [size]: number among the free ones, or -1 */
  tacSparse matrix; /* lower triangle, with the values of the pattern */
  int *source;      /* [entry of matrix]: its place in the pattern */
} tacFreeLower;

tacStatus tac_free_lower_create(const tacSparse *lower, const bool *held, tacFreeLower *free_lower, tacError *error);
void tac_free_lower_destroy(tacFreeLower *free_lower); /* may be called on {0} */

/* Between all numbers and the free ones; those of held vertices become 0. */
void tac_free_lower_take(const tacFreeLower *free_lower, const double *all, double *free_ones);
void tac_free_lower_put(const tacFreeLower *free_lower, const double *free_ones, double *all);
