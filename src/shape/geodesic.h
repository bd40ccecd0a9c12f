/* Triangulated spheres and tori whose vertices lie exactly on the surface. Offline. */
#pragma once

#include <tactus/mesh.h>
#include "base/error.h"

/* The sphere about the origin as an icosahedron whose edges are divided into `frequency` parts: 10 frequency^2 + 2
 * vertices. `frequency` is in [1, 4096]. */
tacStatus tac_geodesic_sphere(double radius, int frequency, tacTriMesh **mesh, tacError *error);

/* The torus about the z axis: `around` vertices along the ring on each of `rows` (even) circles, every second one shifted
 * by half a step. Both are at least 4, their product at most 2^28. */
tacStatus tac_geodesic_torus(double ring, double radius, int around, int rows, tacTriMesh **mesh, tacError *error);
