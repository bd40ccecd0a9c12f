/* Distance fields: the signed distance from a point to the surface of a solid, negative inside. A field is sampled on a
 * grid or analytic (docs/distance_field.md).
 *
 * Example:
 *
 *     tacFieldDef def = tac_field_def_default();
 *     def.resolution = 64;
 *     tacDistanceField *field = NULL;
 *     tacStatus status = tac_distance_field_bake(surface, &def, NULL, &field, error);
 *     if (status != TAC_OK) return status;
 *     tacVec3 point = {0.0, 0.0, 0.01}, outward;
 *     double distance = tac_distance_field_gradient(field, point, &outward);
 *     if (distance < 0.0) status = tac_distance_field_write(field, "solid.field", error);  // the point is inside
 *     tac_distance_field_destroy(field);
 *     return status;
 *
 * Units: m. Points and results are in the field's own frame.
 *
 * Phases: bakes are offline. Creating, reading, writing and destroying belong to the load phase. Queries may be made in
 * any phase; they allocate nothing and never fail.
 *
 * Threads: a field is immutable. Any number of threads may query it at a time.
 *
 * Errors: functions that return a tacStatus set the field to NULL on failure.
 *
 * Equations and sections are those of Barbic's thesis (2007). */
#ifndef TACTUS_DISTANCE_FIELD_H
#define TACTUS_DISTANCE_FIELD_H

#include <stddef.h>
#include <tactus/base.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

typedef struct tacDistanceField tacDistanceField;

/* ---- creation ---- */

/* Creates a field from samples of signed distances. On success the field takes over grid->values, which must come from
 * malloc; on failure they stay the caller's. TAC_ERR_ARGUMENT: fewer than 2 nodes along an axis, a spacing that is not
 * positive, or a value that is NaN or infinite. Load phase. */
TAC_API tacStatus tac_distance_field_from_grid(const tacGrid *grid, tacDistanceField **field, tacError *error);
/* Creates the field of a half space. Points p with normal . p < offset are inside. `normal` may have any length except
 * 0; `offset` is in metres if it has length 1. Load phase. */
TAC_API tacStatus tac_distance_field_plane(tacVec3 normal, double offset, tacDistanceField **field, tacError *error);
/* Creates the field of a sphere. `centre` and `radius` in m; the radius must not be negative. Load phase. */
TAC_API tacStatus tac_distance_field_sphere(tacVec3 centre, double radius, tacDistanceField **field, tacError *error);
/* Creates the field of an axis-aligned box, in m. No lower bound may exceed the upper bound. Load phase. */
TAC_API tacStatus tac_distance_field_box(tacBox box, tacDistanceField **field, tacError *error);
/* Creates the field of a capsule: all points within `radius` of the segment from `a` to `b`, all in m. Load phase. */
TAC_API tacStatus tac_distance_field_capsule(tacVec3 a, tacVec3 b, double radius, tacDistanceField **field,
                                             tacError *error);
/* Creates the union of `part_count` fields, at least 1. Its value is the smallest value of the parts: exact outside, a
 * bound inside where parts overlap. On success it takes over the parts. Parts may be unions. Load phase. */
TAC_API tacStatus tac_distance_field_union(int part_count, tacDistanceField *const *parts, tacDistanceField **field,
                                           tacError *error);
/* Frees a field; NULL is allowed. Load phase. */
TAC_API void tac_distance_field_destroy(tacDistanceField *field);

/* ---- queries: any phase, any thread ---- */

/* Returns the signed distance at `p` (m) and computes its gradient.
 *
 * In a grid field, value and gradient are those of the trilinear interpolant of the samples (equation 3.11). The
 * gradient is not normalised. Outside the grid's box the value is a lower bound of the distance (inequality 3.14), and
 * the gradient is the direction away from the box.
 *
 * Where the gradient of an analytic field is not unique, the result is one of the adjacent gradients. At the centre of
 * a sphere and on the axis of a capsule it is zero. A point with a NaN or infinite coordinate gives the value infinity
 * and a zero gradient. */
