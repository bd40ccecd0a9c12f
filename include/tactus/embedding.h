/* A surface that moves with a volume mesh: each point is a weighted sum of the vertices of one element. */
#ifndef TACTUS_EMBEDDING_H
#define TACTUS_EMBEDDING_H

#include <tactus/volmesh.h>

TAC_BEGIN_DECLS

typedef struct tacEmbedding {
  int point_count;
  int *elements;        /* the element of each point */
  int (*vertices)[8];   /* its vertices; 4 used for tetrahedra, the rest repeat the first with weight 0 */
  double (*weights)[8]; /* sum to 1; barycentric (tet) or trilinear (brick); negative for points outside */
  int outside_count;    /* points outside every element; they take the nearest element and extrapolate from it */
} tacEmbedding;

TAC_API tacStatus tac_embedding_create(const tacVolMesh *mesh, int point_count, const tacVec3 *points,
                                       tacEmbedding **embedding, tacError *error);
TAC_API void tac_embedding_destroy(tacEmbedding *embedding); /* NULL is allowed */
/* Points for vertex positions or displacements `vertex_values` of the volume mesh; no allocation, any phase. */
TAC_API void tac_embedding_apply(const tacEmbedding *embedding, const tacVec3 *vertex_values, tacVec3 *point_values);

TAC_END_DECLS

#endif
