/* Stores Green's functions in the cache of baked assets. The functions are for offline use. */
#pragma once

#include <tactus/green.h>
#include "spec/cache/bake_cache.h"

/* version of the bake; increment if the bake computes other values for the same definition */
enum { TAC_GREEN_CACHE_VERSION = 2 };

/* Returns the cache key, computed from meshes, materials, fixed and wanted vertices, sensors, method and storage. */
uint64_t tac_green_cache_key(const tacGreenDef *def);
/* Reads Green's functions from the cache, or bakes them. Resumes an interrupted bake. For TAC_GREEN_NEAR, `*problem`
 * receives the factored problem, from which columns are computed on demand. The factored problem is stored as
 * FOLDER/NAME-KEY.factored. For whole storage, `*problem` is NULL. */
tacStatus tac_green_cache(const char *folder, const char *name, const tacGreenDef *def, bool again,
                          const tacProgress *progress, tacGreen **green, tacReferenceProblem **problem,
                          tacSceneAsset *asset, tacError *error);
