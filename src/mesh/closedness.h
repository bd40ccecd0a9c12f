/* Whether a triangle mesh encloses a volume. */
#ifndef TAC_MESH_CLOSEDNESS_H
#define TAC_MESH_CLOSEDNESS_H

#include <tactus/trimesh.h>

/* TAC_ERR_GEOMETRY, with the number of boundary edges, unless every directed edge is matched by an opposite one, counting
 * multiplicity: then winding numbers are integers everywhere off the surface. Touching, nested and intersecting parts are
 * closed; an empty mesh is not. */
tacStatus tac_trimesh_require_closed(const tacTriMesh *mesh, tacError *error);

#endif
