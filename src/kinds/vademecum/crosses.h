/* A matrix as a short sum of columns times rows, by crosses of itself: adaptive cross approximation (Bebendorf
 * 2000), with the largest of all entries as the next pivot, so that the largest error is known and falls to the
 * tolerance.
 *
 * In each step R -= D T^T with D = R's column and T = R's row through the pivot, divided by it. |D| <= |pivot| and
 * |T| <= 1, so that both are kept in 16 bits; what rounding leaves stays in R and is seen by later steps. Offline. */
#pragma once

#include <stdint.h>
#include "base/error.h"

enum { TAC_CROSSES_ROWS = 512 };

typedef struct tacCrosses {
  int rank;
  int16_t *shapes; /* D: [rank][TAC_CROSSES_ROWS] */
  int16_t *loads;  /* T: [rank][columns] */
  float *scales;   /* [rank]: R is about sum scale D T^T */
  float error;     /* the largest that is left */
} tacCrosses;

/* `r` [columns][TAC_CROSSES_ROWS] is used up. Free the result in any case. */
tacStatus tac_crosses_find(int columns, float *r, float tolerance, tacCrosses *crosses, tacError *error);
void tac_crosses_free(tacCrosses *crosses);
