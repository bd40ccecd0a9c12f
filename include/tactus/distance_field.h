/* Distance fields: the signed distance from a point to the surface of a solid, negative inside the solid. A field is
 * either sampled on a grid or analytic (docs/distance_field.md).
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
 * Units: m. Points and results are in the frame of the field.
 *
 * Phases: bakes belong to the offline phase. Functions that create, read, write or destroy a field belong to the load
 * phase. Queries may be made in any phase, allocate nothing and never fail.
 *
 * Threads: a field is immutable. Any number of threads may query a field at the same time.
 *
 * Errors: functions that return a tacStatus set the field to NULL on failure.
 *
 * Numbers of equations, sections and figures refer to Barbic 2007. */
#ifndef TACTUS_DISTANCE_FIELD_H
#define TACTUS_DISTANCE_FIELD_H

#include <stddef.h>
#include <tactus/base.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

/* A distance field. Opaque and immutable. */
typedef struct tacDistanceField tacDistanceField;

/* ---- creation ---- */

/* Creates a field from samples of signed distances. On success the field takes over `grid->values`, which must come
 * from malloc. On failure the caller still owns the values. Returns TAC_ERR_ARGUMENT if an axis has fewer than 2 nodes,
 * if the spacing is not positive, or if a value is NaN or infinite. Call in the load phase. */
TAC_API tacStatus tac_distance_field_from_grid(const tacGrid *grid, tacDistanceField **field, tacError *error);
/* Creates the field of a half space. A point p with normal . p < offset is inside. `normal` may have any length except
 * 0. For a normal of length 1, `offset` is in metres. Call in the load phase. */
TAC_API tacStatus tac_distance_field_plane(tacVec3 normal, double offset, tacDistanceField **field, tacError *error);
/* Creates the field of a sphere. `centre` and `radius` are in m; the radius must not be negative. Call in the load
 * phase. */
TAC_API tacStatus tac_distance_field_sphere(tacVec3 centre, double radius, tacDistanceField **field, tacError *error);
/* Creates the field of an axis-aligned box, in m. No lower bound may exceed the upper bound. Call in the load phase. */
TAC_API tacStatus tac_distance_field_box(tacBox box, tacDistanceField **field, tacError *error);
/* Creates the field of a capsule: all points within `radius` of the segment from `a` to `b`. All lengths are in m. Call
 * in the load phase. */
TAC_API tacStatus tac_distance_field_capsule(tacVec3 a, tacVec3 b, double radius, tacDistanceField **field,
                                             tacError *error);
/* Creates the union of `part_count` fields, at least 1. The value of the union is the smallest value of the parts.
 * Outside the parts this value is the exact distance. Inside, where parts overlap, the value is only a bound of the
 * distance. On success the union takes over the parts. A part may be a union. Call in the load phase. */
TAC_API tacStatus tac_distance_field_union(int part_count, tacDistanceField *const *parts, tacDistanceField **field,
                                           tacError *error);
/* Frees a field. `field` may be NULL. Call in the load phase. */
TAC_API void tac_distance_field_destroy(tacDistanceField *field);

/* ---- queries: any phase, any thread ---- */

/* Returns the signed distance at `p`, m, and computes the gradient of the distance. `p` is in m.
 *
 * In a grid field, value and gradient are the value and gradient of the trilinear interpolant of the samples (equation
 * 3.11). The gradient is not normalised. Outside the box of the grid, the value is a lower bound of the distance
 * (inequality 3.14), and the gradient is the direction away from the box.
 *
 * At a point without a unique gradient, an analytic field gives one of the adjacent gradients. At the centre of a
 * sphere and on the axis of a capsule the gradient is zero. If a coordinate is NaN or infinite, the value is infinity
 * and the gradient is zero. */
TAC_API double tac_distance_field_gradient(const tacDistanceField *field, tacVec3 p, tacVec3 *gradient);
/* Computes the signed distances at `count` points, m. The values equal the results of
 * tac_distance_field_gradient, but this function is faster. */
