/* Gives equal points one number. Zero and minus zero are equal. */
#pragma once

#include "mesh/contents/mesh_builder.h"

size_t tac_vertex_hash(tacVec3 point);

typedef struct tacVertexWelder {
  tacMeshBuilder *builder;
  int *table; /* open addressing: 1 + the vertex, 0 where free */
  size_t size;
} tacVertexWelder;

/* The vertex of the builder at that point, added where it is new. A welder starts zeroed but for its builder. */
tacStatus tac_vertex_welder_add(tacVertexWelder *welder, tacVec3 point, int *vertex);
void tac_vertex_welder_free(tacVertexWelder *welder);
