/* Estimates how much of a scene is baked, and how long the remaining bake takes, from the records of earlier bakes
 * (scene/bake_ledger.h). Creates no mesh and reads no asset. Runs offline. */
#pragma once

#include "scene/bake_ledger.h"
#include "scene/scene_parts.h"
#include "spec/bake_steps.h"

#include <tactus/scene.h>

/* Expected work of a bake. Bakes record durations and files in the cache. A file bake_times.txt beside the scene may
 * give durations of another machine. The estimate is fast enough for lists of scenes. The bake itself checks the
 * content of assets. `cache` is the cache folder; NULL: the folder of the user. */
typedef struct tacSceneOutlook {
  int assets, missing; /* number of assets; number of assets that are not known to be in the cache */
  double seconds;      /* expected time to bake the missing assets; negative: unknown */
  size_t bytes;        /* size of the assets in the cache */
} tacSceneOutlook;
tacStatus tac_scene_outlook(const tacScene *scene, const char *cache, tacSceneOutlook *outlook, tacError *error);

/* Returns the number of steps of a bake. The steps of each body are the mesh, then the assets in the order of
 * tac_scene_bake. */
int tac_bake_outlook_count(const tacScene *scene);
/* Estimates each step of a bake. `expected` has tac_bake_outlook_count entries. `folder` is the cache folder. */
tacStatus tac_bake_outlook(const tacScene *scene, const char *folder, tacBakeExpected *expected, tacError *error);

/* Records a finished bake. `expected` has `count` entries. `assets` has an entry for each asset, but not for meshes.
 * Errors while writing are ignored. */
void tac_bake_outlook_note(const char *folder, int count, const tacBakeExpected *expected, const tacSceneAsset *assets);
