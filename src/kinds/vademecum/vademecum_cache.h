/* Vademecums, and distances to what they deform to, in the cache of baked assets. Offline. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_def.h"
#include "kinds/vademecum/vademecum_loads.h"
#include "spec/cache/bake_cache.h"

enum { TAC_VADEMECUM_CACHE_VERSION = 4 }; /* to be raised when the same definition bakes to other numbers */

/* Of mesh, material, fixed and accessible vertices, loads, and all that is wanted of it. */
uint64_t tac_vademecum_cache_key(const tacVademecumDef *def);
/* An interrupted bake goes on where it was. How large it will be goes to the log, with `name`, before it begins. It may take
 * minutes, so that bodies of any name that are alike share FOLDER/solid-KEY.vademecum. */
tacStatus tac_vademecum_cache(const char *folder, const char *name, const tacVademecumDef *def, bool again,
                              const tacProgress *progress, tacVademecum **vademecum, tacSceneAsset *asset,
                              tacError *error);
/* How large it will be goes to the log before it begins. */
tacStatus tac_vademecum_cache_loads(const char *folder, const char *name, const tacVademecumLoadsDef *def, bool again,
                                    const tacProgress *progress, tacLoadField **loads, tacSceneAsset *asset,
                                    tacError *error);