TAC_API double tac_distance_field_gradient(const tacDistanceField *field, tacVec3 p, tacVec3 *gradient);
/* Computes the values (m) at `count` points (m): those that tac_distance_field_gradient returns, in less time. */
TAC_API void tac_distance_field_values(const tacDistanceField *field, int count, const tacVec3 *points, double *values);

/* Returns the samples of a grid field; NULL for an analytic one. They belong to the field. */
TAC_API const tacGrid *tac_distance_field_grid(const tacDistanceField *field);
/* Returns the checks of the bake; none for a field that was not baked. They belong to the field. */
TAC_API const tacBakeChecks *tac_distance_field_checks(const tacDistanceField *field);

/* ---- files: load phase ---- */

/* Writes a grid field to a file, atomically. TAC_ERR_UNSUPPORTED for an analytic field. */
TAC_API tacStatus tac_distance_field_write(const tacDistanceField *field, const char *path, tacError *error);
/* Reads a grid field from a file. The error text for a truncated or altered file names the broken chunk. */
TAC_API tacStatus tac_distance_field_read(const char *path, tacDistanceField **field, tacError *error);

/* ---- bakes from meshes: offline ---- */

/* How a field is baked from a mesh. The grid is a cube around the mesh. */
typedef struct tacFieldDef {
  int resolution;   /* voxels along each side of the cube, 1 to 1024; there is one more node; default 128 */
  double expansion; /* side of the cube over the longest side of the mesh's box, 1 to 100; default 1.5 (section 3.11) */
  /* For a polygon soup: distance from its polygons to the surface, m. 0, the default: 1.4 voxels (Fig. 3.15). */
  double offset;
  double band; /* voxels: nodes closer to the surface are exact; default 4. INFINITY: all nodes, up to 6 times slower */
  int thread_count; /* 0, the default: one thread for each core */
} tacFieldDef;

/* Returns the default options. Any phase. */
TAC_API tacFieldDef tac_field_def_default(void);

/* Bakes the signed distance to a closed mesh.
 *
 * Nodes within the band and on the faces of the grid's box are exact to float precision. At other nodes the size of the
 * distance may be too large, never too small: usually by a fraction of a voxel, by 4.5 voxels at most.
 *
 * A point is inside if the winding number is not zero. So overlapping, touching and nested parts form one solid, and a
 * cavity bounded by triangles that face into it is outside.
 *
 * `progress` may be NULL. TAC_ERR_GEOMETRY: the mesh is not closed. TAC_ERR_CHECK: the result failed a check. */
TAC_API tacStatus tac_distance_field_bake(const tacTriMesh *mesh, const tacFieldDef *def, const tacProgress *progress,
                                          tacDistanceField **field, tacError *error);

/* Bakes the signed distance to the offset surface of any set of triangles (sections 3.8.1 and 3.11).
 *
 * The bake computes the unsigned distance and extracts its isosurface at `def->offset`. It removes components that lie
 * inside others, and bakes the signed distance to the remaining surface. `surface` receives that surface, which the
 * caller frees; it may be NULL. `progress` may be NULL. TAC_ERR_ARGUMENT: the offset is below half a voxel.
 * TAC_ERR_CHECK: the result failed a check. */
TAC_API tacStatus tac_distance_field_bake_soup(const tacTriMesh *soup, const tacFieldDef *def,
                                               const tacProgress *progress, tacDistanceField **field,
                                               tacTriMesh **surface, tacError *error);

/* ---- fields of bodies that deform; scenes bake them ---- */

typedef struct tacLoadField tacLoadField; /* distances to precomputed deformations under loads */

typedef struct tacDeformedField tacDeformedField; /* distances under any deformation, by proxies */

TAC_END_DECLS

#endif
