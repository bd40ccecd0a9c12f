/* Particles that spread over the zero level set of a distance field by repelling each other (Barbic 2007, section 3.8.1; Turk
 * 1992; Witkin and Heckbert 1994). Offline.
 *
 * Everything is measured in the spacing that the particles would have in a hexagonal pattern, sqrt(2 A / (sqrt(3) n)) for n
 * on the area A, so that there is nothing to tune. Particles on opposite sides of the body ignore each other. Each moves by
 * what it sees of the step before, so that the result does not depend on the number of threads. */
#pragma once

#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include "bake/points/point_cells.h"

/* Places spread evenly over a triangle mesh: stratified by area (Turk 1992). */
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

typedef struct tacParticles {
  const tacDistanceField *field;
  const tacSurfaceSamples *samples; /* of its zero level set */
  int thread_count;
  int most;                     /* there is room for */
  int count;                    /* there are */
  int frozen;                   /* the first so many do not move */
  tacVec3 *positions, *normals; /* normals: unit, the field's gradient */
  tacVec3 *next_positions, *next_normals;
  double *moves; /* m, in the last step */
  tacPointCells cells;
  tacArrays arrays;
} tacParticles;

/* Room for `most`, none yet. Refers to `field`, a grid, and `samples`. To be freed on failure, too. */
tacStatus tac_particles_create(const tacDistanceField *field, const tacSurfaceSamples *samples, int most,
                               int thread_count, tacParticles *particles, tacError *error);
void tac_particles_free(tacParticles *particles); /* a zeroed struct is allowed */

/* Adds particles until there are `count`, at best about four times as many as there were, and spreads them; the first `frozen`
 * stay what they are. `progress` is told "points" and what is done of this refinement. */
tacStatus tac_particles_refine(tacParticles *particles, int count, int frozen, const tacProgress *progress,
                               tacError *error);

/* How far particles are apart in a hexagonal pattern of `count` on `area` (m^2). */
double tac_particles_even_spacing(double area, int count);
