/* Approximates a matrix R by a short sum of products of its columns and rows: adaptive cross approximation (Bebendorf
 * 2000). The largest entry is the next pivot, so the maximum error is known and falls to the tolerance.
 *
 * Each step computes R -= D T^T. D is the column of R through the pivot; T is the row through the pivot, divided by the
 * pivot. |D| <= |pivot| and |T| <= 1, so both are stored in 16 bits. Rounding errors stay in R, and later steps correct
 * them. Offline. */
#pragma once

#include <stdint.h>
#include "base/error.h"

enum { TAC_CROSSES_ROWS = 512 };

typedef struct tacCrosses {
  int rank;
  int16_t *shapes; /* D: [rank][TAC_CROSSES_ROWS] */
  int16_t *loads;  /* T: [rank][columns] */
  float *scales;   /* [rank]: R is about sum scale D T^T */
  float error;     /* largest remaining error */
} tacCrosses;

/* Destroys the contents of `r` [columns][TAC_CROSSES_ROWS]. Free the result in any case. */
tacStatus tac_crosses_find(int columns, float *r, float tolerance, tacCrosses *crosses, tacError *error);
void tac_crosses_free(tacCrosses *crosses);
