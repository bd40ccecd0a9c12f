/* Normals of a closed mesh at any place: that of the closest face, edge or vertex (Baerentzen and Aanaes 2005). Offline. */
#pragma once

#include "base/memory/array.h"
#include "mesh/query/triangle_tree.h"

typedef struct tacPseudoNormals {
  const tacTriMesh *mesh;
  tacTriangleTree *tree;
  tacVec3 *faces;    /* [triangle], unit; zero where it has no area */
  tacVec3 *sides;    /* [side 3 t + s]: the sum over the faces of its edge, however many */
  tacVec3 *vertices; /* [vertex]: the sum over its faces, weighted by their angles */
  tacArrays arrays;
} tacPseudoNormals;

/* Refers to `mesh`, which is valid and not empty. To be freed on failure, too. */
tacStatus tac_pseudo_normals_create(const tacTriMesh *mesh, tacPseudoNormals *normals, tacError *error);
void tac_pseudo_normals_free(tacPseudoNormals *normals); /* a zeroed struct is allowed */

/* Unit, outward; zero where the faces cancel. `distance` (m) receives how far the mesh is. */
tacVec3 tac_pseudo_normals_at(const tacPseudoNormals *normals, tacVec3 p, double *distance);
