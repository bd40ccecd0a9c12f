/* Pressure masks: the vertices and densities over which a point contact at a vertex is spread (James and Pai 2001,
 * section 6.1, equations 29 to 31). */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>
#include "base/error.h"
#include "body/fingertip.h"

/* The mask of vertex i has the indices first[i] to first[i + 1] - 1. A zeroed struct has no masks. */
typedef struct tacPressureMasks {
  int *first;      /* [vertices + 1] */
  int *vertex;     /* vertex j of the surface */
  double *density; /* rho_j there, 1/m^2: sum of area_j rho_j = 1 */
  size_t capacity;
} tacPressureMasks;

/* Load phase. Fills a zeroed struct with spherical masks of `radius` (m; 0: single vertices) at all elastic vertices.
 * Masks contain only elastic vertices; other vertices get empty masks. `area`: m^2 per vertex. Free the masks also
 * after a failure. */
tacStatus tac_pressure_masks_create(const tacTriMesh *mesh, const double *area, const bool *elastic, double radius,
                                    tacPressureMasks *masks, tacError *error);
/* Load phase. The same, but each mask is the patch that the fingertip presses at the vertex. */
tacStatus tac_pressure_masks_of_fingertip(const tacFingertip *tip, const double *area, const bool *elastic,
                                          tacPressureMasks *masks, tacError *error);
void tac_pressure_masks_free(tacPressureMasks *masks);
