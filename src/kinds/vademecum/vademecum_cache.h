/* Vademecums, and distance fields of their deformations, in the cache of baked assets. Offline. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_def.h"
#include "kinds/vademecum/vademecum_loads.h"
#include "spec/cache/bake_cache.h"

enum { TAC_VADEMECUM_CACHE_VERSION = 4 }; /* increment when the bake gives other numbers for the same definition */

/* Cache key, computed from mesh, material, fixed and accessible vertices, loads, and all targets. */
uint64_t tac_vademecum_cache_key(const tacVademecumDef *def);
/* Resumes an interrupted bake. Logs the expected size of the bake, with `name`, before it starts. A bake may take
 * minutes, so bodies with the same definition share the file FOLDER/solid-KEY.vademecum, whatever their names. */
tacStatus tac_vademecum_cache(const char *folder, const char *name, const tacVademecumDef *def, bool again,
                              const tacProgress *progress, tacVademecum **vademecum, tacSceneAsset *asset,
                              tacError *error);
/* The same for the distance fields of a vademecum's deformations. Logs the expected size before the bake starts. */
tacStatus tac_vademecum_cache_loads(const char *folder, const char *name, const tacVademecumLoadsDef *def, bool again,
                                    const tacProgress *progress, tacLoadField **loads, tacSceneAsset *asset,
                                    tacError *error);
