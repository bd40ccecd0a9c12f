/* The surface on which a sampled function has a given value. Offline. */
#ifndef TACTUS_ISOSURFACE_H
#define TACTUS_ISOSURFACE_H

#include <tactus/grid.h>
#include <tactus/trimesh.h>

TAC_BEGIN_DECLS

/* Marching cubes. Values below `level` are inside; triangles face outward. The result is always a closed manifold,
 * consistently oriented: nodes on the grid's own boundary count as outside. An empty surface is TAC_ERR_GEOMETRY. */
TAC_API tacStatus tac_isosurface_extract(const tacGrid *grid, double level, tacTriMesh **surface, tacError *error);

TAC_END_DECLS

#endif
