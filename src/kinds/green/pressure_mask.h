/* Pressure masks: the vertices and densities over which a point contact at a vertex is spread (James and Pai 2001,
 * section 6.1, equations 29 to 31). */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>
#include "base/error.h"
#include "body/fingertip.h"

/* The mask of vertex i is at places first[i] to first[i + 1]; {0} has none. */
typedef struct tacPressureMasks {
  int *first;      /* [vertices + 1] */
  int *vertex;     /* vertex j of the surface */
  double *density; /* rho_j there, 1/m^2: sum of area_j rho_j = 1 */
  size_t capacity;
} tacPressureMasks;

/* Load phase. Adds to {0} spherical masks of `radius` (m; 0: single vertices) at all elastic vertices, over elastic
 * vertices; others get empty ones. `area`: m^2 per vertex. After a failure free it as usual. */
tacStatus tac_pressure_masks_create(const tacTriMesh *mesh, const double *area, const bool *elastic, double radius,
                                    tacPressureMasks *masks, tacError *error);
/* Load phase. The same with the patches that a fingertip presses at the vertices. */
tacStatus tac_pressure_masks_of_fingertip(const tacFingertip *tip, const double *area, const bool *elastic,
                                          tacPressureMasks *masks, tacError *error);
void tac_pressure_masks_free(tacPressureMasks *masks);
