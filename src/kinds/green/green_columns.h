/* Computes responses to forces at masked vertices on demand, for bodies whose Green's functions do not fit in memory. A
 * thread computes requested responses from the factored reference problem, and stores the most recently queried
 * responses.
 *
 * A query never waits: it returns NULL if the response is missing. An evicted response remains readable for half a
 * second after its last query. No step and no frame takes that long. */
#pragma once

#include <stddef.h>
#include <tactus/material.h>
#include "base/memory/owned.h"

typedef struct tacGreenColumns tacGreenColumns;

/* Starts the thread. Call in the load phase. Refers to the masks: the mask of vertex i has the indices first[i] to
 * first[i + 1] - 1 in `vertex` and `density` (1/m^2). Only the thread may use `problem` until
 * tac_green_columns_destroy. Stores at most `most_bytes` of responses, but at least 64 responses. */
tacStatus tac_green_columns_create(tacReferenceProblem *problem, const int *first, const int *vertex,
                                   const double *density, size_t most_bytes, tacGreenColumns **columns,
                                   tacError *error);
void tac_green_columns_destroy(tacGreenColumns *columns); /* NULL is allowed; ends the thread */
TAC_OWNED_TYPE(tacGreenColumns, tac_green_columns_destroy)

/* Returns the 3 columns of the response zeta of a vertex (m/N, Pa/N), one after the other. If the response is missing,
 * requests it and returns NULL. Any thread may call this function in any phase. */
const float *tac_green_columns_find(tacGreenColumns *columns, int vertex);
