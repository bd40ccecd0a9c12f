/* Computes pressure masks (James and Pai 2001, section 6.1, equations 29 to 31). A mask holds the vertices and
 * densities over which a point contact at a vertex is spread. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>
#include "base/error.h"
#include "body/fingertip.h"

/* Masks of all vertices. The mask of vertex i has the indices first[i] to first[i + 1] - 1. A zeroed struct has no
 * masks. */
typedef struct tacPressureMasks {
  int *first;      /* [vertices + 1] first index of each mask */
  int *vertex;     /* surface vertices j of the masks */
  double *density; /* density rho_j at each vertex j, 1/m^2; the sum of area_j rho_j is 1 */
  size_t capacity;
} tacPressureMasks;

/* Fills a zeroed struct with spherical masks of `radius` (m; 0: single vertices) at all elastic vertices. Call in the
 * load phase. Masks contain only elastic vertices, and other vertices get empty masks. `area`: area per vertex, m^2.
 * Free the masks even after a failure. */
tacStatus tac_pressure_masks_create(const tacTriMesh *mesh, const double *area, const bool *elastic, double radius,
                                    tacPressureMasks *masks, tacError *error);
/* Fills a zeroed struct with masks that are the patches pressed by the fingertip at each vertex. Call in the load
 * phase. Free the masks even after a failure. */
tacStatus tac_pressure_masks_of_fingertip(const tacFingertip *tip, const double *area, const bool *elastic,
                                          tacPressureMasks *masks, tacError *error);
void tac_pressure_masks_free(tacPressureMasks *masks);
