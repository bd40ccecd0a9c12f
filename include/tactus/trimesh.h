/* Triangle meshes, their groups and their mass properties. */
#ifndef TACTUS_TRIMESH_H
#define TACTUS_TRIMESH_H

#include <tactus/error.h>
#include <tactus/vec3.h>

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
TAC_API tacStatus tac_trimesh_copy(const tacTriMesh *mesh, tacTriMesh **copy, tacError *error);
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
/* [vertex], unit: mean of the faces' normals weighted by their angles; zero where a vertex is in no triangle that has an area. */
TAC_API void tac_trimesh_normals(const tacTriMesh *mesh, tacVec3 *normals);
TAC_API tacBox tac_trimesh_box(const tacTriMesh *mesh);
/* Volume enclosed (m^3, positive where triangles face outward); meaningful for closed meshes. */
TAC_API double tac_trimesh_volume(const tacTriMesh *mesh);
/* Volume of the solid that a closed mesh encloses (m^3, never negative): where the winding number is not 0, so that what lies in
 * several parts counts once, which tac_trimesh_volume counts as often. Exact but for overlaps, which are measured to about
 * 1e-4 of the box by rows through them. Offline: allocates. */
TAC_API tacStatus tac_trimesh_solid_volume(const tacTriMesh *mesh, double *volume, tacError *error);
TAC_API double tac_trimesh_area(const tacTriMesh *mesh);

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
/* The same solid with another density, so that it weighs `mass` (kg, positive). */
TAC_API tacStatus tac_mass_properties_scale(tacMassProperties *properties, double mass, tacError *error);

TAC_END_DECLS

#endif
