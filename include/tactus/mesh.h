/* Meshes: triangles and volumes, their files, whether they are fit for use, and repair. */
#ifndef TACTUS_MESH_H
#define TACTUS_MESH_H

#include <stdbool.h>
#include <tactus/base.h>

TAC_BEGIN_DECLS

/* A named list of vertices or elements of a mesh. */
typedef struct tacIndexSet {
  char *name;   /* owned, never NULL, unique within its list */
  int count;    /* may be 0 */
  int *indices; /* owned, ascending, without repetition, counted from 0 */
} tacIndexSet;

/* A triangle mesh: a surface, closed or not, or a polygon soup. Lengths in metres. */

/* Corners counter-clockwise seen from outside, so that (b - a) x (c - a) points out of the solid. */
typedef struct tacTriangle {
  int v[3];
} tacTriangle;

/* A plain struct so that callers can fill it; every array is owned by the mesh and comes from malloc. */
typedef struct tacTriMesh {
  int vertex_count;
  tacVec3 *vertices;
  int triangle_count;
  tacTriangle *triangles;
  int group_count; /* named parts */
  tacIndexSet *groups;
} tacTriMesh;

/* A mesh with room for the given counts, zeroed. Free it with tac_trimesh_destroy. */
TAC_API tacStatus tac_trimesh_create(int vertex_count, int triangle_count, tacTriMesh **mesh, tacError *error);
TAC_API void tac_trimesh_destroy(tacTriMesh *mesh); /* NULL is allowed */
/* Appends a group of `count` triangles (copied, sorted); the name must be new in the mesh. */
TAC_API tacStatus tac_trimesh_add_group(tacTriMesh *mesh, const char *name, int count, const int *triangles,
                                        tacError *error);
/* TAC_ERR_GEOMETRY where an index is out of range or a coordinate is not finite; says which. Every function that takes a
 * mesh from a caller may assume that this holds. */
TAC_API tacStatus tac_trimesh_validate(const tacTriMesh *mesh, tacError *error);
/* TAC_ERR_GEOMETRY, with the number of boundary edges, unless the mesh encloses a volume: every directed edge is
 * matched by an opposite one, counting multiplicity, so that winding numbers are integers everywhere off the surface.
 * Touching, nested and intersecting parts are closed; an empty mesh is not. Offline: allocates. */
TAC_API tacStatus tac_trimesh_require_closed(const tacTriMesh *mesh, tacError *error);
TAC_API tacBox tac_trimesh_box(const tacTriMesh *mesh);
/* Volume enclosed (m^3, positive where triangles face outward); meaningful for closed meshes. */
TAC_API double tac_trimesh_volume(const tacTriMesh *mesh);
/* Volume of the solid that a closed mesh encloses (m^3, never negative): where the winding number is not 0, so that what lies in
 * several parts counts once, which tac_trimesh_volume counts as often. Exact but for overlaps, which are measured to about
 * 1e-4 of the box by rows through them. Offline: allocates. */
TAC_API tacStatus tac_trimesh_solid_volume(const tacTriMesh *mesh, double *volume, tacError *error);

/* What a rigid solid weighs, and how it resists being turned. */
typedef struct tacMassProperties {
  double volume;        /* m^3 */
  double mass;          /* kg */
  tacVec3 centre;       /* of mass, m, in the frame of the surface */
  double inertia[3][3]; /* about the centre, kg m^2, along the axes of that frame: sum of m (r.r 1 - r r^T) */
} tacMassProperties;

/* Of the solid of uniform `density` (kg/m^3, positive) that a closed surface bounds; exact up to round-off. A cavity
 * counts as empty where its triangles face into it; where parts overlap, mass counts once for each. TAC_ERR_GEOMETRY
 * where the surface is not closed or its volume is not positive: it is inside out, or flat. Load and offline phases. */
TAC_API tacStatus tac_mass_properties(const tacTriMesh *surface, double density, tacMassProperties *properties,
                                      tacError *error);

/* A volume mesh of 4-node tetrahedra and 8-node bricks. Lengths in metres. */

