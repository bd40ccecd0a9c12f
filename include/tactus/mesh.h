/* Triangle meshes and volume meshes: their files, their quality, their repair and the mass of the solids they bound.
 *
 * Example:
 *
 *     tacMeshContents contents;
 *     tacStatus status = tac_mesh_read("liver.stl", &contents, error);
 *     if (status != TAC_OK) return status;
 *     tacTriMesh *repaired = NULL;
 *     tacRepairDef def = tac_repair_def_default();
 *     tacRepairReport report;
 *     tacInertia mass;
 *     if (contents.surface != NULL) {
 *       status = tac_repair(contents.surface, &def, &repaired, &report, error);
 *       if (status == TAC_OK) status = tac_mass_properties(repaired, 1060.0, &mass, error); // kg/m^3
 *     }
 *     tac_trimesh_destroy(repaired);
 *     tac_trimesh_destroy(contents.surface);
 *     tac_volmesh_destroy(contents.volume);
 *     if (status != TAC_OK) return status;
 *
 * Units: SI, as meshes are in metres. Files hold no units: their numbers are taken as metres.
 *
 * Threads and phases: load and offline phases, not in a tick. A mesh has no lock: any number of threads may read it,
 * and only one may change it while no other uses it. */
#ifndef TACTUS_MESH_H
#define TACTUS_MESH_H

#include <stdbool.h>
#include <tactus/base.h>

TAC_BEGIN_DECLS

/* A named list of vertices or elements of a mesh. */
typedef struct tacIndexSet {
  char *name;   /* owned, never NULL, unique within its list */
  int count;    /* may be 0 */
  int *indices; /* owned, zero-based, ascending, without duplicates */
} tacIndexSet;

/* ---- triangle meshes ---- */

/* Corners of a triangle, counter-clockwise seen from outside, so that (b - a) x (c - a) points out of the solid. */
typedef struct tacTriangle {
  int v[3]; /* vertices */
} tacTriangle;

/* A triangle mesh: a surface, closed or open, or a polygon soup. It is a plain struct that callers can fill. The mesh
 * owns every array, and each comes from malloc. */
typedef struct tacTriMesh {
  int vertex_count;
  tacVec3 *vertices; /* m */
  int triangle_count;
  tacTriangle *triangles;
  int group_count;
  tacIndexSet *groups; /* named parts, lists of triangles */
} tacTriMesh;

/* Creates a mesh with zeroed arrays for the given counts. Free it with tac_trimesh_destroy. */
TAC_API tacStatus tac_trimesh_create(int vertex_count, int triangle_count, tacTriMesh **mesh, tacError *error);

/* Frees a mesh and all that it owns. NULL is allowed. */
TAC_API void tac_trimesh_destroy(tacTriMesh *mesh);

/* Appends a group of `count` triangles. The list is copied and sorted; duplicates are removed. TAC_ERR_ARGUMENT if the
 * mesh already has a group of this name, or if an index is out of range. */
TAC_API tacStatus tac_trimesh_add_group(tacTriMesh *mesh, const char *name, int count, const int *triangles,
                                        tacError *error);

/* Checks indices and coordinates. TAC_ERR_GEOMETRY if an index is out of range or a coordinate is NaN or infinite; the
 * error names it. Every function that takes a mesh from a caller may assume that this check has passed. */
TAC_API tacStatus tac_trimesh_validate(const tacTriMesh *mesh, tacError *error);

/* Checks that a mesh encloses a volume. A mesh is closed if an opposite edge matches every directed edge, counting
 * multiplicity, so that winding numbers are integers everywhere off the surface. Touching, nested and intersecting
 * parts are closed; an empty mesh is not. TAC_ERR_GEOMETRY, with the number of boundary edges, if it is not closed.
 * Offline: allocates. */
TAC_API tacStatus tac_trimesh_require_closed(const tacTriMesh *mesh, tacError *error);

/* Returns the box around all vertices, m; empty (lower above upper) without vertices or a mesh. */
TAC_API tacBox tac_trimesh_box(const tacTriMesh *mesh);

/* Returns the enclosed volume, m^3, positive where triangles face outward. Meaningful for closed meshes only. What lies
 * in several parts counts once for each. */
TAC_API double tac_trimesh_volume(const tacTriMesh *mesh);

