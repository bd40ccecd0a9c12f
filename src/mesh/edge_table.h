/* The edges of a triangle mesh and the triangles along each. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"

/* Side s of triangle t, which runs from corner s to the next one, has the number 3 t + s. Triangles with a repeated corner
 * are left out. */
typedef struct tacEdge {
  int a, b;  /* vertices, a < b */
  int first; /* its sides are sides[first .. first + count), ascending */
  int count;
} tacEdge;

typedef struct tacEdgeTable {
  tacArrays arrays;
  int edge_count;
  tacEdge *edges; /* by a, then by b */
  int *sides;
} tacEdgeTable;

tacStatus tac_edge_table_create(const tacTriMesh *mesh, tacEdgeTable *table, tacError *error);
void tac_edge_table_free(tacEdgeTable *table); /* a zeroed struct is allowed */

/* The edge between two vertices, in any order, or NULL. */
const tacEdge *tac_edge_table_find(const tacEdgeTable *table, int a, int b);

static inline int tac_side_start(const tacTriMesh *mesh, int side) {
  return mesh->triangles[side / 3].v[side % 3];
}
static inline int tac_side_end(const tacTriMesh *mesh, int side) {
  return mesh->triangles[side / 3].v[(side % 3 + 1) % 3];
}
static inline bool tac_triangle_repeats_corner(tacTriangle t) {
  return t.v[0] == t.v[1] || t.v[1] == t.v[2] || t.v[2] == t.v[0];
}
