/* A surface and a volume with one list of vertices, as files hold them that have both.
 *
 * Vertices of the volume come first. A vertex of the surface at the same place as one of the volume shares its number, but no
 * two vertices of the surface become one; the others follow in their order. */
#pragma once

#include <stdint.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"

typedef struct tacJoinedMesh {
  tacArrays arrays;
  const tacTriMesh *surface; /* never NULL: empty where there is none */
  const tacVolMesh *volume;  /* never NULL: empty where there is none */
  int vertex_count;
  int *surface_vertex; /* for each vertex of the surface its number in the list */
  int *extra;          /* vertices of the surface that follow those of the volume */
} tacJoinedMesh;

/* To be freed also after a failure. */
tacStatus tac_joined_mesh_make(const tacMeshContents *contents, tacJoinedMesh *joined, tacError *error);
void tac_joined_mesh_free(tacJoinedMesh *joined);
static inline tacVec3 tac_joined_mesh_vertex(const tacJoinedMesh *joined, int vertex) {
  int own = vertex - joined->volume->vertex_count;
  return own < 0 ? joined->volume->vertices[vertex] : joined->surface->vertices[joined->extra[own]];
}
static inline int tac_joined_mesh_element_count(const tacJoinedMesh *joined) {
  return joined->volume->tet_count + joined->volume->brick_count;
}
/* Cells are triangles, tetrahedra and bricks, in this order. */
static inline int64_t tac_joined_mesh_cell_count(const tacJoinedMesh *joined) {
  return (int64_t)joined->surface->triangle_count + tac_joined_mesh_element_count(joined);
}
/* The corners of a cell, in numbers of the list; returns how many there are: 3, 4 or 8. */
int tac_joined_mesh_cell(const tacJoinedMesh *joined, int64_t cell, int corners[8]);