/* Computes the volume of the solid that a closed mesh encloses, m^3, never negative. The solid is where the winding
 * number is not 0, so what lies in several parts counts once. The result is exact except for overlaps: these are
 * measured to about 1e-4 of the box by rows through them. Offline: allocates. */
TAC_API tacStatus tac_trimesh_solid_volume(const tacTriMesh *mesh, double *volume, tacError *error);

/* Computes a unit normal for each vertex: the mean of the faces' normals weighted by their angles at the vertex; zero if no
 * triangle with an area uses the vertex. `normals` has room for vertex_count. */
TAC_API void tac_trimesh_normals(const tacTriMesh *mesh, tacVec3 *normals);

/* ---- mass of a rigid solid ---- */

/* Mass, centre of mass and moments of inertia of a rigid body. */
typedef struct tacInertia {
  double mass;          /* kg */
  tacVec3 centre;       /* centre of mass, m, in the frame of the body or surface */
  double moments[3][3]; /* about the centre, kg m^2, along the axes of that frame: sum of m (r.r 1 - r r^T) */
} tacInertia;

/* Computes the mass properties of the solid of uniform `density` (kg/m^3, positive) that a closed surface bounds, exact
 * up to round-off. A cavity counts as empty if its triangles face into it. Where parts overlap, mass counts once for
 * each part. TAC_ERR_GEOMETRY if the surface is not closed, or if its volume is not positive, because it is inside out
 * or flat. Load and offline phases. */
TAC_API tacStatus tac_mass_properties(const tacTriMesh *surface, double density, tacInertia *inertia, tacError *error);

/* ---- volume meshes ---- */

/* A tetrahedron with 4 nodes. Its volume is positive: (b - a) x (c - a) . (d - a) > 0. */
typedef struct tacTet {
  int v[4]; /* vertices a, b, c, d */
} tacTet;

/* A brick with 8 nodes, in the order of VTK and Gmsh. The bottom face 0 1 2 3 is counter-clockwise seen from above
 * (from the top face); the top face 4 5 6 7 lies above it. */
typedef struct tacBrick {
  int v[8]; /* vertices */
} tacBrick;

#define TAC_MESH_MATERIAL_PARAMETERS 24 /* the most parameters of a tacMeshMaterial */

/* A material as a mesh file states it, with its parameters in the order of the VEG format. */
typedef struct tacMeshMaterial {
  char *name; /* owned */
  char *kind; /* owned: "ENU" (density kg/m^3, Young's modulus Pa, Poisson's ratio), "ORTHOTROPIC" or "MOONEYRIVLIN" */
  int parameter_count;
  double parameters[TAC_MESH_MATERIAL_PARAMETERS];
} tacMeshMaterial;

/* Assigns a material to the elements of a group. Later regions override earlier ones. */
typedef struct tacMeshRegion {
  int group, material; /* indices in tacVolMesh.groups and tacVolMesh.materials */
} tacMeshRegion;

/* A volume mesh of tetrahedra and bricks. Elements are numbered tetrahedra first, then bricks: element e >= tet_count
 * is bricks[e - tet_count]. It is a plain struct that callers can fill. The mesh owns every array, and each comes from
 * malloc. */
typedef struct tacVolMesh {
  int vertex_count;
  tacVec3 *vertices; /* m */
  int tet_count;
  tacTet *tets;
  int brick_count;
  tacBrick *bricks;
  int group_count;
  tacIndexSet *groups; /* of elements */
  int vertex_set_count;
  tacIndexSet *vertex_sets;
  int material_count;
  tacMeshMaterial *materials;
  int region_count;
  tacMeshRegion *regions; /* which group has which material */
} tacVolMesh;

/* Creates a mesh with zeroed arrays for the given counts. Free it with tac_volmesh_destroy. */
TAC_API tacStatus tac_volmesh_create(int vertex_count, int tet_count, int brick_count, tacVolMesh **mesh,
                                     tacError *error);

/* Frees a mesh and all that it owns. NULL is allowed. */
TAC_API void tac_volmesh_destroy(tacVolMesh *mesh);

/* Appends a group of `count` elements. The list is copied and sorted; duplicates are removed. TAC_ERR_ARGUMENT if the
 * mesh already has a group of this name, or if an index is out of range. */
TAC_API tacStatus tac_volmesh_add_group(tacVolMesh *mesh, const char *name, int count, const int *elements,
                                        tacError *error);

