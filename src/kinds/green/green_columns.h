/* Responses of masked vertices on demand, for bodies whose Green's functions do not fit in memory: a thread computes
 * requested ones from the factored reference problem, and keeps the latest.
 *
 * A query never waits: it returns NULL if the response is missing. An evicted response stays readable for half a second
 * after its last query, longer than any step or picture takes. */
#pragma once

#include <stddef.h>
#include <tactus/material.h>
#include "base/memory/owned.h"

typedef struct tacGreenColumns tacGreenColumns;

/* Load phase; starts the thread. Refers to the masks: vertex i is loaded at places first[i] to first[i + 1] of
 * `vertex`, with the densities there, 1/m^2. Only that thread uses `problem` until the end. Keeps at most `most_bytes`
 * of responses, but at least 64. */
tacStatus tac_green_columns_create(tacReferenceProblem *problem, const int *first, const int *vertex,
                                   const double *density, size_t most_bytes, tacGreenColumns **columns,
                                   tacError *error);
void tac_green_columns_destroy(tacGreenColumns *columns); /* NULL is allowed; ends the thread */
TAC_OWNED_TYPE(tacGreenColumns, tac_green_columns_destroy)

/* Any thread, any phase: the 3 columns of zeta (m/N, Pa/N), one after the other; or NULL, and requests them. */
const float *tac_green_columns_find(tacGreenColumns *columns, int vertex);
