/* A matrix as a short sum of columns times rows of itself: adaptive cross approximation (Bebendorf 2000), with the
 * largest entry as the next pivot, so that the maximum error is known and falls to the tolerance.
 *
 * Each step R -= D T^T, where D and T are the column and row of R through the pivot, T divided by it. |D| <= |pivot|
 * and |T| <= 1, so both are stored in 16 bits; rounding errors stay in R and are corrected by later steps. Offline. */
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
