/* Fields and points that a scene names as files instead of having them baked. Offline. */
#pragma once

#include <tactus/scene.h>
#include "spec/body_mesh.h"

/* A file that was read: where, and the checksum of what it holds. */
typedef struct tacReadyFile {
  char *path; /* as seen from here, malloc'ed */
  uint64_t checksum;
} tacReadyFile;

void tac_ready_file_free(tacReadyFile *file); /* a zeroed struct is allowed */

/* The file of the body's `field`: one of ours (tac_distance_field_write). Its box must hold `mesh`, the body's
 * surface, and the surface be near its zeroes. `asset` (may be NULL) is described but for body and kind. Errors have
 * the line of the scene. */
tacStatus tac_ready_solid_field(const tacBodyMaker *maker, const tacTriMesh *mesh, tacDistanceField **field,
                                tacReadyFile *file, tacSceneAsset *asset);
/* The file of its `points`: one of ours (tac_pointshell_write), of points that do not deform, or PLY with normals.
 * They must be where the mesh is. */
tacStatus tac_ready_solid_points(const tacBodyMaker *maker, const tacTriMesh *mesh, tacPointshell **points,
                                 tacReadyFile *file, tacSceneAsset *asset);