/* Positive volume: (b - a) x (c - a) . (d - a) > 0. */
typedef struct tacTet {
  int v[4];
} tacTet;

/* Bottom face 0 1 2 3 counter-clockwise seen from above (from the top face), top face 4 5 6 7 above it: the VTK and Gmsh
 * order. */
typedef struct tacBrick {
  int v[8];
} tacBrick;

/* A material as a mesh file states it: `kind` is "ENU" (density kg/m^3, Young's modulus Pa, Poisson's ratio),
 * "ORTHOTROPIC" or "MOONEYRIVLIN", with the parameters in the order of the VEG format. */
#define TAC_MESH_MATERIAL_PARAMETERS 24
typedef struct tacMeshMaterial {
  char *name;
  char *kind;
  int parameter_count;
  double parameters[TAC_MESH_MATERIAL_PARAMETERS];
} tacMeshMaterial;

/* Elements of `group` have `material`; later regions override earlier ones. */
typedef struct tacMeshRegion {
  int group, material;
} tacMeshRegion;

/* Elements are numbered tetrahedra first, then bricks: element e >= tet_count is bricks[e - tet_count].
 * A plain struct so that callers can fill it; every array is owned by the mesh and comes from malloc. */
typedef struct tacVolMesh {
  int vertex_count;
  tacVec3 *vertices;
  int tet_count;
  tacTet *tets;
  int brick_count;
  tacBrick *bricks;
  int group_count; /* of elements */
  tacIndexSet *groups;
  int vertex_set_count;
  tacIndexSet *vertex_sets;
  int material_count;
  tacMeshMaterial *materials;
  int region_count;
  tacMeshRegion *regions;
} tacVolMesh;

/* A mesh with room for the given counts, zeroed. Free it with tac_volmesh_destroy. */
TAC_API tacStatus tac_volmesh_create(int vertex_count, int tet_count, int brick_count, tacVolMesh **mesh,
                                     tacError *error);
TAC_API void tac_volmesh_destroy(tacVolMesh *mesh); /* NULL is allowed */
/* Append a group of elements or a set of vertices (copied, sorted); the name must be new in its list. */
TAC_API tacStatus tac_volmesh_add_group(tacVolMesh *mesh, const char *name, int count, const int *elements,
                                        tacError *error);
TAC_API tacStatus tac_volmesh_add_vertex_set(tacVolMesh *mesh, const char *name, int count, const int *vertices,
                                             tacError *error);
/* TAC_ERR_GEOMETRY where an index is out of range or a coordinate is not finite; says which. */
TAC_API tacStatus tac_volmesh_validate(const tacVolMesh *mesh, tacError *error);
TAC_API tacBox tac_volmesh_box(const tacVolMesh *mesh);
TAC_API double tac_volmesh_volume(const tacVolMesh *mesh);

/* The boundary: faces that belong to one element only, facing outward; a brick's face becomes two triangles. Vertices are
 * renumbered without gaps. `vertex_of` (optional) receives a malloc'ed array that maps each surface vertex to its volume
 * vertex; `element_of` (optional) one that maps each triangle to its element. */
TAC_API tacStatus tac_volmesh_surface(const tacVolMesh *mesh, tacTriMesh **surface, int **vertex_of, int **element_of,
                                      tacError *error);

/* Mesh files: what one has, and how it is read and written. */

/* What a mesh file holds: a surface, a volume or both. */

/* Owns both; either may be NULL. */
typedef struct tacMeshContents {
  tacTriMesh *surface;
  tacVolMesh *volume;
} tacMeshContents;

/* Mesh files: one reader and one writer for every format.
 *
 * Formats are recognised by content first and by name only where content cannot tell (OBJ and TetGen have no signature).
 *   surfaces: OBJ, STL (ASCII, binary), PLY (ASCII, binary), OFF
 *   volumes:  Gmsh MSH 1, 2.2, 4.1 (ASCII, binary), legacy VTK, VTU, VEG, TetGen .node/.ele; those of Gmsh, VTK and VTU
 *             may hold a surface as well */

/* Reads a file. Polygons become triangles; elements of other kinds are skipped with a warning to the log; a broken file
 * is an error that names file and line (or byte offset, in binary). On failure `contents` is both NULL, else not. */
