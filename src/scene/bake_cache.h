/* Baked assets on disk, under names made from everything that they depend on. Offline. */
#ifndef TAC_SCENE_BAKE_CACHE_H
#define TAC_SCENE_BAKE_CACHE_H

#include <tactus/green_bake.h>
#include <tactus/reduced_bake.h>
#include <tactus/scene.h>

/* The user's folder: $XDG_CACHE_HOME/tactus or ~/.cache/tactus; malloc'ed, or NULL with `error` set. */
char *tac_bake_cache_folder(tacError *error);

/* Reads FOLDER/NAME-KEY.green or .reduced, or bakes and writes it; `again` bakes in any case. Of several processes that want the
 * same file one bakes and the others wait. A file of an older format is baked again; one that is broken is an error that
 * names it. `asset` may be NULL. */

/* An interrupted bake goes on where it was. `problem` receives the factored problem of TAC_GREEN_NEAR, for columns on demand,
 * kept as FOLDER/NAME-KEY.factored; NULL for whole storage. */
tacStatus tac_bake_cache_green(const char *folder, const char *name, const tacGreenDef *def, bool again,
                               const tacProgress *progress, tacGreen **green, tacReferenceProblem **problem,
                               tacSceneAsset *asset, tacError *error);
tacStatus tac_bake_cache_reduced(const char *folder, const char *name, const tacReducedDef *def, bool again,
                                 const tacProgress *progress, tacReduced **reduced, tacSceneAsset *asset,
                                 tacError *error);

#endif
