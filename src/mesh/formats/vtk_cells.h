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

/* The arrays of all groups, those of vertices first. {0} has none; to be freed also after a failure. */
typedef struct tacVtkFlagsList {
  tacArrays arrays;
  int count, of_vertices;
  tacVtkFlags *list;
  unsigned char *bytes; /* of one array */
} tacVtkFlagsList;

tacStatus tac_vtk_flags_list(const tacJoinedMesh *mesh, tacVtkFlagsList *flags, tacError *error);
void tac_vtk_flags_free(tacVtkFlagsList *flags);
/* The bytes of array `a`, one for each vertex, or for each cell of the joined mesh; they last until the next call. */
const unsigned char *tac_vtk_flags_fill(const tacVtkFlagsList *flags, int a, const tacJoinedMesh *mesh);
int tac_vtk_cell_type(const tacJoinedMesh *mesh, int64_t cell);