TAC_API tacStatus tac_mesh_read(const char *path, tacMeshContents *contents, tacError *error);

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

/* Writes to a temporary name beside `path`, then renames: an interrupted or failed write leaves the old file. Coordinates
 * keep every bit where the format can (binary STL holds floats). `contents` may hold either or both; TAC_ERR_UNSUPPORTED
 * where the format cannot hold what is there. */
TAC_API tacStatus tac_mesh_write(const char *path, tacMeshFormat format, const tacMeshContents *contents,
                                 tacError *error);

/* Whether a mesh is fit for use, and the repair of a surface that is not. */

/* Is this mesh fit for use? Counts and measures of surfaces and volumes. */
typedef struct tacSurfaceReport {
  int vertices, triangles;
  int unused_vertices;
  int duplicate_vertices;   /* vertices at exactly the place of an earlier one */
  int duplicate_triangles;  /* same three corners as an earlier one, in any order */
  int degenerate_triangles; /* repeated corner, or height below 1e-10 of the longest edge */
  int boundary_edges;       /* in one triangle */
  int nonmanifold_edges;    /* in three or more */
  int misoriented_edges;    /* in two triangles that run along it in the same direction */
  int nonmanifold_vertices; /* whose triangles form more than one fan */
  int components;           /* connected by shared vertices */
  int self_intersections;   /* pairs of triangles that cross or overlap other than at shared corners or edges */
  bool manifold;            /* no non-manifold edge or vertex */
  bool closed;              /* not empty, every edge in exactly two triangles */
  bool oriented;            /* no misoriented edge */
  int inside_out;           /* closed components that face inward and are the wall of no cavity; 0 where not closed */
  int genus;                /* sum over components; -1 where the surface is not closed and manifold */
  double area, volume;      /* m^2, m^3; volume is 0 where not closed */
  double solid_volume;      /* that of tac_trimesh_solid_volume, less than `volume` where parts overlap; likewise */
  tacVec3 centroid;         /* of the solid where closed, of the surface elsewhere */
  double inertia[3][3];     /* about the centroid at unit density, kg m^2; 0 where not closed */
  double shortest_edge, longest_edge;
  double smallest_angle, largest_angle; /* degrees */
  tacBox box;
} tacSurfaceReport;

TAC_API tacStatus tac_surface_report(const tacTriMesh *mesh, tacSurfaceReport *report, tacError *error);

typedef struct tacVolumeReport {
  int vertices, tets, bricks;
  int unused_vertices;
  int duplicate_elements;
  int inverted_elements;   /* negative volume (tet), or a non-positive Jacobian at a corner (brick) */
  int degenerate_elements; /* volume below 1e-12 of the cube of the longest edge, or a repeated corner */
  int nonmanifold_faces;   /* shared by three or more elements */
  int components;          /* connected by shared faces */
  double volume;
  tacVec3 centroid;
  double inertia[3][3];                       /* about the centroid at unit density, kg m^2 */
  double smallest_dihedral, largest_dihedral; /* degrees, over tetrahedra; 0 where there are none */
  double shortest_edge, longest_edge;
  tacBox box;
} tacVolumeReport;

TAC_API tacStatus tac_volume_report(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error);

/* Mends what can be mended in a surface without changing its shape. */
typedef struct tacRepairDef {
  double weld; /* vertices within this distance become one; metres, 0 welds only exact repetitions */
} tacRepairDef;

typedef struct tacRepairReport {
  int welded_vertices, removed_vertices; /* removed: used by no triangle */
  int removed_triangles;                 /* degenerate or repeated; not the walls where closed parts touch */
  int flipped_triangles;                 /* to orient each component consistently, outward where it is closed */
  int filled_holes;                      /* boundary loops closed by triangles */
} tacRepairReport;

TAC_API tacRepairDef tac_repair_def_default(void);
TAC_API tacStatus tac_repair(const tacTriMesh *mesh, const tacRepairDef *def, tacTriMesh **repaired,
                             tacRepairReport *report, tacError *error);

TAC_END_DECLS

#endif
