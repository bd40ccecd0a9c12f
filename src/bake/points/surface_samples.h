/* Places spread evenly over a triangle mesh: stratified by area (Turk 1992). Offline. */
#pragma once

#include <stddef.h>
#include <tactus/trimesh.h>

typedef struct tacSurfaceSamples {
  const tacTriMesh *mesh;
  double *area_up_to; /* [triangle]: of this one and those before it, m^2 */
  double area;        /* of all */
} tacSurfaceSamples;

/* Refers to `mesh`. */
tacStatus tac_surface_samples_create(const tacTriMesh *mesh, tacSurfaceSamples *samples, tacError *error);
void tac_surface_samples_free(tacSurfaceSamples *samples); /* a zeroed struct is allowed */

/* Sample `index` of `count`, each of which stands for area / count; `normal` is that of its triangle. */
tacVec3 tac_surface_samples_at(const tacSurfaceSamples *samples, size_t index, size_t count, tacVec3 *normal);
