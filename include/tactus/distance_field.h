/* Signed distance to a solid: negative inside. Sampled on a grid, or analytic.
 *
 * A field is an immutable asset. Queries allocate nothing, never fail and may be made from any thread in any phase. Points
 * and results are in the field's own frame, metres. */
#ifndef TACTUS_DISTANCE_FIELD_H
#define TACTUS_DISTANCE_FIELD_H

#include <stddef.h>
#include <tactus/base.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

typedef struct tacDistanceField tacDistanceField;

/* Takes over grid->values (malloc'ed) on success. Values must be finite. */
TAC_API tacStatus tac_distance_field_from_grid(const tacGrid *grid, tacDistanceField **field, tacError *error);
/* The half space normal . p < offset is inside; `normal` need not have unit length. */
TAC_API tacStatus tac_distance_field_plane(tacVec3 normal, double offset, tacDistanceField **field, tacError *error);
TAC_API tacStatus tac_distance_field_sphere(tacVec3 centre, double radius, tacDistanceField **field, tacError *error);
TAC_API tacStatus tac_distance_field_box(tacBox box, tacDistanceField **field, tacError *error);
TAC_API tacStatus tac_distance_field_capsule(tacVec3 a, tacVec3 b, double radius, tacDistanceField **field,
                                             tacError *error);
/* The smallest of the parts' values: exact outside, a bound inside where parts overlap. Takes over the parts on success;
 * unions of unions are allowed. */
TAC_API tacStatus tac_distance_field_union(int part_count, tacDistanceField *const *parts, tacDistanceField **field,
                                           tacError *error);
TAC_API void tac_distance_field_destroy(tacDistanceField *field); /* NULL is allowed */

/* The gradient of the same interpolant (equation 3.11), not normalised; outside the grid's box the direction away from the
 * box. Where an analytic field has none, one of those beside it, or zero at the centre of a sphere and on the axis of a
 * capsule. Returns the value as well. */
TAC_API double tac_distance_field_gradient(const tacDistanceField *field, tacVec3 p, tacVec3 *gradient);
/* Values at many points. */
TAC_API void tac_distance_field_values(const tacDistanceField *field, int count, const tacVec3 *points, double *values);

/* The samples of a grid field, NULL for an analytic one. */
TAC_API const tacGrid *tac_distance_field_grid(const tacDistanceField *field);
/* Of its bake; none for other fields. */
TAC_API const tacBakeChecks *tac_distance_field_checks(const tacDistanceField *field);

/* Grid fields only. Written atomically; reading a truncated or altered file is an error that names the chunk. */
TAC_API tacStatus tac_distance_field_write(const tacDistanceField *field, const char *path, tacError *error);
TAC_API tacStatus tac_distance_field_read(const char *path, tacDistanceField **field, tacError *error);

/* Builds distance fields from meshes. Offline. */
typedef struct tacFieldDef {
  int resolution;   /* voxels along each side of the cube; nodes are one more */
  double expansion; /* side of the cube over the longest side of the mesh's box (thesis 3.11: 1.5) */
  double offset;    /* of a soup: metres from its polygons to the surface; 0 means 1.4 voxels (thesis Fig. 3.15) */
  double band;      /* voxels from the surface within which nodes are exact; infinity: all, up to 6 times slower */
  int thread_count; /* 0: one for each core */
} tacFieldDef;

TAC_API tacFieldDef tac_field_def_default(void);

/* Signed distance to a closed mesh. Nodes within the band and on the faces of the box are exact to float precision. Elsewhere
 * a value may be too large, never too small: by a fraction of a voxel as a rule, by 4.5 voxels at most. A point is inside
 * where the winding number is not zero, so overlapping, touching and nested parts are one solid, and a cavity that is
 * bounded by inward triangles is outside. TAC_ERR_GEOMETRY where the mesh is not closed. */
TAC_API tacStatus tac_distance_field_bake(const tacTriMesh *mesh, const tacFieldDef *def, const tacProgress *progress,
                                          tacDistanceField **field, tacError *error);

/* Signed distance to the offset surface of any set of triangles (thesis 3.8.1, 3.11): unsigned distance, isosurface at
 * `offset`, components inside others removed, signed distance to the rest. `surface` (optional) receives that surface. */
TAC_API tacStatus tac_distance_field_bake_soup(const tacTriMesh *soup, const tacFieldDef *def,
                                               const tacProgress *progress, tacDistanceField **field,
                                               tacTriMesh **surface, tacError *error);

/* Distance fields of bodies that deform: of loads, and by proxies of any deformation. Scenes bake them. */
typedef struct tacLoadField tacLoadField;
typedef struct tacDeformedField tacDeformedField;

TAC_END_DECLS

#endif
