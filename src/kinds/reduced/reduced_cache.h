/* Reduced models, embedded points and deforming fields in the cache of baked assets. Offline. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "kinds/reduced/embedded/deformed_solid.h"
#include "spec/cache/bake_cache.h"

enum { TAC_REDUCED_CACHE_VERSION = 3 }; /* increment when the bake gives other numbers for the same definition */

/* Cache key, computed from meshes, materials and their names, held vertices, mass matrix, and the data that the source
 * of the basis uses. */
uint64_t tac_reduced_cache_key(const tacReducedDef *def);
tacStatus tac_reduced_cache(const char *folder, const char *name, const tacReducedDef *def, bool again,
                            const tacProgress *progress, tacReduced **reduced, tacSceneAsset *asset, tacError *error);

/* Points, and the reduced body that moves them. */
typedef struct tacEmbeddedDef {
  tacShellDef shell;
  bool placed; /* rest points are in the cache and are reused */
  const tacReduced *reduced;
  uint64_t reduced_key; /* cache key of `reduced` */
} tacEmbeddedDef;

uint64_t tac_reduced_cache_points_key(const tacEmbeddedDef *def);
tacStatus tac_reduced_cache_points(const char *folder, const char *name, const tacEmbeddedDef *def, bool again,
                                   const tacProgress *progress, tacPointshell **shell, tacSceneAsset *asset,
                                   tacError *error);
uint64_t tac_reduced_cache_field_key(const tacDeformedDef *def);
tacStatus tac_reduced_cache_field(const char *folder, const char *name, const tacDeformedDef *def, bool again,
                                  const tacProgress *progress, tacDeformedField **field, tacSceneAsset *asset,
                                  tacError *error);
