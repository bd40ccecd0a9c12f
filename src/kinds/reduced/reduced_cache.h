/* Fetches reduced models, embedded points and deforming fields from the cache of baked assets, or bakes them.
 * Offline. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "kinds/reduced/embedded/deformed_solid.h"
#include "spec/cache/bake_cache.h"

enum { TAC_REDUCED_CACHE_VERSION = 3 }; /* increment if the bake gives a different result for the same definition */

/* Returns the cache key, which depends on meshes, materials, names of materials, held vertices, type of mass matrix,
 * and the data used by the source of the basis. */
uint64_t tac_reduced_cache_key(const tacReducedDef *def);
tacStatus tac_reduced_cache(const char *folder, const char *name, const tacReducedDef *def, bool again,
                            const tacProgress *progress, tacReduced **reduced, tacSceneAsset *asset, tacError *error);

/* Points of a shell that move with a reduced body. */
typedef struct tacEmbeddedDef {
  tacShellDef shell;
  bool placed; /* true if the rest points are in the cache */
  const tacReduced *reduced;
  uint64_t reduced_key; /* cache key of the body `reduced` */
} tacEmbeddedDef;

uint64_t tac_reduced_cache_points_key(const tacEmbeddedDef *def);
tacStatus tac_reduced_cache_points(const char *folder, const char *name, const tacEmbeddedDef *def, bool again,
                                   const tacProgress *progress, tacPointshell **shell, tacSceneAsset *asset,
                                   tacError *error);
uint64_t tac_reduced_cache_field_key(const tacDeformedDef *def);
tacStatus tac_reduced_cache_field(const char *folder, const char *name, const tacDeformedDef *def, bool again,
                                  const tacProgress *progress, tacDeformedField **field, tacSceneAsset *asset,
                                  tacError *error);