TAC_API void tac_distance_field_values(const tacDistanceField *field, int count, const tacVec3 *points, double *values);

/* Returns the samples of a grid field, which belong to the field; NULL for an analytic field. */
TAC_API const tacGrid *tac_distance_field_grid(const tacDistanceField *field);
/* Returns the checks of the bake, which belong to the field. A field that was not baked has no checks. */
TAC_API const tacBakeChecks *tac_distance_field_checks(const tacDistanceField *field);

/* ---- files: load phase ---- */

/* Writes a grid field to a file. A failed write does not change an existing file. Returns TAC_ERR_UNSUPPORTED for an
 * analytic field. */
TAC_API tacStatus tac_distance_field_write(const tacDistanceField *field, const char *path, tacError *error);
/* Reads a grid field from a file. The caller destroys the field. If the file is truncated or altered, the error text
 * names the broken chunk. */
TAC_API tacStatus tac_distance_field_read(const char *path, tacDistanceField **field, tacError *error);

/* ---- bakes from meshes: offline phase ---- */

/* Options of the bake of a field from a mesh. The grid is a cube around the mesh. */
typedef struct tacFieldDef {
  /* Number of voxels along each side of the cube, 1 to 1024; each side has `resolution` + 1 nodes; default 128. */
  int resolution;
  /* Ratio of the side of the cube to the longest side of the box of the mesh, 1 to 100; default 1.5 (section 3.11). */
  double expansion;
  double offset;    /* distance from the polygons of a soup to the surface, m; default 0: 1.4 voxels (Fig. 3.15) */
  double band;      /* distance from the surface up to which nodes are exact, voxels; default 4; INFINITY: all */
  int thread_count; /* number of threads; default 0: one thread for each core */
} tacFieldDef;

/* Returns the default options. Call in any phase. */
TAC_API tacFieldDef tac_field_def_default(void);

/* Bakes the signed distance to a closed mesh.
 *
 * Grid nodes within the band and on the faces of the box of the grid are exact to float precision. At other nodes the
 * absolute value may be too large, but never too small. The excess is usually a fraction of a voxel, and at most 4.5
 * voxels. If the band is infinite, the bake takes up to 6 times longer.
 *
 * A point is inside if the winding number is not zero. Overlapping, touching and nested parts therefore form one solid.
 * A cavity is outside if its triangles face into the cavity.
 *
 * `progress` may be NULL. Returns TAC_ERR_GEOMETRY if the mesh is not closed, and TAC_ERR_CHECK if the result fails a
 * check. */
TAC_API tacStatus tac_distance_field_bake(const tacTriMesh *mesh, const tacFieldDef *def, const tacProgress *progress,
                                          tacDistanceField **field, tacError *error);

/* Bakes the signed distance to the offset surface of any set of triangles (sections 3.8.1 and 3.11).
 *
 * The bake computes the unsigned distance and extracts the isosurface at the distance `def->offset`. It then removes
 * the components of the isosurface that lie inside other components, and bakes the signed distance to the remaining
 * surface. `surface` receives the remaining surface, which the caller frees; `surface` may be NULL. `progress` may be
 * NULL. Returns TAC_ERR_ARGUMENT if the offset is below half a voxel, and TAC_ERR_CHECK if the result fails a check. */
TAC_API tacStatus tac_distance_field_bake_soup(const tacTriMesh *soup, const tacFieldDef *def,
                                               const tacProgress *progress, tacDistanceField **field,
                                               tacTriMesh **surface, tacError *error);

/* ---- fields of deformable bodies ----
 *
 * tac_scene_bake bakes these fields. */

/* Distance field for precomputed deformations of a body under loads. Opaque. */
typedef struct tacLoadField tacLoadField;

/* Distance field for any deformation of a body, approximated by proxies. Opaque. */
typedef struct tacDeformedField tacDeformedField;

TAC_END_DECLS

#endif
