/* A surface embedded in a volume mesh: each vertex follows the element that contains it. */
#pragma once

#include <tactus/mesh.h>

/* A surface that moves with a volume mesh: each point is a weighted sum of the vertices of one element. */
typedef struct tacEmbedding {
  int point_count;
  int *elements;        /* the element of each point */
  int (*vertices)[8];   /* its vertices; 4 used for tetrahedra, the rest repeat the first with weight 0 */
  double (*weights)[8]; /* sum to 1; barycentric (tet) or trilinear (brick); negative for points outside */
  int outside_count;    /* points outside every element; they take the nearest element and extrapolate from it */
} tacEmbedding;
tacStatus tac_embedding_create(const tacVolMesh *mesh, int point_count, const tacVec3 *points, tacEmbedding **embedding,
                               tacError *error);
void tac_embedding_destroy(tacEmbedding *embedding); /* NULL is allowed */

/* Points for vertex positions or displacements `vertex_values` of the volume mesh; no allocation, any phase. */
void tac_embedding_apply(const tacEmbedding *embedding, const tacVec3 *vertex_values, tacVec3 *point_values);
