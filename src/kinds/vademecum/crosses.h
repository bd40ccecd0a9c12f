/* Approximates a matrix R by a short sum of outer products of columns and rows of R: adaptive cross approximation
 * (Bebendorf 2000). The pivot of each step is the largest entry of R, so the maximum error is always known. Steps are
 * added until this error is below the tolerance.
 *
 * Each step computes R := R - D T^T. D is the column of R through the pivot. T is the row through the pivot, divided
 * by the pivot. Since |D| <= |pivot| and |T| <= 1, D and T are stored as 16-bit integers. The rounding errors of D
 * and T remain in R, and later steps correct these errors. Runs offline. */
#pragma once

#include <stdint.h>
#include "base/error.h"

enum { TAC_CROSSES_ROWS = 512 };

typedef struct tacCrosses {
  int rank;        /* number of steps */
  int16_t *shapes; /* [rank][TAC_CROSSES_ROWS]: column D of each step */
  int16_t *loads;  /* [rank][columns]: row T of each step */
  float *scales;   /* [rank]: factor of each step; R is about sum scale D T^T */
  float error;     /* largest magnitude of an entry of R minus the approximation */
} tacCrosses;

/* Approximates `r` [columns][TAC_CROSSES_ROWS] and overwrites `r`. Free `crosses` even if the function fails. */
tacStatus tac_crosses_find(int columns, float *r, float tolerance, tacCrosses *crosses, tacError *error);
void tac_crosses_free(tacCrosses *crosses);
