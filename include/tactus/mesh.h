/* Triangle meshes and volume meshes: files, quality, repair, and mass properties of solids.
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
 * Units: SI. Lengths of meshes are in metres. Mesh files store no units; the library reads their numbers as metres.
 *
 * Threads and phases: all functions belong to the load and offline phases and must not be called in a tick. A mesh has
 * no lock. Any number of threads may read a mesh at the same time. While a thread changes a mesh, no other thread may
 * use the mesh. */
#ifndef TACTUS_MESH_H
#define TACTUS_MESH_H

#include <stdbool.h>
#include <tactus/base.h>

TAC_BEGIN_DECLS

/* A named list of vertices or elements of a mesh. */
typedef struct tacIndexSet {
  char *name;   /* name, never NULL, unique in the array of sets; the set owns the string */
  int count;    /* number of indices; may be 0 */
  int *indices; /* zero-based indices, ascending, without duplicates; the set owns the array */
} tacIndexSet;

/* ---- triangle meshes ---- */

/* Corners of a triangle, counter-clockwise seen from outside, so that (b - a) x (c - a) points out of the solid. */
typedef struct tacTriangle {
  int v[3]; /* indices of the vertices a, b, c */
} tacTriangle;

/* A triangle mesh: a closed or open surface, or a polygon soup. The struct is plain, and callers can fill it. The mesh
 * owns its arrays, and each array must come from malloc. */
typedef struct tacTriMesh {
  int vertex_count;       /* number of vertices */
  tacVec3 *vertices;      /* positions of the vertices, m */
  int triangle_count;     /* number of triangles */
  tacTriangle *triangles; /* corners of each triangle */
  int group_count;        /* number of groups */
  tacIndexSet *groups;    /* named parts, each a list of triangles */
} tacTriMesh;

/* Creates a mesh with zeroed arrays for the given counts. The caller frees the mesh with tac_trimesh_destroy. */
TAC_API tacStatus tac_trimesh_create(int vertex_count, int triangle_count, tacTriMesh **mesh, tacError *error);

/* Frees a mesh and all its arrays. `mesh` may be NULL. */
TAC_API void tac_trimesh_destroy(tacTriMesh *mesh);

/* Appends a group of `count` triangles to a mesh. The function copies and sorts the list and removes duplicates.
 * Returns TAC_ERR_ARGUMENT if the mesh already has a group of this name, or if an index is out of range. */
TAC_API tacStatus tac_trimesh_add_group(tacTriMesh *mesh, const char *name, int count, const int *triangles,
                                        tacError *error);

/* Checks the indices and coordinates of a mesh. Returns TAC_ERR_GEOMETRY if an index is out of range or a coordinate is
 * NaN or infinite; the error text names the wrong value. Every function that takes a mesh from a caller may assume that
 * the mesh has passed this check. */
TAC_API tacStatus tac_trimesh_validate(const tacTriMesh *mesh, tacError *error);

/* Checks that a mesh encloses a volume.
 *
 * A mesh is closed if each directed edge occurs as often as the opposite edge. Winding numbers are then integers
 * everywhere off the surface. Meshes with touching, nested or intersecting parts can be closed; an empty mesh is not.
 *
 * Returns TAC_ERR_GEOMETRY if the mesh is not closed; the error text states the number of boundary edges. Allocates
 * memory, and so belongs to the offline phase. */
TAC_API tacStatus tac_trimesh_require_closed(const tacTriMesh *mesh, tacError *error);

/* Returns the box around all vertices, m. The box is empty (lower above upper) if there is no vertex or no mesh. */
TAC_API tacBox tac_trimesh_box(const tacTriMesh *mesh);

/* Returns the enclosed volume, m^3, positive if the triangles face outward. The result is meaningful only for closed
 * meshes. A region inside several parts counts once for each of these parts. */
TAC_API double tac_trimesh_volume(const tacTriMesh *mesh);

/* Computes the volume of the solid that a closed mesh encloses, m^3, never negative.
 *
 * The solid is the region with a winding number other than 0, so a region inside several parts counts once. The result
 * is exact if no parts overlap. The volume of overlaps is sampled along rows, with an error of about 1e-4 of the volume
 * of the box. Allocates memory, and so belongs to the offline phase. */
TAC_API tacStatus tac_trimesh_solid_volume(const tacTriMesh *mesh, double *volume, tacError *error);

/* Computes a unit normal for each vertex. The normal is the mean of the normals of the adjacent triangles, weighted by
 * the angles of the triangles at the vertex. The normal is zero if no triangle with an area uses the vertex. `normals`
 * has vertex_count elements. */
