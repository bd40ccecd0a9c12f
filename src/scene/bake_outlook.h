/* How much of a scene is baked, and how long the rest will take, from what is remembered of bakes (scene/bake_ledger.h) without
 * making anything. Offline. */
#pragma once

#include "scene/bake_ledger.h"
#include "scene/scene_parts.h"
#include "spec/bake_steps.h"

#include <tactus/scene.h>

/* What a bake would have to do, as far as is remembered: bakes note in the cache what they took and where it is, and a file
 * bake_times.txt beside the scene may say what they took elsewhere. Makes and reads no asset: for lists of scenes. The bake
 * itself decides by content. `cache` as below. */
typedef struct tacSceneOutlook {
  int assets, missing; /* that it needs, and those of them that are not known to be in the cache */
  double seconds;      /* that the missing ones will take; < 0: not known */
  size_t bytes;        /* of the others */
} tacSceneOutlook;
tacStatus tac_scene_outlook(const tacScene *scene, const char *cache, tacSceneOutlook *outlook, tacError *error);

/* Of all meshes and assets of the scene: of each body the mesh, then its assets in the order of tac_scene_bake. */
int tac_bake_outlook_count(const tacScene *scene);
/* tac_bake_outlook_count of them. `folder`: of the cache. */
tacStatus tac_bake_outlook(const tacScene *scene, const char *folder, tacBakeExpected *expected, tacError *error);

/* To be remembered, after the bake. `count`: of `expected`; `assets`: without the meshes. What cannot be written is no failure. */
void tac_bake_outlook_note(const char *folder, int count, const tacBakeExpected *expected, const tacSceneAsset *assets);