/* Appends a set of `count` vertices, as tac_volmesh_add_group does with elements. */
TAC_API tacStatus tac_volmesh_add_vertex_set(tacVolMesh *mesh, const char *name, int count, const int *vertices,
                                             tacError *error);

/* Checks indices and coordinates. TAC_ERR_GEOMETRY if an index is out of range or a coordinate is NaN or infinite; the
 * error names it. */
TAC_API tacStatus tac_volmesh_validate(const tacVolMesh *mesh, tacError *error);

/* Returns the box around all vertices, m; empty (lower above upper) without vertices or a mesh. */
TAC_API tacBox tac_volmesh_box(const tacVolMesh *mesh);

/* Returns the sum of the volumes of all elements, m^3. */
TAC_API double tac_volmesh_volume(const tacVolMesh *mesh);

/* Extracts the boundary: the faces that belong to one element only, facing outward. A brick's face becomes two
 * triangles. Vertices are renumbered without gaps. `vertex_of` (may be NULL) receives an array that maps each surface
 * vertex to its volume vertex; `element_of` (may be NULL) one that maps each triangle to its element. Free both arrays
 * with free. */
TAC_API tacStatus tac_volmesh_surface(const tacVolMesh *mesh, tacTriMesh **surface, int **vertex_of, int **element_of,
                                      tacError *error);

/* ---- mesh files ----
 *
 * A format is recognised by content first, and by name only where content is not enough (OBJ and TetGen have no
 * signature).
 *
 *   surfaces: OBJ, STL (ASCII, binary), PLY (ASCII, binary), OFF
 *   volumes:  Gmsh MSH 1, 2.2, 4.1 (ASCII, binary), legacy VTK, VTU, VEG, TetGen .node/.ele; those of Gmsh, VTK and VTU
 *             may hold a surface as well */

/* Content of a mesh file: a surface, a volume or both. Owns both; either may be NULL. */
typedef struct tacMeshContents {
  tacTriMesh *surface;
  tacVolMesh *volume;
} tacMeshContents;

/* Reads a mesh file. Polygons become triangles. Elements of other kinds are skipped with a warning in the log. The
 * error for a broken file names file and line, or byte offset in a binary file. On success at least one mesh of
 * `contents` is set, and the caller destroys both; on failure both are NULL. */
TAC_API tacStatus tac_mesh_read(const char *path, tacMeshContents *contents, tacError *error);

/* Format to write. */
typedef enum tacMeshFormat {
  TAC_MESH_FORMAT_BY_NAME, /* from the path's ending: .obj .stl .ply .off .msh .vtk .vtu .veg .node .ele */
  TAC_MESH_FORMAT_OBJ,
  TAC_MESH_FORMAT_STL_ASCII,
  TAC_MESH_FORMAT_STL_BINARY, /* default for .stl */
  TAC_MESH_FORMAT_PLY_ASCII,
  TAC_MESH_FORMAT_PLY_BINARY, /* default for .ply; little-endian */
  TAC_MESH_FORMAT_OFF,
  TAC_MESH_FORMAT_MSH1,
  TAC_MESH_FORMAT_MSH22_ASCII,
  TAC_MESH_FORMAT_MSH22_BINARY,
  TAC_MESH_FORMAT_MSH41_ASCII, /* default for .msh */
  TAC_MESH_FORMAT_MSH41_BINARY,
  TAC_MESH_FORMAT_VTK_ASCII,
  TAC_MESH_FORMAT_VTK_BINARY, /* default for .vtk */
  TAC_MESH_FORMAT_VTU_ASCII,
  TAC_MESH_FORMAT_VTU_BINARY, /* default for .vtu */
  TAC_MESH_FORMAT_VEG,
  TAC_MESH_FORMAT_TETGEN, /* writes both .node and .ele beside each other */
  TAC_MESH_FORMAT_COUNT   /* number of formats; no format */
} tacMeshFormat;

/* Returns the name of a format, such as "obj", "stl-ascii", "stl" or "msh22-ascii", as `tactus mesh --format` takes it;
 * "unknown" if there is no such format. */
TAC_API const char *tac_mesh_format_name(tacMeshFormat format);

/* Writes a mesh file from `contents`, which may hold a surface, a volume or both. Writes to a temporary name beside
 * `path`, then renames: an interrupted or failed write leaves the old file. Coordinates keep every bit if the format
 * can hold it (binary STL holds floats). TAC_ERR_UNSUPPORTED if the format cannot hold the contents. */
