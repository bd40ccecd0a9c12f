/* Reads vademecums and the distance fields of deformed vademecums from the cache of baked assets, or bakes the missing
 * assets. Runs offline. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_def.h"
#include "kinds/vademecum/vademecum_loads.h"
#include "spec/cache/bake_cache.h"

enum { TAC_VADEMECUM_CACHE_VERSION = 4 }; /* increment if the bake of the same definition gives other numbers */

/* Returns the cache key, a hash of all members of `def` that affect the baked vademecum. */
uint64_t tac_vademecum_cache_key(const tacVademecumDef *def);
/* Reads a vademecum from the cache, or bakes the vademecum if the file is missing or `again` is true. An interrupted
 * bake is resumed. The expected size is logged with `name` before a bake. Bodies with the same definition use the
 * same file FOLDER/solid-KEY.vademecum, because a bake may take minutes. */
tacStatus tac_vademecum_cache(const char *folder, const char *name, const tacVademecumDef *def, bool again,
                              const tacProgress *progress, tacVademecum **vademecum, tacSceneAsset *asset,
                              tacError *error);
/* Reads the distance fields of a deformed vademecum from the cache, or bakes the fields. The expected size is logged
 * with `name` before a bake. */
tacStatus tac_vademecum_cache_loads(const char *folder, const char *name, const tacVademecumLoadsDef *def, bool again,
                                    const tacProgress *progress, tacLoadField **loads, tacSceneAsset *asset,
                                    tacError *error);
