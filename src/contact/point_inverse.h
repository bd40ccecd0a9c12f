/* Inverse compliance of a group of point contacts (contact/point_group.h), and its updates of low rank. All functions
 * are for any phase: no allocation, bounded time. */
#pragma once

#include "math/geometry/mat3.h"

enum { TAC_POINT_INVERSE_MOST = 16, TAC_POINT_INVERSE_SIZE = 3 * TAC_POINT_INVERSE_MOST };

/* C^-1 of the active contacts, N/m: symmetric up to rounding, three rows for each contact. Rows and columns of inactive contacts are
 * zero. Only the first tac_point_inverse_width rows and columns are defined; rows and columns beyond the contacts are
 * zero. */
typedef struct tacPointInverse {
  _Alignas(16) double m[TAC_POINT_INVERSE_SIZE][TAC_POINT_INVERSE_SIZE];
} tacPointInverse;

/* Three columns, one for each axis of a contact. */
typedef struct tacPointColumns {
  _Alignas(16) double c[3][TAC_POINT_INVERSE_SIZE];
} tacPointColumns;

/* Returns the number of entries of a column of `count` contacts, padded to a multiple of four. The padding is zero. */
static inline int tac_point_inverse_width(int count) {
  return (3 * count + 3) / 4 * 4;
}

/* Computes y = C^-1 b. */
void tac_point_inverse_multiply(int count, const tacPointInverse *a, const tacPointColumns *b, tacPointColumns *y);
/* Computes a += d^T z d - c^T x c for symmetric x and z. `c` may be NULL: zero. */
void tac_point_inverse_exchange(int count, const tacPointColumns *c, const tacMat3 *x, const tacPointColumns *d,
                                const tacMat3 *z, tacPointInverse *a);
/* Computes y += c^T x. `y` must be aligned as a column. */
void tac_point_columns_add(int count, const tacPointColumns *c, const double x[3], double *y);
/* Computes products = c y. `y` must be aligned as a column. */
void tac_point_columns_multiply(int count, const tacPointColumns *c, const double *y, double products[3]);
