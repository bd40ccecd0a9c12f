/* Green's functions in the cache of baked assets. Offline. */
#pragma once

#include <tactus/green.h>
#include "spec/cache/bake_cache.h"

enum { TAC_GREEN_CACHE_VERSION = 2 }; /* increment when the bake gives other numbers for the same definition */

/* Cache key, computed from meshes, materials, fixed and wanted vertices, sensors, method and storage. */
uint64_t tac_green_cache_key(const tacGreenDef *def);
/* Resumes an interrupted bake. `problem` receives the factored problem of TAC_GREEN_NEAR, for columns on demand, cached
 * as FOLDER/NAME-KEY.factored; NULL for whole storage. */
tacStatus tac_green_cache(const char *folder, const char *name, const tacGreenDef *def, bool again,
                          const tacProgress *progress, tacGreen **green, tacReferenceProblem **problem,
                          tacSceneAsset *asset, tacError *error);
