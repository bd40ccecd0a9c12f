/* Cells as legacy VTK and VTU files hold them, and their groups as arrays of flags. */
#pragma once

#include "mesh/contents/joined_mesh.h"
#include "mesh/contents/mesh_builder.h"

/* What a cell became: `count` triangles from `first`, or one tetrahedron or brick. */
typedef struct tacVtkCell {
  int first, count; /* count is TAC_VTK_TET or TAC_VTK_BRICK for those, 0 where the cell was skipped */
} tacVtkCell;
#define TAC_VTK_TET (-1)
#define TAC_VTK_BRICK (-2)

#define TAC_VTK_LINES 4
#define TAC_VTK_POINTS 2
#define TAC_VTK_STRIP 6
#define TAC_VTK_POLYGON 7

typedef struct tacVtkCells {
  tacMeshBuilder *builder;
  tacVtkCell *cells;
  size_t count, room;
} tacVtkCells;

/* Adds a cell of the VTK type; corners count from `first_vertex` of the builder. Errors go to `scanner`. */
tacStatus tac_vtk_cells_add(tacVtkCells *cells, const tacScanner *scanner, int64_t type, int64_t corner_count,
                            const int64_t *corners, size_t first_vertex);
void tac_vtk_cells_free(tacVtkCells *cells);

/* Reads the flags of one array, for cells from `first` on or for vertices from `first` on. */
tacStatus tac_vtk_cells_read_flags(tacVtkCells *cells, tacScanner *scanner, tacNumberType type, tacWord array,
                                   bool of_vertices, size_t first, size_t count);

/* ---- writing ---- */

/* An array of flags: of vertices, or of cells by the group of triangles and the group of elements that have its name. */
typedef struct tacVtkFlags {
  const char *prefix, *name;
  const tacIndexSet *vertices, *triangles, *elements; /* NULL where there is none */
} tacVtkFlags;

/* The arrays of all groups, those of vertices first; malloc'ed. */
tacStatus tac_vtk_flags_list(const tacJoinedMesh *mesh, tacVtkFlags **list, int *count, int *vertex_arrays,
                             tacError *error);
/* One byte for each vertex, or for each cell: triangles, tetrahedra, bricks. */
void tac_vtk_flags_fill(const tacVtkFlags *flags, const tacJoinedMesh *mesh, unsigned char *bytes);
static inline int64_t tac_vtk_cell_count(const tacJoinedMesh *mesh) {
  return (int64_t)mesh->surface->triangle_count + tac_joined_mesh_element_count(mesh);
}
/* The corners of cell `cell` in that order; returns their number and sets the VTK type. */
int tac_vtk_cell_corners(const tacJoinedMesh *mesh, int64_t cell, int *type, int corners[8]);
