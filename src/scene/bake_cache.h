/* Baked assets on disk, under names made from everything that they depend on. Offline. */
#pragma once

#include <tactus/deformed_field.h>
#include <tactus/green.h>
#include <tactus/reduced.h>
#include <tactus/scene.h>
#include <tactus/vademecum.h>
#include "scene/body_solid.h"
#include "scene/made_mesh.h"
#include "scene/vademecum_loads.h"

/* The user's folder: $XDG_CACHE_HOME/tactus or ~/.cache/tactus; malloc'ed, or NULL with `error` set. */
char *tac_bake_cache_folder(tacError *error);

/* A second folder that is only read: what a program was shipped with. $TACTUS_PREBAKED ("": none), or beside the program or library
 * that this is part of: ../share/tactus/cache, ../../share/tactus/cache, prebaked (of a build). False where there is none. */
bool tac_bake_cache_prebaked(char *folder, size_t size);

/* Reads FOLDER/NAME-KEY.green, .reduced, .vademecum, .field, .points, .embedded, .deformed, .loads, .surface or .volume, or bakes and writes it; `again`
 * bakes in any case. Of several processes that want the same file one bakes and the others wait. A file of an older
 * format, without a key, or whose checks are bad, is baked again; one that has another's key is set aside first; one that
 * is broken is an error that names it. Each bake removes what killed ones left in the folder. `asset` may be NULL;
 * its body and kind are left as they are. What is prebaked is read from there, unless something is wrong with it. */

/* An interrupted bake goes on where it was. `problem` receives the factored problem of TAC_GREEN_NEAR, for columns on demand,
 * kept as FOLDER/NAME-KEY.factored; NULL for whole storage. */
tacStatus tac_bake_cache_green(const char *folder, const char *name, const tacGreenDef *def, bool again,
                               const tacProgress *progress, tacGreen **green, tacReferenceProblem **problem,
                               tacSceneAsset *asset, tacError *error);
tacStatus tac_bake_cache_reduced(const char *folder, const char *name, const tacReducedDef *def, bool again,
                                 const tacProgress *progress, tacReduced **reduced, tacSceneAsset *asset,
                                 tacError *error);
/* An interrupted bake goes on where it was. How large it will be goes to the log, with `name`, before it begins. It may take
 * minutes, so that bodies of any name that are alike share FOLDER/solid-KEY.vademecum. */
tacStatus tac_bake_cache_vademecum(const char *folder, const char *name, const tacVademecumDef *def, bool again,
                                   const tacProgress *progress, tacVademecum **vademecum, tacSceneAsset *asset,
                                   tacError *error);
tacStatus tac_bake_cache_field(const char *folder, const char *name, const tacSolidDef *def, bool again,
                               const tacProgress *progress, tacDistanceField **field, tacSceneAsset *asset,
                               tacError *error);
/* Points of a rigid body are .points. Those that are embedded in a reduced body are .embedded, made from .points: another
 * material does not place them anew. */
tacStatus tac_bake_cache_points(const char *folder, const char *name, const tacShellDef *def, bool again,
                                const tacProgress *progress, tacPointshell **shell, tacSceneAsset *asset,
                                tacError *error);
tacStatus tac_bake_cache_deformed(const char *folder, const char *name, const tacDeformedDef *def, bool again,
                                  const tacProgress *progress, tacDeformedField **field, tacSceneAsset *asset,
                                  tacError *error);
/* How large it will be goes to the log before it begins. */
tacStatus tac_bake_cache_loads(const char *folder, const char *name, const tacVademecumLoadsDef *def, bool again,
                               const tacProgress *progress, tacLoadField **loads, tacSceneAsset *asset,
                               tacError *error);

/* Meshes, which the assets are baked from: FOLDER/SHAPE-KEY.surface and FOLDER/filled-KEY.volume, whatever body they are of. */
tacStatus tac_bake_cache_surface(const char *folder, const tacShapeMesh *def, bool again, const tacProgress *progress,
                                 tacTriMesh **mesh, tacError *error);
tacStatus tac_bake_cache_volume(const char *folder, const tacFilledMesh *def, bool again, const tacProgress *progress,
                                tacVolMesh **mesh, tacError *error);
