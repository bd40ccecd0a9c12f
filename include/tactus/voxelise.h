/* Bricks from surfaces. Offline. */
#ifndef TACTUS_VOXELISE_H
#define TACTUS_VOXELISE_H

#include <tactus/progress.h>
#include <tactus/trimesh.h>
#include <tactus/volmesh.h>

TAC_BEGIN_DECLS

typedef enum tacVoxelRule {
  TAC_VOXELS_CENTRE, /* voxels whose centre is inside: volume is right; needs a closed surface */
  TAC_VOXELS_COVER,  /* voxels that the surface touches or encloses: nothing is lost; soups allowed */
  TAC_VOXELS_SHELL   /* voxels that the surface touches, hollow inside; soups allowed */
} tacVoxelRule;

typedef struct tacVoxeliseDef {
  int resolution; /* cubic voxels along the longest side of the mesh's box */
  tacVoxelRule rule;
} tacVoxeliseDef;

TAC_API tacVoxeliseDef tac_voxelise_def_default(void);
TAC_API tacStatus tac_voxelise(const tacTriMesh *surface, const tacVoxeliseDef *def, const tacProgress *progress,
                               tacVolMesh **mesh, tacError *error);
/* The coarsest centre-rule resolution, from 16 to 512 in steps of about 1.2, whose mesh has a volume within `tolerance`
 * (such as 0.02) of the surface's and as many parts, connected by faces, as the surface has. Where none has the parts
 * before the bricks become ten times as many, the one that comes nearest, and a warning in the log. */
TAC_API tacStatus tac_voxelise_to_volume(const tacTriMesh *surface, double tolerance, const tacProgress *progress,
                                         tacVolMesh **mesh, int *resolution, tacError *error);

TAC_END_DECLS

#endif
