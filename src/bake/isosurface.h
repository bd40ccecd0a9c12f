/* The surface on which a sampled function has a given value. Offline. */
#pragma once

#include <tactus/meshing.h>

/* Marching cubes. Values below `level` are inside; triangles face outward. The result is always a closed manifold,
 * consistently oriented: nodes on the grid's own boundary count as outside. An empty surface is TAC_ERR_GEOMETRY. */
tacStatus tac_isosurface_extract(const tacGrid *grid, double level, tacTriMesh **surface, tacError *error);
