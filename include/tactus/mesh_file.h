/* Mesh files: what one has, and how it is read and written. */
#ifndef TACTUS_MESH_FILE_H
#define TACTUS_MESH_FILE_H

#include <tactus/trimesh.h>
#include <tactus/volmesh.h>

TAC_BEGIN_DECLS

/* What a mesh file holds: a surface, a volume or both. */

/* Owns both; either may be NULL. */
typedef struct tacMeshContents {
  tacTriMesh *surface;
  tacVolMesh *volume;
} tacMeshContents;

TAC_API void tac_mesh_contents_destroy(tacMeshContents *contents); /* frees both and sets them to NULL */

/* Mesh files: one reader and one writer for every format.
 *
 * Formats are recognised by content first and by name only where content cannot tell (OBJ and TetGen have no signature).
 *   surfaces: OBJ, STL (ASCII, binary), PLY (ASCII, binary), OFF
 *   volumes:  Gmsh MSH 1, 2.2, 4.1 (ASCII, binary), legacy VTK, VTU, VEG, TetGen .node/.ele; those of Gmsh, VTK and VTU
 *             may hold a surface as well */

/* Reads a file. Polygons become triangles; elements of other kinds are skipped with a warning to the log; a broken file
 * is an error that names file and line (or byte offset, in binary). On failure `contents` is both NULL, else not. */
TAC_API tacStatus tac_mesh_read(const char *path, tacMeshContents *contents, tacError *error);

/* What tac_mesh_read takes a file for: "OBJ", "Gmsh MSH", ...; NULL where it is unreadable or of no known format. */
TAC_API const char *tac_mesh_recognise(const char *path);

typedef enum tacMeshFormat {
  TAC_MESH_FORMAT_BY_NAME, /* from the path's ending: .obj .stl .ply .off .msh .vtk .vtu .veg .node .ele */
  TAC_MESH_FORMAT_OBJ,
  TAC_MESH_FORMAT_STL_ASCII,
  TAC_MESH_FORMAT_STL_BINARY, /* what .stl means */
  TAC_MESH_FORMAT_PLY_ASCII,
  TAC_MESH_FORMAT_PLY_BINARY, /* what .ply means; little-endian */
  TAC_MESH_FORMAT_OFF,
  TAC_MESH_FORMAT_MSH1,
  TAC_MESH_FORMAT_MSH22_ASCII,
  TAC_MESH_FORMAT_MSH22_BINARY,
  TAC_MESH_FORMAT_MSH41_ASCII, /* what .msh means */
  TAC_MESH_FORMAT_MSH41_BINARY,
  TAC_MESH_FORMAT_VTK_ASCII,
  TAC_MESH_FORMAT_VTK_BINARY, /* what .vtk means */
  TAC_MESH_FORMAT_VTU_ASCII,
  TAC_MESH_FORMAT_VTU_BINARY, /* what .vtu means */
  TAC_MESH_FORMAT_VEG,
  TAC_MESH_FORMAT_TETGEN, /* writes both .node and .ele beside each other */
  TAC_MESH_FORMAT_COUNT
} tacMeshFormat;

/* "obj", "stl-ascii", "stl", "msh22-ascii", ... as `tactus mesh --format` takes them. */
TAC_API const char *tac_mesh_format_name(tacMeshFormat format);
/* The format of that name; TAC_MESH_FORMAT_COUNT where there is none. */
TAC_API tacMeshFormat tac_mesh_format_find(const char *name);
/* What a path's ending means; TAC_MESH_FORMAT_BY_NAME where it means nothing. */
TAC_API tacMeshFormat tac_mesh_format_of_path(const char *path);
/* Whether a format can hold the given kind of mesh. */
TAC_API int tac_mesh_format_holds_surface(tacMeshFormat format);
TAC_API int tac_mesh_format_holds_volume(tacMeshFormat format);

/* Writes to a temporary name beside `path`, then renames: an interrupted or failed write leaves the old file. Coordinates
 * keep every bit where the format can (binary STL holds floats). `contents` may hold either or both; TAC_ERR_UNSUPPORTED
 * where the format cannot hold what is there. */
TAC_API tacStatus tac_mesh_write(const char *path, tacMeshFormat format, const tacMeshContents *contents,
                                 tacError *error);

TAC_END_DECLS

#endif