TAC_API void tac_trimesh_normals(const tacTriMesh *mesh, tacVec3 *normals);

/* ---- mass of a rigid solid ---- */

/* Mass, centre of mass and moments of inertia of a rigid body. */
typedef struct tacInertia {
  double mass;    /* mass, kg */
  tacVec3 centre; /* centre of mass, m, in the frame of the body or surface */
  /* Moments of inertia about the centre of mass, kg m^2, along the axes of the frame of `centre`. The matrix is the sum
   * of m (r.r 1 - r r^T), where r is the position of a mass m relative to the centre of mass. */
  double moments[3][3];
} tacInertia;

/* Computes the mass properties of the solid that a closed surface bounds. `density` is uniform, in kg/m^3, and must be
 * positive. The result is exact up to round-off.
 *
 * A cavity counts as empty if its triangles face into the cavity. A region inside several parts counts once for each of
 * these parts. Returns TAC_ERR_GEOMETRY if the surface is not closed. Also returns TAC_ERR_GEOMETRY if the volume is
 * not positive, because the surface is inside out or flat. Call in the load or offline phase. */
TAC_API tacStatus tac_mass_properties(const tacTriMesh *surface, double density, tacInertia *inertia, tacError *error);

/* ---- volume meshes ---- */

/* A tetrahedron with 4 nodes. Its volume is positive: (b - a) x (c - a) . (d - a) > 0. */
typedef struct tacTet {
  int v[4]; /* indices of the vertices a, b, c, d */
} tacTet;

/* A brick with 8 nodes, in the order of VTK and Gmsh. The bottom face 0 1 2 3 is counter-clockwise seen from the top
 * face. The nodes 4 5 6 7 of the top face lie above the nodes 0 1 2 3. */
typedef struct tacBrick {
  int v[8]; /* indices of the vertices */
} tacBrick;

#define TAC_MESH_MATERIAL_PARAMETERS 24 /* maximum number of parameters of a tacMeshMaterial */

/* A material that a mesh file defines. The parameters are in the order of the VEG format. */
typedef struct tacMeshMaterial {
  char *name; /* name of the material; the struct owns the string */
  /* Kind of the material: "ENU" (density kg/m^3, Young's modulus Pa, Poisson's ratio), "ORTHOTROPIC" or "MOONEYRIVLIN".
   * The struct owns the string. */
  char *kind;
  int parameter_count;                             /* number of parameters */
  double parameters[TAC_MESH_MATERIAL_PARAMETERS]; /* parameters; the first `parameter_count` are valid */
} tacMeshMaterial;

/* Assignment of a material to the elements of a group. If groups overlap, the last region in the array applies. */
typedef struct tacMeshRegion {
  int group, material; /* indices in tacVolMesh.groups and tacVolMesh.materials */
} tacMeshRegion;

/* A volume mesh of tetrahedra and bricks. Tetrahedra are the first elements, and bricks follow: element e >= tet_count
 * is bricks[e - tet_count]. The struct is plain, and callers can fill it. The mesh owns its arrays, and each array must
 * come from malloc. */
typedef struct tacVolMesh {
  int vertex_count;           /* number of vertices */
  tacVec3 *vertices;          /* positions of the vertices, m */
  int tet_count;              /* number of tetrahedra */
  tacTet *tets;               /* vertices of each tetrahedron */
  int brick_count;            /* number of bricks */
  tacBrick *bricks;           /* vertices of each brick */
  int group_count;            /* number of groups */
  tacIndexSet *groups;        /* named parts, each a list of elements */
  int vertex_set_count;       /* number of vertex sets */
  tacIndexSet *vertex_sets;   /* named lists of vertices */
  int material_count;         /* number of materials */
  tacMeshMaterial *materials; /* materials that regions refer to */
  int region_count;           /* number of regions */
  tacMeshRegion *regions;     /* material of each group */
} tacVolMesh;

/* Creates a mesh with zeroed arrays for the given counts. The caller frees the mesh with tac_volmesh_destroy. */
TAC_API tacStatus tac_volmesh_create(int vertex_count, int tet_count, int brick_count, tacVolMesh **mesh,
                                     tacError *error);

/* Frees a mesh and all its arrays. `mesh` may be NULL. */
TAC_API void tac_volmesh_destroy(tacVolMesh *mesh);

/* Appends a group of `count` elements to a mesh. The function copies and sorts the list and removes duplicates. Returns
 * TAC_ERR_ARGUMENT if the mesh already has a group of this name, or if an index is out of range. */
