/* Meshes that take long enough to be kept (spec/cache/bake_cache.h): shapes of the gallery, coarsened, and solids that were filled
 * with elements. Offline. */
#pragma once

#include <tactus/base.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>

typedef struct tacShapeMesh {
  const char *shape;
  double size;  /* 0: the shape's own */
  int vertices; /* exactly so many; 0: by size */
  bool relaxed; /* of a shape that is coarsened: into triangles that are alike */
} tacShapeMesh;

typedef struct tacFilledMesh {
  const tacTriMesh *surface;
  double tets;    /* m; 0: bricks, of which there are */
  int resolution; /* so many along the longest side of the box, by */
  tacVoxelRule rule;
} tacFilledMesh;

tacStatus tac_shape_mesh_make(const tacShapeMesh *def, const tacProgress *progress, tacTriMesh **mesh, tacError *error);
tacStatus tac_filled_mesh_make(const tacFilledMesh *def, const tacProgress *progress, tacVolMesh **mesh,
                               tacError *error);

/* Vertices and elements. What has groups or sets as well is no such mesh: TAC_ERR_ARGUMENT. */
tacStatus tac_made_surface_write(const tacTriMesh *mesh, const char *path, tacError *error);
tacStatus tac_made_surface_read(const char *path, tacTriMesh **mesh, tacError *error);
tacStatus tac_made_volume_write(const tacVolMesh *mesh, const char *path, tacError *error);
tacStatus tac_made_volume_read(const char *path, tacVolMesh **mesh, tacError *error);
