/* What every kind of body has of assets, in the cache: distance fields, points at rest, and the meshes that others are baked from. */
#pragma once

#include "spec/body_solid.h"
#include "spec/cache/bake_cache.h"
#include "spec/cache/made_mesh.h"

tacStatus tac_solid_cache_field(const char *folder, const char *name, const tacSolidDef *def, bool again,
                                const tacProgress *progress, tacDistanceField **field, tacSceneAsset *asset,
                                tacError *error);
tacStatus tac_solid_cache_points(const char *folder, const char *name, const tacShellDef *def, bool again,
                                 const tacProgress *progress, tacPointshell **shell, tacSceneAsset *asset,
                                 tacError *error);
/* FOLDER/SHAPE-KEY.surface and FOLDER/filled-KEY.volume, whatever body they are of. */
tacStatus tac_solid_cache_surface(const char *folder, const tacShapeMesh *def, bool again, const tacProgress *progress,
                                  tacTriMesh **mesh, tacError *error);
tacStatus tac_solid_cache_volume(const char *folder, const tacFilledMesh *def, bool again, const tacProgress *progress,
                                 tacVolMesh **mesh, tacError *error);