TAC_API tacStatus tac_volmesh_add_group(tacVolMesh *mesh, const char *name, int count, const int *elements,
                                        tacError *error);

/* Appends a set of `count` vertices to a mesh. The function copies and sorts the list and removes duplicates. Returns
 * TAC_ERR_ARGUMENT if the mesh already has a vertex set of this name, or if an index is out of range. */
TAC_API tacStatus tac_volmesh_add_vertex_set(tacVolMesh *mesh, const char *name, int count, const int *vertices,
                                             tacError *error);

/* Checks the indices and coordinates of a mesh. Returns TAC_ERR_GEOMETRY if an index is out of range or a coordinate is
 * NaN or infinite; the error text names the wrong value. */
TAC_API tacStatus tac_volmesh_validate(const tacVolMesh *mesh, tacError *error);

/* Returns the box around all vertices, m. The box is empty (lower above upper) if there is no vertex or no mesh. */
TAC_API tacBox tac_volmesh_box(const tacVolMesh *mesh);

/* Returns the sum of the volumes of all elements, m^3. */
TAC_API double tac_volmesh_volume(const tacVolMesh *mesh);

/* Extracts the boundary of a volume mesh: the faces that belong to only one element, facing outward. A face of a brick
 * becomes two triangles. Vertices are renumbered without gaps.
 *
 * `vertex_of` receives an array that maps each surface vertex to its vertex of the volume mesh. `element_of` receives
 * an array that maps each triangle to its element. Both pointers may be NULL. The caller frees both arrays with
 * free. */
TAC_API tacStatus tac_volmesh_surface(const tacVolMesh *mesh, tacTriMesh **surface, int **vertex_of, int **element_of,
                                      tacError *error);

/* ---- mesh files ----
 *
 * The library recognises the format of a file by the content. The library recognises OBJ and TetGen files by the file
 * name, because these formats have no signature.
 *
 *   surfaces: OBJ, STL (ASCII, binary), PLY (ASCII, binary), OFF
 *   volumes:  Gmsh MSH 1, 2.2, 4.1 (ASCII, binary), legacy VTK, VTU, VEG, TetGen .node/.ele; files of Gmsh, VTK and VTU
 *             may also contain a surface */

/* Content of a mesh file: a surface, a volume mesh or both. */
typedef struct tacMeshContents {
  tacTriMesh *surface; /* surface, owned by the caller; NULL: none */
  tacVolMesh *volume;  /* volume mesh, owned by the caller; NULL: none */
} tacMeshContents;

/* Reads a mesh file. Polygons become triangles. Elements of unsupported kinds are skipped with a warning in the log.
 *
 * On success at least one mesh of `contents` is set, and the caller destroys the meshes. On failure both meshes are
 * NULL. The error text for a broken file names the file and the line, or the byte offset in a binary file. */
TAC_API tacStatus tac_mesh_read(const char *path, tacMeshContents *contents, tacError *error);

/* File format for tac_mesh_write. */
typedef enum tacMeshFormat {
  TAC_MESH_FORMAT_BY_NAME, /* format of the file extension: .obj .stl .ply .off .msh .vtk .vtu .veg .node .ele */
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
  TAC_MESH_FORMAT_TETGEN, /* a .node file and an .ele file in the same folder */
  TAC_MESH_FORMAT_COUNT   /* number of formats; not a format */
} tacMeshFormat;

/* Returns the name of a format, such as "obj", "stl-ascii", "stl" or "msh22-ascii". The option `tactus mesh --format`
 * uses the same names. The function returns "unknown" for a value that is not a format. */
TAC_API const char *tac_mesh_format_name(tacMeshFormat format);

/* Writes the surface, the volume mesh or both of `contents` to a mesh file.
 *
 * The function writes to a temporary file in the folder of `path`, then renames the temporary file to `path`. An
 * interrupted or failed write therefore does not change an existing file. Coordinates are written without rounding if
 * the format allows it; binary STL stores floats. Returns TAC_ERR_UNSUPPORTED if the format cannot store the
 * contents. */
TAC_API tacStatus tac_mesh_write(const char *path, tacMeshFormat format, const tacMeshContents *contents,
                                 tacError *error);

/* ---- quality ---- */

