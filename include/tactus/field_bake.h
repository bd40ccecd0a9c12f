/* Builds distance fields from meshes. Offline. */
#ifndef TACTUS_FIELD_BAKE_H
#define TACTUS_FIELD_BAKE_H

#include <tactus/distance_field.h>
#include <tactus/progress.h>
#include <tactus/trimesh.h>

TAC_BEGIN_DECLS

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

TAC_END_DECLS

#endif
