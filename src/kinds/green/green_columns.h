/* Responses to forces at masked vertices, computed on demand for bodies whose Green's functions do not fit in memory. A
 * thread computes requested responses from the factored reference problem and keeps the most recently queried ones.
 *
 * A query never waits: it returns NULL if the response is missing. An evicted response stays readable for half a second
 * after its last query, longer than any step or picture takes. */
#pragma once

#include <stddef.h>
#include <tactus/material.h>
#include "base/memory/owned.h"

typedef struct tacGreenColumns tacGreenColumns;

/* Load phase; starts the thread. Refers to the masks: the mask of vertex i has the indices first[i] to first[i + 1] - 1
 * in `vertex` and `density` (1/m^2). Only the thread may use `problem` until tac_green_columns_destroy. Keeps at most
 * `most_bytes` of responses, but at least 64 responses. */
tacStatus tac_green_columns_create(tacReferenceProblem *problem, const int *first, const int *vertex,
                                   const double *density, size_t most_bytes, tacGreenColumns **columns,
                                   tacError *error);
void tac_green_columns_destroy(tacGreenColumns *columns); /* NULL is allowed; ends the thread */
TAC_OWNED_TYPE(tacGreenColumns, tac_green_columns_destroy)

/* Any thread, any phase. Returns the 3 columns of zeta (m/N, Pa/N), one after the other. If they are missing, requests
 * them and returns NULL. */
const float *tac_green_columns_find(tacGreenColumns *columns, int vertex);