TAC_API tacStatus tac_mesh_write(const char *path, tacMeshFormat format, const tacMeshContents *contents,
                                 tacError *error);

/* ---- quality ---- */

/* Counts and measures of a surface, which show whether it is fit for use. Lengths in m. */
typedef struct tacSurfaceReport {
  int vertices, triangles;
  int unused_vertices;
  int duplicate_vertices;   /* vertices at exactly the position of an earlier one */
  int duplicate_triangles;  /* same three corners as an earlier one, in any order */
  int degenerate_triangles; /* repeated corner, or height below 1e-10 of the longest edge */
  int boundary_edges;       /* in one triangle */
  int nonmanifold_edges;    /* in three or more triangles */
  int misoriented_edges;    /* in two triangles that run along it in the same direction */
  int nonmanifold_vertices; /* whose triangles form more than one fan */
  int components;           /* connected by shared vertices */
  int self_intersections;   /* pairs of triangles that cross or overlap other than at shared corners or edges */
  bool manifold;            /* no non-manifold edge or vertex */
  bool closed;          /* not empty, every edge in exactly two triangles; stricter than tac_trimesh_require_closed */
  bool oriented;        /* no misoriented edge */
  int inside_out;       /* closed components that face inward and are not the wall of a cavity; 0 if not closed */
  int genus;            /* sum over components; -1 if the surface is not closed and manifold */
  double area, volume;  /* m^2, m^3; volume is 0 if not closed */
  double solid_volume;  /* m^3, of tac_trimesh_solid_volume: less than `volume` if parts overlap; 0 if not closed */
  tacVec3 centroid;     /* of the solid if closed, else of the surface */
  double inertia[3][3]; /* about the centroid at unit density, kg m^2; 0 if not closed */
  double shortest_edge, longest_edge;
  double smallest_angle, largest_angle; /* degrees */
  tacBox box;
} tacSurfaceReport;

/* Measures a surface. Offline: allocates. */
TAC_API tacStatus tac_surface_report(const tacTriMesh *mesh, tacSurfaceReport *report, tacError *error);

/* Counts and measures of a volume mesh, which show whether it is fit for use. Lengths in m. */
typedef struct tacVolumeReport {
  int vertices, tets, bricks;
  int unused_vertices;
  int duplicate_elements;
  int inverted_elements;   /* negative volume (tetrahedron), or a non-positive Jacobian at a corner (brick) */
  int degenerate_elements; /* volume below 1e-12 of the cube of the longest edge, or a repeated corner */
  int nonmanifold_faces;   /* shared by three or more elements */
  int components;          /* connected by shared faces */
  double volume;           /* m^3 */
  tacVec3 centroid;
  double inertia[3][3];                       /* about the centroid at unit density, kg m^2 */
  double smallest_dihedral, largest_dihedral; /* degrees, over tetrahedra; 0 if there are none */
  double shortest_edge, longest_edge;
  tacBox box;
} tacVolumeReport;

/* Measures a volume mesh. Offline: allocates. */
TAC_API tacStatus tac_volume_report(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error);

/* ---- repair ---- */

/* How to repair a surface. */
typedef struct tacRepairDef {
  double weld; /* m: vertices within this distance become one; 0 welds only exact duplicates */
} tacRepairDef;

/* What a repair changed. */
typedef struct tacRepairReport {
  int welded_vertices, removed_vertices; /* removed: used by no triangle */
  int removed_triangles;                 /* degenerate or duplicate; not the walls where closed parts touch */
  int flipped_triangles;                 /* to orient each component consistently, outward if it is closed */
  int filled_holes;                      /* boundary loops closed by triangles */
} tacRepairReport;

/* Returns the default: weld 0. */
TAC_API tacRepairDef tac_repair_def_default(void);

/* Repairs the defects of a surface that can be repaired without changing its shape. The input stays as it is; the
 * result keeps its groups and is destroyed by the caller. TAC_ERR_ARGUMENT if `weld` is negative, NaN or infinite.
 * Offline: allocates. */
TAC_API tacStatus tac_repair(const tacTriMesh *mesh, const tacRepairDef *def, tacTriMesh **repaired,
                             tacRepairReport *report, tacError *error);

TAC_END_DECLS

#endif