/* Counts and measures that show whether a surface is suitable for simulation. Lengths are in m. */
typedef struct tacSurfaceReport {
  int vertices, triangles;  /* numbers of vertices and triangles */
  int unused_vertices;      /* vertices that no triangle uses */
  int duplicate_vertices;   /* vertices at exactly the position of an earlier vertex */
  int duplicate_triangles;  /* triangles with the same three corners as an earlier triangle, in any order */
  int degenerate_triangles; /* triangles with a repeated corner or with a height below 1e-10 of the longest edge */
  int boundary_edges;       /* edges of only one triangle */
  int nonmanifold_edges;    /* edges of three or more triangles */
  int misoriented_edges;    /* edges whose two triangles traverse the edge in the same direction */
  int nonmanifold_vertices; /* vertices whose triangles form more than one fan */
  int components;           /* parts of the surface that are connected by shared vertices */
  int self_intersections;   /* pairs of triangles that cross or overlap other than at shared corners or edges */
  bool manifold;            /* true if no edge or vertex is non-manifold */
  /* True if the mesh is not empty and every edge belongs to exactly two triangles. This condition is stricter than the
   * condition of tac_trimesh_require_closed. */
  bool closed;
  bool oriented;        /* true if no edge is misoriented */
  int inside_out;       /* closed components that face inward and are not walls of cavities; 0 if not closed */
  int genus;            /* sum of the genus of all components; -1 if the surface is not closed and manifold */
  double area, volume;  /* area, m^2; volume, m^3, 0 if the surface is not closed */
  double solid_volume;  /* result of tac_trimesh_solid_volume, m^3: below `volume` if parts overlap; 0 if not closed */
  tacVec3 centroid;     /* centroid of the solid, m; centroid of the surface if the surface is not closed */
  double inertia[3][3]; /* moments of inertia about the centroid at unit density, kg m^2; 0 if not closed */
  double shortest_edge, longest_edge;   /* lengths of the shortest and the longest edge, m */
  double smallest_angle, largest_angle; /* smallest and largest corner angle of the triangles, degrees */
  tacBox box;                           /* box around all vertices, m */
} tacSurfaceReport;

/* Measures a surface. Allocates memory, and so belongs to the offline phase. */
TAC_API tacStatus tac_surface_report(const tacTriMesh *mesh, tacSurfaceReport *report, tacError *error);

/* Counts and measures that show whether a volume mesh is suitable for simulation. Lengths are in m. */
typedef struct tacVolumeReport {
  int vertices, tets, bricks; /* numbers of vertices, tetrahedra and bricks */
  int unused_vertices;        /* vertices that no element uses */
  int duplicate_elements;     /* elements with the same vertices as an earlier element */
  int inverted_elements;      /* tetrahedra of negative volume, and bricks with a non-positive Jacobian at a corner */
  int degenerate_elements;    /* elements with a repeated corner or a volume below 1e-12 of (longest edge)^3 */
  int nonmanifold_faces;      /* faces of three or more elements */
  int components;             /* parts of the mesh that are connected by shared faces */
  double volume;              /* total volume, m^3 */
  tacVec3 centroid;           /* centroid of the volume, m */
  double inertia[3][3];       /* moments of inertia about the centroid at unit density, kg m^2 */
  double smallest_dihedral, largest_dihedral; /* dihedral angles of the tetrahedra, degrees; 0 without tetrahedra */
  double shortest_edge, longest_edge;         /* lengths of the shortest and the longest edge, m */
  tacBox box;                                 /* box around all vertices, m */
} tacVolumeReport;

/* Measures a volume mesh. Allocates memory, and so belongs to the offline phase. */
TAC_API tacStatus tac_volume_report(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error);

/* ---- repair ---- */

/* Options of tac_repair. */
typedef struct tacRepairDef {
  double weld; /* largest distance between vertices that are merged, m; default 0: only exact duplicates are merged */
} tacRepairDef;

/* Numbers of changes that a repair made. */
typedef struct tacRepairReport {
  int welded_vertices, removed_vertices; /* vertices merged with others; vertices removed as unused */
  int removed_triangles; /* degenerate or duplicate triangles removed; walls between touching closed parts remain */
  int flipped_triangles; /* triangles flipped to orient each component consistently, outward if closed */
  int filled_holes;      /* boundary loops closed by triangles */
} tacRepairReport;

/* Returns the default options. */
TAC_API tacRepairDef tac_repair_def_default(void);

/* Repairs the defects of a surface that can be repaired without a change of shape. The function does not change `mesh`.
 * The result has the groups of `mesh`, and the caller destroys the result. Returns TAC_ERR_ARGUMENT if `weld` is
 * negative, NaN or infinite. Allocates memory, and so belongs to the offline phase. */
TAC_API tacStatus tac_repair(const tacTriMesh *mesh, const tacRepairDef *def, tacTriMesh **repaired,
                             tacRepairReport *report, tacError *error);

TAC_END_DECLS

#endif
