/* What points of a volume mesh do in a basis of displacements of its vertices: their own displacements (3.6), the
 * changes of their normals (3.8) and of the deformation gradient (3.7). Offline.
 * A basis is U at the vertices, [vertex][axis][r]. Points outside every element go on from the nearest one along its
 * tangent, as their embedding says; the gradient there is that at the nearest place of the element. */
#pragma once

#include <tactus/mesh.h>
#include "mesh/query/embedding.h"

typedef struct tacEmbeddedBasis {
  const tacVolMesh *volume;
  int r;
  const double *basis;
  const tacEmbedding *embedding; /* of the points in the volume */
} tacEmbeddedBasis;

/* U_s: [point][axis][r]. */
void tac_embedded_displacements(const tacEmbeddedBasis *points, double *displacements);
/* Delta N_s: [point][axis][r]; column j is (dF/dq_j) N. */
void tac_embedded_normal_changes(const tacEmbeddedBasis *points, const tacVec3 *normals, double *changes);
/* dF/dq: [point][row][column][r]. */
void tac_embedded_gradients(const tacEmbeddedBasis *points, double *gradients);
