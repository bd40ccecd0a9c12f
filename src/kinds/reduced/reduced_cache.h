/* Reduced models, points that are embedded in them and fields that deform with them, in the cache of baked assets. Offline. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "kinds/reduced/embedded/deformed_solid.h"
#include "spec/cache/bake_cache.h"

enum { TAC_REDUCED_CACHE_VERSION = 3 }; /* to be raised when the same definition bakes to other numbers */

/* Of meshes, materials and their names, held vertices, mass matrix, and what the source of the basis takes. */
uint64_t tac_reduced_cache_key(const tacReducedDef *def);
tacStatus tac_reduced_cache(const char *folder, const char *name, const tacReducedDef *def, bool again,
                            const tacProgress *progress, tacReduced **reduced, tacSceneAsset *asset, tacError *error);

/* Points, and the model that they move with. */
typedef struct tacEmbeddedDef {
  tacShellDef shell;
  bool placed; /* those at rest are in the cache, and not made again */
  const tacReduced *reduced;
  uint64_t reduced_key; /* of its bake */
} tacEmbeddedDef;

uint64_t tac_reduced_cache_points_key(const tacEmbeddedDef *def);
tacStatus tac_reduced_cache_points(const char *folder, const char *name, const tacEmbeddedDef *def, bool again,
                                   const tacProgress *progress, tacPointshell **shell, tacSceneAsset *asset,
                                   tacError *error);
uint64_t tac_reduced_cache_field_key(const tacDeformedDef *def);
tacStatus tac_reduced_cache_field(const char *folder, const char *name, const tacDeformedDef *def, bool again,
                                  const tacProgress *progress, tacDeformedField **field, tacSceneAsset *asset,
                                  tacError *error);
